"""The watches of all matches: what becomes of one when another is to take its place."""

from __future__ import annotations

import io
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from threading import Event
from types import SimpleNamespace
from typing import Any, TypeAlias

import numpy as np
import pytest
from PIL import Image

from engine import ruleset
from scorer_app import create_app
from scorer_app.config import AppConfig
from scorer_app.services.reading_queue import ReadingFailed
from scorer_app.services.set_values import ChosenSet
from scorer_app.watch.refusals import LiveRefused
from scorer_app.watch.table_watch import TableWatch
from scorer_app.watch.tables import Watches
from scorer_app.web.application import close
from scorer_app.web.parts import parts_of
from vision.colour import INKS
from vision.live import Eyes

from ..pictures import RecordedReader

PATIENCE = 20.0  # seconds that another thread is waited for, at most


def test_a_watch_goes_on_where_the_networks_of_another_cannot_be_loaded() -> None:
    known = [SimpleNamespace(inks=INKS)]

    def open_eyes(_chosen: ChosenSet | None) -> Eyes:
        if not known:
            raise ReadingFailed("model_missing")
        return known.pop()  # type: ignore[return-value]

    watches = Watches(open_eyes)
    running = watches.begin("match", ruleset("burako"))
    with pytest.raises(ReadingFailed):
        watches.begin("match", ruleset("pagat"))
    assert watches.find("match") is running


def test_a_watch_for_other_rules_knows_that_a_hand_was_just_saved() -> None:
    """Its melds may be taken from the table for a while."""
    watches = Watches(lambda _chosen: SimpleNamespace(inks=INKS))  # type: ignore[arg-type,return-value]
    watches.begin("match", ruleset("burako"), hand=1)
    running = watches.begin("match", ruleset("burako"), hand=2)
    anew = watches.begin("match", ruleset("pagat"), hand=2)
    assert anew is not running and anew.saved == running.saved > float("-inf")


def test_the_settings_say_how_many_tables_are_watched_at_once(config: AppConfig) -> None:
    app = create_app(replace(config, watched_tables=1), RecordedReader())
    watches = parts_of(app).watches
    watches.open_eyes = lambda _chosen: SimpleNamespace(inks=INKS)  # type: ignore[assignment,return-value]
    watches.begin("match", ruleset("burako"))
    with pytest.raises(LiveRefused) as refused:
        watches.begin("another", ruleset("burako"))
    assert refused.value.figures == {"most": 1, "seconds": 30}
    close(app)


class Preparing:
    """Opens eyes that need time for every set of tiles: until `ready` is set."""

    def __init__(self) -> None:
        self.begun, self.ready = Event(), Event()

    def __call__(self, chosen: ChosenSet | None) -> Eyes:
        if chosen is not None:
            self.begun.set()
            assert self.ready.wait(PATIENCE)
        return SimpleNamespace(inks=INKS)  # type: ignore[return-value]


@pytest.fixture
def slow() -> Iterator[tuple[Watches, Preparing, Future[TableWatch]]]:
    """Watches of which one, of the match "taught", waits for the set it is played with."""
    preparing = Preparing()
    watches = Watches(preparing)
    chosen: Any = SimpleNamespace(id="ours")
    with ThreadPoolExecutor(1) as others:
        begins = others.submit(watches.begin, "taught", ruleset("burako"), chosen)
        try:
            assert preparing.begun.wait(PATIENCE)
            yield watches, preparing, begins
        finally:
            preparing.ready.set()


Slow: TypeAlias = tuple[Watches, Preparing, "Future[TableWatch]"]


def test_other_tables_go_on_while_a_set_of_tiles_is_made_ready_for_one(slow: Slow) -> None:
    watches, preparing, begins = slow
    with ThreadPoolExecutor(1) as others:
        other = others.submit(watches.begin, "other", ruleset("burako"))
        try:
            running = other.result(PATIENCE / 2)
        finally:
            preparing.ready.set()
    assert watches.find("other") is running
    assert begins.result(PATIENCE) is watches.find("taught")


def test_a_match_deleted_while_its_set_is_made_ready_is_not_watched(slow: Slow) -> None:
    watches, preparing, begins = slow
    watches.forget("taught")
    preparing.ready.set()
    with pytest.raises(LiveRefused):
        begins.result(PATIENCE)
    assert watches.find("taught") is None


def test_two_frames_that_wait_for_one_set_begin_one_watch(slow: Slow) -> None:
    watches, preparing, begins = slow
    chosen: Any = SimpleNamespace(id="ours")
    with ThreadPoolExecutor(1) as others:
        again = others.submit(watches.begin, "taught", ruleset("burako"), chosen)
        preparing.ready.set()
    assert again.result(PATIENCE) is begins.result(PATIENCE) is watches.find("taught")


@pytest.mark.parametrize("notice", ["other_set", "out_of_sight"])
def test_who_follows_is_told_of_another_set_and_of_a_table_out_of_sight(notice: str) -> None:
    told: list[object] = []
    eyes: Any = SimpleNamespace(inks=INKS, other_set=False)
    watch = TableWatch(ruleset("burako"), eyes, lambda: told.append(None))
    watch.take_over("page", 0.8)
    seen = iter([False, True, True])

    def see(*_frame: object) -> list[Any]:
        if notice == "other_set":
            eyes.other_set = next(seen)
        else:
            referee.is_out_of_sight = next(seen)
        return []

    referee: Any = SimpleNamespace(
        see=see, table=None, memory=None, line=None, is_out_of_sight=False, expect_clearing=bool
    )
    watch.watch = referee
    shown, changes = [], []
    for moment in (1.0, 1.2, 1.4):
        told.clear()
        watch.see(np.zeros((48, 64, 3), np.uint8), "page", moment)
        changes.append(len(told))
        shown.append(watch.to_json("en", 0, 0, moment)[notice])
    assert shown == [False, True, True]
    assert [changes[1] - changes[2], changes[2]] == [1, 0]


class LookedAt(TableWatch):
    """A watch whose latest picture another thread asks for whenever a field changes."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("frame", "frames"):
            self.jpeg()
        super().__setattr__(name, value)


def test_a_picture_that_is_asked_for_while_the_next_frame_comes_does_not_take_its_place() -> None:
    """Whoever follows a table at rest would see it as it lay before the last move."""
    eyes: Any = SimpleNamespace(inks=INKS, other_set=False)
    watch = LookedAt(ruleset("burako"), eyes)
    watch.watch = SimpleNamespace(  # type: ignore[assignment]
        see=lambda *_frame: [],
        table=None,
        memory=None,
        is_out_of_sight=False,
        expect_clearing=bool,
    )
    for level in (0, 255):
        watch.see(np.full((48, 64, 3), level, np.uint8), "page", 1.0)
    with Image.open(io.BytesIO(watch.jpeg()[1])) as shown:
        assert np.asarray(shown).min() > 250
