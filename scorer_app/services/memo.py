"""Remembers results, so that each is computed once however many devices ask for it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Lock
from typing import Generic, TypeVar

V = TypeVar("V")


class Memo(Generic[V]):
    """Remembers results by key: those that were asked for last, at most `most` of them.

    A key must name everything that its result depends on. A thread that asks for a result that
    another thread is computing waits for it; other results are not held up.
    """

    def __init__(self, most: int) -> None:
        self._most, self._lock = most, Lock()
        self._known: OrderedDict[Hashable, Future[V]] = OrderedDict()

    def get(self, key: Hashable, work_out: Callable[[], V]) -> V:
        """Return the result of a key; `work_out` computes it where it is not remembered.

        Raises what `work_out` raises; nothing is remembered then.
        """
        with self._lock:
            first = key not in self._known
            found = self._known.setdefault(key, Future())
            self._known.move_to_end(key)
            if len(self._known) > self._most:
                self._known.popitem(last=False)
        if first:
            self._work_out(key, found, work_out)
        return found.result()

    def knows(self, key: Hashable) -> bool:
        """Whether the result of a key is remembered or being computed."""
        with self._lock:
            return key in self._known

    def _work_out(self, key: Hashable, found: Future[V], work_out: Callable[[], V]) -> None:
        try:
            found.set_result(work_out())
        except BaseException as error:
            with self._lock:
                self._known.pop(key, None)
            found.set_exception(error)
