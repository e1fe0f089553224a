"""The rows from which tallies are counted, as the database holds them at one moment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import BindParameter, bindparam, select
from sqlalchemy.orm import Session

from scorer_app.services.hand_rows import find_match
from scorer_app.store import Hand, Match
from scorer_app.store.tables import Json

RECORDED, EDITED = (
    Hand.record.is_not(None).label("recorded"),
    Hand.draft.is_not(None).label("edited"),
)
HEAD = Hand.id, Hand.position, Hand.state, Hand.version, RECORDED, EDITED
_HEADS = select(*HEAD).where(Hand.match_id == bindparam("match")).order_by(Hand.position)
_RECORD = select(Hand.record).where(Hand.id == bindparam("hand"))
_DRAFT = select(Hand.draft).where(Hand.id == bindparam("hand"))
_MANY: BindParameter[Any] = bindparam("matches", expanding=True)
_MATCHES = select(Match).where(Match.id.in_(_MANY), ~Match.deleted)
_HANDS = (
    select(Hand.match_id, *HEAD, Hand.record)
    .where(Hand.match_id.in_(_MANY))
    .order_by(Hand.position)
)


class MatchRows:
    """Reads the rows that the database holds for matches and their hands: those of one match at a
    time, or those of many matches together.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self._matches: dict[str, Match] = {}
        self._heads: dict[str, list[Any]] = {}
        self._records: dict[str, Json | None] = {}

    def fetch(self, match_ids: Sequence[str]) -> None:
        """Fetch the rows of many matches by one statement, and those of their hands by another; the
        other methods then answer from these rows. Where a column holds a value of a wrong type,
        nothing is fetched here, and the other methods ask for one match at a time.
        """
        many = {"matches": list(match_ids)}
        try:
            matches = self.session.scalars(_MATCHES, many).all()
            hands = self.session.execute(_HANDS, many).all()
        except (TypeError, ValueError):
            return
        self._matches = {match.id: match for match in matches}
        self._heads = {match.id: [] for match in matches}
        for hand in hands:
            self._heads.setdefault(hand.match_id, []).append(hand)
        self._records = {hand.id: hand.record for hand in hands}

    def match(self, match_id: str) -> Match:
        """Return the row of a match. Raises NotFound, and DamagedRecord where the row cannot be
        loaded.
        """
        return self._matches.get(match_id) or find_match(self.session, match_id)

    def heads(self, match_id: str) -> Sequence[Any]:
        """Return a row for each hand of a match, in the order of the hands: its id, position, state
        and version, as `recorded` whether it has a saved record, and as `edited` whether it has a
        draft.
        """
        if match_id in self._heads:
            return self._heads[match_id]
        return self.session.execute(_HEADS, {"match": match_id}).all()

    def record(self, hand_id: str) -> Json | None:
        """Return the saved record of a hand; None where it was never saved."""
        if hand_id in self._records:
            return self._records[hand_id]
        return self.session.scalar(_RECORD, {"hand": hand_id})

    def draft(self, hand_id: str) -> Json | None:
        """Return the unsaved record of a hand; None where nothing is unsaved."""
        return self.session.scalar(_DRAFT, {"hand": hand_id})
