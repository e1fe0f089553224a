"""The least and the most that a side's melds and rack may be worth, where a reading is in doubt.

The rows of a side are worth their points independently of each other, but for two questions:
whether the side has a canasta at all, and whether it has one that allows it to close. The answers
to both are called the state of the canastas. The least and the most are kept for each state and
are added up row by row. To try all combinations of all rows would take too long.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product
from types import MappingProxyType

from engine.canastas import canasta_points
from engine.pieces import Pieces
from engine.rulesets import MINIMUM_MELD
from engine.sides import SideName
from engine.tiles import Tiles
from scorer_app.hand.hypotheses import NOTHING, Faces, one_of_each_value, options, versions
from scorer_app.hand.record import Place, Record, Row
from scorer_app.hand.repairs import repaired_melds
from scorer_app.hand.table_rules import TableRules, tiles_of


@dataclass(frozen=True)
class Worth:
    """Some melds and their points. Points of the side as a whole, such as those for closing, are
    not among them.
    """

    points: int = 0
    melds: tuple[Tiles, ...] = ()

    def __add__(self, other: Worth) -> Worth:
        return Worth(self.points + other.points, self.melds + other.melds)


# Whether the melds hold a canasta, and whether they hold one that allows the side to close.
Canastas = tuple[bool, bool]
# For each state of the canastas the melds that are worth least and those that are worth most.
Reach = Mapping[Canastas, tuple[Worth, Worth]]
NO_MELDS: Reach = MappingProxyType({(False, False): (Worth(), Worth())})


@dataclass(frozen=True)
class Holding:
    """One of the possibilities of what a side has: its melds, and the tiles left on its rack.

    `kind` sums up what the other side's score depends on: whether this side has a canasta, whether
    it has one that allows closing, and whether tiles are left on its rack.
    """

    melds: tuple[Tiles, ...]
    rack: Tiles
    kind: tuple[bool, bool, bool]

    @property
    def allows_closing(self) -> bool:
        """Whether one of its canastas allows closing."""
        return self.kind[1]


def reach_of(record: Record, side: SideName, rules: TableRules) -> list[Holding]:
    """List the holdings, melds together with a rack, that a side may have and that may give its
    least or its greatest score.

    Each state of the canastas has up to four entries: the melds worth least and the melds worth
    most, each with the rack worth least and with the rack worth most. The list has one entry where
    nothing is in doubt.
    """
    racks = _racks(record, side, rules)
    holdings = []
    for canastas, ends in _reach_of_melds(record, side, rules).items():
        for worth, rack in product(ends, racks):
            holdings.append(Holding(worth.melds, rack, (*canastas, bool(rack))))
    return list(dict.fromkeys(holdings))


def _racks(record: Record, side: SideName, rules: TableRules) -> list[Tiles]:
    """Return two racks: of all that a side may have left, the one worth least and the one worth
    most.

    The tiles of a rack count one by one, so the rack worth least has the face worth least of each
    tile.
    """

    def price(face: str) -> int:
        return 0 if face == NOTHING else rules.points([face])

    any_face = one_of_each_value(rules)
    cheapest, dearest = [], []
    for row in record.in_place(side, Place.RACK):
        for name in row.tiles:
            possible = options(record.tiles[name], any_face)
            by_price = sorted((face for face, _weight in possible), key=price)
            cheapest.append(by_price[0])
            dearest.append(by_price[-1])
    return [tiles_of([face for face in rack if face != NOTHING]) for rack in (cheapest, dearest)]


def _reach_of_melds(record: Record, side: SideName, rules: TableRules) -> Reach:
    """Find the least and the most that all melds of a side together may be worth, for each state of
    the canastas. Rows that may turn out to be melds are included.
    """
    reach = NO_MELDS
    for row in record.rows:
        if row.side == side and may_be_meld(record, row, rules):
            reach = _added(reach, _reach_of_row(record, row, rules))
    return reach


def _reach_of_row(record: Record, row: Row, rules: TableRules) -> Reach:
    """Find the least and the most that a row may be worth over all its versions, for each state of
    the canastas. One version of a row in `Place.POZO` is that it holds no meld. What people are
    offered to put an illegal row right is among the versions, too.
    """
    found = versions(record, row, rules) | repaired_melds(record, row, rules)
    if row.place is Place.POZO:
        found.add(())
    return _widest(_reach_of_version(melds, row.ordered, rules) for melds in found)


def may_be_meld(record: Record, row: Row, rules: TableRules) -> bool:
    """Tell whether a row is a meld, or may turn out to be one. A row in the pozo may turn out to be
    a meld if it lies as a photograph shows it and one of its tiles could not be read, unless it is
    a pair of which nothing is beyond doubt. So may cards that lie beside the melds, if one is in
    doubt: of 600 sides of rendered hands 16 had such cards, and each of these was misread
    somewhere, ten with another score. Tiles beside melds are those of the pozo.
    """
    if row.place is Place.MELDS:
        return True
    if row.place is not Place.POZO or row.user_arranged:
        return False
    if row.ordered:
        known = any(record.tiles[name].is_sure for name in row.tiles)
        return None in record.faces(row) and (known or len(row.tiles) >= MINIMUM_MELD)
    in_doubt = any(record.tiles[name].doubtful for name in row.tiles)
    return rules.pieces is Pieces.CARDS and in_doubt


def _widest(reaches: Iterable[Reach]) -> Reach:
    """Combine alternatives, of which one is true. For each state of the canastas, the result holds
    the least and the most that any of them is worth.
    """
    found: dict[Canastas, tuple[Worth, Worth]] = {}
    for reach in reaches:
        for canastas, (least, most) in reach.items():
            low, high = found.get(canastas, (least, most))
            found[canastas] = min(low, least, key=_points), max(high, most, key=_points)
    return found


def _added(one: Reach, other: Reach) -> Reach:
    """Return what two groups of melds of one side may be worth together. Each state of the canastas
    in one group is combined with each state in the other, and the points are added up.
    """
    sums: list[Reach] = []
    for (mine, (least, most)), (theirs, (low, high)) in product(one.items(), other.items()):
        canastas = mine[0] or theirs[0], mine[1] or theirs[1]
        sums.append({canastas: (least + low, most + high)})
    return _widest(sums)


def _points(worth: Worth) -> int:
    return worth.points


def _reach_of_version(melds: Sequence[Faces], ordered: bool, rules: TableRules) -> Reach:
    """Add up melds whose faces are certain, so that the least and the most are the same. If
    `ordered`, each meld is judged as it lies, otherwise with its tiles in any order.
    """
    return reduce(_added, (_reach_of_meld(faces, ordered, rules) for faces in melds), NO_MELDS)


def _reach_of_meld(faces: Faces, ordered: bool, rules: TableRules) -> Reach:
    """Return the Reach of one meld whose faces are certain. The meld is judged as it lies if
    `ordered`, otherwise in any order. An illegal meld counts the values of its tiles and no
    canasta.
    """
    points = rules.points(faces)
    meld = rules.judge(faces, ordered) if rules.legal(faces, ordered) else None
    canasta = meld.canasta if meld else None
    if meld and meld.arrangement:
        points += canasta_points(meld.arrangement, rules.rules)
    worth = Worth(points, (rules.laid(faces, ordered),))
    allows_closing = bool(canasta) and rules.rules.close_requires in (None, canasta)
    return {(bool(canasta), allows_closing): (worth, worth)}
