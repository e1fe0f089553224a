"""The ids of forms, by which a form that comes again is known: what it has made has its id, or one
that follows from it.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorer_app.services.hand_rows import find_match
from scorer_app.services.holdings import Role
from scorer_app.store import Hand, Holding, Match


def following_id(taken: str, owner: str) -> str:
    """Return an id that depends on these two ids alone, in the form of a `token`."""
    named = json.dumps([taken, owner]).encode()
    return urlsafe_b64encode(sha256(named).digest()[:16]).rstrip(b"=").decode()


def match_of_form(
    session: Session, form_id: str, holder: str | None, fields: Mapping[str, Any]
) -> tuple[str, Match | None]:
    """Return the match, locked, to which the form of a new match with the id `form_id` leads, and
    its id. `fields` are the values of the match's columns that stand in the form, by name.

    That is the match that the form has made, as long as this has no hand or the values of `fields`.
    Where there is none, the match is None, and the id is free for one. Matches that are deleted, or
    that the device `holder` does not score, are passed over; None as `holder` scores all.
    """
    match_id = form_id
    while (
        deleted := session.scalar(select(Match.deleted).where(Match.id == match_id))
    ) is not None:
        if not deleted and _is_scored_by(session, match_id, holder):
            match = find_match(session, match_id, to_change=True)
            if _may_change(session, match, fields) or is_as(match, fields):
                return match_id, match
        match_id = following_id(match_id, holder or "")
    return match_id, None


def is_as(match: Match, fields: Mapping[str, Any]) -> bool:
    """Whether a match has the values `fields` in its columns, by name; not where none are named."""
    return bool(fields) and all(getattr(match, name) == fields[name] for name in fields)


def _may_change(session: Session, match: Match, fields: Mapping[str, Any]) -> bool:
    """Whether a match has no hand yet, and no seat that dice chose among another number of them."""
    if match.first_player is not None and match.players != fields.get("players", match.players):
        return False
    return session.scalar(select(Hand.id).where(Hand.match_id == match.id).limit(1)) is None


def _is_scored_by(session: Session, match_id: str, holder: str | None) -> bool:
    held = session.get(Holding, (holder, match_id)) if holder is not None else None
    return holder is None or (held is not None and held.role == Role.SCORER)
