"""Matches in the store, and their tally: recomputed from the saved hands every time it is asked
for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import Session

from engine import match as engine
from scorer_app.hand.questions import LeftOpen, left_open, melds_of
from scorer_app.hand.record import SIDES, NewerRecord, Record, Side
from scorer_app.hand.score import HandScore, score_hand
from scorer_app.hand.table_rules import TableRules
from scorer_app.services.event_bus import Broadcaster
from scorer_app.services.hands import NotFound, find_match
from scorer_app.services.memo import Memo
from scorer_app.store import Hand, HandState, Match, Store
from scorer_app.store.tables import Json, token

_RECORD = select(Hand.record).where(Hand.id == bindparam("hand"))
_RECORDED, _EDITED = (
    Hand.record.is_not(None).label("recorded"),
    Hand.draft.is_not(None).label("edited"),
)
_HEAD = Hand.id, Hand.position, Hand.state, Hand.version, _RECORDED, _EDITED
_HEADS = select(*_HEAD).where(Hand.match_id == bindparam("match")).order_by(Hand.position)
_GLANCE = (  # what a tally changes with, one row a hand
    select(Match.id.label("match"), Match.version.label("match_version"), *_HEAD)
    .outerjoin(Hand, Hand.match_id == Match.id)
    .where(~Match.deleted)
    .order_by(Hand.position)
)
_OF_MATCH, _OF_VIEWER = (
    _GLANCE.where(Match.id == bindparam("match")),
    _GLANCE.where(Match.viewer_token == bindparam("token")),
)
_LAST_HAND = select(func.max(func.coalesce(Hand.saved, Hand.created))).where(
    Hand.match_id == Match.id
)
_TOUCHED = func.coalesce(_LAST_HAND.correlate(Match).scalar_subquery(), Match.created)
_ALL = _GLANCE.order_by(None).order_by(_TOUCHED.desc(), Match.id, Hand.position)


@dataclass(frozen=True)
class Judged:
    """What follows from a saved record: its score, the doubts it was saved with, whether the table
    let a meld pass.
    """

    score: HandScore
    doubts: LeftOpen | None
    accepted: bool


@dataclass(frozen=True)
class HandLine:
    """One saved hand in the tally. `running` is the tally after it; None for a hand taken out or
    played after the end. `judged` is None where a newer version wrote the hand: it is not
    counted, and left as it is.
    """

    hand_id: str
    position: int
    undone: bool
    edited: bool  # a correction of it is under way
    judged: Judged | None
    running: engine.Tally | None

    @property
    def score(self) -> HandScore:
        return self.judged.score if self.judged else HandScore(())

    @property
    def newer(self) -> bool:
        return self.judged is None and not self.undone


@dataclass(frozen=True)
class Tally:
    match: Match
    lines: tuple[HandLine, ...]
    totals: dict[Side, int]
    winner: Side | None
    draft_id: str | None
    rules: TableRules = field(repr=False)

    @property
    def target(self) -> int:
        return self.rules.rules.target

    @property
    def finished(self) -> bool:
        return self.winner is not None

    @property
    def counted(self) -> tuple[HandLine, ...]:
        return tuple(line for line in self.lines if line.running)

    @property
    def doubtful(self) -> bool:
        """Whether a hand that counts was saved with doubts, so that the totals are no certainty."""
        return any(line.judged and line.judged.doubts for line in self.counted)


class Matches:
    def __init__(self, store: Store, news: Broadcaster) -> None:
        self.store, self.news = store, news
        self._judged: Memo[Judged | None] = Memo(most=2000)
        self._tallies: Memo[Tally | Match] = Memo(most=500)

    def create(self, **fields: Any) -> str:
        """Column values as in the `match` table; returns the new match's id."""
        with self.store.writing() as session:
            match = Match(**fields)
            session.add(match)
            session.flush()
            return match.id

    def change(self, match_id: str, **fields: Any) -> None:
        with self.store.writing() as session:
            match = find_match(session, match_id, to_change=True)
            for name, value in fields.items():
                setattr(match, name, value)
            match.version += 1
        self.news.tell(match_id)

    def delete(self, match_id: str) -> None:
        self.change(match_id, deleted=True, viewer_token=token())

    def listed(self) -> tuple[list[Tally], list[Match]]:
        """All matches, the one touched last first; apart those of a newer version, by rules that
        this one does not know.
        """
        found = []
        for _, heads in groupby(self.store.look(_ALL, {}), lambda head: head.match):
            with suppress(NotFound):  # deleted since that look
                found.append(self._known(list(heads)))
        return [one for one in found if isinstance(one, Tally)], [
            one for one in found if isinstance(one, Match)
        ]

    def tally(self, match_id: str) -> Tally:
        return self._tally(self.store.look(_OF_MATCH, {"match": match_id}))

    def of_viewer(self, viewer_token: str) -> Tally:
        return self._tally(self.store.look(_OF_VIEWER, {"token": viewer_token}))

    def _tally(self, heads: Sequence[Any]) -> Tally:
        """Raises NotFound, NewerRecord."""
        if not heads:
            raise NotFound("match")
        known = self._known(heads)
        if isinstance(known, Match):
            raise NewerRecord(f"expected rules known here, got {known.ruleset} {known.options}")
        return known

    def _known(self, heads: Sequence[Any]) -> Tally | Match:
        """Counted once for what a glance has seen; the match alone where a newer version wrote its
        rules.
        """
        return self._tallies.get(tuple(map(tuple, heads)), lambda: self._counted(heads[0].match))

    def _counted(self, match_id: str) -> Tally | Match:
        with self.store.reading() as session:
            match = find_match(session, match_id)
            try:
                rules = TableRules.of(match.ruleset, match.options, match.players)
            except NewerRecord:
                return match
            heads = session.execute(_HEADS, {"match": match_id}).all()
            judged = [
                (hand, self._judge(session, hand.id, hand.version, rules))
                for hand in heads
                if hand.recorded
            ]
        return _tally(
            match,
            rules,
            judged,
            next((hand.id for hand in heads if hand.state == HandState.DRAFT), None),
        )

    def _judge(
        self, session: Session, hand_id: str, version: int, rules: TableRules
    ) -> Judged | None:
        return self._judged.get(
            (hand_id, version, rules),
            lambda: _judged(session.scalar(_RECORD, {"hand": hand_id}), rules),
        )


