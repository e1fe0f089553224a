"""Suggests single edits that may put an illegal or doubtful row right, the likeliest first.

The reader may have taken one tile for another, two melds for one row or one meld for two; a person
may have tapped a tile beside the one meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from engine.tiles import COLOURS, FACES, NUMBERS
from scorer_app.hand.edits_of_rows import JoinRows, SplitRow
from scorer_app.hand.edits_of_tiles import NEW, MoveTile, RemoveTile, SetTile
from scorer_app.hand.hypotheses import Version, options
from scorer_app.hand.operation import Operation
from scorer_app.hand.plainness import is_illegal
from scorer_app.hand.record import Place, Record, Row, Tile
from scorer_app.hand.table_rules import TableRules

MOST_REPAIRS = 3  # of one row: more would be no help
FAR_LESS_LIKELY = 3  # a repair with less than a third of the likeliest one's weight is not listed
ALL_FACES = tuple(map(str, FACES))
# Weights that order the repairs; they are guesses, with no data behind them. (A face that the
# reader named itself weighs its probability divided by that of the face it chose.)
SPLIT, SORT, JOIN, NO_TILE, MOVE, BRING, ASIDE = 0.5, 0.45, 0.4, 0.35, 0.3, 0.3, 0.01
TURNED, OTHER_COLOUR, OTHER_NUMBER, ANY_FACE = 0.2, 0.1, 0.05, 0.02
_UPSIDE_DOWN = MappingProxyType({"6": "9", "9": "6"})


class RepairKind(StrEnum):
    """What a repair does; each has its text (`repair.KIND`)."""

    READ = "read"  # a tile is another one
    SPLIT = "split"  # the row is two melds
    JOIN = "join"  # two rows are one meld
    SORT = "sort"  # the tiles make a meld in another order
    MOVE = "move"  # a tile belongs to another row
    BRING = "bring"  # a tile that lies apart on the row's photograph belongs to the row
    NONE = "none"  # what was read as a tile is none
    ASIDE = "aside"  # a tile counts for nobody


@dataclass(frozen=True)
class Repair:
    """One edit that may put a row right.

    `tile` is the id of the tile that the edit changes or moves, if any; `row` is the id of the
    other row that the edit involves, if any. `weight` orders the repairs of a row, the likeliest
    one having the largest; it is no probability.
    """

    kind: RepairKind
    edit: Operation
    weight: float
    tile: str | None = None
    row: str | None = None


def repairs(record: Record, row: Row, rules: TableRules) -> list[Repair]:
    """List the likeliest repairs of a row, at most MOST_REPAIRS, the likeliest first; those far
    less likely than the first are left out. Of equally likely ones those come last that change a
    tile of which a person said what it is.

    The list is empty for a row that does not lie among the melds, and for a meld that the players
    accept though illegal. For a legal meld, or a meld with unread tiles, the repairs are only other
    faces of its unread or doubtful tiles. Of a tile that was read these are the faces that the
    reading leaves open, which the interval of the score counts with: nothing says that the tile has
    another one.
    """
    if row.place is not Place.MELDS or row.accepted:
        return []
    meld = rules.judge(record.faces(row), row.ordered)
    tiles = [record.tiles[name] for name in row.tiles]
    if meld is None or meld.valid:
        faces_of = _faces_left_open
        tiles = [tile for tile in tiles if tile.face is None or tile.doubtful]
        otherwise = []
    else:
        faces_of = _other_faces
        otherwise = [
            *_of_whole_rows(record, row, rules),
            *_of_single_tiles(record, row, rules),
            *_of_tiles_apart(record, row, rules),
        ]
    readings = [
        one for tile in tiles for one in _readings(record, row, tile, faces_of(tile), rules)
    ]
    found = [*readings, *otherwise]
    said = {tile.id for tile in tiles if tile.confirmed}
    found.sort(key=lambda repair: (-repair.weight, repair.tile in said))
    return [one for one in found[:MOST_REPAIRS] if one.weight * FAR_LESS_LIKELY >= found[0].weight]


def repaired_melds(record: Record, row: Row, rules: TableRules) -> set[Version]:
    """Return what a row may be after one of its repairs that changes no other meld: the melds that
    it then makes, each in its legal order. The set is empty for a row that is not illegal.
    """
    found: set[Version] = set()
    others = {other.id for other in record.rows if other.id != row.id}
    for after in _repaired(record, row, rules, with_another_meld=False):
        mine = [one for one in after.in_place(row.side, Place.MELDS) if one.id not in others]
        faces = [rules.laid(after.faces(one), one.ordered) for one in mine]
        found.add(tuple(tuple(map(str, laid)) for laid in faces))
    return found


def repaired_with_another_meld(record: Record, rules: TableRules) -> list[Record]:
    """Return copies of the record, each with one illegal row put right by a repair that changes
    another meld, too.
    """
    return [
        after
        for row in record.rows
        for after in _repaired(record, row, rules, with_another_meld=True)
    ]


def _repaired(
    record: Record, row: Row, rules: TableRules, *, with_another_meld: bool
) -> Iterator[Record]:
    """Yield copies of the record, each after one of the repairs of an illegal row: after those that
    change another meld, too, or after those that do not.
    """
    if is_illegal(record, row, rules):
        for one in repairs(record, row, rules):
            if (one.row is not None) is with_another_meld:
                yield one.edit.change(record, rules)


# --- a tile is another one ---


def _readings(
    record: Record, row: Row, tile: Tile, faces: Mapping[str, float], rules: TableRules
) -> Iterator[Repair]:
    """Yield the repairs that give `tile` one of `faces`, each of them with its weight, so that its
    row is a legal meld: one for each face that does this.
    """
    at = row.tiles.index(tile.id)
    read = record.faces(row)
    for face, weight in faces.items():
        tried = [*read[:at], face, *read[at + 1 :]]
        if rules.is_meld(tried, row.ordered):
            edit = SetTile(tile=tile.id, face=face, suggested=True, seen=tile.face)
            yield Repair(RepairKind.READ, edit, weight, tile.id)


def _faces_left_open(tile: Tile) -> dict[str, float]:
    """Return those of `_other_faces` that the reading of a tile allows: all where it is unread."""
    others = _other_faces(tile)
    if tile.face is None:
        return others
    allowed = {face for face, _weight in options(tile)}
    return {face: weight for face, weight in others.items() if face in allowed}


def _other_faces(tile: Tile) -> dict[str, float]:
    """Return the weights of the faces that a tile may have instead of its present one.

    The weight of a face depends on how easily it is taken for the present one. Unless a person
    named the present face, a face that the reader named as an alternative weighs at least its own
    probability divided by that of the present face, up to 1.
    """
    weights = _faces_alike(tile.face)
    sure = max(tile.confidence or 0.0, 0.05)
    if not tile.confirmed:
        for face, share in tile.alternatives:
            weights[face] = max(weights.get(face, 0.0), min(share / sure, 1.0))
    weights.pop(tile.face or "", None)
    return weights


def _faces_alike(face: str | None) -> dict[str, float]:
    """Return a weight for each face that a tile read as `face` may really have. The more easily a
    face is taken for `face`, the larger is its weight. For an unread tile, whose `face` is None,
    and for a comodín all faces weigh the same.
    """
    if face is None or face == "J":
        return dict.fromkeys(ALL_FACES, ANY_FACE)
    number, colour = face[:-1], face[-1]
    weights = {f"{other}{colour}": OTHER_NUMBER for other in NUMBERS}
    weights |= {f"{number}{other}": OTHER_COLOUR for other in COLOURS}
    if number in _UPSIDE_DOWN:
        weights[_UPSIDE_DOWN[number] + colour] = TURNED
    return weights


# --- rows ---


def _of_whole_rows(record: Record, row: Row, rules: TableRules) -> Iterator[Repair]:
    """Yield repairs that split the row, put its tiles in another order, or join it to another
    row.
    """
    faces = record.faces(row)
    if (at := rules.split_at(faces, row.ordered)) is not None:
        yield Repair(RepairKind.SPLIT, SplitRow(row=row.id, at=at), SPLIT)
    if row.ordered and rules.is_meld(faces, False):
        last = row.tiles[-1]
        # A tile put at the end may belong anywhere, so that the row is then in no order.
        yield Repair(RepairKind.SORT, MoveTile(tile=last, row=row.id), SORT)
    for other in _others(record, row):
        if rules.is_meld([*record.faces(other), *faces], False):
            yield Repair(RepairKind.JOIN, JoinRows(row=row.id, into=other.id), JOIN, row=other.id)


def _others(record: Record, row: Row) -> list[Row]:
    """Return the other melds of the row's side."""
    return [other for other in record.in_place(row.side, Place.MELDS) if other.id != row.id]


