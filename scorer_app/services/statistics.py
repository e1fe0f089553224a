"""What a pair of sides has done against each other over all their matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from scorer_app.hand.record import SIDES, Side
from scorer_app.services.matches import HandLine, Tally


@dataclass
class SideRecord:
    name: str
    won: int = 0
    points: int = 0
    hands_won: int = 0
    closed: int = 0
    best_hand: int | None = None
    canastas: Counter[str] = field(default_factory=Counter)


@dataclass
class PairRecord:
    """Two names, in whichever order they sat."""

    sides: dict[str, SideRecord]
    matches: int = 0
    hands: int = 0

    def average(self, name: str) -> int:
        return round(self.sides[name].points / self.hands) if self.hands else 0


def pair_records(tallies: Iterable[Tally]) -> list[PairRecord]:
    """By pair of names, the pair with most hands first."""
    pairs: dict[frozenset[str], PairRecord] = {}
    for tally in tallies:
        names: dict[Side, str] = {"A": tally.match.side_a, "B": tally.match.side_b}
        if names["A"] == names["B"]:
            continue
        pair = pairs.setdefault(
            frozenset(names.values()),
            PairRecord({name: SideRecord(name) for name in names.values()}),
        )
        pair.matches += 1
        if tally.winner:
            pair.sides[names[tally.winner]].won += 1
        for line in tally.counted:
            pair.hands += 1
            _count_hand(pair, names, line)
    return sorted(pairs.values(), key=lambda pair: -pair.hands)


def _count_hand(pair: PairRecord, names: dict[Side, str], line: HandLine) -> None:
    totals = {side: line.score.total(side) for side in SIDES}
    for side in SIDES:
        record, total = pair.sides[names[side]], totals[side]
        record.points += total
        record.hands_won += total > min(totals.values())
        record.best_hand = total if record.best_hand is None else max(record.best_hand, total)
        lines = [entry for entry in line.score.lines if entry.side == side]
        record.closed += any(entry.kind == "close" for entry in lines)
        record.canastas.update(
            entry.detail for entry in lines if entry.kind == "canasta" and entry.detail
        )
