"""A match counted by other rules, and every line of its hands that differs then."""

from __future__ import annotations

from dataclasses import dataclass

from scorer_app.hand.record import SIDES, Record, Side
from scorer_app.hand.score import HandScore, Line, score_hand
from scorer_app.hand.table_rules import TableRules
from scorer_app.services.matches import HandLine, Matches, Tally


@dataclass(frozen=True)
class LineDifference:
    """One line of a side's score sheet by the two rules; None where one has no such line.

    `faces` are the tiles that it counts, and `reason` is the code of the rule by which one of the
    two does not allow their meld.
    """

    side: Side
    before: Line | None
    after: Line | None
    faces: tuple[str, ...]
    reason: str | None = None


@dataclass(frozen=True)
class HandDifference:
    """A hand that counts otherwise by the other rules: its totals, and each line that differs.

    A total is None where the hand does not count: the match was over before it. `broken` is the
    code of a rule of closing that the other rules have and the hand breaks.
    """

    position: int
    hand_id: str
    before: dict[Side, int] | None
    after: dict[Side, int] | None
    lines: tuple[LineDifference, ...]
    broken: str | None = None


def differences(matches: Matches, now: Tally, other: Tally) -> list[HandDifference]:
    """List the hands of a match that differ between two tallies of it, in order."""
    records = matches.records(now.match.id)
    found = []
    for mine, theirs in zip(now.lines, other.lines, strict=True):
        record = records.get(mine.hand_id)
        if record is None or not (mine.running or theirs.running):
            continue
        lines = _lines(record, now.rules, other.rules)
        totals = _totals(mine), _totals(theirs)
        if lines or totals[0] != totals[1]:
            broken = theirs.score.reason if not mine.score.reason else None
            found.append(HandDifference(mine.position, mine.hand_id, *totals, lines, broken))
    return found


def _totals(line: HandLine) -> dict[Side, int] | None:
    return {side: line.score.total(side) for side in SIDES} if line.running else None


def _lines(record: Record, now: TableRules, other: TableRules) -> tuple[LineDifference, ...]:
    """The lines of a hand's score sheet that differ between two rules."""
    mine, theirs = _by_subject(score_hand(record, now)), _by_subject(score_hand(record, other))
    found = []
    for subject in dict.fromkeys((*mine, *theirs)):
        before, after = mine.get(subject), theirs.get(subject)
        if _worth(before) == _worth(after):
            continue
        line = after or before
        assert line is not None
        faces = tuple(str(record.tiles[name].face or "?") for name in line.tiles)
        reason = _reason(record, line, now) or _reason(record, line, other)
        found.append(LineDifference(line.side, before, after, faces, reason))
    return tuple(found)


def _by_subject(score: HandScore) -> dict[tuple[object, ...], Line]:
    """Lines by side, kind and tiles, which the same line has by any rules."""
    return {(line.side, line.kind, line.tiles, line.id): line for line in score.lines}


def _worth(line: Line | None) -> int:
    return line.points if line else 0


def _reason(record: Record, line: Line, rules: TableRules) -> str | None:
    """The code of the rule that forbids the meld of a line; None for a legal one or none at all."""
    if line.kind not in ("meld", "canasta") or not line.tiles:
        return None
    row = record.row_of(line.tiles[0])
    meld = rules.judge(record.faces(row), row.ordered)
    return str(meld.reason) if meld and meld.reason else None
