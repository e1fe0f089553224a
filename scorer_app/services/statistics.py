"""What two names have done against each other over all their matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from scorer_app.hand.record import SIDES, Side
from scorer_app.hand.score import Line
from scorer_app.services.matches import Tally


@dataclass
class SideRecord:
    """What one of the two names has done. `canastas` counts them by class."""

    name: str
    won: int = 0  # matches
    points: int = 0
    hands_won: int = 0
    closed: int = 0  # hands that this side closed
    best_hand: int | None = None  # most points in one hand; None before the first
    canastas: Counter[str] = field(default_factory=Counter)

    def count_hand(self, lines: Iterable[Line], total: int, *, won: bool) -> None:
        """Add one hand: this side's lines of its score sheet, and their total."""
        self.points += total
        self.hands_won += won
        self.best_hand = total if self.best_hand is None else max(self.best_hand, total)
        for line in lines:
            if line.kind == "close":
                self.closed += 1
            elif line.kind == "canasta" and line.detail:
                self.canastas[line.detail] += 1


@dataclass
class PairRecord:
    """What two names have done against each other, whichever side each of them was."""

    sides: dict[str, SideRecord]
    matches: int = 0
    hands: int = 0

    def average(self, name: str) -> int:
        """Average points of one of the names in a hand, rounded; 0 before the first hand."""
        return round(self.sides[name].points / self.hands) if self.hands else 0

    def count_match(self, tally: Tally) -> None:
        """Add one match and those of its hands that count."""
        a, b = self.sides[tally.match.side_a], self.sides[tally.match.side_b]
        by_side: dict[Side, SideRecord] = {"A": a, "B": b}
        self.matches += 1
        if tally.winner:
            by_side[tally.winner].won += 1
        for hand in tally.counted:
            self.hands += 1
            totals = {side: hand.score.total(side) for side in SIDES}
            for side in SIDES:
                lines = [line for line in hand.score.lines if line.side == side]
                won = totals[side] > min(totals.values())
                by_side[side].count_hand(lines, totals[side], won=won)


def pair_records(tallies: Iterable[Tally]) -> list[PairRecord]:
    """Sum up the matches by pair of names; the pair with most hands comes first.

    A match whose sides have the same name is left out.
    """
    pairs: dict[frozenset[str], PairRecord] = {}
    for tally in tallies:
        names = [tally.match.side_a, tally.match.side_b]
        if names[0] != names[1]:
            new = PairRecord({name: SideRecord(name) for name in names})
            pairs.setdefault(frozenset(names), new).count_match(tally)
    return sorted(pairs.values(), key=lambda pair: -pair.hands)
