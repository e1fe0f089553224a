"""The log of a hand's edits. Each edit is kept with the record from before it, which undo
restores.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, cast

from sqlalchemy import (
    JSON,
    ColumnElement,
    Connection,
    DateTime,
    String,
    Table,
    bindparam,
    false,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.orm import Session, defer
from sqlalchemy.orm.attributes import set_committed_value

from scorer_app.hand.merging import drop_photo
from scorer_app.hand.operation import (
    Logged,
    Operation,
    PhotoMoved,
    PhotoRead,
    PhotoRemoved,
    PhotoReplaced,
)
from scorer_app.hand.record import Record, Tile, UnreadableRecord
from scorer_app.services.hand_rows import AnyRow, working_record
from scorer_app.store import UNSYNCHRONIZED, Edit, Hand, Photo
from scorer_app.store.tables import Json, now

KEPT_STEPS = 60  # edits of a draft that can be undone one by one
# Edits that can still be undone after a photograph was read; each costs a few milliseconds then.
STEPS_CARRIED = 20
_REPLACED = PhotoReplaced.__struct_config__.tag
_REMOVING = (PhotoRemoved.__struct_config__.tag, _REPLACED)  # edits that remove a photograph
_MOVED = PhotoMoved.__struct_config__.tag
ADDING = frozenset({"add_tile", "add_tiles"})  # edits that can be taken back alone
# The database copies the record from before the edit: sending it from here takes ten times longer.
_STEP = select(
    Hand.id,
    bindparam("key", type_=String),
    bindparam("operation", type_=JSON),
    func.coalesce(Hand.draft, Hand.record),
).where(Hand.id == bindparam("hand"))
_EDITS = cast(Table, Edit.__table__)
_NOTE_STEP = insert(_EDITS).from_select(["hand_id", "key", "operation", "before"], _STEP)
# Statements on the table are sent at once; the session would take longer to find what changed.
_HANDS = cast(Table, Hand.__table__)
_KEEP_DRAFT = (
    update(_HANDS)
    .where(_HANDS.c.id == bindparam("hand"))
    .values(draft=bindparam("draft"), version=bindparam("version"))
)
# The columns of the log's row about a change that undo skips. No other statement has parameters of
# these names, so that one statement may be made of several.
NOTED: Mapping[str, ColumnElement[Any]] = MappingProxyType(
    {
        "hand_id": bindparam("changed_hand", type_=String),
        "key": bindparam("step_key", type_=String),
        "made": bindparam("step_made", type_=DateTime),
        "operation": bindparam("step_operation", type_=JSON),
        "undone": false(),
    }
)
_NOTE_CHANGE = insert(_EDITS).from_select([*NOTED], select(*NOTED.values()))
KEEP_CHANGED = (
    update(_HANDS)
    .where(_HANDS.c.id == bindparam("changed_hand"))
    .values(draft=bindparam("new_draft"), version=bindparam("new_version"))
)
_SEEN = select(Edit.id).where(Edit.hand_id == bindparam("hand"), Edit.key == bindparam("key"))
_UNDONE = select(Edit.undone).where(Edit.hand_id == bindparam("hand"), Edit.key == bindparam("key"))
_LAST_STEP = (  # without the record from before, which is long and fetched only when used
    select(Edit)
    .options(defer(Edit.before))
    .where(Edit.hand_id == bindparam("hand"), Edit.before.is_not(None), ~Edit.undone)
    .order_by(Edit.id.desc())
    .limit(1)
)
_ADDED = select(Edit).where(Edit.before.is_not(None))
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
_CARRIED = (
    select(Edit.id, Edit.operation, Edit.before)
    .where(Edit.hand_id == bindparam("hand"), Edit.before.is_not(None))
    .order_by(Edit.id.desc())
    .limit(STEPS_CARRIED)
)
_CARRY = update(_EDITS).where(_EDITS.c.id == bindparam("step")).values(before=bindparam("record"))
_CAN_BE_UNDONE = select(Edit.operation).where(
    Edit.hand_id == bindparam("hand"), Edit.before.is_not(None), ~Edit.undone
)
_SINCE = or_(bindparam("saved", type_=DateTime).is_(None), Edit.made > bindparam("saved"))
_REMOVALS = select(Edit.operation).where(Edit.hand_id == bindparam("hand"), ~Edit.undone, _SINCE)
_UNDO_ALL = update(Edit).where(Edit.hand_id == bindparam("hand"), _SINCE).values(undone=True)
_FORGET_UNCARRIED = _FORGET.where(
    Edit.id <= _STEPS.limit(1).offset(STEPS_CARRIED).scalar_subquery()
)
_FORGET_OLD = _FORGET.where(Edit.id <= _STEPS.limit(1).offset(KEPT_STEPS).scalar_subquery())


@dataclass(frozen=True)
class KeyedEdit:
    """An edit of a hand with the key that its device gave it. An edit whose key the log already has
    was sent twice, and is not applied again.
    """

    key: str
    operation: Logged


@dataclass(frozen=True)
class KeyedOperation(KeyedEdit):
    """A keyed edit that a person asks for. Other keyed edits note what happened, for example that a
    photograph was read.
    """

    operation: Operation


def last_step(session: Session, hand_id: str) -> Edit | None:
    """Find the edit of a hand that undo would take back; None where no edit can be undone."""
    return session.scalar(_LAST_STEP, {"hand": hand_id})


def removed_photo(operation: Json) -> str | None:
    """Return the id of the photograph that an edit of the log removed; None where the edit removed
    none. `operation` is the edit as the log holds it.
    """
    return operation.get("photo") if operation.get("op") in _REMOVING else None


def replacing_photo(operation: Json) -> str | None:
    """Return the id of the photograph that took the place of the one that an edit of the log
    removed; None where none did. `operation` is the edit as the log holds it.
    """
    return operation.get("by") if operation.get("op") == _REPLACED else None


def moved_photo(operation: Json) -> str | None:
    """Return the id of the photograph that an edit of the log moved to another area; None where the
    edit moved none. `operation` is the edit as the log holds it.
    """
    return operation.get("photo") if operation.get("op") == _MOVED else None


def photos_to_bring_back(session: Session, hand_id: str) -> set[str]:
    """Return the ids of the removed photographs of a hand that undo would bring back."""
    edits = session.scalars(_CAN_BE_UNDONE, {"hand": hand_id})
    return {photo for one in edits if (photo := removed_photo(one)) is not None}


def photos_removed_since(session: Session, hand: Hand) -> list[Photo]:
    """List the photographs that edits have removed from a hand since it was saved last, in the
    order in which they came; undo may no longer reach some of these edits.
    """
    edits = session.scalars(_REMOVALS, {"hand": hand.id, "saved": hand.saved})
    names = {photo for one in edits if (photo := removed_photo(one)) is not None}
    lost = select(Photo).options(defer(Photo.reading)).where(Photo.id.in_(names), Photo.removed)
    return list(session.scalars(lost.order_by(Photo.received, Photo.id)))


def is_undone(session: Session, hand: Hand, key: str) -> bool:
    """Whether the edit with the key `key` has been undone in this hand. False where the hand has no
    such edit.
    """
    return bool(session.scalar(_UNDONE, {"hand": hand.id, "key": key}))


def tiles_added(session: Session, hand: Hand, key: str) -> dict[str, Tile]:
    """Return the tiles that the edit with this key added, as they were right after it; the keys of
    the dictionary are the tiles' ids. It is empty where the hand has no such edit, or where the
    record from before the edit is no longer kept.

    Raises UnreadableRecord.
    """
    edit = session.scalar(_ADDED.where(Edit.hand_id == hand.id, Edit.key == key))
    if edit is None or edit.operation.get("op") not in ADDING:
        return {}
    later = _ADDED.where(Edit.hand_id == hand.id, Edit.id > edit.id).order_by(Edit.id).limit(1)
    following = session.scalar(later)
    after = Record.from_json(following.before) if following else working_record(hand)
    before = Record.from_json(edit.before)
    return {name: tile for name, tile in after.tiles.items() if name not in before.tiles}


def write_step(session: Session, hand: Hand, edit: KeyedEdit, record: Record) -> None:
    """Write an edit to the log, with the hand's record from before the edit. `record` is the record
    after the edit, and becomes the hand's draft.
    """
    session.execute(
        _NOTE_STEP, {"hand": hand.id, "key": edit.key, "operation": edit.operation.to_json()}
    )
    changed = {"draft": record.to_json(), "version": hand.version + 1}
    session.execute(_KEEP_DRAFT, {"hand": hand.id, **changed})
    for name, value in changed.items():
        set_committed_value(hand, name, value)


@dataclass(frozen=True)
class HistoryChange:
    """A change of a hand that undo does not take back, such as the reading of a photograph. It is
    ready to be written by `note` and `carry`.

    `hand` is the hand's row from before the change, and `change` makes the new record from an old
    one; `record` is the new one, as JSON. `values` are the parameters of the statements that write
    the change to the log and the changed record to the hand's draft. `photo` is the photograph
    whose reading the change is, if it is one.
    """

    hand: AnyRow | Hand
    record: Json
    values: dict[str, Any]
    change: Callable[[Record], Record]
    serial: int  # the last number given to a tile, row or adjustment before the change
    photo: str | None = None

    def note(self, connection: Session | Connection) -> None:
        """Write the change to the log and the changed record to the hand's draft."""
        connection.execute(_NOTE_CHANGE, self.values)
        connection.execute(KEEP_CHANGED, self.values)

    def carry(self, connection: Session | Connection) -> None:
        """Apply the change also to the earlier records that undo would restore: those from before
        each of the newest `STEPS_CARRIED` edits. Older edits can no longer be undone, and neither
        can those that make no difference any more, as corrections of a tile that a new reading does
        not have. The removal of a photograph can, even where the record had no tile of it, and so
        can its move. A reading made where the photograph was moved to changes no record from before
        the move: undoing that has the photograph read anew where that is needed.
        """
        steps = connection.execute(_CARRIED, {"hand": self.hand.id}).all()
        if not steps:
            return
        carried = []
        later = self.record
        for step in steps:
            moved = moved_photo(step.operation)
            if moved is not None and moved == self.photo:
                break
            before = _changed_before(step.before, self.change, self.serial)
            is_idle = before == later and moved is None and removed_photo(step.operation) is None
            carried.append({"step": step.id, "record": None if is_idle else before})
            later = before or later
        if carried:
            connection.execute(_CARRY, carried)
        connection.execute(
            _FORGET_UNCARRIED, {"hand": self.hand.id}, execution_options=UNSYNCHRONIZED
        )


