"""Hands in the store: beginning, editing, saving and excluding them.

Every change is one short transaction. A request is answered when the change is on the disk; only
edits and undo are answered as soon as the database has them, since waiting for the disk takes
longer than repeating the last taps, which a power cut may lose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any, cast

from sqlalchemy import JSON, String, Table, and_, bindparam, func, insert, select, update
from sqlalchemy.orm import Session, contains_eager, defer
from sqlalchemy.orm.attributes import set_committed_value

from scorer_app.hand.counted import Counted, counted_record
from scorer_app.hand.edits import apply
from scorer_app.hand.edits_of_hand import SetEnd, SetMuerto
from scorer_app.hand.fields import EditRefused, Refusal
from scorer_app.hand.operation import Logged, Operation
from scorer_app.hand.questions import questions
from scorer_app.hand.record import DamagedRecord, Record, UnreadableRecord
from scorer_app.hand.saving import check_may_save
from scorer_app.hand.table_rules import TableRules
from scorer_app.services.event_bus import Broadcaster
from scorer_app.services.memo import Memo
from scorer_app.services.steps import StepKind, note_step, state_of, tell_step
from scorer_app.store import Edit, Hand, HandState, Match, Photo, PhotoState, SoundJson, Store
from scorer_app.store.tables import now

KEPT_STEPS = 60  # edits of a draft that can be undone one by one
# Edits that can still be undone after a photograph was read or removed; each costs a few
# milliseconds then.
STEPS_CARRIED = 20
WAITING = (PhotoState.QUEUED, PhotoState.READING)  # states of photographs still to be read
# Edits that the history of the match tells, with the device that made them.
TOLD = {SetEnd: StepKind.END, SetMuerto: StepKind.MUERTO}
# For statements on rows that their session does not look at again.
_UNSEEN = {"synchronize_session": False}
_MATCH = select(Match).where(Match.id == bindparam("match"), ~Match.deleted)
_MATCH_TO_CHANGE = _MATCH.with_for_update()
_HAND = (  # without its record, which is long and fetched only where `_records` lacks it
    select(Hand)
    .join(Hand.match)
    .options(contains_eager(Hand.match), defer(Hand.draft), defer(Hand.record))
    .where(Hand.id == bindparam("hand"), ~Match.deleted)
)
_HAND_TO_CHANGE = _HAND.with_for_update()
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
        SoundJson(Photo.reading)["notices"].label("notices"),
        SoundJson(Photo.reading)["seconds", "total"].label("seconds"),
    )
    .join(Match, Match.id == Hand.match_id)
    .outerjoin(Photo, and_(Photo.hand_id == Hand.id, ~Photo.removed))
    .where(Hand.id == bindparam("hand"), ~Match.deleted)
    .order_by(Photo.received, Photo.id)
)
# The database copies the record from before the edit: sending it from here takes ten times longer.
_STEP = select(
    Hand.id,
    bindparam("key", type_=String),
    bindparam("operation", type_=JSON),
    func.coalesce(Hand.draft, Hand.record),
).where(Hand.id == bindparam("hand"))
_NOTE_STEP = insert(cast(Table, Edit.__table__)).from_select(
    ["hand_id", "key", "operation", "before"], _STEP
)
_records: Memo[Record] = Memo(most=32)  # by hand and version; none that is not committed
# Statements on the table are sent at once; the session would take longer to find what changed.
_HANDS = cast(Table, Hand.__table__)
_KEEP_DRAFT = (
    update(_HANDS)
    .where(_HANDS.c.id == bindparam("hand"))
    .values(draft=bindparam("draft"), version=bindparam("version"))
)
_SEEN = select(Edit.id).where(Edit.hand_id == bindparam("hand"), Edit.key == bindparam("key"))
_UNDONE = select(Edit.undone).where(Edit.hand_id == bindparam("hand"), Edit.key == bindparam("key"))
_LAST_STEP = (  # without the record from before, which is long and fetched where it is looked at
    select(Edit)
    .options(defer(Edit.before))
    .where(Edit.hand_id == bindparam("hand"), Edit.before.is_not(None), ~Edit.undone)
    .order_by(Edit.id.desc())
    .limit(1)
)
_STEPS = (
    select(Edit.id)
    .where(Edit.hand_id == bindparam("hand"), Edit.before.is_not(None))
    .order_by(Edit.id.desc())
)
_FORGET = (
    update(Edit)
    .where(Edit.hand_id == bindparam("hand"), Edit.before.is_not(None))
    .values(before=None)
)
_FORGET_OLD = _FORGET.where(Edit.id <= _STEPS.limit(1).offset(KEPT_STEPS).scalar_subquery())


class NotFound(Exception):
    """There is no such match, hand or photograph."""


@dataclass(frozen=True)
class KeyedEdit:
    """What is done to a hand, and the key that its device gave it: an edit with a known key is one
    that was sent again.
    """

    key: str
    operation: Logged


@dataclass(frozen=True)
class KeyedOperation(KeyedEdit):
    """A keyed edit that a person asks for."""

    operation: Operation


class Hands:
    """Begins, edits, saves and excludes hands, and tells the event bus of each change."""

    def __init__(self, store: Store, event_bus: Broadcaster) -> None:
        self.store = store
        self.event_bus = event_bus

    def begin(self, match_id: str) -> str:
        """Return the id of the match's unfinished hand, or of a new one.

        Raises NotFound, and EditRefused for another hand of a sample, which has one alone.
        """
        with self.store.writing() as session:
            match = find_match(session, match_id, to_change=True)
            if draft := open_draft(session, match.id):
                return draft.id
            position = self._next_position(session, match)
            if match.sample and position > 1:
                raise EditRefused(Refusal.SAMPLE, "a match that is no sample", match_id)
            hand = Hand(match_id=match.id, position=position, draft=Record().to_json())
            session.add(hand)
            session.flush()
            return hand.id

    def edit(self, hand_id: str, edits: Sequence[KeyedOperation], device: str = "") -> None:
        """Apply edits in order, all or none, and note which device said how the hand ended. Raises
        EditRefused and NotFound.
        """
        with self.store.writing(durable=False) as session:
            hand = hand_to_edit(session, hand_id)
            match, record = hand.match, stored_record(hand)
            rules = rules_of(match)
            for edit in edits:
                if not _seen(session, hand, edit.key):
                    record = apply(record, edit.operation, rules)
                    write_step(session, hand, edit, record)
                    if kind := TOLD.get(type(edit.operation)):
                        said = edit.operation.to_json()
                        tell_step(session, match.id, kind, device, said, hand.id)
            if hand.version > KEPT_STEPS:
                session.execute(_FORGET_OLD, {"hand": hand.id}, execution_options=_UNSEEN)
        _records.get((hand.id, hand.version), lambda: record)
        self.event_bus.tell(hand_id)

    def undo(self, hand_id: str, key: str | None = None) -> bool:
        """Undo the last edit; return False where no edit can be undone.

        `key` names the edit that the person means: nothing is done where it is undone already, and
        EditRefused is raised where it is no longer the last one. Raises NotFound too, and
        UnreadableRecord where the record from before the edit cannot be shown; nothing is changed
        then.
        """
        with self.store.writing(durable=False) as session:
            hand = hand_to_edit(session, hand_id)
            if key is not None and session.scalar(_UNDONE, {"hand": hand.id, "key": key}):
                return True
            last = last_step(session, hand.id)
            if key is not None and (last is None or last.key != key):
                raise EditRefused(Refusal.CHANGED, f"the last edit, {last and last.key}", key)
            if last is None:
                return False
            Record.from_json(last.before)
            hand.draft, last.undone, last.before = last.before, True, None
            hand.version += 1
        self.event_bus.tell(hand_id)
        return True

    def save(
        self,
        hand_id: str,
        *,
        version: int | None = None,
        with_doubts: bool = False,
        device: str = "",
    ) -> None:
        """Save the draft, so that the hand counts as it is there.

        Raises EditRefused where `check_may_save` does, or where the hand no longer has the given
        `version`; and NotFound.
        """
        with self.store.reading() as session:
            hand = find_hand(session, hand_id)
            match, record, seen = hand.match, stored_record(hand), hand.version
            if version not in (None, seen):
                raise _changed_since(seen)
            rules = rules_of(match)
            unread = [photo for photo in photos_of(session, hand_id) if photo.state in WAITING]
        check_may_save(record, questions(record, rules), len(unread), with_doubts=with_doubts)
        with self.store.writing() as session:
            hand = find_hand(session, hand_id, to_change=True)
            if hand.version != seen:
                raise _changed_since(hand.version)
            self._note(session, hand, StepKind.SAVED, device)
            hand.record, hand.draft = record.to_json(), None
            hand.state, hand.saved = HandState.SAVED, now()
            self._changed(session, hand)
            no_way_back(session, hand.id)
        self.event_bus.tell(hand_id, hand.match_id)

    def save_counted(
        self, match_id: str, points: Counted, hand_id: str | None = None, device: str = ""
    ) -> str:
        """Save a hand whose tiles nobody shows: base and puntos of each side, counted by hand.

        `hand_id` names a hand that is counted anew. Returns the id of the hand. Raises NotFound.
        """
        record = counted_record(points).to_json()
        with self.store.writing() as session:
            match = find_match(session, match_id, to_change=True)
            if hand_id:
                hand = find_hand(session, hand_id, to_change=True)
            else:
                hand = self._another(session, match)
            self._note(session, hand, StepKind.COUNTED, device)
            hand.record, hand.draft = record, None
            hand.state, hand.saved = HandState.SAVED, now()
            self._changed(session, hand)
        self.event_bus.tell(hand.id, match_id)
        return hand.id

    def _another(self, session: Session, match: Match) -> Hand:
        """A hand after the last saved one; an unfinished one comes after it."""
        position = self._next_position(session, match)
        if draft := open_draft(session, match.id):
            draft.position = position + 1
        hand = Hand(match_id=match.id, position=position, match=match)
        session.add(hand)
        session.flush()
        return hand

    def _next_position(self, session: Session, match: Match) -> int:
        """Drafts that were thrown away leave no gap in the numbers."""
        kept = (Hand.match_id == match.id, Hand.record.is_not(None))
        return (session.scalar(select(func.max(Hand.position)).where(*kept)) or 0) + 1

    def _note(self, session: Session, hand: Hand, kind: StepKind, device: str) -> None:
        note_step(session, hand.match_id, kind, device, state_of(hand), {}, hand.id)

    def set_excluded(self, hand_id: str, excluded: bool, device: str = "") -> None:
        """Take a saved hand out of the tally, or put it back; throw away a hand never saved.

        Raises NotFound.
        """
        with self.store.writing() as session:
            hand = find_hand(session, hand_id, to_change=True)
            if hand.record is None and excluded:
                hand.state, hand.draft = HandState.EXCLUDED, None
            elif hand.record is not None:
                kind = StepKind.EXCLUDED if excluded else StepKind.INCLUDED
                self._note(session, hand, kind, device)
                hand.state = HandState.EXCLUDED if excluded else HandState.SAVED
            self._changed(session, hand)
        self.event_bus.tell(hand_id, hand.match_id)

    def drop_draft(self, hand_id: str) -> None:
        """Drop the corrections of a saved hand that are not saved. Raises NotFound."""
        with self.store.writing() as session:
            hand = find_hand(session, hand_id, to_change=True)
            if hand.record is not None:
                hand.draft = None
                self._changed(session, hand)
        self.event_bus.tell(hand_id)

    def _changed(self, session: Session, hand: Hand) -> None:
        hand.version += 1
        hand.match.version += 1


def _changed_since(version: int) -> EditRefused:
    return EditRefused(Refusal.CHANGED, f"version {version}, the hand as it now is")


@contextmanager
def _readable_row() -> Iterator[None]:
    """Raise DamagedRecord where a column holds a value of a wrong type, such as text for a date."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise DamagedRecord(str(error)[:300]) from error


