"""The log of a hand's edits: each is kept with the record from before it, which undoing brings
back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, cast

from sqlalchemy import JSON, String, Table, bindparam, func, insert, select, update
from sqlalchemy.orm import Session, defer
from sqlalchemy.orm.attributes import set_committed_value

from scorer_app.hand.operation import Logged, Operation
from scorer_app.hand.record import Record, Tile, UnreadableRecord
from scorer_app.services.hand_rows import working_record
from scorer_app.store import Edit, Hand

KEPT_STEPS = 60  # edits of a draft that can be undone one by one
# Edits that can still be undone after a photograph was read or removed; each costs a few
# milliseconds then.
STEPS_CARRIED = 20
ADDING = frozenset({"add_tile", "add_tiles"})  # edits that can be taken back alone
# For statements on rows that their session does not look at again.
_UNSEEN = {"synchronize_session": False}
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
_FORGET_OLD = _FORGET.where(Edit.id <= _STEPS.limit(1).offset(KEPT_STEPS).scalar_subquery())


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


def last_step(session: Session, hand_id: str) -> Edit | None:
    """Find the edit of a hand that undoing would undo; None where there is none."""
    return session.scalar(_LAST_STEP, {"hand": hand_id})


def is_undone(session: Session, hand: Hand, key: str) -> bool:
    """Whether the edit of the hand with this key has been undone."""
    return bool(session.scalar(_UNDONE, {"hand": hand.id, "key": key}))


def tiles_added(session: Session, hand: Hand, key: str) -> dict[str, Tile]:
    """Return the tiles that the edit with this key added, by id, as they were right after it; none
    where the hand has no such edit, or what it added is no longer known.

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


def forget_old_steps(session: Session, hand: Hand) -> None:
    """Forget what undoing edits older than the newest `KEPT_STEPS` would bring back."""
    if hand.version > KEPT_STEPS:
        session.execute(_FORGET_OLD, {"hand": hand.id}, execution_options=_UNSEEN)


def no_way_back(session: Session, hand_id: str) -> None:
    """Forget what undoing would bring back, so that no edit made so far can be undone."""
    session.execute(_FORGET, {"hand": hand_id}, execution_options=_UNSEEN)


def is_known(session: Session, hand: Hand, key: str) -> bool:
    """Whether an edit of the hand has this key already."""
    return session.scalar(_SEEN, {"hand": hand.id, "key": key}) is not None
