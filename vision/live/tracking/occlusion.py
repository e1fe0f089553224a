"""Limits how long a hand in the picture, or what looks like a shadow, may delay decisions."""

from __future__ import annotations

from vision.live.settings import LiveConfig


class OcclusionTimer:
    """Remembers since when a hand is at work and since when tiles are missed. Mutable; owned by
    the observer. Times are seconds.
    """

    def __init__(self, config: LiveConfig) -> None:
        self._config = config
        self._hand_since: float | None = None
        self._missing_since: float | None = None

    def update(self, has_hand: bool, misses_tiles: bool, time: float) -> None:
        """Take in one look, made at `time`: whether it shows a hand at work, and whether it misses
        known tiles.
        """
        self._hand_since = _since(self._hand_since, has_hand, time)
        self._missing_since = _since(self._missing_since, misses_tiles, time)

    def is_held(self, time: float) -> bool:
        """Whether decisions still wait for a hand at work; they do so for `LiveConfig.hold` seconds
        at most.
        """
        return self._hand_since is not None and time - self._hand_since < self._config.hold

    def may_be_covered(self, time: float) -> bool:
        """Whether missed tiles may still lie under a hand that looks like a shadow; that is assumed
        for `LiveConfig.pale_hold` seconds at most.
        """
        if self._missing_since is None:
            return False
        return time - self._missing_since <= self._config.pale_hold


def _since(before: float | None, holds: bool, time: float) -> float | None:
    """Return since when a condition holds, in seconds: `before` where it held already, `time` where
    it begins to hold now, and None where it does not hold.
    """
    if not holds:
        return None
    return time if before is None else before
