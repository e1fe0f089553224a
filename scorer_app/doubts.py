"""What is still uncertain about a hand, what it can do to the score, and in which order to ask."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice, product
from math import prod

from scorer_app.record import SIDES, Place, Record, Row, Side, Tile
from scorer_app.rules import TableRules
from scorer_app.scoring import HandScore, muerto_taken, score_hand

Span = tuple[int, int]
MOST_COMBINATIONS = 96  # scored outright; beyond it the single effects are added up, which is never too narrow by much
READINGS_TRIED = 3  # of a doubtful tile, beside the one in force
ONE_OF_EACH_VALUE = ("1R", "2R", "3R", "8R", "J")  # stands for all faces where a tile has no reading at all


class Ask(StrEnum):
    TILE = "tile"  # unread or doubtful
    COPIES = "copies"  # a face lies there more often than the set has it
    ROW = "row"  # an illegal meld: correct it, or let it pass
    END = "end"
    MUERTO = "muerto"
    CLOSING = "closing"  # the closing does not stand


@dataclass(frozen=True)
class Question:
    """`effect`: points by which the answer can move the score; `needed`: the hand cannot be saved without it."""

    ask: Ask
    effect: int
    needed: bool
    subject: str | None = None  # tile or row id, face, side, reason code
    tiles: tuple[str, ...] = ()


def candidates(tile: Tile) -> tuple[str, ...]:
    """Faces that a tile may be; just its own when nothing is doubtful."""
    if tile.face is not None and not tile.doubtful:
        return (tile.face,)
    likely = [face for face, _ in tile.alternatives[:READINGS_TRIED]]
    if tile.face is None:
        return tuple(dict.fromkeys(likely)) or ONE_OF_EACH_VALUE
    return tuple(dict.fromkeys([tile.face, *likely]))


def open_tiles(record: Record) -> list[Tile]:
    """Tiles of the score (not of the pozo) with more than one possible face."""
    counted = [tile for row in record.rows if row.place is not Place.POZO for tile in row.tiles]
    return [record.tiles[name] for name in counted if record.tiles[name].face is None or record.tiles[name].doubtful]


def intervals(record: Record, rules: TableRules) -> dict[Side, Span]:
    """Lowest and highest total of each side over all readings and answers that are still open."""
    choices = [[(tile, face) for face in candidates(tile)] for tile in open_tiles(record)]
    if prod(map(len, choices)) * 4 <= MOST_COMBINATIONS:
        records = [_with_faces(record, combination) for combination in product(*choices)]
        return _spans([score for one in records for score in _answered(one, rules)])
    base = _spans(_answered(record, rules))
    for choice in choices:
        alone = _spans([score_hand(_with_faces(record, [pair]), rules) for pair in choice])
        fixed = score_hand(record, rules)
        base = {side: _widen(base[side], alone[side], fixed.total(side)) for side in SIDES}
    return base


def questions(record: Record, rules: TableRules) -> list[Question]:
    """Everything open, what moves the score most first. A doubt that cannot move it is not asked."""
    asked = [
        *_about_tiles(record, rules),
        *_about_copies(record, rules),
        *_about_rows(record, rules),
    ]
    return sorted(asked, key=lambda question: -question.effect) + _about_the_end(record, rules)


@dataclass(frozen=True)
class LeftOpen:
    """Doubts that a hand was saved with: how many could still move its score, and between which totals."""

    count: int
    spans: dict[Side, Span]


def left_open(record: Record, rules: TableRules) -> LeftOpen | None:
    """None where nothing that is open can move the score."""
    asked = questions(record, rules) if open_tiles(record) else []
    return LeftOpen(len(asked), intervals(record, rules)) if asked else None


def _about_tiles(record: Record, rules: TableRules) -> list[Question]:
    found = []
    for tile in open_tiles(record):
        effect = _effect([_with_faces(record, [(tile, face)]) for face in candidates(tile)], rules)
        if effect or tile.face is None:
            found.append(Question(Ask.TILE, effect, tile.face is None, tile.id, (tile.id,)))
    return found


def _about_copies(record: Record, rules: TableRules) -> list[Question]:
    tiles = [tile for tile in record.tiles.values() if tile.face]
    found = []
    for face in rules.copies_too_many([tile.face for tile in tiles if tile.face]):
        same = tuple(tile.id for tile in tiles if tile.face == face)
        if face not in record.kept_copies:
            found.append(Question(Ask.COPIES, abs(rules.points([face])), True, face, same))
    return found


def _about_rows(record: Record, rules: TableRules) -> list[Question]:
    return [
        Question(Ask.ROW, abs(rules.points(record.faces(row))), True, row.id, row.tiles)
        for row in melds_of(record)
        if not row.accepted and (meld := rules.judge(record.faces(row), row.as_laid)) and not meld.valid
    ]


def _about_the_end(record: Record, rules: TableRules) -> list[Question]:
    if not any(row.place is not Place.POZO for row in record.rows):
        return []
    if record.end is None:
        return [Question(Ask.END, 100, True)]
    asked = [Question(Ask.MUERTO, 200, True, side) for side in SIDES if muerto_taken(record, side) is None]
    score = score_hand(record, rules)
    if score.reason and not asked:
        asked.append(Question(Ask.CLOSING, 100, True, score.reason))
    return asked


def melds_of(record: Record) -> list[Row]:
    return [row for row in record.rows if row.place is Place.MELDS]


def _answered(record: Record, rules: TableRules) -> list[HandScore]:
    """The scores over the unanswered muertos."""
    unknown = [side for side in SIDES if muerto_taken(record, side) is None and record.end is not None]
    answers = islice(product((False, True), repeat=len(unknown)), 4)
    return [
        score_hand(replace(record, muerto=record.muerto | dict(zip(unknown, answer, strict=True))), rules) for answer in answers
    ]


def _with_faces(record: Record, pairs: Iterable[tuple[Tile, str]]) -> Record:
    return record.with_tiles([replace(tile, face=face, doubtful=False) for tile, face in pairs])


def _effect(records: list[Record], rules: TableRules) -> int:
    spans = _spans([score_hand(record, rules) for record in records])
    return max(high - low for low, high in spans.values())


def _spans(scores: list[HandScore]) -> dict[Side, Span]:
    return {side: (min(s.total(side) for s in scores), max(s.total(side) for s in scores)) for side in SIDES}


def _widen(span: Span, alone: Span, fixed: int) -> Span:
    return span[0] + alone[0] - fixed, span[1] + alone[1] - fixed
