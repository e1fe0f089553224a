"""Compares the scores of a match by its present rules with those by other rules: finds each line of
a hand's score sheet that is worth other points, with the reason.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from engine.melds import Meld
from engine.scoring import LineKind
from engine.sides import SIDES, SideName
from engine.tiles import BY_NOTATION
from scorer_app.hand.record import Place, Record
from scorer_app.hand.score import HandScore, Line, score_hand
from scorer_app.hand.table_rules import TableRules
from scorer_app.services.matches import Matches
from scorer_app.services.tally import HandLine, Tally


class Why(StrEnum):
    """Why a line of a side's score sheet has other points by the present rules than by some other
    rules. In the comments "the two" are these two sets of rules. Each reason has its sentence in
    the texts (`compare.why.VALUE`).
    """

    ILLEGAL = "illegal"  # one of the two does not allow the meld
    CANASTA = "canasta"  # the canasta is of another class
    AGAINST = "against"  # one of the two counts laid tiles against a side without a canasta
    VALUES = "values"  # tiles have other values
    PRICE = "price"  # the two give different points for the same thing
    ALONE = "alone"  # only one of the two has such a line
    HAND = "hand"  # one of the two does not count the whole hand


@dataclass(frozen=True)
class LineDifference:
    """A line of a side's score sheet that is worth other points by the other rules than by the
    present ones. `before` is the line by the present rules, and `after` the one by the other rules;
    None where those rules have no such line.

    `faces` are the tiles that the line counts. `values` lists the numbers (`J` for the comodín)
    whose tiles have different values, each with its value before and after. `illegal` is the meld
    of the line if either the present or the other rules forbid it, but not both; otherwise it is
    None. `by_other` says that it is the other rules that forbid the meld or do not count the line.
    """

    side: SideName
    before: Line | None
    after: Line | None
    faces: tuple[str, ...]
    why: Why
    by_other: bool = False
    illegal: Meld | None = None
    values: tuple[tuple[str, int, int], ...] = ()

    @property
    def line(self) -> Line:
        """The line by the other rules; where the other rules give no such line, the one by the
        present rules.
        """
        line = self.after or self.before
        assert line is not None
        return line


@dataclass(frozen=True)
class Refused:
    """Why a hand counts by the present rules but not by the other ones, or the other way round.
    `by_other` says that it does not count by the other rules; else it does not count by the present
    ones.

    `reason` is the code of the rule that the hand's closing breaks, and `rack` the tiles that the
    closing side has left, None for an unread one. For a hand that is void `reason` is None and
    `rack` is empty.
    """

    by_other: bool
    reason: str | None
    rack: tuple[str | None, ...] = ()


@dataclass(frozen=True)
class HandDifference:
    """A hand that counts differently by the present rules (`before`) and by the other rules
    (`after`): its totals by each, and each line that is worth other points. `position` is the
    hand's number in the match, from 1.

    The totals by some rules are None where the hand does not count by them, for instance because
    the match was over before it. `refused` says why, where only one of the two rules counts the
    hand.
    """

    position: int
    hand_id: str
    before: dict[SideName, int] | None
    after: dict[SideName, int] | None
    lines: tuple[LineDifference, ...]
    refused: tuple[Refused, ...] = ()


def differences(matches: Matches, now: Tally, other: Tally) -> list[HandDifference]:
    """List the hands of a match, in order, whose totals, lines or intervals are not the same in two
    tallies of the match: `now` by its present rules, and `other` by other rules. A hand that only
    one tally has, because it came or went between the two, is left out, and so is one that counts
    in neither.
    """
    records, by_others = matches.records(now.match.id), {line.hand_id: line for line in other.lines}
    found = []
    for mine in now.lines:
        record, theirs = records.get(mine.hand_id), by_others.get(mine.hand_id)
        if record is None or theirs is None or not (mine.running or theirs.running):
            continue
        lines = line_differences(record, now.rules, other.rules)
        totals = _totals(mine), _totals(theirs)
        left = [tally.doubts_of(mine.hand_id) for tally in (now, other)]
        spans = [one and one.spans for one in left]
        if lines or totals[0] != totals[1] or spans[0] != spans[1]:
            refused = _refused(record, mine.score, theirs.score)
            found.append(HandDifference(mine.position, mine.hand_id, *totals, lines, refused))
    return found


def line_differences(
    record: Record, now: TableRules, other: TableRules
) -> tuple[LineDifference, ...]:
    """List the lines of a hand's score sheet that are worth other points by the rules `other` than
    by the rules `now`, which are those of the match.
    """
    scores = score_hand(record, now), score_hand(record, other)
    whole = bool(_refused(record, *scores))
    mine, theirs = _by_subject(scores[0]), _by_subject(scores[1])
    found = []
    for subject in dict.fromkeys((*mine, *theirs)):
        before, after = mine.get(subject), theirs.get(subject)
        if _worth(before) == _worth(after):
            continue
        line = after or before
        assert line is not None
        faces = tuple(str(record.tiles[name].face or "?") for name in line.tiles)
        values = _values(faces, now, other)
        plain = LineDifference(line.side, before, after, faces, Why.PRICE, values=values)
        found.append(
            replace(plain, why=Why.HAND) if whole else _explained(plain, record, now, other)
        )
    return tuple(found)


def _totals(line: HandLine) -> dict[SideName, int] | None:
    return {side: line.score.total(side) for side in SIDES} if line.running else None


def _refused(record: Record, mine: HandScore, theirs: HandScore) -> tuple[Refused, ...]:
    found = []
    for by_other, score, counterpart in ((False, mine, theirs), (True, theirs, mine)):
        if score.reason and not counterpart.reason:
            rows = record.in_place(record.closed_by or "A", Place.RACK)
            rack = tuple(face for row in rows for face in record.faces(row))
            found.append(Refused(by_other, score.reason, rack))
        if score.no_score and not counterpart.no_score:
            found.append(Refused(by_other, None))
    return tuple(found)


def _by_subject(score: HandScore) -> dict[tuple[object, ...], Line]:
    """Map the side, kind, tiles and id of each line to the line. A line of the same hand's score by
    other rules is about the same thing if it has the same four.
    """
    return {(line.side, line.kind, line.tiles, line.id): line for line in score.lines}


def _worth(line: Line | None) -> int:
    return line.points if line else 0


def _explained(
    found: LineDifference, record: Record, now: TableRules, other: TableRules
) -> LineDifference:
    """Return the difference `found` with its reason filled in; the reason stays `PRICE` where no
    better one applies. `now` are the match's own rules, and `other` the rules with which they are
    compared.
    """
    mine, theirs = (_forbidden(record, found.line, rules) for rules in (now, other))
    if bool(mine) != bool(theirs):
        return replace(found, why=Why.ILLEGAL, by_other=mine is None, illegal=mine or theirs)
    if found.before is None or found.after is None:
        return replace(found, why=Why.ALONE, by_other=found.after is None)
    if found.before.detail != found.after.detail:
        return replace(found, why=Why.CANASTA)
    if found.before.points * found.after.points < 0:
        return replace(found, why=Why.AGAINST)
    if found.line.kind in (LineKind.MELD, LineKind.HAND):
        return replace(found, why=Why.VALUES)
    return found


def _values(
    faces: tuple[str, ...], now: TableRules, other: TableRules
) -> tuple[tuple[str, int, int], ...]:
    """Compare the values of the numbers in `faces` by the rules `now` and by the rules `other`.
    Return those that differ: the number, or `J`, its value by `now`, and its value by `other`.
    """
    found = {}
    for face in faces:
        if tile := BY_NOTATION.get(face):
            number = tile.number or 0
            values = now.rules.tile_values[number], other.rules.tile_values[number]
            if values[0] != values[1]:
                found[str(number or "J")] = values
    return tuple((name, *values) for name, values in found.items())


def _forbidden(record: Record, line: Line, rules: TableRules) -> Meld | None:
    """Return the meld of a line if the rules forbid it; None where they allow it, and for a line
    that is not about a meld.
    """
    if line.kind not in (LineKind.MELD, LineKind.CANASTA) or not line.tiles:
        return None
    row = record.row_of(line.tiles[0])
    meld = rules.judge(record.faces(row), row.ordered)
    return meld if meld and meld.reason else None
