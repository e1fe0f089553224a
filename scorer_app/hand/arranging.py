"""Steps that the operations on rows and tiles are made of.

Each takes a record and returns a new one. Rows that a step touches are marked as `user_arranged`,
so that later readings of a photograph leave these rows as they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.sides import SideName
from scorer_app.hand.record import Place, Record, Row, Tile
from scorer_app.hand.table_rules import TableRules


def new_row(
    record: Record,
    side: SideName,
    place: Place,
    tiles: tuple[str, ...],
    *,
    ordered: bool = False,
    separate: bool = True,
    by: str = "",
) -> Record:
    """Add a row of the tiles with these ids, after all other rows. `ordered` says whether the tiles
    are given in the order in which they lie, `separate` whether a person parted them from the other
    rows, and `by` which browser's taps begin the row.
    """
    name, record = record.next_id("r")
    row = Row(
        name, side, place, tiles, ordered=ordered, user_arranged=True, separate=separate, by=by
    )
    return replace(record, rows=(*record.rows, row))


def insert(record: Record, row: Row, tile_id: str, index: int | None = None) -> Record:
    """Put a tile into a row: before the tile at `index`, counted from 0, or at the end where
    `index` is None.

    A tile put at the end may belong anywhere in the row, so the row is then no longer `ordered`.
    """
    at = len(row.tiles) if index is None else index
    tiles = (*row.tiles[:at], tile_id, *row.tiles[at:])
    ordered = row.ordered and index is not None
    return record.with_row(
        replace(row, tiles=tiles, accepted=False, ordered=ordered, user_arranged=True)
    )


def in_order(record: Record, row: Row, rules: TableRules) -> Record:
    """Put the tiles of a meld that lies in no order into the order in which they are counted. A
    meld that is legal as it lies stays, as does one that is legal in no order.
    """
    known = [face for face in record.faces(row) if face is not None]
    if row.ordered or row.place is not Place.MELDS or len(known) < len(row.tiles):
        return record
    if rules.legal(known, ordered=True) or not rules.legal(known, ordered=False):
        return record
    left, tiles = [*row.tiles], []
    for face in map(str, rules.laid(known, ordered=False)):
        tiles.append(next(name for name in left if record.tiles[name].face == face))
        left.remove(tiles[-1])
    return record.with_row(replace(row, tiles=tuple(tiles)))


def join(record: Record, into: Row, others: Iterable[Row]) -> Record:
    """Move all tiles of the `others` to the end of the row `into`; these rows are gone then."""
    tiles = into.tiles
    for row in others:
        tiles += row.tiles
        record = record.with_row(replace(row, tiles=()))
    return record.with_row(
        replace(into, tiles=tiles, accepted=False, ordered=False, user_arranged=True)
    )


def lift(record: Record, tile_id: str) -> Record:
    """Return the record after taking a tile out of its row and out of the record's tiles, so that
    the caller may put it elsewhere.
    """
    row = record.row_of(tile_id)
    tiles = {key: tile for key, tile in record.tiles.items() if key != tile_id}
    others = tuple(other for other in row.tiles if other != tile_id)
    left = replace(row, tiles=others, accepted=False, user_arranged=True)
    return replace(record, tiles=tiles).with_row(left)


def remove(record: Record, tile: Tile) -> Record:
    """Remove a tile. One that was read in a photograph is remembered as removed, so that a later
    reading does not bring it back.
    """
    removed = (*record.removed, tile) if tile.corners else record.removed
    return replace(lift(record, tile.id), removed=removed)


def remove_all(record: Record, tiles: Iterable[str]) -> Record:
    """Remove the tiles with these ids. Those that were read in a photograph are remembered as
    removed, so that a later reading does not bring them back.
    """
    for tile in tiles:
        record = remove(record, record.tiles[tile])
    return record
