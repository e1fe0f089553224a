"""What is uncertain about a hand: the questions to ask people about it, in their order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import reduce

from engine.rulesets import RuleSet
from engine.sides import SIDES, SideName
from scorer_app.hand.arranging import remove_all
from scorer_app.hand.copies import names_aside, surplus_faces
from scorer_app.hand.duplicates import shown_again, shown_twice, tapped_before
from scorer_app.hand.given_photos import (
    Cause,
    GivenPhoto,
    poor_photos,
    tiles_aside,
    unused_photos,
)
from scorer_app.hand.intervals import (
    Span,
    intervals,
    open_tiles,
    plausible_intervals,
    sides_with_doubtful_melds,
    sides_without_answer,
    with_fewer_copies,
)
from scorer_app.hand.merging import drop_photo
from scorer_app.hand.plainness import is_illegal, with_plain_finds
from scorer_app.hand.record import End, Place, Record, Row, Tile
from scorer_app.hand.score import muerto_taken, score_hand
from scorer_app.hand.table_rules import TableRules

# Most tiles whose doubts are weighed one by one. One takes up to 0.2 s of a processor, and an
# imported hand may hold 216 tiles in doubt; a hand read from photographs hardly has a dozen.
MOST_WEIGHED = 16


class Ask(StrEnum):
    """What a question is about."""

    TILE = "tile"  # an unread or doubtful tile
    COPIES = "copies"  # a face that the record has more often than the set of tiles
    TAPPED = "tapped"  # tiles tapped in before a photograph that shows them was read
    TWICE = "twice"  # a photograph that seems to be a copy of another one
    AGAIN = "again"  # tiles of a photograph that an earlier one of the same side shows too
    PHOTO = "photo"  # a photograph that adds nothing to the hand, or is poor
    ROW = "row"  # an illegal meld: to be corrected, or accepted by the table
    END = "end"  # how the hand ended
    MUERTO = "muerto"  # whether a side took its muerto
    RACK = "rack"  # what a side had left, which nobody has shown
    CLOSING = "closing"  # a closing that the rules do not allow


@dataclass(frozen=True)
class Question:
    """One question. `effect` is the number of points by which its answer can change the score; a
    `needed` one must be answered before the hand is saved.
    """

    ask: Ask
    effect: int
    needed: bool
    subject: str | None = None  # id of a tile, row or photograph; face; side; code of a reason
    tiles: tuple[str, ...] = ()  # ids of the tiles that the question is about
    duplicate_of: str | None = None  # the photograph of which the subject seems to be a copy
    choices: tuple[str, ...] = ()  # the only answers that the rules allow, where not all are
    cause: Cause | None = None  # why a photograph is asked about


def about_photos(
    record: Record, photos: Iterable[GivenPhoto], others: Sequence[Question]
) -> list[Question]:
    """Return a question about each of the `photos` of a hand that adds nothing to it, is blurred
    or leaves most of its tiles in doubt.
    `others` are the hand's other questions: a photograph that seems to be given twice is asked
    about once.

    What a photograph that adds nothing was to show is missing in the score, so that the hand may
    not be saved before a person has answered. That another one is poor is a mere doubt.
    """
    if record.counted:
        return []
    twice = {question.subject for question in others if question.ask is Ask.TWICE}
    given = [photo for photo in photos if photo.id not in twice]
    in_doubt = {str(question.subject) for question in others if question.ask is Ask.TILE}
    return [
        *(
            Question(Ask.PHOTO, 0, True, photo, tuple(tiles_aside(record, photo)), cause=why)
            for photo, why in unused_photos(record, given).items()
        ),
        *(
            Question(Ask.PHOTO, 0, False, photo, cause=why)
            for photo, why in poor_photos(record, given, in_doubt).items()
        ),
    ]


def questions(record: Record, rules: TableRules) -> list[Question]:
    """List the questions that the record of a hand raises; a hand whose totals people counted
    themselves has none. What photographs raise of which the record has nothing is for
    `about_photos`.

    First come photographs that seem to be given twice, then what can change the score, the largest
    change first, and last how the hand ended. A doubt that cannot change the score makes no
    question. The tiles of a photograph given twice are counted once, so that they raise no question
    of their own.
    """
    if record.counted:
        return []
    twice = shown_twice(record)
    once = with_plain_finds(reduce(drop_photo, twice, record), rules)
    asked = [
        *_about_tiles(once, rules),
        *about_copies(once, rules),
        *_about_tapped(once, rules),
        *_about_shown_again(once, rules),
        *_about_rows(once, rules),
    ]
    return [
        *(_about_twice(record, photo, original, rules) for photo, original in twice.items()),
        *sorted(asked, key=lambda question: -question.effect),
        *_about_the_end(record, rules),
    ]


def about_partner(record: Record, rules: TableRules, others: Sequence[Question]) -> Question | None:
    """Return the question what the partner of the player who closed had left; None where somebody
    has said so, or while one of the hand's `others` is open. A hand can be saved without an answer:
    the rack counts as empty then.
    """
    if record.counted or others or not is_partner_unshown(record, rules):
        return None
    return Question(Ask.RACK, 0, False, record.closed_by)


@dataclass(frozen=True)
class LeftOpen:
    """The doubts of a saved hand: how many of them can change its score, and the lowest and highest
    total of each side.
    """

    count: int
    spans: dict[SideName, Span]


def left_open(record: Record, rules: TableRules) -> LeftOpen | None:
    """Sum up what is still in doubt about a hand; None where no doubt can change its score.

    Since the hand was saved, its match may have got other rules. Then what nobody was asked about
    it is in doubt, too: who took the muertos and what lay on the racks of a hand that was void, and
    whether melds count that were legal.
    """
    told = open_tiles(record, rules) or _lacks_answers(record, rules)
    if not (told or _counts_illegal_meld(record, rules)):
        return None
    asked = questions(record, rules)
    if not asked:
        return None
    return LeftOpen(len(asked), intervals(record, rules, sides_with_doubtful_melds(record, rules)))


def _lacks_answers(record: Record, rules: TableRules) -> bool:
    """Tell whether the score of a hand that ended and counts may change, because nobody has said
    whether a side took its muerto, or what it had left.
    """
    racks = unshown_racks(record)
    if record.counted or not (racks or sides_without_answer(record)):
        return False
    asked = [one for one in _about_the_end(record, rules) if one.ask in (Ask.MUERTO, Ask.RACK)]
    return any(racks or question.effect for question in asked)


def _counts_illegal_meld(record: Record, rules: TableRules) -> bool:
    """Tell whether an illegal meld that the players have not accepted counts in the score of a
    hand, or may count in it.
    """
    if not _about_rows(record, rules):
        return False
    score = score_hand(record, rules)
    is_wide = any(low < high for low, high in intervals(record, rules).values())
    return is_wide or not (score.reason or score.no_score)


def _about_tiles(record: Record, rules: TableRules) -> list[Question]:
    """Return a question about each tile that is unread or whose doubt can change the score, alone
    or together with other doubts of its meld.

    To work out the `effect` of a question, how much one tile can change the score, takes long. So
    this is done only for the first MOST_WEIGHED open tiles. The `effect` of a question about any
    further open tile is that of all the hand's doubts together.
    """
    tiles = open_tiles(record, rules)
    weighed, others = tiles[:MOST_WEIGHED], tiles[MOST_WEIGHED:]
    alone = {tile.id: _widest(_only_open(record, [tile]), rules) for tile in weighed}
    together = _effects_together(record, [tile for tile in weighed if not alone[tile.id]], rules)
    effects = [alone[tile.id] or together.get(tile.id, 0) for tile in weighed]
    if others:
        effects += [_widest(record, rules)] * len(others)
    return [
        Question(Ask.TILE, effect, tile.face is None, tile.id, (tile.id,))
        for tile, effect in zip(tiles, effects, strict=True)
        if effect or tile.face is None
    ]


def _effects_together(record: Record, tiles: Sequence[Tile], rules: TableRules) -> dict[str, int]:
    """Map the ids of tiles to the number of points by which the doubts of a meld's tiles can change
    the score together. `tiles` are those whose doubt alone cannot. A meld with one of them is left
    out.

    A row that reads as no meld may be a canasta if two of its tiles have other faces, and a meld of
    which many are in doubt may be any other.
    """
    found: dict[str, int] = {}
    for row in melds_of(record):
        mine = [tile for tile in tiles if tile.id in row.tiles]
        if len(mine) > 1:
            # Whether an illegal row counts is a question by itself.
            as_it_is = None if is_illegal(record, row, rules) else row
            effect = _widest(_only_open(record, mine, as_it_is), rules)
            found |= dict.fromkeys((tile.id for tile in mine), effect)
    return found


def _widest(record: Record, rules: TableRules) -> int:
    """Return the width, in points, of the wider of the two sides' intervals.

    The intervals leave out readings with which the rules do not allow the closing. Where the hand
    as it was read is such a reading, its tiles count nothing, and its totals may lie outside the
    intervals. Each interval is then widened to include its side's total, because a doubtful tile
    may decide whether the closing is allowed.
    """
    score = score_hand(record, rules)
    widths = []
    unseen = sides_with_doubtful_melds(record, rules)
    for side, (low, high) in plausible_intervals(record, rules, unseen).items():
        if score.reason:
            low, high = min(low, score.total(side)), max(high, score.total(side))
        widths.append(high - low)
    return max(widths)


def about_copies(record: Record, rules: TableRules) -> list[Question]:
    """Return a question about each face of which the record has more tiles than the set of tiles
    has, and more than the players have confirmed; none in a hand that is void in any case, whose
    score it cannot change.
    """
    surplus = surplus_faces(record, rules)
    if surplus and _is_void_in_any_case(record, rules):
        return []
    found = []
    for face, tiles in surplus.items():
        fewer = with_fewer_copies(record, face, tiles, rules)
        effect = max(_change(record, one, rules) for one in fewer)
        found.append(Question(Ask.COPIES, effect, True, face, tuple(tiles)))
    return found


def _about_twice(record: Record, photo: str, original: str, rules: TableRules) -> Question:
    """Return the question whether a photograph is a copy of another one, the `original`."""
    tiles = tuple(tile.id for tile in record.tiles.values() if tile.photo == photo)
    effect = _change(record, drop_photo(record, photo), rules)
    return Question(Ask.TWICE, effect, True, photo, tiles, original)


def _change(record: Record, other: Record, rules: TableRules) -> int:
    """Return by how many points the total of either side in one record differs at most from that in
    the `other`, which lacks some tiles; at least what these are worth by themselves.
    """
    before, after = score_hand(record, rules), score_hand(other, rules)
    gone = record.tiles.keys() - other.tiles.keys() - names_aside(record)
    worth = abs(rules.points([record.tiles[name].face for name in gone]))
    return max(worth, *(abs(before.total(side) - after.total(side)) for side in SIDES))


def _about_tapped(record: Record, rules: TableRules) -> list[Question]:
    """Return a question about each photograph that shows tiles which were tapped in before it was
    read. Photographs whose tiles the players have compared are left out.
    """
    photos = dict.fromkeys(tile.photo for tile in record.tiles.values() if tile.photo)
    found = []
    for photo in photos:
        if photo in record.compared:
            continue
        tiles = tuple(tapped_before(record, photo))
        if tiles:
            effect = _change(record, remove_all(record, tiles), rules)
            found.append(Question(Ask.TAPPED, effect, True, photo, tiles))
    return found


def _about_shown_again(record: Record, rules: TableRules) -> list[Question]:
    """Return a question about each photograph that shows melds, or a large part of a rack, which an
    earlier photograph of the same side shows too: they are counted twice.
    """
    found = []
    for photo, tiles in shown_again(record).items():
        effect = _change(record, remove_all(record, tiles), rules)
        found.append(Question(Ask.AGAIN, effect, True, photo, tuple(tiles)))
    return found


def _about_rows(record: Record, rules: TableRules) -> list[Question]:
    """Return one question for each illegal meld that the players have not accepted. The answer
    changes no points in a hand that is void in any case.
    """
    illegal = [row for row in melds_of(record) if not row.accepted]
    illegal = [row for row in illegal if is_illegal(record, row, rules)]
    is_void = bool(illegal) and _is_void_in_any_case(record, rules)
    return [
        Question(
            Ask.ROW,
            0 if is_void else abs(rules.points(record.faces(row))),
            True,
            row.id,
            row.tiles,
        )
        for row in illegal
    ]


def _is_void_in_any_case(record: Record, rules: TableRules) -> bool:
    return score_hand(record, rules).no_score and not _widest(record, rules)


def _about_the_end(record: Record, rules: TableRules) -> list[Question]:
    """Return the questions about how the hand ended, about a closing that the rules do not allow,
    about the muertos, and about the racks: each kind only once those before it are answered.

    How the hand ended is not asked before there is a meld or a rack. About a hand that is void
    there are no questions about the muertos and racks.
    """
    if record.end is None:
        nothing_shown = all(row.place is Place.POZO for row in record.rows)
        return [] if nothing_shown else [Question(Ask.END, _worth_of_end(record, rules), True)]
    score = score_hand(record, rules)
    if score.reason:
        ends = _ends_allowed(record, rules)
        return [Question(Ask.CLOSING, rules.rules.close_bonus, True, score.reason, choices=ends)]
    if score.no_score:
        return []
    if unanswered := sides_without_answer(record):
        worth = _worth_of_muerto(rules.rules)
        return [Question(Ask.MUERTO, worth, True, side) for side in unanswered]
    return [Question(Ask.RACK, 0, True, side) for side in unshown_racks(record)]


def _worth_of_end(record: Record, rules: TableRules) -> int:
    """Return the most points by which the answer how the hand ended can change a side's score: what
    closing pays, at least, and whatever else depends on it, such as the muerto of the side that
    closed or a hand that is void.
    """
    allowed = [ended for _, ended in _ends(record) if _is_allowed(ended, rules)]
    scores = [score_hand(one, rules) for one in (record, *allowed)]
    totals = [[score.total(side) for score in scores] for side in SIDES]
    return max(rules.rules.close_bonus, *(max(of_side) - min(of_side) for of_side in totals))


def _worth_of_muerto(rules: RuleSet) -> int:
    """Return the most points by which the answer about its muerto can change a side's score."""
    not_taken, unplayed = rules.muerto_penalty, rules.muerto_unplayed_penalty
    return max(rules.muerto_bonus + not_taken, unplayed)


