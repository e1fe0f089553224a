"""Decides when two kinds of doubt may be dropped because nothing else in a hand is in doubt:
whether an illegal meld was misread, and whether a find that was surely read is a tile. The first
is dropped only where nobody can be asked whether the players accept the meld.

A missed or misread tile makes a legal meld look illegal, and where one tile is seen faintly another
may have been missed. So both kinds usually leave open what a side has. Where all photographs of a
hand are clear, tiles are hardly ever missed or misread: then the players made the mistake.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import dist
from statistics import median

from engine.pieces import Pieces
from scorer_app.hand.copies import confirm_copies, names_aside
from scorer_app.hand.record import Corners, Place, Record, Row, Tile
from scorer_app.hand.settled import SURELY_READ, has_impossible_copies, settled_by_copies
from scorer_app.hand.table_rules import TableRules

FEWEST = 2  # least number of tiles of a row that is judged
SMALLEST = 18.0  # pixels, short side of a tile: smaller ones are missed more often
# From one tile to the next, in the row's median step: where it is wider, a tile may lie between.
WIDEST_STEP = 1.45
FEWEST_SURE = 2  # tiles without doubt beside a faint one
# Least probability of another face that a tile may have: on 960 rendered hands no illegal meld that
# a less likely face would have made legal was laid so.
POSSIBLE = 0.03


def is_plainly_illegal(record: Record, row: Row, rules: TableRules) -> bool:
    """Tell whether an illegal row was laid illegally by the players, and not just misread.

    Five things have to hold. The row lies as a photograph shows it, and no person arranged it. No
    tile of the hand is in doubt or has a short side below `SMALLEST` pixels; what was set aside
    does not count. The row has at least `FEWEST` tiles, and they lie evenly. No tile that was set
    aside lies beside them, which may belong to the row. The row would also be illegal
    if one of its tiles had another of the faces that the tile may have. The answer is False for
    cards, which lie over one another.
    """
    if rules.pieces is not Pieces.TILES:
        return False
    tiles = [record.tiles[name] for name in row.tiles]
    if not row.ordered or row.user_arranged or len(tiles) < FEWEST:
        return False
    if not all(tile.corners for tile in tiles):
        return False
    if _unclear(record) or not _lie_evenly(tiles) or _lie_beside(tiles, _aside(record, tiles)):
        return False
    return not _may_be_legal(tiles, rules)


def as_it_lies(record: Record, rules: TableRules) -> Record:
    """Return the record as a hand counts where nobody can be asked about it: its plainly illegal
    melds are accepted, and more copies of a face than usual are confirmed, unless the photographs
    surely show one set, which cannot have them.
    """
    lying = accept_plainly_illegal(record, rules)
    return lying if has_impossible_copies(record, rules) else confirm_copies(lying)


def accept_plainly_illegal(record: Record, rules: TableRules) -> Record:
    """Return the record with each plainly illegal meld accepted, as it counts where nobody can be
    asked about it.
    """
    clear = with_plain_finds(record, rules)
    rows = []
    for row in record.rows:
        counts = row.place is Place.MELDS and is_illegal(clear, row, rules)
        is_accepted = row.accepted or (counts and is_plainly_illegal(clear, row, rules))
        rows.append(replace(row, accepted=is_accepted))
    return replace(record, rows=tuple(rows))


def is_illegal(record: Record, row: Row, rules: TableRules) -> bool:
    """Tell whether all tiles of a row are read but do not make a legal meld."""
    meld = rules.judge(record.faces(row), row.ordered)
    return meld is not None and not meld.valid


def with_plain_finds(record: Record, rules: TableRules) -> Record:
    """Return the record without the doubts that the copies of the set settle. Its other doubts are
    removed, too, if these are only about whether some finds are tiles, and if all of these finds
    plainly are tiles.

    A find plainly is a tile if three things hold. It is surely read, and its short side has at
    least `SMALLEST` pixels. It is part of a legal meld whose tiles lie evenly, at least two of them
    without doubt. Its photograph shows no face more often than the set has it. In any other record,
    and in one of cards, doubts whether a find is a tile stay.
    """
    record = settled_by_copies(record, rules)
    unclear = _unclear(record)
    if not unclear or rules.pieces is not Pieces.TILES:
        return record
    photos = {record.tiles[name].photo for name in unclear}
    if any(_shows_too_many(record, photo, rules) for photo in photos):
        return record
    rows = [row for row in record.rows if row.place is Place.MELDS]
    if not unclear <= {name for row in rows for name in _plain_finds(record, row, rules)}:
        return record
    return record.with_tiles(
        [replace(record.tiles[name], doubtful=False, perhaps_none=False) for name in unclear]
    )


def _shows_too_many(record: Record, photo: str | None, rules: TableRules) -> bool:
    shown = [tile.face for tile in record.tiles.values() if tile.photo == photo and tile.face]
    return bool(rules.copies_too_many(shown))


def _plain_finds(record: Record, row: Row, rules: TableRules) -> list[str]:
    """List the ids of the finds in a row of which the reading leaves open whether they are tiles,
    but which plainly are tiles of the legal meld that the row makes. The list is empty where the
    row is not legal.
    """
    tiles = [record.tiles[name] for name in row.tiles]
    if sum(not tile.doubtful for tile in tiles) < FEWEST_SURE:
        return []
    if not all(tile.face and tile.corners for tile in tiles):
        return []
    if not rules.legal([str(tile.face) for tile in tiles], row.ordered) or not _lie_evenly(tiles):
        return []
    return [
        tile.id
        for tile in tiles
        if tile.perhaps_none
        and (tile.confidence or 0.0) >= SURELY_READ
        and tile.corners
        and _short_side(tile.corners) >= SMALLEST
    ]


def _unclear(record: Record) -> set[str]:
    """Return the ids of the tiles that are in doubt, or whose short side has fewer than `SMALLEST`
    pixels in their photograph. Tiles set aside are left out.
    """
    aside = names_aside(record)
    return {
        name for name, tile in record.tiles.items() if not _is_clear(tile) and name not in aside
    }


def _is_clear(tile: Tile) -> bool:
    if tile.confirmed or tile.corners is None:
        return True
    return tile.face is not None and not tile.doubtful and _short_side(tile.corners) >= SMALLEST


def _short_side(corners: Corners) -> float:
    """Return the mean length, in pixels, of a quad's shorter pair of opposite sides."""
    top, right, bottom, left = (dist(corners[at - 1], corners[at]) for at in (1, 2, 3, 0))
    return min(top + bottom, left + right) / 2