def find_match(session: Session, match_id: str, *, to_change: bool = False) -> Match:
    """Load a match. `to_change` locks its row, where the database has locks of rows.

    Raises NotFound, and DamagedRecord for a row that cannot be loaded.
    """
    with _readable_row():
        match = session.scalar(_MATCH_TO_CHANGE if to_change else _MATCH, {"match": match_id})
    if match is None:
        raise NotFound("match")
    return match


def rules_of(match: Match) -> TableRules:
    """Return the rules of a match, and what it is played with. Raises UnreadableRecord."""
    return TableRules.of(match.ruleset, match.options, match.players, match.pieces)


def find_hand(session: Session, hand_id: str, *, to_change: bool = False) -> Hand:
    """Load a hand and its match. `to_change` locks both rows, where the database can.

    Raises NotFound, and DamagedRecord for a row that cannot be loaded.
    """
    with _readable_row():
        hand = session.scalar(_HAND_TO_CHANGE if to_change else _HAND, {"hand": hand_id})
    if hand is None:
        raise NotFound("hand")
    return hand


def hand_to_edit(session: Session, hand_id: str) -> Hand:
    """Load and lock a hand that a person wants to change.

    Raises NotFound, DamagedRecord, and EditRefused for a hand that was thrown away.
    """
    hand = find_hand(session, hand_id, to_change=True)
    if hand.record is None and hand.state == HandState.EXCLUDED:
        raise EditRefused(Refusal.DISCARDED, "a hand that was not thrown away", hand_id)
    return hand


