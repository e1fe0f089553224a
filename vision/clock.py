"""Measures how long each stage of a reading takes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Clock:
    """Measures the seconds spent in each stage, and in total since it was made."""

    def __init__(self) -> None:
        self._stages: dict[str, float] = {}
        self._started = time.perf_counter()

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        started = time.perf_counter()
        yield
        before = self._stages.get(name, 0.0)  # a stage may be entered again
        self._stages[name] = before + time.perf_counter() - started

    def seconds(self) -> dict[str, float]:
        return {**self._stages, "total": time.perf_counter() - self._started}
