"""Photographs that a person removed from a hand. Undo brings them back; so their files are kept
until it no longer can, as when the hand has been saved.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session, defer

from scorer_app.hand.fields import own_key
from scorer_app.hand.given_photos import poor_photos
from scorer_app.hand.merging import drop_photo
from scorer_app.hand.operation import PhotoRemoved, PhotoReplaced
from scorer_app.hand.record import UnreadableRecord
from scorer_app.services.draft_photos import photos_in_saved
from scorer_app.services.hand_log import (
    KeyedEdit,
    forget_old_steps,
    photos_to_bring_back,
    write_step,
)
from scorer_app.services.hand_rows import (
    NotFound,
    find_hand,
    find_photo,
    given_photos,
    hand_to_edit,
    photos_now,
    stored_record,
)
from scorer_app.services.hands import Hands
from scorer_app.services.photo_files import PhotoFiles
from scorer_app.store import Hand, Photo, StoreUnavailable

_KEPT = (  # the removed photographs of a hand whose files are kept
    select(Photo)
    .options(defer(Photo.reading))
    .where(Photo.hand_id == bindparam("hand"), Photo.removed, ~Photo.erased)
    .order_by(Photo.received, Photo.id)
)
_HANDS = select(Photo.hand_id).where(Photo.removed, ~Photo.erased).distinct()
log = logging.getLogger(__name__)


class RemovedPhotos:
    """Removes photographs from hands, and deletes their files once undo cannot bring them back.
    `files` keeps the files, for one hand those of at most `most` removed photographs.
    """

    def __init__(self, hands: Hands, files: PhotoFiles, most: int) -> None:
        self.hands, self.files, self.most = hands, files, most

    def remove(self, hand_id: str, photo_id: str) -> None:
        """Remove a photograph and the tiles that it showed, as an edit that can be undone.

        Raises NotFound, and EditRefused for a hand that was thrown away.
        """
        with self.hands.store.writing() as session:
            hand = hand_to_edit(session, hand_id)
            photo = find_photo(session, photo_id, to_change=True)
            if photo is None or photo.hand_id != hand_id or photo.removed:
                raise NotFound("photo")
            too_many = self._take_out(session, hand, photo, PhotoRemoved(photo_id))
        self.erase(too_many)
        self.hands.event_bus.tell(hand_id)

    def replace(self, session: Session, hand: Hand, photo: Photo, by: str) -> list[str]:
        """Remove a photograph in whose place another one comes, whose id is `by`, as an edit; undo
        removes that one. Returns the ids of the photographs whose files the caller must `erase`
        once the session has committed.
        """
        return self._take_out(session, hand, photo, PhotoReplaced(photo.id, by))

    def _take_out(
        self, session: Session, hand: Hand, photo: Photo, operation: PhotoRemoved | PhotoReplaced
    ) -> list[str]:
        """Remove a photograph by the edit `operation`. Returns the ids of the photographs whose
        files are to be deleted, because the hand has too many that were removed: first of those
        that nothing brings back, as undo has taken them away.
        """
        photo.removed = True
        record = drop_photo(stored_record(hand), photo.id)
        edit = KeyedEdit(own_key("removed", photo.id[:16], hand.version), operation)
        write_step(session, hand, edit, record)
        forget_old_steps(session, hand)
        session.flush()
        removed = session.scalars(_KEPT, {"hand": hand.id}).all()
        kept = photos_to_bring_back(session, hand.id) | photos_in_saved(hand)
        earlier = sorted(
            (one for one in removed if one.id != photo.id), key=lambda one: one.id in kept
        )
        return _mark_erased(earlier[: max(len(removed) - self.most, 0)])

    def forget(self, hand_id: str) -> None:
        """Delete the files of those removed photographs of a hand that undo cannot bring back. To
        be called for a hand that was saved or thrown away. Those that its saved record shows stay
        while it is being corrected. Where the store cannot be reached, or a row of it is damaged,
        that is only logged, because `forget_all` tries again later.
        """
        store = self.hands.store
        try:
            if not store.look(_HANDS.where(Photo.hand_id == hand_id), {}):
                return
            with store.writing() as session:
                hand = find_hand(session, hand_id, to_change=True)
                kept = photos_to_bring_back(session, hand_id) | photos_in_saved(hand)
                removed = session.scalars(_KEPT, {"hand": hand_id})
                names = _mark_erased(photo for photo in removed if photo.id not in kept)
        except (NotFound, UnreadableRecord):
            return  # whoever deletes the hand or its match deletes the files
        except (StoreUnavailable, ValueError) as error:
            log.error("removed photographs of hand %s stay: %s", hand_id, error)
            return
        self.erase(names)

    def forget_all(self) -> None:
        """Delete the files of those removed photographs of all hands that undo cannot bring back.
        This finds what a crash left, and what was removed more edits ago than undo goes back.
        """
        for row in self.hands.store.look(_HANDS, {}):
            self.forget(row.hand_id)

    def erase(self, names: Iterable[str]) -> None:
        """Delete the files of photographs, whose ids are `names`."""
        for name in names:
            self.files.erase(name)


def photo_to_replace(session: Session, hand: Hand, photo_id: str | None) -> Photo | None:
    """Find the photograph of a hand in whose place a person takes another one; None where the hand
    has no such photograph, and where it shows tiles by now and is not poor, as after another
    reading: it stays then, beside the new one.
    """
    if photo_id is None:
        return None
    named = [photo for photo in photos_now(session, hand.id) if photo.id == photo_id]
    given, record = given_photos(named), stored_record(hand)
    shows_tiles = photo_id in record.photos()
    in_doubt = [tile.id for tile in record.tiles.values() if not tile.is_sure]
    if not given or (shows_tiles and not poor_photos(record, given, in_doubt)):
        return None
    return find_photo(session, given[0].id, to_change=True)


def _mark_erased(photos: Iterable[Photo]) -> list[str]:
    """Note that the files of photographs are to be deleted, and return the photographs' ids."""
    names = []
    for photo in photos:
        photo.erased = True
        names.append(photo.id)
    return names
