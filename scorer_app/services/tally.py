"""The tally of a match: its saved hands judged by the rules of the table, and the totals after each
of them.
"""

from __future__ import annotations

import logging
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine import match as engine
from engine.rulesets import RULESETS
from engine.sides import SIDES, SideName
from scorer_app.hand.plainness import is_illegal
from scorer_app.hand.questions import LeftOpen, left_open, melds_of
from scorer_app.hand.record import Record, Trouble, UnreadableRecord
from scorer_app.hand.score import HandScore, score_hand
from scorer_app.hand.table_rules import TableRules, jokers_in
from scorer_app.store import HandState, Match
from scorer_app.store.tables import Json

log = logging.getLogger(__name__)
# Options that no player chose, or that are told apart from the others.
NO_CHOICES = ("target", "jokers", "copies")
# Errors of code that meets a value it was not written for. Temporary faults of the machine, such as
# a full disk, raise other errors.
WRONG_VALUE = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)


@dataclass(frozen=True)
class Judged:
    """What follows from a saved record: its score, what is in doubt about it (None for nothing),
    whether the players accepted an illegal meld, whether they counted the totals themselves,
    and which side closed the hand as the rules allow it (None for neither).
    """

    score: HandScore
    doubts: LeftOpen | None
    accepted: bool
    counted: bool = False
    closed_by: SideName | None = None


@dataclass(frozen=True)
class HandLine:
    """One saved hand in the tally.

    `running` is the tally after this hand; None for a hand that was excluded or played after the
    match's end. `judged` is None where the hand cannot be shown, and `trouble` says why; such a
    hand does not count. A hand that was never saved has a line only where its draft is damaged.
    """

    hand_id: str
    position: int  # the number of the hand in its match
    excluded: bool
    edited: bool  # whether a correction of the hand is under way
    judged: Judged | None
    running: engine.Tally | None
    trouble: Trouble | None = None
    draft_damaged: bool = False  # whether its unsaved record cannot be read

    @property
    def score(self) -> HandScore:
        """The score of the hand; a score without lines where the hand cannot be shown."""
        return self.judged.score if self.judged else HandScore(())

    @property
    def score_by_hand(self) -> bool:
        """Whether people counted the totals of the hand themselves."""
        return self.judged is not None and self.judged.counted


@dataclass(frozen=True)
class Tally:
    """A match with its hands and totals. `winner` is None until a side has won. `draft_id` is the
    id of the unfinished hand; None where there is none.
    """

    match: Match
    lines: tuple[HandLine, ...]
    totals: dict[SideName, int]
    winner: SideName | None
    draft_id: str | None
    rules: TableRules = field(repr=False)

    @property
    def target(self) -> int:
        """The total at which a side wins."""
        return self.rules.rules.target

    @property
    def has_options(self) -> bool:
        """Whether the players chose a rule other than the ruleset's, besides the target. What the
        set has on the table is no choice: its copies of tiles, and the four jollies of two packs.
        """
        usual, options = RULESETS[self.match.ruleset], self.match.options
        jokers = options.get("jokers", usual.jokers)
        is_other_set = jokers != jokers_in(usual, self.match.pieces)
        return is_other_set or any(name not in NO_CHOICES for name in options)

    @property
    def finished(self) -> bool:
        """Whether a side has won."""
        return self.winner is not None

    @property
    def counted(self) -> tuple[HandLine, ...]:
        """The hands that count in the totals."""
        return tuple(line for line in self.lines if line.running)

    @property
    def next_position(self) -> int:
        """The number that the next hand will have, from 1 on. A hand that was excluded keeps its
        number.
        """
        return 1 + max((line.position for line in self.lines), default=0)

    def was_counted(self, hand_id: str) -> bool:
        """Whether people counted the totals of a saved hand themselves."""
        return any(line.hand_id == hand_id and line.score_by_hand for line in self.lines)

    def is_after_end(self, hand_id: str | None) -> bool:
        """Whether a hand does not count because a side had won before it. A hand that is not saved
        yet, or that is only about to begin (None), comes after all others.
        """
        line = next((line for line in self.lines if line.hand_id == hand_id), None)
        if line is None:
            return self.finished
        return line.running is None and not line.excluded and line.trouble is None

    @property
    def left_out(self) -> tuple[HandLine, ...]:
        """The hands that do not count because this version cannot show them."""
        return tuple(line for line in self.lines if line.trouble and not line.excluded)

    @property
    def doubtful(self) -> bool:
        """Whether a hand that counts was saved with doubts, so that the totals are uncertain."""
        return any(line.judged and line.judged.doubts for line in self.counted)

    @property
    def unsaved_corrections(self) -> tuple[HandLine, ...]:
        """The hands that count and have a correction that is not saved yet. Saving it may change
        the totals.
        """
        return tuple(line for line in self.counted if line.edited and not line.draft_damaged)

    def doubts_of(self, hand_id: str) -> LeftOpen | None:
        """Return what is in doubt about a hand that counts; None for any other hand, and where
        nothing that can change the totals is in doubt.
        """
        line = next((line for line in self.counted if line.hand_id == hand_id), None)
        return line.judged.doubts if line and line.judged else None


