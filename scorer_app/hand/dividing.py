"""Divides loose tiles that lie in one row of a record into the melds as which a photograph shows
them.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scorer_app.hand.arranging import new_row
from scorer_app.hand.record import Record, Row, Tile
from scorer_app.hand.table_rules import TableRules
from vision.grouping import Indices, find_rows
from vision.quads import are_convex


def divided(record: Record, row: Row, rules: TableRules) -> Record:
    """Return the record with the tiles of `row` in one row for each meld that they make where they
    lie side by side on a photograph. What makes no meld stays in `row`, which without any such tile
    is the first of the melds.

    A row whose tiles are in the order in which the camera saw them stays as it is, and so does one
    that is a legal meld if tiles are in it that lie side by side with no others.
    """
    if row.ordered:
        return record
    melds = _melds(record, row, rules)
    in_melds = {name for meld in melds for name in meld}
    rest = tuple(name for name in row.tiles if name not in in_melds)
    if not melds or (rest and rules.is_meld(record.faces(row), ordered=False)):
        return record
    if rest:
        record = record.with_row(replace(row, tiles=rest))
    else:
        record = record.with_row(replace(row, tiles=melds.pop(0), ordered=True))
    for meld in melds:
        record = new_row(record, row.side, row.place, meld, ordered=True)
    return record


def _melds(record: Record, row: Row, rules: TableRules) -> list[tuple[str, ...]]:
    """List the legal melds that tiles of `row` make where they lie side by side on one photograph,
    as ids in the order in which they lie.
    """
    by_photo: dict[str, list[Tile]] = {}
    for name in row.tiles:
        tile = record.tiles[name]
        if tile.photo and tile.corners:
            by_photo.setdefault(tile.photo, []).append(tile)
    return [meld for tiles in by_photo.values() for meld in _melds_of_photo(record, tiles, rules)]


def _melds_of_photo(record: Record, tiles: list[Tile], rules: TableRules) -> list[tuple[str, ...]]:
    """List the legal melds among tiles of one photograph, as ids in the order in which they lie."""
    quads = np.array([tile.corners for tile in tiles], np.float32)
    # The corners of a tile that a person pointed out may be any four points.
    tiles = [tile for tile, convex in zip(tiles, are_convex(quads), strict=True) if convex]
    quads = quads[are_convex(quads)]

    def names(indices: Indices) -> tuple[str, ...]:
        return tuple(tiles[index].id for index in indices)

    def is_meld(indices: Indices) -> bool:
        return rules.is_meld([record.tiles[name].face for name in names(indices)], ordered=True)

    return [names(found) for found in find_rows(quads, is_meld=is_meld) if is_meld(found)]
