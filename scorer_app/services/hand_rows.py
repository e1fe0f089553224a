"""Matches, hands and photographs as the store holds them: how they are found, and how their records
are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import Connection, Row, and_, bindparam, func, or_, select
from sqlalchemy.orm import Session, contains_eager, defer

from engine.sides import SideName
from scorer_app.hand.fields import EditRefused, Refusal
from scorer_app.hand.given_photos import GivenPhoto
from scorer_app.hand.record import DamagedRecord, Place, Record, UnreadableRecord
from scorer_app.hand.table_rules import TableRules
from scorer_app.services.memo import Memo
from scorer_app.services.reading_queue import SET_ASIDE
from scorer_app.store import Hand, HandState, Match, Photo, PhotoState, SoundJson, Store
from vision.reading import Notice

AnyRow = Row[*tuple[Any, ...]]  # with columns of any number and type
HANDED_OVER = "live"  # key in the JSON of a reading that stands for melds of a watched table
WAITING = (PhotoState.QUEUED, PhotoState.READING)  # states of photographs still to be read
_MATCH = select(Match).where(Match.id == bindparam("match"), ~Match.deleted)
_MATCH_TO_CHANGE = _MATCH.with_for_update()
_HAND = (  # without its record, which is long and fetched only where `_records` lacks it
    select(Hand)
    .join(Hand.match)
    .options(contains_eager(Hand.match), defer(Hand.draft), defer(Hand.record))
    .where(Hand.id == bindparam("hand"), ~Match.deleted)
)
_HAND_TO_CHANGE = _HAND.with_for_update()
# Only columns of the rows that it locks: where it waits for a lock, PostgreSQL takes these as they
# are afterwards, but those of other tables as they were before.
_TO_MERGE = (
    select(
        *(Hand.id, Hand.version, func.coalesce(Hand.draft, Hand.record).label("record")),
        Hand.draft.is_not(None).label("edited"),
    )
    .join(Hand.match)
    .where(Hand.id == bindparam("hand"), ~Match.deleted)
    .with_for_update()
)
_PHOTOS = (
    select(Photo)
    .options(defer(Photo.reading))
    .where(Photo.hand_id == bindparam("hand"), ~Photo.removed)
    .order_by(Photo.received, Photo.id)
)
_GLANCE = (
    select(
        Hand.version,
        Hand.state.label("hand_state"),
        Match.version.label("match_version"),
        Photo.id,
        Photo.side,
        Photo.place,
        Photo.state,
        Photo.problem,
        Photo.width,
        Photo.height,
        Photo.erased,
        SoundJson(Photo.reading)[HANDED_OVER].label("handed_over"),
        SoundJson(Photo.reading)["notices"].label("notices"),
        SoundJson(Photo.reading)["seconds", "total"].label("seconds"),
        or_(Hand.saved.is_(None), Photo.received > Hand.saved).label("came_since_saved"),
    )
    .join(Match, Match.id == Hand.match_id)
    .outerjoin(Photo, and_(Photo.hand_id == Hand.id, ~Photo.removed))
    .where(Hand.id == bindparam("hand"), ~Match.deleted)
    .order_by(Photo.received, Photo.id)
)
_STILL_WAITING = select(func.count()).where(
    Photo.id.in_(bindparam("photos", expanding=True)), Photo.state.in_(WAITING), ~Photo.removed
)
_records: Memo[Record] = Memo(most=32)  # by hand and version, of committed versions alone


class Overtaken(Exception):
    """A match or a hand is no longer what a change of it was worked out from: another device was
    quicker.
    """


class NotFound(Exception):
    """There is no such match, hand or photograph."""


@contextmanager
def _readable_row() -> Iterator[None]:
    """Within this context, raise DamagedRecord where a column holds a value of a wrong type, such
    as text for a date.
    """
    try:
        yield
    except (TypeError, ValueError) as error:
        raise DamagedRecord(str(error)[:300]) from error


def find_match(session: Session, match_id: str, *, to_change: bool = False) -> Match:
    """Load a match. With `to_change` its row is locked, where the database has locks of rows.

    Raises NotFound, and DamagedRecord for a row that cannot be loaded.
    """
    with _readable_row():
        match = session.scalar(_MATCH_TO_CHANGE if to_change else _MATCH, {"match": match_id})
    if match is None:
        raise NotFound("match")
    return match


def rules_of(match: Match | AnyRow) -> TableRules:
    """Return the rules by which a match is played. `match` is the match itself, or a row with its
    columns. Raises UnreadableRecord.
    """
    return TableRules.of(match.ruleset, match.options, match.players, match.pieces)


def find_hand(session: Session, hand_id: str, *, to_change: bool = False) -> Hand:
    """Load a hand, with its match as the attribute `match`. With `to_change` both rows are locked,
    where the database has locks of rows.

    Raises NotFound, and DamagedRecord for a row that cannot be loaded.
    """
    with _readable_row():
        hand = session.scalar(_HAND_TO_CHANGE if to_change else _HAND, {"hand": hand_id})
    if hand is None:
        raise NotFound("hand")
    return hand


def hand_to_merge(connection: Session | Connection, hand_id: str) -> AnyRow:
    """Lock a hand and its match, and return the row that `change_history` needs: the hand's `id`
    and `version`, as `record` the JSON of the record that edits apply to, and as `edited` whether
    this record is a draft. Raises NotFound.
    """
    hand = connection.execute(_TO_MERGE, {"hand": hand_id}).first()
    if hand is None:
        raise NotFound("hand")
    return hand


def hand_to_edit(session: Session, hand_id: str) -> Hand:
    """Load and lock a hand that a person wants to change.

    Raises NotFound, DamagedRecord, and EditRefused for a hand that was thrown away.
    """
    hand = find_hand(session, hand_id, to_change=True)
    # The record, which is long, is fetched only where the first condition holds.
    if hand.state == HandState.EXCLUDED and hand.record is None:
        raise EditRefused(Refusal.DISCARDED, "a hand that was not thrown away", hand_id)
    return hand


def glance_at(store: Store, hand_id: str) -> tuple[tuple[object, ...], list[Any]]:
    """Look at a hand without loading its record or its photographs' readings.

    Returns a key and a list. The key changes whenever the hand or its match does. The list has a
    row for each photograph, with what a screen shows of it, such as its state and its notices.
    Raises NotFound.
    """
    found = store.look(_GLANCE, {"hand": hand_id})
    if not found:
        raise NotFound("hand")
    hand = found[0]
    return (hand_id, hand.version, hand.hand_state, hand.match_version), [
        row for row in found if row.id
    ]


def number_waiting(store: Store, names: Sequence[str]) -> int:
    """Count the photographs among these names that still wait to be read or are being read, without
    removed ones.
    """
    if not names:
        return 0
    ((number,),) = store.look(_STILL_WAITING, {"photos": names})
    return int(number)


def photos_now(session: Session, hand_id: str) -> list[AnyRow]:
    """List the photographs of a hand as `glance_at` does, with this session's changes of them."""
    return [row for row in session.execute(_GLANCE, {"hand": hand_id}) if row.id]