def _aside(record: Record, tiles: Sequence[Tile]) -> list[Tile]:
    """Return the tiles that were set aside of the photographs that show the `tiles`."""
    photos = {tile.photo for tile in tiles}
    aside = (record.tiles[name] for name in names_aside(record))
    return [tile for tile in aside if tile.photo in photos]


def _lie_beside(tiles: Sequence[Tile], others: Sequence[Tile]) -> bool:
    """Tell whether one of the `others` lies as near to one of the `tiles` of a row as the next tile
    of that row may.
    """
    centres = _centres(tiles)
    near = WIDEST_STEP * median(_steps(centres))
    return any(dist(one, other) <= near for one in centres for other in _centres(others))


def _lie_evenly(tiles: Sequence[Tile]) -> bool:
    steps = _steps(_centres(tiles))
    return max(steps) <= WIDEST_STEP * median(steps)


def _steps(centres: Sequence[Sequence[float]]) -> list[float]:
    """Return how far it is from each place to the next, in pixels."""
    return [dist(one, following) for one, following in pairwise(centres)]


def _centres(tiles: Sequence[Tile]) -> list[list[float]]:
    """Return the middles, x and y in pixels, of the tiles whose corners are known."""
    return [
        [sum(axis) / len(tile.corners) for axis in zip(*tile.corners, strict=True)]
        for tile in tiles
        if tile.corners
    ]


def _may_be_legal(tiles: Sequence[Tile], rules: TableRules) -> bool:
    """Tell whether the row would be a legal meld if one of its tiles had another of its possible
    faces.
    """
    faces = [str(tile.face) for tile in tiles]
    return any(
        rules.legal([*faces[:at], other, *faces[at + 1 :]], ordered=True)
        for at, tile in enumerate(tiles)
        for other, share in tile.alternatives
        if share >= POSSIBLE
    )
