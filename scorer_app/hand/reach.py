"""How far the melds of a side may reach: the least and the most that they can be worth.

Rows are independent of each other but for one thing: whether a side has a canasta at all
decides about closing, and at some tables about much more. So both ends are kept for each answer
to that, and are found row by row instead of over all combinations.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product

from engine.scoring import canasta_points
from engine.tiles import Tiles
from scorer_app.hand.hypotheses import NOTHING, Faces, Version, options, versions
from scorer_app.hand.record import Place, Record, Row, Side
from scorer_app.hand.table_rules import TableRules, tiles_of


@dataclass(frozen=True)
class Worth:
    """Melds, and what they count before anything that concerns the whole side."""

    points: int = 0
    melds: tuple[Tiles, ...] = ()

    def __add__(self, other: Worth) -> Worth:
        return Worth(self.points + other.points, self.melds + other.melds)


# (has a canasta, has one to close with) -> the least and the most
Reach = dict[tuple[bool, bool], tuple[Worth, Worth]]
NO_MELDS: Reach = {(False, False): (Worth(), Worth())}


@dataclass(frozen=True)
class Holding:
    """What a side may have: its melds and what is left in its hand. `kind`: all that matters about
    it to the other side.
    """

    melds: tuple[Tiles, ...]
    rack: Tiles
    kind: tuple[bool, bool, bool]


def reach_of(record: Record, side: Side, rules: TableRules) -> list[Holding]:
    """The extremes of what a side may have; one holding where nothing is in doubt."""
    reach, racks = _reach_of_melds(record, side, rules), _racks(record, side, rules)
    worths = [(state, worth.melds) for state, ends in reach.items() for worth in ends]
    holdings = [
        Holding(melds, rack, (*state, bool(rack))) for state, melds in worths for rack in racks
    ]
    return list(dict.fromkeys(holdings))


def _racks(record: Record, side: Side, rules: TableRules) -> list[Tiles]:
    """The cheapest and the dearest that a hand may be: its tiles owe nothing to each other."""
    cheapest, dearest = [], []
    for row in record.in_place(side, Place.RACK):
        for name in row.tiles:
            faces = [face for face, _weight in options(record.tiles[name])]
            cheapest.append(min(faces, key=lambda face: _price(face, rules)))
            # The last of equals, as sorting puts it.
            dearest.append(max(reversed(faces), key=lambda face: _price(face, rules)))
    return [tiles_of([face for face in rack if face != NOTHING]) for rack in (cheapest, dearest)]


def _price(face: str, rules: TableRules) -> int:
    return 0 if face == NOTHING else rules.points([face])


def _reach_of_melds(record: Record, side: Side, rules: TableRules) -> Reach:
    rows = (
        either(
            _of_version(melds, row.ordered, rules)
            for melds in versions(record, row, rules) | _aside(row)
        )
        for row in record.rows
        if row.side == side and may_be_meld(record, row)
    )
    return reduce(both, rows, NO_MELDS)


def may_be_meld(record: Record, row: Row) -> bool:
    """A meld, or tiles side by side that were set aside while one of them could not be read."""
    pair = row.place is Place.POZO and row.ordered and not row.user_arranged
    return row.place is Place.MELDS or (
        pair and any(record.tiles[name].face is None for name in row.tiles)
    )


def _aside(row: Row) -> set[Version]:
    return {()} if row.place is Place.POZO else set()


def either(reaches: Iterable[Reach]) -> Reach:
    found: Reach = {}
    for reach in reaches:
        for state, (least, most) in reach.items():
            low, high = found.get(state, (least, most))
            found[state] = (min(low, least, key=_points), max(high, most, key=_points))
    return found


def both(one: Reach, other: Reach) -> Reach:
    return either(
        {(a or b, c or d): (least + low, most + high)}
        for ((a, c), (least, most)), ((b, d), (low, high)) in product(one.items(), other.items())
    )


def _points(worth: Worth) -> int:
    return worth.points


def _of_version(melds: Sequence[Faces], ordered: bool, rules: TableRules) -> Reach:
    return reduce(both, (_of_meld(faces, ordered, rules) for faces in melds), NO_MELDS)


def _of_meld(faces: Faces, ordered: bool, rules: TableRules) -> Reach:
    laid = rules.laid(faces, ordered)
    meld = rules.judge(faces, ordered) if rules.legal(faces, ordered) else None
    canasta = meld.canasta if meld else None
    worth = Worth(
        rules.points(faces) + (canasta_points(meld, rules.rules) if meld and canasta else 0),
        (laid,),
    )
    return {
        (bool(canasta), bool(canasta) and rules.rules.close_requires in (None, canasta)): (
            worth,
            worth,
        )
    }
