"""Lists, exports and deletes what the store holds but this version of the program cannot show, such
as damaged hands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import String, cast, delete, null, select, update
from sqlalchemy.orm import Session

from scorer_app.hand.fields import EditRefused, Refusal
from scorer_app.hand.record import Record, Trouble, UnreadableRecord
from scorer_app.services.hand_rows import NotFound, find_hand, photos_of
from scorer_app.store import UNSYNCHRONIZED, Edit, Hand, HandState, Match, Photo, Store
from scorer_app.store.tables import AGREED

_HANDS = (
    select(
        Hand.match_id.label("match"),
        Hand.position,
        Hand.state,
        cast(Hand.record, String).label("record"),
        cast(Hand.draft, String).label("draft"),
    )
    .join(Hand.match)
    .where(~Match.deleted)
    .order_by(Hand.position)
)
_MATCH = select(*(cast(getattr(Match, name), String).label(name) for name in AGREED))


@dataclass(frozen=True)
class UnreadableMatch:
    """A match of which this version can show only the names; `trouble` says why."""

    id: str
    side_a: str
    side_b: str
    trouble: Trouble


def match_as_stored(session: Session, match_id: str) -> dict[str, str | None]:
    """Return those columns of a match that an export holds, by name. The values are given as text,
    since they may be no valid ones; None stands for NULL. Raises NotFound.
    """
    found = session.execute(_MATCH.where(Match.id == match_id, ~Match.deleted)).one_or_none()
    if found is None:
        raise NotFound("match")
    return dict(found._mapping)


def hands_as_stored(session: Session, match_id: str) -> list[dict[str, Any]]:
    """List the hands of a match in their order. Each is a dictionary with `match`, `position` and
    `state`, and with `record` and `draft` as text, which may be no JSON. Hands that have neither a
    record nor a draft, such as a draft thrown away, are left out.
    """
    found = session.execute(_HANDS.where(Hand.match_id == match_id)).all()
    return [dict(hand._mapping) for hand in found if hand.record or hand.draft]


def hand_as_stored(session: Session, hand_id: str) -> dict[str, Any]:
    """Return a hand as the store holds it: its `position` and `state`, the id of its `match`, and
    its `record` and `draft`. The last two are text, which may be no JSON, or None. Raises NotFound.
    """
    found = session.execute(_HANDS.where(Hand.id == hand_id)).one_or_none()
    if found is None:
        raise NotFound("hand")
    return dict(found._mapping)


def delete_hand(store: Store, hand_id: str) -> tuple[str, list[str]]:
    """Delete a hand that cannot be shown, with its edits and its photographs.

    Returns the id of its match and the ids of its photographs, whose files the caller must erase.
    Raises NotFound, and EditRefused for a hand that can be shown.
    """
    with store.writing() as session:
        match_id = hand_as_stored(session, hand_id)["match"]
        if is_readable(session, hand_id):
            raise EditRefused(Refusal.BAD_VALUE, "a hand that cannot be shown", hand_id)
        photos = session.scalars(select(Photo.id).where(Photo.hand_id == hand_id)).all()
        nothing = {"state": HandState.EXCLUDED, "record": null(), "draft": null()}
        for statement in (
            delete(Edit).where(Edit.hand_id == hand_id),
            update(Photo).where(Photo.hand_id == hand_id).values(removed=True, erased=True),
            update(Hand).where(Hand.id == hand_id).values(version=Hand.version + 1, **nothing),
            update(Match).where(Match.id == match_id).values(version=Match.version + 1),
        ):
            session.execute(statement, execution_options=UNSYNCHRONIZED)
    return match_id, list(photos)


def is_readable(session: Session, hand_id: str) -> bool:
    """Tell whether a hand can be shown: whether its record and the database's rows of its
    photographs can be read. The record is the saved one, or the draft of a hand that was never
    saved. Raises NotFound.
    """
    try:
        hand = find_hand(session, hand_id)
        photos_of(session, hand_id)
        Record.from_json(hand.draft if hand.record is None else hand.record)
    except UnreadableRecord:
        return False
    return True