def _judged(saved: Json | None, rules: TableRules) -> Judged | None:
    try:
        record = Record.from_json(saved)
    except NewerRecord:
        return None
    return Judged(score_hand(record, rules), left_open(record, rules), _let_pass(record, rules))


def _tally(
    match: Match, rules: TableRules, judged: Sequence[tuple[Any, Judged | None]], draft: str | None
) -> Tally:
    counted = [one.score for hand, one in judged if one and hand.state != HandState.UNDONE]
    running = list(_running(counted, rules.rules.target))
    totals: dict[Side, int] = dict(running[-1].totals) if running else {"A": 0, "B": 0}
    steps = iter(running)
    lines = tuple(
        HandLine(
            hand.id,
            hand.position,
            undone,
            hand.edited,
            one,
            next(steps, None) if one and not undone else None,
        )
        for hand, one in judged
        for undone in [hand.state == HandState.UNDONE]
    )
    return Tally(match, lines, totals, running[-1].winner if running else None, draft, rules)


def _let_pass(record: Record, rules: TableRules) -> bool:
    judged = (
        rules.judge(record.faces(row), row.as_laid) for row in melds_of(record) if row.accepted
    )
    return any(meld and not meld.valid for meld in judged)


def _running(scores: list[HandScore], target: int) -> Iterator[engine.Tally]:
    """The tally after each hand, up to the one that finishes the match: hands after it do not
    count.
    """
    hands: list[dict[Side, int]] = []
    for score in scores:
        hands.append({side: score.total(side) for side in SIDES})
        after = engine.tally(hands, target)
        yield after
        if after.finished:
            return
