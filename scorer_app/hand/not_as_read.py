"""What a hand may be worth if it did not end as its photographs were read: where the rules do not
allow the closing, and where no canasta was seen though tiles may have been missed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.rulesets import CANASTA_SIZE
from engine.sides import SideName
from scorer_app.hand.questions import Span, intervals
from scorer_app.hand.record import End, Place, Record, Row, Tile
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


def intervals_if_missed(
    record: Record, sides: Iterable[SideName], rules: TableRules
) -> dict[SideName, Span]:
    """Map each side to its lowest and its highest total if each of `sides` may have one canasta
    more than was seen, of seven tiles. For a hand that is void as it was read, because nobody has
    a canasta, though tiles may have been missed.
    """
    for side in sides:
        names = []
        for _ in range(CANASTA_SIZE):
            name, record = record.next_id("t")
            record = record.with_tiles([Tile(name, None, confidence=0.0, doubtful=True)])
            names.append(name)
        name, record = record.next_id("r")
        missed = Row(name, side, Place.MELDS, tuple(names), ordered=True)
        record = replace(record, rows=(*record.rows, missed))
    return intervals(record, rules)