def last_step(session: Session, hand_id: str) -> Edit | None:
    """Find the edit of a hand that undoing would undo; None where there is none."""
    return session.scalar(_LAST_STEP, {"hand": hand_id})


def glance_at(store: Store, hand_id: str) -> tuple[tuple[object, ...], list[Any]]:
    """Look at a hand without loading its record or its photographs' readings.

    Returns a key, which changes whenever the hand or its match does, and a row for each photograph
    with what a screen shows of it. Raises NotFound.
    """
    found = store.look(_GLANCE, {"hand": hand_id})
    if not found:
        raise NotFound("hand")
    hand = found[0]
    return (hand_id, hand.version, hand.hand_state, hand.match_version), [
        row for row in found if row.id
    ]


def open_draft(session: Session, match_id: str) -> Hand | None:
    """Find the unfinished hand of a match; None where there is none that this version can read."""
    drafts = select(Hand).where(Hand.match_id == match_id, Hand.state == HandState.DRAFT)
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


def stored_record(hand: Hand) -> Record:
    """Read the record of a hand that nothing in this session has changed, as `working_record` does.

    The record of each version is read once and remembered. Raises UnreadableRecord.
    """
    return _records.get((hand.id, hand.version), lambda: working_record(hand))


def write_step(session: Session, hand: Hand, edit: KeyedEdit, record: Record) -> None:
    """Write an edit to the log, with the record from before it, and `record` to the draft."""
    session.execute(
        _NOTE_STEP, {"hand": hand.id, "key": edit.key, "operation": edit.operation.to_json()}
    )
    changed = {"draft": record.to_json(), "version": hand.version + 1}
    session.execute(_KEEP_DRAFT, {"hand": hand.id, **changed})
    for name, value in changed.items():
        set_committed_value(hand, name, value)


