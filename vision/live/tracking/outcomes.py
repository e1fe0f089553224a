"""What the observer answers: what follows from one look, and what was confirmed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from vision.live.change.alignment import Homography


@dataclass(frozen=True)
class LookOutcome:
    """What follows from one look at the picture: whether what is undecided may be confirmed now,
    how the table moved in the picture, and how many of the known tiles are where they were.
    """

    ready: bool  # whether what is undecided may be confirmed now
    motion: Homography | None = None  # of the table in the picture; None where it did not move
    matched: int = 0  # tracks that were found in their places
    missing: int = 0  # tracks that seem to be gone, or are hidden


@dataclass(frozen=True)
class Confirmation:
    """Ids of the tracks whose changes were confirmed together."""

    touched: frozenset[int] = frozenset()  # came, or lie elsewhere now
    found_late: frozenset[int] = frozenset()  # of those: lay there all along, only unseen
    carried: frozenset[int] = frozenset()  # of those: came together with all that is around them
    matched: frozenset[int] = frozenset()  # were found in their place when the rest was confirmed
    # When each of the touched ones was first seen in its place, in seconds.
    seen: Mapping[int, float] = field(default_factory=dict)

    @property
    def laid(self) -> frozenset[int]:
        """The tracks that somebody laid or moved just now."""
        return self.touched - self.found_late
