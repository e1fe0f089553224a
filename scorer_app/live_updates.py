"""Tells every open page that a match has changed. Only the news travels; each page then asks for the one truth."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterator

_HEARTBEAT = 15.0  # seconds; also how soon a vanished reader frees its thread
_LIFETIME = 20  # heartbeats after which the browser is asked to connect anew


class Broadcaster:
    """Counts changes by topic (a match, a hand) and wakes those who wait for one."""

    def __init__(self, most_watchers: int) -> None:
        self._changed = threading.Condition()
        self._counts: defaultdict[str, int] = defaultdict(int)
        self._places = threading.BoundedSemaphore(most_watchers)
        self._open = True

    def tell(self, *topics: str) -> None:
        with self._changed:
            for topic in topics:
                self._counts[topic] += 1
            self._changed.notify_all()

    def close(self) -> None:
        """Ends all streams, so that the server can stop."""
        with self._changed:
            self._open = False
            self._changed.notify_all()

    def stream(self, topic: str) -> Iterator[str]:
        """A server-sent event per change of the topic, beginning with one at once; only `full` when no place is left."""
        if not self._places.acquire(blocking=False):
            yield "retry: 5000\nevent: full\ndata: 0\n\n"
            return
        try:
            yield from self._events(topic)
        finally:
            self._places.release()

    def _events(self, topic: str) -> Iterator[str]:
        seen = self._counts[topic]
        yield f"retry: 2000\nid: {seen}\nevent: change\ndata: {seen}\n\n"
        for _ in range(_LIFETIME):
            changed = self._wait(topic, seen)
            if not self._open:
                return
            seen = self._counts[topic]
            yield f"id: {seen}\nevent: change\ndata: {seen}\n\n" if changed else ": still here\n\n"

    def _wait(self, topic: str, seen: int) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: not self._open or self._counts[topic] != seen, _HEARTBEAT)
