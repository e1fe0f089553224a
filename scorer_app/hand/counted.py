"""Hands whose totals people counted themselves: base and puntos of each side, without tiles."""

from __future__ import annotations

from collections.abc import Mapping

from engine.sides import SIDES, SideName
from scorer_app.hand.record import Adjustment, End, Part, Record

COUNTED_PARTS: tuple[Part, Part] = ("base", "puntos")
Counted = Mapping[SideName, tuple[int, int]]  # base and puntos, in points
_REASON = "="  # an adjustment needs a reason, which a hand counted by people does not show


def counted_record(points: Counted) -> Record:
    """Make the record of a hand of which people counted the points themselves. `points` holds a
    pair for each side, base and puntos: `{"A": (300, 120), "B": ...}`.
    """
    adjustments = tuple(
        Adjustment(f"x{number}", side, amount, _REASON, part)
        for number, (side, part, amount) in enumerate(
            (
                (side, part, amount)
                for side in SIDES
                for part, amount in zip(COUNTED_PARTS, points[side], strict=True)
            ),
            1,
        )
    )
    return Record(
        adjustments=adjustments, end=End.STOCK_EXHAUSTED, counted=True, serial=len(adjustments)
    )


def counted_points(record: Record) -> dict[SideName, dict[str, int]]:
    """Return the base and the puntos of each side of a hand that people counted themselves: `{"A":
    {"base": 300, "puntos": 120}, "B": ...}`.
    """
    sums: dict[SideName, dict[str, int]] = {side: dict.fromkeys(COUNTED_PARTS, 0) for side in SIDES}
    for item in record.adjustments:
        if item.part in COUNTED_PARTS:
            sums[item.side][item.part] += item.points
    return sums
