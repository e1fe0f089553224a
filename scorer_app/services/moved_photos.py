"""Photographs that were given for a wrong area, and move to another one; undo moves them back."""

from __future__ import annotations

from engine.sides import SideName
from scorer_app.hand.fields import EditRefused, Refusal, own_key
from scorer_app.hand.misplaced import move_photo
from scorer_app.hand.operation import PhotoMoved
from scorer_app.hand.record import Place
from scorer_app.services.hand_log import KeyedEdit, forget_old_steps, write_step
from scorer_app.services.hand_rows import (
    WAITING,
    NotFound,
    find_photo,
    hand_to_edit,
    is_handed_over,
    stored_record,
)
from scorer_app.services.hands import Hands, drop_if_put_back
from scorer_app.services.reading_jobs import Jobs


class MovedPhotos:
    """Moves photographs to another area of their hand, as an edit. `jobs` has those read anew that
    are read differently there.
    """

    def __init__(self, hands: Hands, jobs: Jobs) -> None:
        self.hands, self.jobs = hands, jobs

    def move(self, hand_id: str, photo_id: str, side: SideName, place: Place) -> None:
        """Move a photograph that was given for a wrong area to the melds or the rack of `side`,
        with the tiles that it shows. Racks and melds are read differently: where `place` is another
        than before, the photograph is read anew, and what people said of its tiles stays. Nothing
        is done where the photograph lies there already.

        Raises NotFound. Raises EditRefused for a photograph that stands for a watched table, and
        for a hand that was thrown away.
        """
        told = [hand_id]
        with self.hands.store.writing() as session:
            hand = hand_to_edit(session, hand_id)
            photo = find_photo(session, photo_id, to_change=True)
            if photo is None or photo.hand_id != hand_id or photo.removed:
                raise NotFound("photo")
            if is_handed_over(photo):
                raise EditRefused(Refusal.BAD_VALUE, "a photograph that was taken", photo_id)
            before: SideName = "A" if photo.side == "A" else "B"
            moved = PhotoMoved(photo_id, before, Place(photo.place))
            if (moved.side, moved.place) == (side, place):
                return
            # A reading under way would lay the tiles where the photograph was before.
            is_elsewhere = moved.place != place or photo.state in WAITING
            is_read_anew = is_elsewhere and not photo.erased
            photo.side, photo.place = side, place
            record = move_photo(stored_record(hand), photo_id, side, place)
            edit = KeyedEdit(own_key("moved", photo_id[:16], hand.version), moved)
            write_step(session, hand, edit, record)
            forget_old_steps(session, hand)
            if drop_if_put_back(hand):
                told.append(hand.match_id)
        if is_read_anew:
            self.jobs.order_again(photo_id, anew=True)
        self.hands.event_bus.tell(*told)

    def undo(self, hand_id: str, key: str | None = None) -> None:
        """Undo the last edit of a hand, or the one with this `key`, as `Hands.undo` does. A
        photograph that goes back by this to an area where it is read differently is read anew.

        Raises what `Hands.undo` raises.
        """
        photo_id = self.hands.undo(hand_id, key)
        if photo_id is not None:
            self.jobs.order_again(photo_id, anew=True)
            self.hands.event_bus.tell(hand_id)
