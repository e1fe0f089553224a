"""Scores the record of a hand by the engine, and names for each line of the score the tiles that it
counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain

from engine import scoring as engine
from engine.rulesets import RuleSet
from engine.scoring import LineKind
from engine.sides import SIDES, SideName
from engine.tiles import Tiles
from scorer_app.hand.record import Part, Place, Record, Row
from scorer_app.hand.table_rules import TableRules, tiles_of


@dataclass(frozen=True)
class Line:
    """One line of the score sheet.

    `kind` is one of the engine's kinds of lines, `adjustment`, or `counted` for totals that people
    counted themselves. `part` is the part of the sheet in which the line stands: `base`, `puntos`
    or `adjustment`. `detail` is the class of a canasta or the reason of an adjustment, `tiles` are
    the ids of the tiles that the line counts, and `id` is the id of an adjustment.
    """

    side: SideName
    kind: str
    part: Part
    points: int
    tiles: tuple[str, ...] = ()
    detail: str | None = None
    id: str | None = None


@dataclass(frozen=True)
class HandScore:
    """The score sheet of a hand.

    `reason` is the code of the rule that the closing breaks; None where it breaks none. A sheet
    with a `reason` has no lines but the adjustments. `no_score` says that the hand is void because
    no side has a canasta. `provisional` says that nobody has told yet how the hand ended.
    """

    lines: tuple[Line, ...]
    reason: str | None = None
    no_score: bool = False
    provisional: bool = False

    def total(self, side: SideName) -> int:
        """Points of a side over all its lines."""
        return sum(line.points for line in self.lines if line.side == side)

    def part(self, side: SideName, part: Part) -> int:
        """Add up the points of a side's lines in one part of the sheet."""
        return sum(line.points for line in self.lines if line.side == side and line.part == part)


def score_hand(record: Record, table: TableRules) -> HandScore:
    """Return the score sheet of the record as it is now, by the rules of its match, `table`.

    Unread tiles count nothing. A side's line about the muerto is left out until somebody has said
    how the hand ended and whether the side took its muerto.
    """
    if record.counted:
        return HandScore(tuple(_adjustments(record)))
    counted = _counted(record, table, {side: side_of(record, side, table) for side in SIDES})
    lines: list[Line] = []
    for side in SIDES:
        lines += [_line(record, side, line) for line in _lines(record, counted, side)]
    reason = str(counted.reason) if counted.reason else None
    return HandScore((*lines, *_adjustments(record)), reason, counted.void, record.end is None)


def totals_if(
    record: Record, table: TableRules, sides: Mapping[SideName, engine.Side]
) -> dict[SideName, int] | None:
    """Count the totals that the two sides would have if their tiles were those in `sides`, which
    holds each side as the engine counts it. Adjustments are included.

    None where the rules would not allow the hand's closing.
    """
    counted = _counted(record, table, sides)
    if counted.reason:
        return None
    totals = dict.fromkeys(SIDES, 0)
    for item in record.adjustments:
        totals[item.side] += item.points
    for side in SIDES:
        totals[side] += sum(line.points for line in _lines(record, counted, side))
    return totals


def _counted(
    record: Record, table: TableRules, sides: Mapping[SideName, engine.Side]
) -> engine.HandScore:
    """Count the hand by the engine, with the sides' tiles as `sides` gives them. While nobody has
    said how the hand ended, the hand is not void for want of a canasta.
    """
    rules = replace(table.rules, void_without_canasta=False) if record.end is None else table.rules
    return _count(sides["A"], sides["B"], record.closed_by, rules)


@lru_cache(maxsize=512)
def _count(
    a: engine.Side, b: engine.Side, closed_by: SideName | None, rules: RuleSet
) -> engine.HandScore:
    """Count a hand by the engine; `a` and `b` are the sides, with their tiles. The result is
    cached: where nothing is in doubt, the score and both sides' intervals ask for the same count.
    """
    return engine.score_hand({"A": a, "B": b}, closed_by, rules, accept_illegal=True)


def _lines(record: Record, counted: engine.HandScore, side: SideName) -> list[engine.ScoreLine]:
    """Return the lines of a side's score sheet in `counted`, the engine's count of the hand. Lines
    about the muerto are left out while nobody has said how the hand ended, or whether the side took
    its muerto.
    """
    if side not in counted.sides:
        return []
    lines = counted.sides[side].lines
    if record.end is None or muerto_taken(record, side) is None:
        return [line for line in lines if line.kind not in engine.MUERTO]
    return list(lines)


def muerto_taken(record: Record, side: SideName) -> bool | None:
    """Tell whether a side took its muerto: as people answered, or True where the side closed, which
    it may only do after taking its muerto. None where nobody has said.
    """
    if record.muerto[side] is None and record.closed_by == side:
        return True
    return record.muerto[side]


def side_of(
    record: Record,
    side: SideName,
    table: TableRules,
    melds: Sequence[Tiles] | None = None,
    rack: Tiles | None = None,
) -> engine.Side:
    """Make a side as the engine counts it, from the record.

    `melds` and `rack` take the place of the record's own where they are given.
    """
    if melds is None:
        rows = record.in_place(side, Place.MELDS)
        melds = [table.laid(record.faces(row), row.ordered) for row in rows]
    if rack is None:
        racks = record.in_place(side, Place.RACK)
        rack = tuple(chain.from_iterable(tiles_of(record.faces(row)) for row in racks))
    # With four players one rack photograph shows what the partner of the one who closed has left.
    hands = ((), rack) if table.players == 4 and record.closed_by == side else (rack,)
    played = side not in record.muerto_unplayed
    return engine.Side(tuple(melds), hands, bool(muerto_taken(record, side)), muerto_played=played)


def _line(record: Record, side: SideName, line: engine.ScoreLine) -> Line:
    part: Part = "puntos" if line.kind in engine.PUNTOS else "base"
    detail = str(line.canasta) if line.canasta else None
    return Line(side, str(line.kind), part, line.points, _tiles(record, side, line), detail)


def _tiles(record: Record, side: SideName, line: engine.ScoreLine) -> tuple[str, ...]:
    rows: tuple[Row, ...] = ()
    if line.kind in (LineKind.MELD, LineKind.CANASTA) and line.index is not None:
        rows = record.in_place(side, Place.MELDS)[line.index : line.index + 1]
    elif line.kind is LineKind.HAND:
        rows = record.in_place(side, Place.RACK)
    return tuple(tile for row in rows for tile in row.tiles)


def _adjustments(record: Record) -> Iterator[Line]:
    for item in record.adjustments:
        kind = "adjustment" if item.part == "adjustment" else "counted"
        yield Line(item.side, kind, item.part, item.points, detail=item.reason, id=item.id)