def apply_to_history(
    session: Session, hand: Hand, edit: KeyedEdit, change: Callable[[Record], Record]
) -> None:
    """Apply a change that undo skips, such as a photograph's reading, to a hand and its history.

    The change is made to the current record and to what undoing the newest `STEPS_CARRIED` edits
    would bring back, so that those can still be undone. Older edits can no longer be undone.
    """
    record = working_record(hand)
    kept = (
        select(Edit)
        .where(Edit.hand_id == hand.id, Edit.before.is_not(None))
        .order_by(Edit.id.desc())
    )
    for at, step in enumerate(session.scalars(kept).all()):
        step.before = _changed_before(step, change, record.serial) if at < STEPS_CARRIED else None
    session.add(Edit(hand_id=hand.id, key=edit.key, operation=edit.operation.to_json()))
    hand.draft = change(record).to_json()
    hand.version += 1
    session.flush()


def _changed_before(
    step: Edit, change: Callable[[Record], Record], serial: int
) -> dict[str, Any] | None:
    """Make the change to the record that undoing a step brings back; None where that is unreadable.

    The record gets the `serial` of the current one, so that new tiles have the same ids in both.
    """
    try:
        before = Record.from_json(step.before)
    except UnreadableRecord:
        return None
    return change(replace(before, serial=serial)).to_json()


def no_way_back(session: Session, hand_id: str) -> None:
    """Forget what undoing would bring back, so that no edit made so far can be undone."""
    session.execute(_FORGET, {"hand": hand_id}, execution_options=_UNSEEN)


def photos_of(session: Session, hand_id: str) -> list[Photo]:
    """List the photographs of a hand in the order in which they came.

    Their readings, which are long, are fetched when they are looked at. Raises DamagedRecord where
    a column holds what cannot be its value.
    """
    with _readable_row():
        return list(session.scalars(_PHOTOS, {"hand": hand_id}))


def find_photo(session: Session, photo_id: str, *, to_change: bool = False) -> Photo | None:
    """Find a photograph, removed ones too, and with `to_change` lock it where the database can.

    Raises DamagedRecord where a column holds what cannot be its value.
    """
    with _readable_row():
        return session.get(Photo, photo_id, with_for_update=to_change or None)


def _seen(session: Session, hand: Hand, key: str) -> bool:
    return session.scalar(_SEEN, {"hand": hand.id, "key": key}) is not None