def change_history(
    hand: AnyRow, edit: KeyedEdit, change: Callable[[Record], Record]
) -> HistoryChange:
    """Work out a change of a hand that undo skips, such as a photograph's reading. `hand` is what
    `hand_to_merge` returned, `edit` is what the log notes, and `change` makes the new record from
    an old one. Raises UnreadableRecord.

    The change applies to the current record and to the records that undo would restore for the
    newest `STEPS_CARRIED` edits, so that these can still be undone. Older edits can no longer be
    undone.
    """
    record = Record.from_json(hand.record)
    changed = change(record)
    data = changed.to_json()
    is_new = hand.edited or changed != record  # else the saved record needs no draft beside it
    values = {
        "changed_hand": hand.id,
        "step_key": edit.key,
        "step_made": now(),
        "step_operation": edit.operation.to_json(),
        "new_draft": data if is_new else None,
        "new_version": hand.version + 1,
    }
    read = edit.operation.photo if isinstance(edit.operation, PhotoRead) else None
    return HistoryChange(hand, data, values, change, record.serial, read)


def without_photo(session: Session, hand: Hand, before: Json, photo: str) -> Json:
    """Return `before`, the record to which undo takes a hand back, without the tiles of a
    photograph that goes with what is undone. All earlier records that undo would restore lose them
    too: the reading of a photograph is part of each. Raises UnreadableRecord.
    """
    record = drop_photo(Record.from_json(before), photo)
    data = record.to_json()
    gone = HistoryChange(hand, data, {}, lambda one: drop_photo(one, photo), record.serial)
    gone.carry(session)
    return data


