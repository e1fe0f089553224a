"""Tells every open page that something has changed.

An event says that a topic has changed, not how. A page that hears it asks for the present state.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Callable, Iterator
from itertools import starmap

_HEARTBEAT = 15.0  # seconds between two signs of life on a stream without changes
_LIFETIME = 20  # heartbeats or changes after which a stream ends and the browser connects again
_FULL = b"retry: 5000\nevent: full\ndata: 0\n\n"


def table_topic(match_id: str) -> str:
    """Name the topic of a match's watched table, which changes far more often than the match."""
    return f"table {match_id}"


class Broadcaster:
    """Counts changes by topic (a match, a hand) and wakes the streams that wait for a change.

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
        """Count a change of each topic and wake the streams that follow one of them."""
        with self._lock:
            for topic in topics:
                self._counts[topic] += 1
            waiting = [one for one in self._streams if one.follows(topics)]
        for stream in waiting:
            stream.wake()

    def close(self) -> None:
        """End all streams, so that the server can stop."""
        with self._lock:
            self._open = False
            waiting = list(self._streams)
        for stream in waiting:
            stream.end()

    def stream(self, topic: str, *, device: str = "", **others: str) -> EventStream:
        """Make a stream of server-sent events for one page.

        It sends `change` when the topic changes, and an event of the keyword's name when one of the
        `others` does. It begins with one event of each. A page of a `device` that finds no place
        gets the one event `full`.
        """
        return EventStream(self, {"change": topic, **others}, device)

    @property
    def open_streams(self) -> int:
        """Number of pages that are listening."""
        return len(self._streams)

    def counts(self, topics: dict[str, str]) -> dict[str, int]:
        """Number of changes so far by event name, of the topics that the names stand for."""
        with self._lock:
            return {name: self._counts[topic] for name, topic in topics.items()}

    def admit(self, stream: EventStream) -> bool:
        """Give a stream a place, if there is one; return whether it has one now."""
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
        """Free the place of a stream that has ended."""
        with self._lock:
            self._streams.pop(stream, None)

    def _displaced_by(self, device: str) -> EventStream | None:
        """The stream that must make room for a new one of `device`; None where there is none.

        It is the oldest stream of the device that holds the most, if that device holds more than
        `device` would with the new one.
        """
        held = Counter(one.device for one in self._streams)
        greediest, count = held.most_common(1)[0]
        if count <= held[device] + 1:
            return None
        return next(one for one in self._streams if one.device == greediest)


class EventStream:
    """The events of one page, as bytes.

    `follow` is for servers with an event loop and holds no thread between events. Iterating gives
    the same events and blocks its thread between them, which any WSGI server allows.
    """

    def __init__(self, bus: Broadcaster, topics: dict[str, str], device: str) -> None:
        self.device = device
        self._bus, self._topics = bus, topics
        self._seen: dict[str, int] = {}
        self._left = _LIFETIME
        self._ended = False
        self._wake: Callable[[], None] = _nothing

    def follows(self, topics: tuple[str, ...]) -> bool:
        """Tell whether the stream sends the changes of one of the topics."""
        return not set(topics).isdisjoint(self._topics.values())

    def wake(self) -> None:
        """Let the stream look for changes now; callable from any thread."""
        self._wake()

    def end(self) -> None:
        """End the stream; callable from any thread."""
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
        """Yield the events; no thread waits between them."""
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
        """The events of what changed since the last call, or a sign of life; nothing once ended."""
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
    """Do nothing: stands in for waking a stream that nobody follows yet."""


def _call_soon(loop: asyncio.AbstractEventLoop, act: Callable[[], object]) -> None:
    """Let an event loop call a function, from any thread; a loop that has ended calls nothing."""
    try:
        loop.call_soon_threadsafe(act)
    except RuntimeError:
        return


def _event(name: str, count: int) -> bytes:
    return f"id: {count}\nevent: {name}\ndata: {count}\n\n".encode()
