"""Who may follow a topic when only a few places for streams are left, and when streams end."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Generator

import pytest

from scorer_app.services import event_bus
from scorer_app.services.event_bus import EventBus

from ..conftest import in_a_thread


def test_a_greedy_device_makes_room_for_others_alone() -> None:
    bus = EventBus(2)
    greedy = [iter(bus.stream("match", device="greedy")) for _ in range(3)]
    assert [b"full" in next(one) for one in greedy] == [False, False, True]
    assert b"full" not in next(iter(bus.stream("match", device="modest")))
    assert next(greedy[0], None) is None
    bus.tell("match")
    assert b"event: change" in next(greedy[1])


def test_a_closed_bus_ends_its_streams() -> None:
    bus = EventBus(2)
    stream = iter(bus.stream("match"))
    next(stream)
    bus.close()
    assert list(stream) == []
    assert bus.open_streams == 0


def test_whoever_leaves_with_the_first_event_leaves_its_place() -> None:
    async def follow() -> None:
        stream = bus.stream("match").follow()
        await anext(stream)
        await stream.aclose()

    bus = EventBus(2)
    stream = iter(bus.stream("match"))
    next(stream)
    assert isinstance(stream, Generator)
    stream.close()
    assert bus.open_streams == 0
    in_a_thread(asyncio.run, follow())
    assert bus.open_streams == 0


def test_a_stream_ends_when_its_device_may_follow_no_more() -> None:
    bus = EventBus(2)
    mine, other = iter(bus.stream("match", until="links")), iter(bus.stream("match", until="x"))
    assert (next(mine).count(b"event:"), next(other).count(b"event:")) == (1, 1)
    bus.tell("match", "links")
    assert list(mine) == []
    assert b"event: change" in next(other)
    bus.hear_all()  # who may follow may have changed as well
    assert list(other) == []


def test_nothing_is_kept_of_topics_that_nobody_follows() -> None:
    bus = EventBus(2)
    stream = iter(bus.stream("match", table="table"))
    next(stream)
    bus.tell("match", "another")
    assert bus.counts({"a": "match", "b": "another"}) == {"a": 1, "b": 0}
    bus.close()
    assert list(stream) == []
    assert bus.counts({"a": "match"}) == {"a": 0}


def test_news_wake_a_follower_at_once_and_silence_is_a_sign_of_life(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def follow() -> list[bytes]:
        stream = bus.stream("match", table="table").follow()
        heard = [await anext(stream)]
        bus.tell("table")
        heard.append(await anext(stream))
        monkeypatch.setattr(event_bus, "_HEARTBEAT", 0.01)
        heard.append(await anext(stream))
        await stream.aclose()
        return heard

    bus, began = EventBus(1), time.monotonic()
    first, news, silence = in_a_thread(asyncio.run, follow())
    assert first.count(b"event:") == 2
    assert (b"event: table" in news, b"event: change" in news) == (True, False)
    assert silence == b": still here\n\n"
    assert time.monotonic() - began < 10
    assert bus.open_streams == 0


def test_a_stream_that_is_to_be_followed_by_another_says_so_and_has_left_its_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bus, present = EventBus(1), time.monotonic()
    stream = iter(bus.stream("match"))
    next(stream)
    for _ in range(100):  # however often the match changes meanwhile
        bus.tell("match")
        assert b"event: change" in next(stream)
    monkeypatch.setattr(time, "monotonic", lambda: present + 301)
    bus.tell("match")
    assert next(stream) == b"event: again\ndata: 0\n\n"
    another = iter(bus.stream("match"))
    assert b"event: change" in next(another)
    assert next(stream, None) is None
    bus.tell("match")
    assert b"event: change" in next(another)
    assert bus.open_streams == 1