def judge(hand_id: str, saved: Json | None, rules: TableRules) -> Judged | Trouble:
    """Judge a saved record by rules. Where the record cannot be judged, a Trouble is returned
    instead. Where `saved` is None, an empty record is judged. `hand_id` is for the log only.
    """
    try:
        record = Record.from_json(saved)
        score = score_hand(record, rules)
        return Judged(
            score,
            left_open(record, rules),
            _holds_accepted_meld(record, rules),
            record.counted,
            None if score.reason else record.closed_by,
        )
    except UnreadableRecord as error:
        return error.trouble
    except WRONG_VALUE:
        log.exception("hand %s cannot be counted", hand_id)
        return Trouble.DAMAGED


def _holds_accepted_meld(record: Record, rules: TableRules) -> bool:
    """Whether the players accepted a meld of the hand that the rules do not allow."""
    return any(row.accepted and is_illegal(record, row, rules) for row in melds_of(record))


def add_up(
    match: Match,
    rules: TableRules,
    judged: Sequence[tuple[Any, Judged | Trouble]],
    damaged_drafts: Container[str],
    draft: str | None,
) -> Tally:
    """Return the tally of a match. `judged` pairs the database's row of each hand, in order, with
    the hand's judgement, or with the trouble for which the hand could not be judged.

    `damaged_drafts` holds the ids of those of these hands whose unsaved corrections cannot be read.
    `draft` is the id of the match's unfinished hand, or None where there is none.
    """
    running = _RunningTally(rules.rules.target)
    lines = []
    for hand, one in judged:
        excluded = hand.state == HandState.EXCLUDED
        line = HandLine(
            hand.id,
            hand.position,
            excluded,
            hand.edited,
            judged=None if isinstance(one, Trouble) else one,
            running=None if excluded or isinstance(one, Trouble) else running.after(one.score),
            trouble=one if isinstance(one, Trouble) else None,
            draft_damaged=hand.id in damaged_drafts,
        )
        lines.append(line)
    last = running.last
    return Tally(match, tuple(lines), dict(last.totals), last.winner, draft, rules)


class _RunningTally:
    """Adds up hands one by one and gives the tally after each."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._hands: list[dict[SideName, int]] = []
        self.last = engine.tally([], target)

    def after(self, score: HandScore) -> engine.Tally | None:
        """Add a hand with this score and return the tally after it. Where a side had won before
        the hand, add nothing and return None.
        """
        if self.last.finished:
            return None
        self._hands.append({side: score.total(side) for side in SIDES})
        self.last = engine.tally(self._hands, self._target)
        return self.last
