"""Between which totals the sides of a hand lie while something about it is in doubt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from itertools import combinations, islice, product

from engine.pieces import Pieces
from engine.sides import SIDES, SideName
from engine.tiles import JOKER
from scorer_app.hand.arranging import remove_all
from scorer_app.hand.copies import surplus_faces
from scorer_app.hand.duplicates import shown_again, shown_twice
from scorer_app.hand.merging import drop_photo
from scorer_app.hand.missed_rows import with_canastas
from scorer_app.hand.plainness import with_plain_finds
from scorer_app.hand.reach import Holding, may_be_meld, reach_of
from scorer_app.hand.record import Place, Record, Row, Tile
from scorer_app.hand.repairs import repaired_with_another_meld
from scorer_app.hand.score import muerto_taken, score_hand, side_of, totals_if
from scorer_app.hand.table_rules import TableRules

Span = tuple[int, int]  # the lowest and the highest total of a side
MOST_DROPPED = 12  # ways to leave out what is there too often of one face


def open_tiles(record: Record, rules: TableRules) -> list[Tile]:
    """List the unread and the doubtful tiles of the melds and racks, and of rows that may turn out
    to be melds.
    """
    return [tile for row in record.rows for tile in _open_tiles_of(record, row, rules)]


def _open_tiles_of(record: Record, row: Row, rules: TableRules) -> list[Tile]:
    if row.place is not Place.RACK and not may_be_meld(record, row, rules):
        return []
    tiles = [record.tiles[name] for name in row.tiles]
    return [tile for tile in tiles if tile.face is None or tile.doubtful]


def _sides_in_doubt(record: Record, rules: TableRules) -> set[SideName]:
    """Return the sides of which a tile is unread or in doubt."""
    return {row.side for row in record.rows if _open_tiles_of(record, row, rules)}


def sides_with_doubtful_melds(record: Record, rules: TableRules) -> set[SideName]:
    """Return the sides of whose melds a tile is unread or in doubt."""
    return {
        row.side
        for row in record.rows
        if row.place is not Place.RACK and _open_tiles_of(record, row, rules)
    }


def intervals(
    record: Record, rules: TableRules, unseen: Iterable[SideName] = ()
) -> dict[SideName, Span]:
    """Map each side to its lowest and its highest total, over all plausible readings of the
    photographs and all possible answers to the open questions. Every repair that people are offered
    for an illegal meld is such an answer. Where photographs seem to show tiles twice, the totals of
    both answers are among them: as they lie, and with these tiles once.

    What a person has said is taken as true. If somebody said that a side closed, a reading is left
    out where the rules would not allow that closing.

    `unseen` are the sides that may have more melds than were read. Where nobody has a canasta as
    the hand was read, so that it is void, each of them may have one of seven tiles.

    Where a card of a side is in doubt, and so is its total, one more of its cards may have been
    missed: the highest total then includes a jolly. On 720 sides of rendered hands, 261 of them
    open, the true total of six lay outside, each time above, and of five by less than a jolly.
    """
    spans = _intervals_once(_without_repeats(record), rules, unseen)
    if _has_repeats(record):
        lying = plausible_intervals(with_plain_finds(record, rules), rules, unseen)
        spans = {side: _both(span, lying[side]) for side, span in spans.items()}
    if rules.pieces is not Pieces.CARDS:
        return spans
    doubted = _sides_in_doubt(record, rules)
    missed = rules.points([str(JOKER)])
    return {
        side: (low, high + missed if low < high and side in doubted else high)
        for side, (low, high) in spans.items()
    }


def _has_repeats(record: Record) -> bool:
    return bool(shown_twice(record) or shown_again(record))


def _without_repeats(record: Record) -> Record:
    """Return the record with the tiles once that its photographs seem to show twice."""
    once = reduce(drop_photo, shown_twice(record), record)
    return remove_all(once, [name for tiles in shown_again(once).values() for name in tiles])


def _both(one: Span, other: Span) -> Span:
    return min(one[0], other[0]), max(one[1], other[1])


def _intervals_once(
    record: Record, rules: TableRules, unseen: Iterable[SideName]
) -> dict[SideName, Span]:
    """Return the intervals of a record in which no tile is shown twice."""
    record = with_plain_finds(record, rules)
    return _with_fewer_copies(plausible_intervals(record, rules, unseen), record, rules)


def _with_fewer_copies(
    spans: dict[SideName, Span], record: Record, rules: TableRules
) -> dict[SideName, Span]:
    """Widen each side's interval by the copies of a face that the record has more often than the
    set, or than the players have confirmed: each of them may be misread or be counted twice, and
    then does not count, nor does a canasta that it makes. What that changes is told by the totals
    of the hand as it was read, without its other doubts. In a hand that is void by all plausible
    readings, or closed against the rules, no tile counts.
    """
    is_open = any(low < high for low, high in spans.values())
    score = score_hand(record, rules)
    if (score.no_score or score.reason) and not is_open:
        return spans
    widened = dict(spans)
    for face, tiles in surplus_faces(record, rules).items():
        fewer = [score_hand(one, rules) for one in with_fewer_copies(record, face, tiles, rules)]
        for side, (low, high) in widened.items():
            changes = [0, *(one.total(side) - score.total(side) for one in fewer)]
            widened[side] = low + min(changes), high + max(changes)
    return widened


def with_fewer_copies(
    record: Record, face: str, tiles: Sequence[str], rules: TableRules
) -> Iterator[Record]:
    """Yield the record without those of the `tiles`, all of one `face`, that are too many: once for
    each way to choose them, but MOST_DROPPED times at most.
    """
    more = len(tiles) - max(rules.copies(face), record.kept_copies.get(face, 0))
    for dropped in islice(combinations(tiles, more), MOST_DROPPED):
        yield remove_all(record, dropped)


def plausible_intervals(
    record: Record, rules: TableRules, unseen: Iterable[SideName] = ()
) -> dict[SideName, Span]:
    """Return the intervals of `intervals` before copies and missed cards are considered."""
    sides = sorted(set(unseen))
    if sides and score_hand(record, rules).no_score:
        record = with_canastas(record, sides)
    spans = _intervals_of_seen(record, rules)
    for repaired in repaired_with_another_meld(record, rules):
        after = _intervals_of_seen(repaired, rules)
        spans = {side: _both(span, after[side]) for side, span in spans.items()}
    return spans


def _intervals_of_seen(record: Record, rules: TableRules) -> dict[SideName, Span]:
    reached = {side: reach_of(record, side, rules) for side in SIDES}
    answers = _possible_answers(record, rules)
    return {side: _interval(record, side, reached, answers, rules) for side in SIDES}


def _interval(
    record: Record,
    side: SideName,
    reached: dict[SideName, list[Holding]],
    answers: list[Record],
    rules: TableRules,
) -> Span:
    """Find the lowest and the highest total of one side. `reached` maps each side to the melds and
    racks that it may have. `answers` holds one copy of the record for each combination of answers
    to the open questions.
    """
    other: SideName = "B" if side == "A" else "A"
    # The other side's holdings differ for this side's score by their kind alone.
    others = {holding.kind: holding for holding in reached[other]}.values()
    totals = []
    for answered, mine, theirs in product(answers, reached[side], others):
        sides = {
            side: side_of(answered, side, rules, mine.melds, mine.rack),
            other: side_of(answered, other, rules, theirs.melds, theirs.rack),
        }
        counted = totals_if(answered, rules, sides)
        if counted:
            totals.append(counted[side])
    if not totals:
        totals = [score_hand(record, rules).total(side)]
    return min(totals), max(totals)


def _possible_answers(record: Record, rules: TableRules) -> list[Record]:
    """Return copies of the record, one for each combination of answers to the open questions about
    the muertos: not taken, taken and, where the rules count that, taken but not played. While
    nobody has said how the hand ended, return a list of the record alone.
    """
    if record.end is None:
        return [record]
    unanswered = sides_without_answer(record)
    possible = [(False, True), (True, True)]  # taken, played
    if rules.rules.muerto_unplayed_penalty:
        possible.append((True, False))
    copies = []
    for answers in product(possible, repeat=len(unanswered)):
        said = dict(zip(unanswered, answers, strict=True))
        muerto = record.muerto | {side: taken for side, (taken, _) in said.items()}
        unplayed = {side for side, (_, played) in said.items() if not played}
        unplayed |= set(record.muerto_unplayed)
        copies.append(replace(record, muerto=muerto, muerto_unplayed=tuple(sorted(unplayed))))
    return copies


def sides_without_answer(record: Record) -> list[SideName]:
    """Return the sides of which nobody has said whether they took their muerto."""
    return [side for side in SIDES if muerto_taken(record, side) is None]
