"""Which hand a match would have next, and whether that has changed since a form was shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from scorer_app.services.form_ids import following_id
from scorer_app.store import Hand

_TAKEN = select(Hand.match_id, Hand.record.is_not(None).label("is_saved")).where(
    Hand.id == bindparam("hand")
)


class AlreadyCounted(Exception):
    """A form has saved its hand before. `hand_id` is the id of that hand."""

    def __init__(self, hand_id: str) -> None:
        super().__init__(hand_id)
        self.hand_id = hand_id


@dataclass(frozen=True)
class NextHand:
    """The hand that a match would have next. `position` is its number. `draft_id` and
    `draft_position` are id and number of the match's unfinished hand; None where there is none.
    """

    position: int
    draft_id: str | None = None
    draft_position: int | None = None


class NextHandTaken(Exception):
    """A form of a new hand was filled in for another next hand than the match has by now: hands
    were saved since, or one was begun. `saved` lists the ids of these saved hands in the order of
    their numbers, and `now` is the next hand by now.
    """

    def __init__(self, saved: Sequence[str], now: NextHand) -> None:
        super().__init__(saved, now)
        self.saved, self.now = saved, now


def next_hand(position: int, draft: Hand | None) -> NextHand:
    """Return the hand with this number as the next one. `draft` is the unfinished hand, if any."""
    return NextHand(position, *((draft.id, draft.position) if draft else ()))


def check_shown(session: Session, match_id: str, shown: NextHand, now: NextHand) -> None:
    """Raise NextHandTaken where the match has saved hands from the number of the `shown` next hand
    on, or where its unfinished hand, as `now` tells it, was not there yet.
    """
    since = (Hand.match_id == match_id, Hand.record.is_not(None), Hand.position >= shown.position)
    saved = session.scalars(select(Hand.id).where(*since).order_by(Hand.position)).all()
    if saved or now.draft_id not in (None, shown.draft_id):
        raise NextHandTaken(saved, now)


def free_id(session: Session, match_id: str, hand_id: str) -> tuple[str, str | None]:
    """Return an id for a new hand of a match, and the id of the match's saved hand that has it
    already, None where none has. The id is `hand_id`, or follows from it where another match or a
    hand that was never saved has that.
    """
    while taken := session.execute(_TAKEN, {"hand": hand_id}).first():
        if taken.match_id == match_id and taken.is_saved:
            return hand_id, hand_id
        hand_id = following_id(hand_id, match_id)
    return hand_id, None
