"""The tally of a match: the scores of its hands are added up until a side has reached the target
and leads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.checks import Trouble, WrongValue
from engine.sides import SIDES, SideName


@dataclass(frozen=True, slots=True)
class Tally:
    """Where a match stands, in points.

    `winner` and `finished_after_hand` (counted from 1) are None while the match goes on.
    """

    totals: Mapping[SideName, int]
    winner: SideName | None = None
    finished_after_hand: int | None = None

    @property
    def finished(self) -> bool:
        """Whether a side has won."""
        return self.winner is not None


def tally(hands: Sequence[Mapping[SideName, int]], target: int) -> Tally:
    """Add up the scores of the hands, in points for each side.

    The higher total wins once it is at or over the target; sides with equal totals play another
    hand. Source: RULES.md, "Side by side", the rows from *target* on. Raises ValueError where
    hands follow the one that finishes the match.

    >>> tally([{"A": 1500, "B": 900}, {"A": 600, "B": 700}], target=2000)
    Tally(totals={'A': 2100, 'B': 1600}, winner='A', finished_after_hand=2)
    """
    totals: dict[SideName, int] = dict.fromkeys(SIDES, 0)
    for number, hand in enumerate(hands, 1):
        for side in SIDES:
            totals[side] += hand[side]
        winner = _leader_at_target(totals, target)
        if winner is None:
            continue
        if number < len(hands):
            sentence = (
                f"expected no hand after hand {number}, which finished the match, got"
                f" {len(hands)} hands"
            )
            raise WrongValue(Trouble.AFTER_FINISH, sentence, hand=number, got=len(hands))
        return Tally(totals, winner, number)
    return Tally(totals)


def _leader_at_target(totals: Mapping[SideName, int], target: int) -> SideName | None:
    if max(totals.values()) < target or totals["A"] == totals["B"]:
        return None
    return "A" if totals["A"] > totals["B"] else "B"
