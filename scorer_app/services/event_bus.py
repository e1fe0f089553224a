"""Tells every open page that something has changed. Only the fact travels; each page then asks
for the one truth.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Callable, Iterator
from itertools import starmap

_HEARTBEAT = 15.0  # seconds between two signs of life on a stream without changes
_LIFETIME = 20  # heartbeats or changes after which the browser is asked to connect anew
_FULL = b"retry: 5000\nevent: full\ndata: 0\n\n"


def table_topic(match_id: str) -> str:
    """Of a match's watched table, which changes far more often than the match."""
    return f"table {match_id}"


class Broadcaster:
    """Counts changes by topic (a match, a hand) and wakes the streams that wait for one.

    At most `most_watchers` streams are open. Where all places are taken, the device that holds
    the most of them loses its oldest to a newcomer that holds fewer.
    """

    def __init__(self, most_watchers: int) -> None:
        self._lock = threading.Lock()
        self._counts: defaultdict[str, int] = defaultdict(int)
        self._most = most_watchers
        self._streams: dict[EventStream, None] = {}  # the oldest first
        self._open = True

    def tell(self, *topics: str) -> None:
        with self._lock:
            for topic in topics:
                self._counts[topic] += 1
            waiting = [one for one in self._streams if one.follows(topics)]
        for stream in waiting:
            stream.wake()

    def close(self) -> None:
        """Ends all streams, so that the server can stop."""
        with self._lock:
            self._open = False
            waiting = list(self._streams)
        for stream in waiting:
            stream.end()

    def stream(self, topic: str, *, device: str = "", **others: str) -> EventStream:
        """Server-sent events: `change` per change of the topic, for `others` one of their name,
        beginning with one of each at once; only `full` when `device` finds no place.
        """
        return EventStream(self, {"change": topic, **others}, device)

    @property
    def open_streams(self) -> int:
        return len(self._streams)

    def counts(self, topics: dict[str, str]) -> dict[str, int]:
        with self._lock:
            return {name: self._counts[topic] for name, topic in topics.items()}

    def admit(self, stream: EventStream) -> bool:
        """Whether the stream has a place now."""
        with self._lock:
            if not self._open:
                return False
            displaced = None
            if len(self._streams) >= self._most:
                displaced = self._displaced_by(stream.device)
                if displaced is None:
                    return False
                del self._streams[displaced]
            self._streams[stream] = None
        if displaced is not None:
            displaced.end()
        return True

    def release(self, stream: EventStream) -> None:
        with self._lock:
            self._streams.pop(stream, None)

    def _displaced_by(self, device: str) -> EventStream | None:
        """The oldest stream of the device that holds the most, if that is more than `device`
        would hold then.
        """
        held = Counter(one.device for one in self._streams)
        greediest, count = held.most_common(1)[0]
        if count <= held[device] + 1:
            return None
        return next(one for one in self._streams if one.device == greediest)


class EventStream:
    """One page's events. `follow` is for servers with an event loop and holds no thread between
    events; iterating does the same on a thread of its own, for any WSGI server.
    """

    def __init__(self, bus: Broadcaster, topics: dict[str, str], device: str) -> None:
        self.device = device
        self._bus, self._topics = bus, topics
        self._seen: dict[str, int] = {}
        self._left = _LIFETIME
        self._ended = False
        self._wake: Callable[[], None] = _nothing

    def follows(self, topics: tuple[str, ...]) -> bool:
        return not set(topics).isdisjoint(self._topics.values())

    def wake(self) -> None:
        self._wake()

    def end(self) -> None:
        self._ended = True
        self._wake()

    def __iter__(self) -> Iterator[bytes]:
        changed = threading.Event()
        yield self._begin(changed.set)
        try:
            while self._left:
                changed.wait(_HEARTBEAT)
                changed.clear()
                if news := self._next():
                    yield news
        finally:
            self._bus.release(self)

    async def follow(self) -> AsyncGenerator[bytes, None]:
        loop, changed = asyncio.get_running_loop(), asyncio.Event()
        yield self._begin(lambda: _call_soon(loop, changed.set))
        try:
            while self._left:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), _HEARTBEAT)
                changed.clear()
                if news := self._next():
                    yield news
        finally:
            self._bus.release(self)

    def _begin(self, wake: Callable[[], None]) -> bytes:
        self._wake = wake
        if not self._bus.admit(self):
            self._left = 0
            return _FULL
        self._seen = self._bus.counts(self._topics)
        return b"retry: 2000\n" + b"".join(starmap(_event, self._seen.items()))

    def _next(self) -> bytes:
        """What has changed since the last time, or a sign of life; nothing once ended."""
        self._left -= 1
        if self._ended:
            self._left = 0
            return b""
        before, self._seen = self._seen, self._bus.counts(self._topics)
        changed = [
            _event(name, count) for name, count in self._seen.items() if count != before[name]
        ]
        return b"".join(changed) or b": still here\n\n"


def _nothing() -> None:
    """Wakes nobody: the stream is not yet followed."""


def _call_soon(loop: asyncio.AbstractEventLoop, act: Callable[[], object]) -> None:
    """From any thread; a loop that has ended has nobody left to wake."""
    try:
        loop.call_soon_threadsafe(act)
    except RuntimeError:
        return


def _event(name: str, count: int) -> bytes:
    return f"id: {count}\nevent: {name}\ndata: {count}\n\n".encode()