def given_photos(photos: Iterable[AnyRow]) -> list[GivenPhoto]:
    """Return what the questions of a hand need to know of its photographs, which are the rows of
    `glance_at` or `photos_now`. Those that still wait are left out, and so are those that stand for
    melds of a watched table and those of which a person undid the saving. That a photograph is
    poor is settled where its hand was saved with it.
    """
    found = []
    for photo in photos:
        if photo.state in WAITING or photo.handed_over or photo.problem == SET_ASIDE:
            continue
        side: SideName = "A" if photo.side == "A" else "B"
        notices = photo.notices if isinstance(photo.notices, list) else None
        failed = photo.state == PhotoState.FAILED or notices is None
        told = notices or ()
        other_pieces = Notice.OTHER_PIECES in told
        blurred, is_new = Notice.TOO_BLURRED in told, bool(photo.came_since_saved)
        place = Place(photo.place)
        found.append(GivenPhoto(photo.id, side, place, failed, other_pieces, blurred, is_new))
    return found


def is_handed_over(photo: Photo | AnyRow) -> bool:
    """Whether a photograph stands for one side's melds of a watched table. Its picture shows the
    whole table, so that reading it would give the side all melds. `photo` may also be a row with
    the photograph's column `reading`.
    """
    return isinstance(photo.reading, dict) and bool(photo.reading.get(HANDED_OVER))


def open_draft(session: Session, match_id: str, *, to_change: bool = False) -> Hand | None:
    """Find the unfinished hand of a match; None where there is none that this version can read.
    With `to_change` its row is locked, where the database has locks of rows.
    """
    drafts = select(Hand).where(Hand.match_id == match_id, Hand.state == HandState.DRAFT)
    if to_change:
        drafts = drafts.with_for_update()
    for hand in session.scalars(drafts).all():
        with suppress(UnreadableRecord):
            working_record(hand)
            return hand
    return None


def working_record(hand: Hand) -> Record:
    """Read the record that edits apply to: the draft, or without one the saved record.

    Raises UnreadableRecord.
    """
    return Record.from_json(hand.record if hand.draft is None else hand.draft)


def remember_record(hand: Hand, record: Record) -> None:
    """Remember the record of a committed version of a hand, so that `stored_record` need not read
    it.
    """
    _records.get((hand.id, hand.version), lambda: record)


def stored_record(hand: Hand) -> Record:
    """Read the record of a hand that nothing in this session has changed: the draft, or without one
    the saved record.

    The record of each version is read once and remembered. Raises UnreadableRecord.
    """
    return _records.get((hand.id, hand.version), lambda: working_record(hand))


def photos_of(session: Session, hand_id: str) -> list[Photo]:
    """List the photographs of a hand in the order in which they came, without removed ones.

    Their readings, which are long, are fetched when the attribute `reading` is first used. Raises
    DamagedRecord where a column holds a value of a wrong type.
    """
    with _readable_row():
        return list(session.scalars(_PHOTOS, {"hand": hand_id}))


def find_photo(session: Session, photo_id: str, *, to_change: bool = False) -> Photo | None:
    """Find a photograph, even a removed one; None where no photograph has this id. With `to_change`
    its row is locked, where the database has locks of rows. Raises DamagedRecord where a column
    holds a value of a wrong type.
    """
    with _readable_row():
        return session.get(Photo, photo_id, with_for_update=to_change or None)
