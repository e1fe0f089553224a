"""Matches in the store, and their tally: recomputed from the saved hands every time it is asked for."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine import match as engine
from scorer_app.hands import NotFound, find_match
from scorer_app.live_updates import Broadcaster
from scorer_app.record import SIDES, Record, Side
from scorer_app.rules import TableRules
from scorer_app.scoring import HandScore, score_hand
from scorer_app.store import Hand, HandState, Match, Store
from scorer_app.store.tables import token


@dataclass(frozen=True)
class HandLine:
    """One saved hand in the tally. `running` is the tally after it; None for a hand taken out or played after the end."""

    hand_id: str
    position: int
    undone: bool
    edited: bool  # a correction of it is under way
    score: HandScore
    running: engine.Tally | None


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


class Matches:
    def __init__(self, store: Store, news: Broadcaster) -> None:
        self.store, self.news = store, news
        self._scores: OrderedDict[tuple[object, ...], HandScore] = OrderedDict()
        self._lock = Lock()

    def create(self, **fields: Any) -> str:
        """Column values as in the `match` table; returns the new match's id."""
        with self.store.writing() as session:
            match = Match(**fields)
            session.add(match)
            session.flush()
            return match.id

    def change(self, match_id: str, **fields: Any) -> None:
        with self.store.writing() as session:
            match = find_match(session, match_id)
            for name, value in fields.items():
                setattr(match, name, value)
            match.version += 1
        self.news.tell(match_id)

    def delete(self, match_id: str) -> None:
        self.change(match_id, deleted=True, viewer_token=token())

    def listed(self) -> list[Tally]:
        """All matches, the one touched last first."""
        with self.store.reading() as session:
            found = session.scalars(select(Match).where(~Match.deleted).order_by(Match.created.desc())).all()
            return [self._tally(session, match) for match in found]

    def tally(self, match_id: str) -> Tally:
        with self.store.reading() as session:
            return self._tally(session, find_match(session, match_id))

    def of_viewer(self, viewer_token: str) -> Tally:
        with self.store.reading() as session:
            match = session.scalar(select(Match).where(Match.viewer_token == viewer_token, ~Match.deleted))
            if match is None:
                raise NotFound("match")
            return self._tally(session, match)

    def _tally(self, session: Session, match: Match) -> Tally:
        rules = TableRules.of(match)
        columns = (Hand.id, Hand.position, Hand.state, Hand.version, Hand.draft.is_not(None).label("edited"))
        wanted = select(*columns).where(Hand.match_id == match.id, Hand.record.is_not(None)).order_by(Hand.position)
        scored = [(hand, self._score(session, hand.id, hand.version, rules)) for hand in session.execute(wanted)]
        counted = [score for hand, score in scored if hand.state != HandState.UNDONE]
        running = list(_running(counted, rules.rules.target))
        totals: dict[Side, int] = dict(running[-1].totals) if running else {"A": 0, "B": 0}
        steps = iter(running)
        lines = tuple(
            HandLine(hand.id, hand.position, undone, hand.edited, score, None if undone else next(steps, None))
            for hand, score in scored
            for undone in [hand.state == HandState.UNDONE]
        )
        draft = session.scalar(select(Hand.id).where(Hand.match_id == match.id, Hand.state == HandState.DRAFT))
        last = running[-1] if running else None
        return Tally(match, lines, totals, last.winner if last else None, draft, rules)

    def _score(self, session: Session, hand_id: str, version: int, rules: TableRules) -> HandScore:
        """Scoring is pure, so the newest results are remembered by hand, its version and the rules."""
        key = (hand_id, version, rules)
        with self._lock:
            if key in self._scores:
                self._scores.move_to_end(key)
                return self._scores[key]
        record = session.scalar(select(Hand.record).where(Hand.id == hand_id))
        score = score_hand(Record.from_json(record), rules)
        with self._lock:
            self._scores[key] = score
            if len(self._scores) > 2000:
                self._scores.popitem(last=False)
        return score


def _running(scores: list[HandScore], target: int) -> Iterator[engine.Tally]:
    """The tally after each hand, up to the one that finishes the match: hands after it do not count."""
    hands: list[dict[Side, int]] = []
    for score in scores:
        hands.append({side: score.total(side) for side in SIDES})
        after = engine.tally(hands, target)
        yield after
        if after.finished:
            return
