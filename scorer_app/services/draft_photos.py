"""Photographs that came, or went, while a hand was edited."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from msgspec import structs
from sqlalchemy.orm import Session

from engine.sides import SideName
from scorer_app.hand.edits_of_tiles import AddTile
from scorer_app.hand.record import Place, Record, UnreadableRecord
from scorer_app.services.hand_log import KeyedOperation
from scorer_app.services.hand_rows import WAITING, find_photo, photos_of
from scorer_app.store import Hand, Photo, PhotoState


def without_gone_photo(session: Session, hand: Hand, edit: KeyedOperation) -> KeyedOperation:
    """Return an edit without its place in a photograph if that is none of the hand's: another
    device may have removed it while the edit was on its way. The tile itself stays.
    """
    added = edit.operation
    if not isinstance(added, AddTile) or added.photo is None:
        return edit
    if any(photo.id == added.photo for photo in photos_of(session, hand.id)):
        return edit
    return replace(edit, operation=structs.replace(added, photo=None, corners=None))


def bring_back(session: Session, photo_id: str | None) -> None:
    """Let a photograph that was removed belong to its hand again; nothing is done where the id is
    None. A photograph that was not read before it was removed is read once somebody looks for those
    that wait (`ReadingJobs.look`).
    """
    photo = find_photo(session, photo_id, to_change=True) if photo_id else None
    if photo is not None:
        photo.removed = False


def move_back(
    session: Session, photo_id: str, area: tuple[SideName, Place], before: Record
) -> bool:
    """Let a photograph lie again in the area, a side and a place, from which a person moved it.
    `before` is the record from before that. Returns whether the photograph must be read anew: it
    was read as one of another place, or not yet.
    """
    photo = find_photo(session, photo_id, to_change=True)
    if photo is None:
        return False
    side, place = area
    is_other_place = photo.place != place
    photo.side, photo.place = side, place
    photo.lease = None  # a reading under way would lay the tiles where the photograph lay until now
    if photo_id in before.photos() and not is_other_place:
        photo.state, photo.problem, photo.attempts = PhotoState.READ, None, 0
        return False
    return not photo.erased and (is_other_place or photo.state != PhotoState.FAILED)


def bring_back_shown(session: Session, hand: Hand) -> None:
    """Let all photographs that the saved record of a hand shows belong to the hand, also those that
    were removed. Nothing is done where that record cannot be read.
    """
    with suppress(UnreadableRecord):
        for photo_id in Record.from_json(hand.record).photos():
            bring_back(session, photo_id)
    session.flush()


def photos_in_saved(hand: Hand) -> set[str]:
    """Return the ids of the photographs that the saved record of a hand shows, while the hand is
    being corrected; none otherwise, or where that record cannot be read. They are back where the
    corrections are thrown away.
    """
    if hand.record is None or hand.draft is None:
        return set()
    try:
        return set(Record.from_json(hand.record).photos())
    except UnreadableRecord:
        return set()


def photos_of_draft(session: Session, hand: Hand) -> list[Photo]:
    """List the photographs that came for a correction of a saved hand: those that its draft shows,
    that are still to be read, or that came after the hand was saved, unless the saved record shows
    them. The list is empty where one of the two records cannot be read.
    """
    try:
        saved, draft = (Record.from_json(one).photos() for one in (hand.record, hand.draft))
    except UnreadableRecord:
        return []
    return [
        photo
        for photo in photos_of(session, hand.id)
        if photo.id not in saved
        and (photo.id in draft or photo.state in WAITING or _came_since(hand, photo))
    ]


def _came_since(hand: Hand, photo: Photo) -> bool:
    """Whether a photograph came after its hand was saved last."""
    return hand.saved is not None and photo.received > hand.saved
