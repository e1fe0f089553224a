"""Whether an illegal meld may be taken for what it looks like: where nothing at all is in doubt.

Tiles that were missed or misread make legal melds look illegal, so that an illegal meld leaves open
what its side has. Of hands whose photographs are clear throughout that is hardly ever the cause:
players do make mistakes, and the table sees them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import dist
from statistics import median

from engine.pieces import Pieces
from scorer_app.hand.record import Corners, Place, Record, Row, Tile
from scorer_app.hand.table_rules import TableRules

FEWEST = 2  # tiles of a row
SMALLEST = 18.0  # pixels, short side of a tile: smaller ones are missed more often
WIDEST_STEP = 1.45  # from one tile to the next, in usual steps of the row: a tile may lie between
POSSIBLE = 0.01  # probability of another face from which the tile may have it


def is_plainly_illegal(record: Record, row: Row, rules: TableRules) -> bool:
    """Tell whether a row, as a photograph shows it, is no meld and nothing suggests another cause
    than its players: no tile of the hand is in doubt or small, the tiles of the row lie evenly, and
    no other face of one of them would make it legal. Cards lie over one another: of them it is
    never told.
    """
    if rules.pieces is not Pieces.TILES:
        return False
    tiles = [record.tiles[name] for name in row.tiles]
    if not row.ordered or row.user_arranged or len(tiles) < FEWEST:
        return False
    if not all(tile.corners and tile.photo for tile in tiles):
        return False
    aside = {name for row in record.rows if row.place is Place.POZO for name in row.tiles}
    clear = all(
        _is_clear(tile) or (tile.perhaps_none and name in aside)
        for name, tile in record.tiles.items()
    )
    return clear and _lie_evenly(tiles) and not _may_be_legal(tiles, rules)


def _is_clear(tile: Tile) -> bool:
    if tile.confirmed or tile.corners is None:
        return True
    return tile.face is not None and not tile.doubtful and _short_side(tile.corners) >= SMALLEST


def _short_side(corners: Corners) -> float:
    """Return the mean length, in pixels, of the shorter pair of opposite sides."""
    top, right, bottom, left = (dist(corners[at - 1], corners[at]) for at in (1, 2, 3, 0))
    return min(top + bottom, left + right) / 2


def _lie_evenly(tiles: Sequence[Tile]) -> bool:
    centres = [
        [sum(axis) / len(tile.corners) for axis in zip(*tile.corners, strict=True)]
        for tile in tiles
        if tile.corners
    ]
    steps = [dist(one, following) for one, following in pairwise(centres)]
    return max(steps) <= WIDEST_STEP * median(steps)


def _may_be_legal(tiles: Sequence[Tile], rules: TableRules) -> bool:
    """Tell whether one tile's other face would make a legal meld of the row."""
    faces = [str(tile.face) for tile in tiles]
    return any(
        rules.legal([*faces[:at], other, *faces[at + 1 :]], ordered=True)
        for at, tile in enumerate(tiles)
        for other, share in tile.alternatives
        if share >= POSSIBLE
    )
