"""The score of a hand record by the engine, each line tied back to the tiles that it counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from engine import scoring as engine
from engine.scoring import LineKind
from scorer_app.record import SIDES, Place, Record, Row, Side
from scorer_app.rules import TableRules, tiles_of

Part = Literal["base", "puntos", "adjustment"]


@dataclass(frozen=True)
class Line:
    """One line of the sheet. `kind`: the engine's, or `adjustment`; `detail`: the canasta's class or the reason given."""

    side: Side
    kind: str
    part: Part
    points: int
    tiles: tuple[str, ...] = ()
    detail: str | None = None
    id: str | None = None


@dataclass(frozen=True)
class HandScore:
    """`provisional`: nobody has said yet how the hand ended. `reason`: why a closing does not stand (no totals then)."""

    lines: tuple[Line, ...]
    reason: str | None = None
    no_score: bool = False
    provisional: bool = False

    def total(self, side: Side) -> int:
        return sum(line.points for line in self.lines if line.side == side)

    def part(self, side: Side, part: Part) -> int:
        return sum(line.points for line in self.lines if line.side == side and line.part == part)


def score_hand(record: Record, table: TableRules) -> HandScore:
    """Counts the record as it stands: unread tiles count nothing, an unanswered muerto has no line yet."""
    provisional = record.end is None
    rules = replace(table.rules, void_without_canasta=False) if provisional else table.rules
    sides: dict[Side, engine.Side] = {side: _side(record, side, table) for side in SIDES}
    counted = engine.score_hand(sides, record.closed_by, rules, accept_illegal=True)
    lines = [
        _line(record, side, line)
        for side in SIDES
        for line in (counted.sides[side].lines if side in counted.sides else ())
        if not (line.kind in engine.MUERTO and (provisional or muerto_taken(record, side) is None))
    ]
    reason = str(counted.reason) if counted.reason else None
    return HandScore((*lines, *_adjustments(record)), reason, counted.void, provisional)


def muerto_taken(record: Record, side: Side) -> bool | None:
    """As answered; and who closed must have taken it."""
    if record.muerto[side] is None and record.closed_by == side:
        return True
    return record.muerto[side]


def _side(record: Record, side: Side, table: TableRules) -> engine.Side:
    melds = tuple(table.laid(record.faces(row), row.as_laid) for row in record.in_place(side, Place.MELDS))
    rack = tiles_of([face for row in record.in_place(side, Place.RACK) for face in record.faces(row)])
    # With four players one rack photograph shows what the partner of the one who closed has left.
    hands = ((), rack) if table.players == 4 and record.closed_by == side else (rack,)
    played = side not in record.muerto_unplayed
    return engine.Side(melds, hands, bool(muerto_taken(record, side)), muerto_played=played)


def _line(record: Record, side: Side, line: engine.Line) -> Line:
    part: Part = "puntos" if line.kind in engine.PUNTOS else "base"
    detail = str(line.canasta) if line.canasta else None
    return Line(side, str(line.kind), part, line.points, _tiles(record, side, line), detail)


def _tiles(record: Record, side: Side, line: engine.Line) -> tuple[str, ...]:
    rows: tuple[Row, ...] = ()
    if line.kind in (LineKind.MELD, LineKind.CANASTA) and line.index is not None:
        rows = record.in_place(side, Place.MELDS)[line.index : line.index + 1]
    elif line.kind is LineKind.HAND:
        rows = record.in_place(side, Place.RACK)
    return tuple(tile for row in rows for tile in row.tiles)


def _adjustments(record: Record) -> Iterator[Line]:
    for item in record.adjustments:
        yield Line(item.side, "adjustment", "adjustment", item.points, detail=item.reason, id=item.id)
