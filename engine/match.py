"""The tally of a match: hands add up until a side leads at or over the target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.sides import SIDES, SideName


@dataclass(frozen=True, slots=True)
class Tally:
    """Where a match stands; `winner` and `finished_after_hand` (counted from 1) are None while it
    goes on.
    """

    totals: Mapping[SideName, int]
    winner: SideName | None = None
    finished_after_hand: int | None = None

    @property
    def finished(self) -> bool:
        return self.winner is not None


def tally(hands: Sequence[Mapping[SideName, int]], target: int) -> Tally:
    """Add up the hands' scores; the higher total at or over the target wins, level sides play
    another hand.

    Raises ValueError when hands follow the one that finished the match.
    """
    totals: dict[SideName, int] = dict.fromkeys(SIDES, 0)
    for number, hand in enumerate(hands, 1):
        for side in SIDES:
            totals[side] += hand[side]
        if max(totals.values()) >= target and totals["A"] != totals["B"]:
            if number < len(hands):
                raise ValueError(
                    f"expected no hand after hand {number}, which finished the match, got"
                    f" {len(hands)} hands"
                )
            return Tally(totals, "A" if totals["A"] > totals["B"] else "B", number)
    return Tally(totals)
