"""Whether a correction of a hand has been put back, by hand, to what was saved of it."""

from __future__ import annotations

from dataclasses import replace

from engine.sides import SIDES
from scorer_app.hand.intervals import intervals
from scorer_app.hand.questions import questions
from scorer_app.hand.record import Record, Row, Tile
from scorer_app.hand.score import muerto_taken
from scorer_app.hand.table_rules import TableRules


def tells_the_same(record: Record, other: Record, rules: TableRules) -> bool:
    """Whether two records of a hand tell people the same: tiles that lie alike, with the same
    doubts, and a hand that ended alike; and whether the same is left open in both.

    Ids make no difference, as a tile that was removed and tapped in again has another one, nor do
    the order of rows and of tapped tiles, and the word of a person about what was beyond doubt. It
    does make one where it answers a question or narrows an interval.
    """
    return _told(record) == _told(other) and _left_open(record, rules) == _left_open(other, rules)


def _left_open(record: Record, rules: TableRules) -> tuple[object, list[str]]:
    """Return the intervals of a record and its questions, these as texts in order, without ids."""
    asked = [
        repr((one.ask, one.effect, one.needed, len(one.tiles), one.choices, one.cause))
        for one in questions(record, rules)
    ]
    return intervals(record, rules), sorted(asked)


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
    bare = replace(row, id="", tiles=(), separate=False, by="")
    return repr((bare, tiles if row.ordered else sorted(tiles)))


def _tile_told(tile: Tile) -> str:
    in_doubt = tile.doubtful or tile.perhaps_none or tile.face is None
    settled = tile.confirmed or not in_doubt
    return repr(replace(tile, id="", confirmed=settled, suggested=False))
