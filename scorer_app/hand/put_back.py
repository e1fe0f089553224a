"""Whether a correction of a hand has been put back, by hand, to what was saved of it."""

from __future__ import annotations

from dataclasses import replace

from engine.sides import SIDES
from scorer_app.hand.record import Record, Row, Tile
from scorer_app.hand.score import muerto_taken


def tells_the_same(record: Record, other: Record) -> bool:
    """Whether two records of a hand tell people the same: tiles that lie alike, with the same
    doubts, and a hand that ended alike.

    Ids make no difference, as a tile that was removed and tapped in again has another one, nor do
    the order of rows and of tapped tiles, and the word of a person about what was beyond doubt.
    """
    return _told(record) == _told(other)


def _told(record: Record) -> tuple[Record, list[str], list[str]]:
    """Return the record without its tiles, rows and adjustments, and these as texts in order."""
    bare = replace(
        record,
        tiles={},
        rows=(),
        adjustments=(),
        serial=0,
        muerto={side: muerto_taken(record, side) for side in SIDES},
    )
    rows = sorted(_row_told(record, row) for row in record.rows)
    return bare, rows, sorted(repr(replace(one, id="")) for one in record.adjustments)


def _row_told(record: Record, row: Row) -> str:
    tiles = [_tile_told(record.tiles[name]) for name in row.tiles]
    bare = replace(row, id="", tiles=(), user_arranged=False, separate=False, by="")
    return repr((bare, tiles if row.ordered else sorted(tiles)))


def _tile_told(tile: Tile) -> str:
    in_doubt = tile.doubtful or tile.perhaps_none or tile.face is None
    settled = tile.confirmed or not in_doubt
    return repr(replace(tile, id="", confirmed=settled, suggested=False))