def _ends_allowed(record: Record, rules: TableRules) -> tuple[str, ...]:
    """List the ways in which the rules allow this hand to have ended: `A` or `B` where that side
    closed, `stock_exhausted` where nobody did.
    """
    return tuple(name for name, ended in _ends(record) if _is_allowed(ended, rules))


def _ends(record: Record) -> list[tuple[str, Record]]:
    """List the ways in which a hand can end, by the names of `_ends_allowed`, each with a copy of
    the record that says so.
    """
    ends: list[tuple[str, Record]] = [
        (side, replace(record, end=End.CLOSE, closed_by=side)) for side in SIDES
    ]
    nobody = replace(record, end=End.STOCK_EXHAUSTED, closed_by=None)
    return [*ends, (End.STOCK_EXHAUSTED, nobody)]


def _is_allowed(ended: Record, rules: TableRules) -> bool:
    """Tell whether the rules allow the hand to have ended as this record says."""
    return score_hand(ended, rules).reason is None


def unshown_racks(record: Record) -> list[SideName]:
    """Return the sides that did not close and of whose rack nobody has shown or said anything."""
    return [
        side
        for side in SIDES
        if side != record.closed_by
        and side not in record.empty_racks
        and not record.in_place(side, Place.RACK)
    ]


def is_partner_unshown(record: Record, rules: TableRules) -> bool:
    """Whether nobody has said which tiles the partner of the closing player had left. False where
    nobody closed or two play.
    """
    side = record.closed_by
    if side is None or rules.players != 4 or side in record.empty_racks:
        return False
    return not record.in_place(side, Place.RACK)


def melds_of(record: Record) -> list[Row]:
    """List the rows that lie on the table as melds, of both sides."""
    return [row for row in record.rows if row.place is Place.MELDS]


def _only_open(record: Record, tiles: Sequence[Tile], as_it_is: Row | None = None) -> Record:
    """Return a copy of the record in which nothing but these tiles is in doubt. All rows count as
    accepted but the row `as_it_is`, which stays so.
    """
    others = {name: replace(other, confirmed=True) for name, other in record.tiles.items()}
    rows = tuple(row if row is as_it_is else replace(row, accepted=True) for row in record.rows)
    muerto: dict[SideName, bool | None] = {side: bool(muerto_taken(record, side)) for side in SIDES}
    still_open = {tile.id: tile for tile in tiles}
    return replace(record, tiles=others | still_open, rows=rows, muerto=muerto)
