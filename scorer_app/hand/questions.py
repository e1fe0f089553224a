"""What is still uncertain about a hand, what it can do to the score, and in which order to ask."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import reduce
from itertools import product

from scorer_app.hand.duplicates import shown_twice, tapped_before
from scorer_app.hand.merging import drop_photo
from scorer_app.hand.reach import Holding, may_be_meld, reach_of
from scorer_app.hand.record import SIDES, Place, Record, Row, Side, Tile
from scorer_app.hand.score import muerto_taken, score_hand, side_of, totals_if
from scorer_app.hand.table_rules import TableRules

Span = tuple[int, int]


class Ask(StrEnum):
    TILE = "tile"  # unread or doubtful
    COPIES = "copies"  # a face lies there more often than the set has it
    TAPPED = "tapped"  # a photograph shows what had been tapped in before it was read
    TWICE = "twice"  # a photograph seems to be an earlier one once more
    ROW = "row"  # an illegal meld: correct it, or let it pass
    END = "end"
    MUERTO = "muerto"
    CLOSING = "closing"  # the closing does not stand


@dataclass(frozen=True)
class Question:
    """`effect`: points by which the answer can move the score; `needed`: the hand cannot be saved
    without it.
    """

    ask: Ask
    effect: int
    needed: bool
    subject: str | None = None  # tile or row id, face, side, reason code
    tiles: tuple[str, ...] = ()
    duplicate_of: str | None = None  # the photograph that the subject seems to be once more


def open_tiles(record: Record) -> list[Tile]:
    """Tiles of the score (not of the pozo) with more than one possible face."""
    counted = [
        tile
        for row in record.rows
        if row.place is Place.RACK or may_be_meld(record, row)
        for tile in row.tiles
    ]
    return [
        record.tiles[name]
        for name in counted
        if record.tiles[name].face is None or record.tiles[name].doubtful
    ]


def intervals(record: Record, rules: TableRules) -> dict[Side, Span]:
    """Lowest and highest total of each side over all plausible readings and all answers that are
    still open.

    What a person has said is taken as true: readings with which the told closing would not
    stand are left out.
    """
    reached = {side: reach_of(record, side, rules) for side in SIDES}
    answers = _answered(record)
    return {side: _interval(record, side, reached, answers, rules) for side in SIDES}


def _interval(
    record: Record,
    side: Side,
    reached: dict[Side, list[Holding]],
    answers: list[Record],
    rules: TableRules,
) -> Span:
    other: Side = "B" if side == "A" else "A"
    # Of the other side it matters only whether it has a canasta, and whether it may close.
    others = {holding.kind: holding for holding in reached[other]}.values()
    totals = []
    for answered, mine, theirs in product(answers, reached[side], others):
        sides = {
            name: side_of(answered, name, rules, held.melds, held.rack)
            for name, held in ((side, mine), (other, theirs))
        }
        counted = totals_if(answered, rules, sides)
        totals += [counted[side]] if counted else []
    totals = totals or [score_hand(record, rules).total(side)]
    return min(totals), max(totals)


def questions(record: Record, rules: TableRules) -> list[Question]:
    """Everything open, what moves the score most first. A doubt that cannot move it is not asked,
    nor what is asked only because a photograph was given twice.
    """
    twice = shown_twice(record)
    once = reduce(drop_photo, twice, record)
    asked = [
        *_about_tiles(once, rules),
        *_about_copies(once, rules),
        *_about_tapped(once, rules),
        *_about_rows(once, rules),
    ]
    doubles = [_about_twice(record, photo, original, rules) for photo, original in twice.items()]
    return (
        doubles
        + sorted(asked, key=lambda question: -question.effect)
        + _about_the_end(record, rules)
    )


@dataclass(frozen=True)
class LeftOpen:
    """Doubts that a hand was saved with: how many could still move its score, and between which
    totals.
    """

    count: int
    spans: dict[Side, Span]


def left_open(record: Record, rules: TableRules) -> LeftOpen | None:
    """None where nothing that is open can move the score."""
    asked = questions(record, rules) if open_tiles(record) else []
    return LeftOpen(len(asked), intervals(record, rules)) if asked else None


def _about_tiles(record: Record, rules: TableRules) -> list[Question]:
    """One question for each tile that is unread, or whose doubt alone can move the score."""
    found = []
    for tile in open_tiles(record):
        spans = intervals(_only_open(record, tile), rules).values()
        effect = max(high - low for low, high in spans)
        unread = tile.face is None
        if effect or unread:
            found.append(Question(Ask.TILE, effect, unread, tile.id, (tile.id,)))
    return found


def _about_copies(record: Record, rules: TableRules) -> list[Question]:
    """One question for each face that lies there more often than the set has it.

    A find that may be no tile, and that counts nothing where it lies, is not one of the copies: it
    may be a picture on a box.
    """
    aside = _names_aside(record)
    by_face: dict[str, list[str]] = {}
    for tile in record.tiles.values():
        if tile.face and not (tile.perhaps_none and tile.id in aside):
            by_face.setdefault(tile.face, []).append(tile.id)
    faces = [face for face, names in by_face.items() for _name in names]
    found = []
    for face in rules.copies_too_many(faces):
        if face not in record.kept_copies:
            worth = abs(rules.points([face]))
            found.append(Question(Ask.COPIES, worth, True, face, tuple(by_face[face])))
    return found


def _names_aside(record: Record) -> set[str]:
    """Tiles that count for nobody."""
    return {name for row in record.rows if row.place is Place.POZO for name in row.tiles}


def _about_twice(record: Record, photo: str, original: str, rules: TableRules) -> Question:
    tiles = tuple(tile.id for tile in record.tiles.values() if tile.photo == photo)
    aside = _names_aside(record)
    counted = [record.tiles[name].face for name in tiles if name not in aside]
    return Question(Ask.TWICE, abs(rules.points(counted)), True, photo, tiles, original)


def _about_tapped(record: Record, rules: TableRules) -> list[Question]:
    """One question for each photograph that shows tiles which had been tapped in before it was
    read, unless the table has compared them.
    """
    photos = dict.fromkeys(tile.photo for tile in record.tiles.values() if tile.photo)
    found = []
    for photo in photos:
        tiles = () if photo in record.compared else tuple(tapped_before(record, photo))
        if tiles:
            worth = abs(rules.points([record.tiles[name].face for name in tiles]))
            found.append(Question(Ask.TAPPED, worth, True, photo, tiles))
    return found


def _about_rows(record: Record, rules: TableRules) -> list[Question]:
    """One question for each illegal meld that the table has not accepted."""
    found = []
    for row in melds_of(record):
        faces = record.faces(row)
        meld = None if row.accepted else rules.judge(faces, row.ordered)
        if meld and not meld.valid:
            found.append(Question(Ask.ROW, abs(rules.points(faces)), True, row.id, row.tiles))
    return found


def _about_the_end(record: Record, rules: TableRules) -> list[Question]:
    if not any(row.place is not Place.POZO for row in record.rows):
        return []
    if record.end is None:
        return [Question(Ask.END, 100, True)]
    score = score_hand(record, rules)
    if score.reason or score.no_score:  # there is no score to ask the muertos for
        return [Question(Ask.CLOSING, 100, True, score.reason)] if score.reason else []
    return [
        Question(Ask.MUERTO, 200, True, side)
        for side in SIDES
        if muerto_taken(record, side) is None
    ]


def melds_of(record: Record) -> list[Row]:
    return [row for row in record.rows if row.place is Place.MELDS]


def _answered(record: Record) -> list[Record]:
    """The record with every answer to the muertos nobody has told of yet."""
    unknown = [
        side for side in SIDES if muerto_taken(record, side) is None and record.end is not None
    ]
    answers = product((False, True), repeat=len(unknown))
    return [
        replace(record, muerto=record.muerto | dict(zip(unknown, answer, strict=True)))
        for answer in answers
    ]


def _only_open(record: Record, tile: Tile) -> Record:
    """The record with nothing in doubt but this tile."""
    others = [
        replace(other, confirmed=True) for other in record.tiles.values() if other.id != tile.id
    ]
    known = replace(record, muerto={side: bool(muerto_taken(record, side)) for side in SIDES})
    return replace(
        known.with_tiles(others), rows=tuple(replace(row, accepted=True) for row in record.rows)
    )
