"""Tells every open page that something has changed.

An event says that a topic has changed, not how. A page that hears it asks for the present state.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import threading
import time
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from itertools import starmap

_HEARTBEAT = 15.0  # seconds between two signs of life on a stream without changes
_LIFETIME = 300.0  # seconds after which a stream ends, and the page follows another
_AGAIN = b"event: again\ndata: 0\n\n"
_FULL = b"retry: 5000\nevent: full\ndata: 0\n\n"


def table_topic(match_id: str) -> str:
    """Return the name of the topic of a match's watched table, which changes far more often than
    the match.
    """
    return f"table {match_id}"


def links_topic(match_id: str) -> str:
    """Return the name of the topic that changes when the links of a match are renewed. Streams that
    follow the match end then, since their devices may have lost access.
    """
    return f"links {match_id}"


class EventBus:
    """Counts changes by topic (a match, a hand) and wakes the streams that wait for a change.

    At most `most_watchers` streams are open. When there are so many, the device with the most
    streams loses its oldest one to a new stream, if it has at least two streams more than the
    device that asks for the new one. Otherwise the new stream is refused.
    """

    def __init__(self, most_watchers: int) -> None:
        self._lock = threading.Lock()
        # Only topics that some stream follows: otherwise this would grow with every match.
        self._counts: dict[str, int] = {}
        self._followers: defaultdict[str, set[EventStream]] = defaultdict(set)
        self._most = most_watchers
        self._streams: dict[EventStream, None] = {}  # the oldest first
        self._open = True
        # Carries each change to the other processes that serve the same store.
        self.relay: Callable[[tuple[str, ...]], None] = _keep_here

    def tell(self, *topics: str) -> None:
        """Count a committed change of each topic, and wake the streams that follow one of them,
        also in the other processes that serve the same store.
        """
        self.hear(topics)
        self.relay(topics)

    def hear(self, topics: Iterable[str]) -> None:
        """Count a change of each of the topics, and wake the streams of this process that follow
        one of them. A stream ends where the topic that ends it is among them.
        """
        changed = set(topics)
        with self._lock:
            waiting: set[EventStream] = set()
            for topic in self._counts.keys() & changed:
                self._counts[topic] += 1
                waiting |= self._followers[topic]
        for stream in waiting:
            if stream.until in changed:
                stream.end()
            else:
                stream.wake()

    def hear_all(self) -> None:
        """Count a change of every topic, and wake the streams of this process. This is for when it
        is not known which topics have changed.
        """
        with self._lock:
            topics = list(self._counts)
        self.hear(topics)

    def close(self) -> None:
        """End all streams, so that the server can stop."""
        with self._lock:
            self._open = False
            waiting = list(self._streams)
        for stream in waiting:
            stream.end()

    def stream(
        self, topic: str, *, device: str = "", until: str | None = None, **others: str
    ) -> EventStream:
        """Make a stream of server-sent events for one page on a `device`.

        The stream sends the event `change` when `topic` changes. Each keyword of `others` is the
        name of a further event, sent when the topic that is its value changes. The stream begins
        with one event of each name. It ends when the topic `until` changes, if one is named. Where
        no place is free for the device, the stream sends the single event `full`.
        """
        return EventStream(self, {"change": topic, **others}, device, until)

    @property
    def open_streams(self) -> int:
        """Number of pages that are listening."""
        return len(self._streams)

    def counts(self, topics: dict[str, str]) -> dict[str, int]:
        """Return for each event name how often its topic has changed so far. `topics` maps each
        event name to its topic.
        """
        with self._lock:
            return {name: self._counts.get(topic, 0) for name, topic in topics.items()}

    def admit(self, stream: EventStream) -> bool:
        """Give a stream a place, if a place is free or can be made free. Return whether the stream
        has a place now.
        """
        with self._lock:
            if not self._open:
                return False
            displaced = None
            if len(self._streams) >= self._most:
                displaced = self._displaced_by(stream.device)
                if displaced is None:
                    return False
                self._forget(displaced)
            self._streams[stream] = None
            for topic in stream.topics:
                self._counts.setdefault(topic, 0)
                self._followers[topic].add(stream)
        if displaced is not None:
            displaced.end()
        return True

    def release(self, stream: EventStream) -> None:
        """Free the place of a stream that has ended."""
        with self._lock:
            self._forget(stream)

    def _forget(self, stream: EventStream) -> None:
        """Forget a stream, and the topics that it alone followed."""
        self._streams.pop(stream, None)
        for topic in stream.topics & self._followers.keys():
            self._followers[topic].discard(stream)
            if not self._followers[topic]:
                del self._followers[topic], self._counts[topic]

    def _displaced_by(self, device: str) -> EventStream | None:
        """Return the stream that must make room for a new one of `device`; None where the new one
        is to be refused.

        It is the oldest stream of the device with the most streams, if that device has more than
        `device` would have with the new one.
        """
        held = Counter(one.device for one in self._streams)
        greediest, count = held.most_common(1)[0]
        if count <= held[device] + 1:
            return None
        return next(one for one in self._streams if one.device == greediest)


class EventStream:
    """The events of one page on a `device`, as bytes. `topics` maps the name of each event to the
    topic whose changes it tells of. The stream ends when the topic `until` changes, if one is
    named.

    `follow` is for servers with an event loop and holds no thread between events. Iterating over
    the stream gives the same events and blocks a thread between them, which any WSGI server allows.
    """

    def __init__(
        self, bus: EventBus, topics: dict[str, str], device: str, until: str | None = None
    ) -> None:
        self.device, self.until = device, until
        self._bus, self._topics = bus, topics
        self._seen: dict[str, int] = {}
        self._goes_on = True
        self._end = math.inf  # by the monotonic clock, once the stream has begun
        self._ended = False
        self._wake: Callable[[], None] = _nothing

    @property
    def topics(self) -> set[str]:
        """The topics whose changes the stream sends, and the topic whose change ends the stream."""
        return {*self._topics.values(), *([self.until] if self.until else [])}

    def wake(self) -> None:
        """Let the stream look for changes now; callable from any thread."""
        self._wake()

    def end(self) -> None:
        """End the stream; callable from any thread."""
        self._ended = True
        self._wake()

    def __iter__(self) -> Iterator[bytes]:
        changed = threading.Event()
        try:
            yield self._begin(changed.set)
            while self._goes_on:
                changed.wait(_HEARTBEAT)
                changed.clear()
                if news := self._next():
                    yield news
        finally:
            self._bus.release(self)

    async def follow(self) -> AsyncGenerator[bytes, None]:
        """Yield the events as bytes; no thread waits between them."""
        loop, changed = asyncio.get_running_loop(), asyncio.Event()
        try:
            yield self._begin(lambda: _call_soon(loop, changed.set))
            while self._goes_on:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), _HEARTBEAT)
                changed.clear()
                if news := self._next():
                    yield news
        finally:
            self._bus.release(self)

    def _begin(self, wake: Callable[[], None]) -> bytes:
        self._wake, self._end = wake, time.monotonic() + _LIFETIME
        if not self._bus.admit(self):
            self._goes_on = False
            return _FULL
        self._seen = self._bus.counts(self._topics)
        return b"retry: 2000\n" + b"".join(starmap(_event, self._seen.items()))

    def _next(self) -> bytes:
        """Return the events of what has changed since the last call. Where nothing has changed,
        return a comment line, which keeps the connection open. Once the stream has been ended,
        return no bytes.
        """
        if self._ended:
            self._goes_on = False
            return b""
        if time.monotonic() >= self._end:
            self._goes_on = False
            self._bus.release(self)  # its place is free when the page follows another stream
            return _AGAIN
        before, self._seen = self._seen, self._bus.counts(self._topics)
        changed = [
            _event(name, count) for name, count in self._seen.items() if count != before[name]
        ]
        return b"".join(changed) or b": still here\n\n"


def _keep_here(_topics: tuple[str, ...]) -> None:
    """Do nothing: stands in for telling other processes where there are none."""


def _nothing() -> None:
    """Do nothing: stands in for waking a stream that nobody follows yet."""


def _call_soon(loop: asyncio.AbstractEventLoop, act: Callable[[], object]) -> None:
    """Have an event loop call a function; callable from any thread. A loop that has ended calls
    nothing.
    """
    try:
        loop.call_soon_threadsafe(act)
    except RuntimeError:
        return


def _event(name: str, count: int) -> bytes:
    return f"id: {count}\nevent: {name}\ndata: {count}\n\n".encode()
