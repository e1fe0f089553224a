"""Remembers the newest results of what is pure, so that they are worked out once and not for every device that asks."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

V = TypeVar("V")


class Memo(Generic[V]):
    """At most `most` results by key; the key names all that a result follows from. Who asks while it is worked out waits for it."""

    def __init__(self, most: int) -> None:
        self._most, self._lock = most, Lock()
        self._known: OrderedDict[Hashable, V] = OrderedDict()

    def get(self, key: Hashable, work_out: Callable[[], V]) -> V:
        """Raises what `work_out` raises; then nothing is remembered."""
        with self._lock:
            if key not in self._known:
                self._known[key] = work_out()
            self._known.move_to_end(key)
            if len(self._known) > self._most:
                self._known.popitem(last=False)
            return self._known[key]