def _changed_before(
    before: object, change: Callable[[Record], Record], serial: int
) -> dict[str, Any] | None:
    """Apply `change` to `before`, the record from before an edit, and return the changed record as
    JSON; None where `before` is unreadable.

    `serial` is the last number that the current record has given to a tile, row or adjustment. The
    older record is first made to count on from there, so that new tiles have the same ids in both
    records, unless it has given more numbers itself: a change may make more rows of it than of the
    current one.
    """
    try:
        record = Record.from_json(before)
    except UnreadableRecord:
        return None
    return change(replace(record, serial=max(serial, record.serial))).to_json()


def forget_old_steps(session: Session, hand: Hand) -> None:
    """Delete the records that undo needs, except those of the hand's newest `KEPT_STEPS` edits."""
    if hand.version > KEPT_STEPS:
        session.execute(_FORGET_OLD, {"hand": hand.id}, execution_options=UNSYNCHRONIZED)


def no_way_back(session: Session, hand_id: str) -> None:
    """Delete the records that undo would restore, of all edits of a hand so far, so that none of
    these edits can be undone.
    """
    session.execute(_FORGET, {"hand": hand_id}, execution_options=UNSYNCHRONIZED)


def undo_all_since(session: Session, hand: Hand) -> None:
    """Note that all edits of a hand since it was saved last are undone, because its corrections are
    thrown away; undo skips them from now on.
    """
    since = {"hand": hand.id, "saved": hand.saved}
    session.execute(_UNDO_ALL, since, execution_options=UNSYNCHRONIZED)


def is_known(session: Session, hand: Hand, key: str) -> bool:
    """Whether one of the edits of the hand in the log already has this key."""
    return session.scalar(_SEEN, {"hand": hand.id, "key": key}) is not None
