"""Tells every open page that a match has changed. Only the news travels; each page then asks for
the one truth.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterator

_HEARTBEAT = 15.0  # seconds; also how soon a vanished reader frees its thread
_LIFETIME = 20  # heartbeats after which the browser is asked to connect anew


def table_topic(match_id: str) -> str:
    """Of a match's watched table, which changes far more often than the match."""
    return f"table {match_id}"


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

    def stream(self, topic: str, **others: str) -> Iterator[str]:
        """A server-sent event `change` per change of the topic, for `others` one of their name,
        beginning with one of each at once; only `full` when no place is left.
        """
        if not self._places.acquire(blocking=False):
            yield "retry: 5000\nevent: full\ndata: 0\n\n"
            return
        try:
            yield from self._events({"change": topic, **others})
        finally:
            self._places.release()

    def _events(self, topics: dict[str, str]) -> Iterator[str]:
        seen = {name: self._counts[topic] for name, topic in topics.items()}
        yield "retry: 2000\n" + "".join(_event(name, count) for name, count in seen.items())
        for _ in range(_LIFETIME):
            now = self._wait(topics, seen)
            if not self._open:
                return
            yield (
                "".join(_event(name, count) for name, count in now.items() if count != seen[name])
                or ": still here\n\n"
            )
            seen = now

    def _wait(self, topics: dict[str, str], seen: dict[str, int]) -> dict[str, int]:
        """The counts once one of them has changed, or after a heartbeat."""

        def counts() -> dict[str, int]:
            return {name: self._counts[topic] for name, topic in topics.items()}

        with self._changed:
            self._changed.wait_for(lambda: not self._open or counts() != seen, _HEARTBEAT)
            return counts()


def _event(name: str, count: int) -> str:
    return f"id: {count}\nevent: {name}\ndata: {count}\n\n"
