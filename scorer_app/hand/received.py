"""Records of hands that come from another installation.

They are checked as stored records are, and kept within limits. Their photographs do not come with
them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scorer_app.hand.edits_of_hand import MOST_ADJUSTMENTS
from scorer_app.hand.fields import MAX_TILES, Wrong, WrongField, without_controls, wrong_field
from scorer_app.hand.plainness import with_plain_finds
from scorer_app.hand.record import FACES, Record, UnreadableRecord
from scorer_app.hand.table_rules import TableRules

_LAST_SERIAL = 999_999  # no id has more digits
_NO_REASON = "?"  # of an adjustment in whose reason nothing can be seen
# The highest number that an id may have: what people add to the hand needs higher ones.
_HIGHEST_RECEIVED = 900_000


def received_record(data: dict[str, Any], at: str, rules: TableRules) -> Record:
    """Read the record of a hand that has ended, from JSON data. `at` is the path to `data`, for the
    message, and `rules` are those of the hand's match.

    The record returned has no photographs, its tiles have no corners, its rows no browsers, and the
    reasons of its adjustments no control characters. Corners may settle the doubt whether a find is
    a tile: a doubt that they settle is removed first, and then the corners are. So the record has
    the same doubts as the hand from which the data were made.

    Raises WrongField where the data are no record, where the record is too large, and where its
    hand has not ended.
    """
    try:
        record = Record.from_json(data | {"serial": _LAST_SERIAL})
    except UnreadableRecord as error:
        raise wrong_field(error, at) from error
    _check_limits(record, at)
    tiles = {
        name: replace(tile, photo=None, corners=None)
        for name, tile in with_plain_finds(record, rules).tiles.items()
    }
    adjustments = tuple(
        replace(item, reason=without_controls(item.reason) or _NO_REASON)
        for item in record.adjustments
    )
    return replace(
        record,
        tiles=tiles,
        rows=tuple(replace(row, by="") for row in record.rows),
        adjustments=adjustments,
        removed=(),
        compared=(),
        told_apart=(),
        nothing_counts=(),
        kept_blurred=(),
        serial=record.last_number(),
    )


def _check_limits(record: Record, at: str) -> None:
    """Raise WrongField for a record that is too large, and for the record of a hand that has not
    ended. `at` is the path to the record in what was received, for the message.
    """
    limits = {
        "tiles": len(record.tiles) <= MAX_TILES,
        "adjustments": len(record.adjustments) <= MOST_ADJUSTMENTS,
        "alternatives": all(len(tile.alternatives) <= len(FACES) for tile in record.tiles.values()),
        "serial": record.last_number() <= _HIGHEST_RECEIVED,
        "end": record.end is not None,
    }
    for field, holds in limits.items():
        if not holds:
            raise WrongField(f"{at}.{field}", Wrong.VALUE, f"expected other {field}")