# --- single tiles ---


def _of_single_tiles(record: Record, row: Row, rules: TableRules) -> Iterator[Repair]:
    """Yield repairs that take one tile out of the row, so that the rest is a legal meld: because it
    is no tile at all, because it belongs to another row, or because it counts for nobody.
    """
    for at, name in enumerate(row.tiles):
        faces = record.faces(row)
        tile, rest = record.tiles[name], [*faces[:at], *faces[at + 1 :]]
        if not rules.is_meld(rest, row.ordered):
            continue
        if tile.perhaps_none and not tile.confirmed:
            yield Repair(RepairKind.NONE, RemoveTile(tile=name), NO_TILE, name)
        for other in _others(record, row):
            if rules.is_meld([*record.faces(other), tile.face], False):
                move = MoveTile(tile=name, row=other.id)
                yield Repair(RepairKind.MOVE, move, MOVE, name, other.id)
        apart = MoveTile(tile=name, row=NEW, side=row.side, place=Place.POZO)
        yield Repair(RepairKind.ASIDE, apart, ASIDE, name)


def _of_tiles_apart(record: Record, row: Row, rules: TableRules) -> Iterator[Repair]:
    """Yield repairs that make the row legal by moving a tile into it. Such a tile was set aside,
    but one of the row's photographs shows it.
    """
    photos = {record.tiles[name].photo for name in row.tiles} - {None}
    for apart in record.in_place(row.side, Place.POZO):
        for name in apart.tiles:
            tile = record.tiles[name]
            completes = rules.is_meld([*record.faces(row), tile.face], False)
            if tile.photo in photos and completes:
                index = _place_in_order(record.faces(row), tile.face, rules)
                move = MoveTile(tile=name, row=row.id, index=index)
                yield Repair(RepairKind.BRING, move, BRING, name)


def _place_in_order(faces: list[str | None], face: str | None, rules: TableRules) -> int | None:
    """Return the first index at which `face` can be inserted into `faces` so that they are a legal
    meld in this order; None where there is none.
    """
    places = range(len(faces) + 1)
    return next(
        (at for at in places if rules.is_meld([*faces[:at], face, *faces[at:]], True)), None
    )
