"""What a hand may be worth whose closing the rules do not allow as it was read."""

from __future__ import annotations

from dataclasses import replace

from engine.sides import SideName
from scorer_app.hand.intervals import Span, intervals
from scorer_app.hand.record import End, Record
from scorer_app.hand.table_rules import TableRules


def intervals_if_refused(record: Record, rules: TableRules) -> dict[SideName, Span]:
    """Map each side to its lowest and its highest total in a hand whose closing the rules refuse.

    Either nobody closed, or a tile was missed or misread and the closing stands. So the totals of
    all plausible readings are counted in two ways: as those of a hand in which the stock ran out,
    and with what the closing pays. A side that closed has taken its muerto, and no hand that was
    closed is void.
    """
    nobody = replace(record, end=End.STOCK_EXHAUSTED, closed_by=None)
    spans = intervals(nobody, rules)
    closer = record.closed_by
    if closer is None:
        return spans
    never_void = replace(rules, rules=replace(rules.rules, void_without_canasta=False))
    closed = intervals(replace(nobody, muerto=record.muerto | {closer: True}), never_void)
    found = {}
    for side, (low, high) in spans.items():
        paid = rules.rules.close_bonus if side == closer else 0
        least, most = closed[side]
        found[side] = min(low, least + paid), max(high, most + paid)
    return found
