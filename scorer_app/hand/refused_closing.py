"""What a hand may be worth whose closing the rules do not allow as it was read."""

from __future__ import annotations

from dataclasses import replace

from engine.reasons import Reason
from engine.sides import SideName
from scorer_app.hand.intervals import Span, intervals
from scorer_app.hand.missed_rows import with_canastas
from scorer_app.hand.reach import reach_of
from scorer_app.hand.record import End, Place, Record
from scorer_app.hand.score import score_hand
from scorer_app.hand.table_rules import TableRules


def intervals_if_refused(record: Record, rules: TableRules) -> dict[SideName, Span]:
    """Map each side to its lowest and its highest total in a hand whose closing the rules refuse.

    Either nobody closed, or something was missed or misread and the closing stands. So the totals
    of all plausible readings are counted in two ways: as those of a hand in which the stock ran
    out, and as those of a hand that ended as it was told.
    """
    nobody = replace(record, end=End.STOCK_EXHAUSTED, closed_by=None)
    spans = intervals(nobody, rules)
    if record.closed_by is None:
        return spans
    closed = intervals(_as_the_closing_stands(record, record.closed_by, rules), rules)
    return {
        side: (min(low, closed[side][0]), max(high, closed[side][1]))
        for side, (low, high) in spans.items()
    }


def _as_the_closing_stands(record: Record, closer: SideName, rules: TableRules) -> Record:
    """Return the record with all that the rules ask of the side that closed: it has taken its
    muerto, has nothing left, and may have a canasta that was missed if it has none by any reading.
    """
    record = replace(record, muerto=record.muerto | {closer: True})
    if score_hand(record, rules).reason == Reason.HAND_NOT_EMPTY:
        is_left = [row.side == closer and row.place is Place.RACK for row in record.rows]
        kept = [row for row, left in zip(record.rows, is_left, strict=True) if not left]
        record = replace(record, rows=tuple(kept))
    may_close = any(holding.allows_closing for holding in reach_of(record, closer, rules))
    return record if may_close else with_canastas(record, [closer])
