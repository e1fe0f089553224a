"""Hands whose totals people counted themselves."""

from __future__ import annotations

from dataclasses import replace

from scorer_app.hand.counted import counted_points, counted_record
from scorer_app.hand.record import Adjustment, End, Record


def test_a_counted_hand_is_four_sums_and_nothing_else() -> None:
    record = counted_record({"A": (300, 145), "B": (-100, 0)})
    told = [(item.id, item.side, item.part, item.points) for item in record.adjustments]
    assert told == [
        ("x1", "A", "base", 300),
        ("x2", "A", "puntos", 145),
        ("x3", "B", "base", -100),
        ("x4", "B", "puntos", 0),
    ]
    assert (record.end, record.counted, record.serial) == (End.STOCK_EXHAUSTED, True, 4)
    assert Record.from_json(record.to_json()) == record


def test_its_sums_are_told_by_side_and_other_adjustments_are_none_of_them() -> None:
    record = counted_record({"A": (300, 145), "B": (-100, 0)})
    more = (Adjustment("x5", "A", -50, "late"), Adjustment("x6", "B", 7, "again", "puntos"))
    assert counted_points(replace(record, adjustments=(*record.adjustments, *more))) == {
        "A": {"base": 300, "puntos": 145},
        "B": {"base": -100, "puntos": 7},
    }
    assert counted_points(Record()) == {
        "A": {"base": 0, "puntos": 0},
        "B": {"base": 0, "puntos": 0},
    }
