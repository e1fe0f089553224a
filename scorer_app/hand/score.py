"""The score of a hand record by the engine, each line tied back to the tiles that it counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from engine import scoring as engine
from engine.rulesets import RuleSet
from engine.scoring import LineKind
from engine.tiles import Tiles
from scorer_app.hand.record import SIDES, Place, Record, Row, Side
from scorer_app.hand.table_rules import TableRules, tiles_of

Part = Literal["base", "puntos", "adjustment"]


@dataclass(frozen=True)
class Line:
    """One line of the sheet. `kind`: the engine's, or `adjustment`; `detail`: the canasta's class
    or the reason given.
    """

    side: Side
    kind: str
    part: Part
    points: int
    tiles: tuple[str, ...] = ()
    detail: str | None = None
    id: str | None = None


@dataclass(frozen=True)
class HandScore:
    """`provisional`: nobody has said yet how the hand ended. `reason`: why a closing does not
    stand (no totals then).
    """

    lines: tuple[Line, ...]
    reason: str | None = None
    no_score: bool = False
    provisional: bool = False

    def total(self, side: Side) -> int:
        return sum(line.points for line in self.lines if line.side == side)

    def part(self, side: Side, part: Part) -> int:
        return sum(line.points for line in self.lines if line.side == side and line.part == part)


def score_hand(record: Record, table: TableRules) -> HandScore:
    """Counts the record as it stands: unread tiles count nothing, an unanswered muerto has no line
    yet.
    """
    counted = _counted(record, table, {side: side_of(record, side, table) for side in SIDES})
    lines = [_line(record, side, line) for side in SIDES for line in _lines(record, counted, side)]
    reason = str(counted.reason) if counted.reason else None
    return HandScore((*lines, *_adjustments(record)), reason, counted.void, record.end is None)


def totals_if(
    record: Record, table: TableRules, sides: Mapping[Side, engine.Side]
) -> dict[Side, int] | None:
    """The totals if these were the tiles of the sides; None where the closing would not stand."""
    counted = _counted(record, table, sides)
    if counted.reason:
        return None
    given = {
        side: sum(item.points for item in record.adjustments if item.side == side) for side in SIDES
    }
    return {
        side: given[side] + sum(line.points for line in _lines(record, counted, side))
        for side in SIDES
    }


def _counted(
    record: Record, table: TableRules, sides: Mapping[Side, engine.Side]
) -> engine.HandScore:
    rules = replace(table.rules, void_without_canasta=False) if record.end is None else table.rules
    return _count(sides["A"], sides["B"], record.closed_by, rules)


@lru_cache(maxsize=512)
def _count(
    a: engine.Side, b: engine.Side, closed_by: Side | None, rules: RuleSet
) -> engine.HandScore:
    """Of a hand that leaves nothing open the score, both intervals and the closing are one and the
    same count.
    """
    return engine.score_hand({"A": a, "B": b}, closed_by, rules, accept_illegal=True)


def _lines(record: Record, counted: engine.HandScore, side: Side) -> list[engine.ScoreLine]:
    untold = record.end is None or muerto_taken(record, side) is None
    lines = counted.sides[side].lines if side in counted.sides else ()
    return [line for line in lines if not (untold and line.kind in engine.MUERTO)]


def muerto_taken(record: Record, side: Side) -> bool | None:
    """As answered; and who closed must have taken it."""
    if record.muerto[side] is None and record.closed_by == side:
        return True
    return record.muerto[side]


def side_of(
    record: Record,
    side: Side,
    table: TableRules,
    melds: Sequence[Tiles] | None = None,
    rack: Tiles | None = None,
) -> engine.Side:
    """The side as the engine counts it; with other melds or another rack, if those are given."""
    if melds is None:
        melds = [
            table.laid(record.faces(row), row.ordered) for row in record.in_place(side, Place.MELDS)
        ]
    if rack is None:
        rack = tiles_of(
            [face for row in record.in_place(side, Place.RACK) for face in record.faces(row)]
        )
    # With four players one rack photograph shows what the partner of the one who closed has left.
    hands = ((), rack) if table.players == 4 and record.closed_by == side else (rack,)
    played = side not in record.muerto_unplayed
    return engine.Side(tuple(melds), hands, bool(muerto_taken(record, side)), muerto_played=played)


def _line(record: Record, side: Side, line: engine.ScoreLine) -> Line:
    part: Part = "puntos" if line.kind in engine.PUNTOS else "base"
    detail = str(line.canasta) if line.canasta else None
    return Line(side, str(line.kind), part, line.points, _tiles(record, side, line), detail)


def _tiles(record: Record, side: Side, line: engine.ScoreLine) -> tuple[str, ...]:
    rows: tuple[Row, ...] = ()
    if line.kind in (LineKind.MELD, LineKind.CANASTA) and line.index is not None:
        rows = record.in_place(side, Place.MELDS)[line.index : line.index + 1]
    elif line.kind is LineKind.HAND:
        rows = record.in_place(side, Place.RACK)
    return tuple(tile for row in rows for tile in row.tiles)


def _adjustments(record: Record) -> Iterator[Line]:
    for item in record.adjustments:
        yield Line(
            item.side, "adjustment", "adjustment", item.points, detail=item.reason, id=item.id
        )
