"""Compares the events that the live referee reported with what truly happened.

The resulting figures decide whether live play is good enough.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from datasets.sequences.truth import TrueEvent, TrueSequence

IN_TIME = 1.5  # seconds after the hand has left
SLACK = 0.05  # of a frame: times are rounded to frames


@dataclass(frozen=True)
class Verdict:
    """One true change and the events that were reported for it in time.

    `melds_wrong` names the melds of the table as it was reported last by then that do not lie there
    so, and those that lie there otherwise.
    """

    truth: TrueEvent
    told: tuple[Mapping[str, Any], ...]  # as JSON
    right: bool  # whether the events say what happened and nothing else
    delay: float | None  # seconds from the hand's leaving to the last event; None: no event
    melds_wrong: tuple[str, ...] = ()


@dataclass
class Score:
    """How well the live referee reported a film.

    `false` holds the events that were reported when nothing had happened, doubtful ones included.
    """

    seconds: float = 0.0  # length of the film
    verdicts: list[Verdict] = field(default_factory=list)
    false: list[Mapping[str, Any]] = field(default_factory=list)

    @property
    def changes(self) -> int:
        return len(self.verdicts)

    @property
    def right(self) -> int:
        return sum(verdict.right for verdict in self.verdicts)

    @property
    def tables_right(self) -> int:
        """After how many changes the whole table was reported rightly."""
        return sum(not verdict.melds_wrong for verdict in self.verdicts)

    @property
    def share(self) -> float:
        return self.right / max(self.changes, 1)

    @property
    def false_in_ten_minutes(self) -> float:
        return len(self.false) * 600 / max(self.seconds, 1e-9)

    @property
    def delays(self) -> list[float]:
        """For each change for which any event was reported, in the order of the changes, the
        seconds from when the player's hand left the table to the last of its events.
        """
        return [verdict.delay for verdict in self.verdicts if verdict.delay is not None]

    def faults(self) -> Iterator[str]:
        """Yield a line of text for each change that was not reported correctly, or after which the
        table was not, and for each false event.
        """
        for verdict in self.verdicts:
            if not verdict.right or verdict.melds_wrong:
                true, told = verdict.truth, [_brief(event) for event in verdict.told]
                tiles = f"+{' '.join(true.added)} -{' '.join(true.removed)} ~{' '.join(true.moved)}"
                frames = f"{true.frame}-{true.free_from_frame}"
                table = f", table: {'; '.join(verdict.melds_wrong)}" if verdict.melds_wrong else ""
                yield f"{frames} {true.note}: {tiles} {true.reason or ''} told {told}{table}"
        yield from (f"false: {_brief(event)}" for event in self.false)

    def __add__(self, other: Score) -> Score:
        return Score(
            self.seconds + other.seconds, self.verdicts + other.verdicts, self.false + other.false
        )


def _brief(event: Mapping[str, Any]) -> str:
    doubt = "?" if event["doubtful"] else ""
    what = f"{event['event']}{doubt} {event['tiles']} in {event['meld']}"
    return f"{event['frame']} {what} {event['reason'] or ''}"


def compare(truth: TrueSequence, told: Sequence[Mapping[str, Any]]) -> Score:
    """Compare reported events with the truth, and return the score.

    `told` holds the reported events as JSON, in order. Those named `table` among them are the
    tables at rest: the last one that was reported in time for a change has to hold each side's
    melds as they lie. Where there are none, tables are not judged. Changes that follow each other
    within the time allowed for reporting one may be reported together.
    """
    events = [event for event in told if event["event"] != "table"]
    tables = [event for event in told if event["event"] == "table"]
    score = Score(truth.frames / truth.fps)
    used: set[int] = set()
    patience = IN_TIME * truth.fps + SLACK
    for group in _close_together([event for event in truth.events if event.is_change], patience):
        last = max(change.free_from_frame for change in group) + patience
        within = [
            i
            for i, event in enumerate(events)
            if i not in used and group[0].frame <= event["frame"] <= last
        ]
        used |= set(within)
        answer = tuple(events[i] for i in within)
        delay = (answer[-1]["frame"] - group[-1].free_from_frame) / truth.fps if answer else None
        right = is_right(group[0], answer) if len(group) == 1 else is_right_together(group, answer)
        wrong = melds_wrong(truth, tables, last) if tables else ()
        score.verdicts += [Verdict(change, answer, right, delay, wrong) for change in group]
    score.false = [event for i, event in enumerate(events) if i not in used]
    return score


def _close_together(changes: Sequence[TrueEvent], patience: float) -> list[list[TrueEvent]]:
    groups: list[list[TrueEvent]] = []
    for change in changes:
        if groups and change.frame <= groups[-1][-1].free_from_frame + patience:
            groups[-1].append(change)
        else:
            groups.append([change])
    return groups


def melds_wrong(
    truth: TrueSequence, tables: Sequence[Mapping[str, Any]], frame: float
) -> tuple[str, ...]:
    """Compare the table reported last up to `frame` with the one that lies there then. Returns a
    text for each meld that is only in one of them; a meld may be listed from either end.
    """
    lying = [event for event in truth.events if event.frame <= frame][-1].table
    true = Counter(_meld(row.side, row.tiles) for row in lying if row.kind != "pozo")
    reported = [table for table in tables if table["frame"] <= frame]
    melds = reported[-1]["melds"] if reported else []
    told = Counter(_meld(meld["side"], meld["tiles"]) for meld in melds)
    lacking = [f"lacks {meld}" for meld in (true - told).elements()]
    return (*lacking, *(f"has {meld}" for meld in (told - true).elements()))


def _meld(side: str | None, tiles: Sequence[str | None]) -> str:
    row = [tile or "?" for tile in tiles]
    return f"{side or '-'} {' '.join(min(row, row[::-1]))}"


def is_right(change: TrueEvent, told: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether the events `told`, as JSON, report a change correctly. They have to name exactly
    the tiles that came or went; or the tiles that moved, where no tile came or went. They have to
    give the right verdict and, if the change is illegal, its reason.
    """
    tiles = Counter(tile for event in told for tile in event["tiles"])
    wanted = Counter(change.added) + Counter(change.removed)
    if not wanted:
        wanted = Counter(change.moved)
    legal = all(event["legal"] for event in told)
    reasons = {event["reason"] for event in told} - {None}
    return (
        bool(told)
        and tiles == wanted
        and legal == change.legal
        and (legal or change.reason in reasons)
    )


def is_right_together(changes: Sequence[TrueEvent], told: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether the events `told`, as JSON, report several changes together correctly.

    The events have to name either all tiles that came or went, or all of these but tiles that one
    change added and another removed. Of changes in which tiles were moved and none came or went,
    they have to name all the moved tiles or none. All reasons that the events give have to be
    reasons of the changes. If the last change is illegal, its reason has to be among them.
    """
    tiles = Counter(tile for event in told for tile in event["tiles"])
    added = sum((Counter(change.added) for change in changes), Counter())
    removed = sum((Counter(change.removed) for change in changes), Counter())
    moved = sum(
        (Counter(change.moved) for change in changes if not change.added + change.removed),
        Counter(),
    )
    every, net = added + removed, (added - removed) + (removed - added)
    told_right = any(
        tiles == wanted + more for wanted in (every, net) for more in (moved, Counter())
    )
    reasons = {event["reason"] for event in told} - {None}
    allowed = {change.reason for change in changes} - {None}
    return (
        told_right and reasons <= allowed and (changes[-1].legal or changes[-1].reason in reasons)
    )
