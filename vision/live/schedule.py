"""When the table is looked at: only where something changed and lies still again.

An `observer` knows when anything last moved and whether anything is undecided; `time` is that of
the latest frame, in seconds.
"""

from __future__ import annotations

from vision.live.change.gate import Glance
from vision.live.settings import LiveConfig
from vision.live.tracking.observer import Observer

START_PATIENCE = 3.0  # seconds after which the first table is taken even if something moves
ROUNDING = 1e-6  # seconds by which a frame may seem to come early


class LookSchedule:
    """Decides when to look. Mutable; owned by the watch. Times are seconds."""

    def __init__(self, config: LiveConfig) -> None:
        self._config = config
        self._started = 0.0
        self._last_look = float("-inf")
        self._is_asked = False

    @property
    def is_asked(self) -> bool:
        """Whether a person asked for a look at the very next frame."""
        return self._is_asked

    def start(self, time: float) -> None:
        """Begin at `time`, in seconds, to watch a table of which nothing is known yet."""
        self._started = time

    def ask(self) -> None:
        """Note that a person wants the next frame looked at, even while something moves."""
        self._is_asked = True

    def answered(self) -> None:
        """Note that the look a person asked for has been taken."""
        self._is_asked = False

    def note_look(self, time: float) -> None:
        self._last_look = time

    def looks_again(self, observer: Observer, time: float) -> bool:
        """Whether to look again because a thing came to rest lately: it may have brought tiles with
        it.
        """
        return time - observer.last_absorbed < self._config.second_look

    def is_due(self, glance: Glance, observer: Observer, has_table: bool, time: float) -> bool:
        """Whether to look at the latest frame. `glance` tells how that frame differs from the known
        table, and `has_table` whether a first table has been reported.
        """
        if self._is_asked:
            return True
        waited = time - self._last_look + ROUNDING
        if not has_table:
            return waited >= self._config.interval and self._may_start(observer, time)
        if observer.is_lost:
            return waited >= self._config.interval and observer.is_calm(time)
        again = self.looks_again(observer, time)
        if not glance.ready and not again:
            return False
        return waited >= self._interval(observer, again, time)

    def _interval(self, observer: Observer, again: bool, time: float) -> float:
        """Seconds between two looks. The interval is short while something is being decided, soon
        after a motion, and where `again` is True, which tells that a thing came to rest lately.
        """
        moved_lately = time - observer.last_motion < self._config.eager
        if moved_lately or again or observer.has_counts:
            return self._config.interval
        return self._config.slow_interval

    def _may_start(self, observer: Observer, time: float) -> bool:
        """Whether to look for the first table: nothing has moved for a while, or the table has been
        watched for START_PATIENCE seconds.
        """
        watched = time - self._started
        if watched >= START_PATIENCE:
            return True
        return watched >= self._config.calm and not observer.has_moving_things(time)
