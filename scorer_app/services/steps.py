"""What each device changed of a match, step by step."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from zlib import crc32

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from scorer_app.store import UNSYNCHRONIZED, Hand, SoundJson, Step, Store
from scorer_app.store.tables import Json

MOST_SHOWN = 200  # steps of one match
Marks = dict[tuple[str, str | None], str]  # by the name of a device and its id


class StepKind(StrEnum):
    """What a step did; each has its sentence in the texts (`step.VALUE`)."""

    SAVED = "saved"  # a hand, for the first time or again
    COUNTED = "counted"  # a hand whose totals were counted by hand
    END = "end"  # somebody said how a hand ended; undone in the hand, not here
    MUERTO = "muerto"  # somebody said whether a side took its muerto; undone in the hand, too
    EXCLUDED = "excluded"  # a hand was taken out of the tally
    INCLUDED = "included"  # a hand was put back into the tally
    RULES = "rules"  # names, players or rules were changed
    TILES = "tiles"  # another set of tiles was chosen
    DIE = "die"  # dice decided who begins
    ARCHIVED = "archived"  # the match was put into the archive, or brought back
    SAMPLE = "sample"  # a sample became a match like any other
    COPIES = "copies"  # missing or extra tiles of the set were noted, with the set's other matches
    FORGOTTEN = "forgotten"  # the set of tiles was forgotten
    LINK = "link"  # on a public server: a link was renewed, and devices lost their access


# Steps that are only shown: edits of a hand, which are undone in the hand, what was done to the set
# of tiles, which is undone at the set if at all, and renewed links, of which the old ones are gone.
TOLD_ONLY = frozenset(
    {StepKind.END, StepKind.MUERTO, StepKind.COPIES, StepKind.FORGOTTEN, StepKind.LINK}
)
SAVING = frozenset({StepKind.SAVED, StepKind.COUNTED})  # steps that give a hand a new record
# Columns of a match that fit each other: the rules, and the seats of those who play.
_OF_RULES = frozenset({"ruleset", "options", "pieces", "players"})
_OF_SEATS = frozenset({"players", "first_player", "throws"})


@dataclass(frozen=True)
class StepView:
    """One step as people see it. `made` is the moment at which it was made, and `device` the name
    of the device that made it. `mark` tells that device from others of the same name; it is empty
    where no other is known, or where nobody knows which of them it was. `position` is the number of
    the hand; None for a step about the whole match, and for a hand that was deleted.
    `is_correction` says that the step saved a hand anew: once it is undone, nothing has the newer
    record any more.
    """

    id: int
    made: datetime
    device: str
    mark: str
    kind: StepKind
    position: int | None
    before: Json  # the columns of the match that the step changed; empty for a step of a hand
    after: Json  # what the step set, or what the history tells of it
    undone_by: str | None  # name of the device that undid it; None where nobody did
    can_undo: bool
    is_correction: bool


def note_step(
    session: Session,
    match_id: str,
    kind: StepKind,
    device: str,
    before: Json,
    after: Json,
    hand_id: str | None = None,
    device_id: str | None = None,
) -> None:
    """Note a step of a hand, or without `hand_id` of the match itself. `before` holds the values
    that undoing the step puts back, and `after` the new ones, both by the names of their columns.
    `after` may also hold values that the step left as they were. `device` is the name of the device
    and `device_id`, where it is given, what tells it from others of that name.
    """
    session.add(
        Step(
            match_id=match_id,
            hand_id=hand_id,
            kind=kind,
            device=device,
            before=before,
            after=after,
            device_id=device_id,
        )
    )


def tell_step(
    session: Session,
    match_id: str,
    kind: StepKind,
    device: str,
    after: Json,
    hand_id: str,
    device_id: str,
) -> None:
    """Note a step that the history shows but that cannot be undone. `after` holds what was set, as
    JSON. The step replaces the earlier one of the same kind by the same device for the same hand
    and, where `after` names a `side`, for the same side. Two devices may have one name: it is the
    same device only where its `device_id` is.
    """
    same_side = SoundJson(Step.after)["side"].as_string() == after.get("side")
    earlier = (Step.hand_id == hand_id, Step.kind == kind, Step.device_id == device_id, same_side)
    session.execute(delete(Step).where(*earlier), execution_options=UNSYNCHRONIZED)
    note_step(session, match_id, kind, device, {}, after, hand_id, device_id)


def state_of(hand: Hand) -> Json:
    """Return the values of a hand that undoing a step puts back: `record`, the saved record, and
    `state`.
    """
    return {"record": hand.record, "state": str(hand.state)}


def steps_of(store: Store, match_id: str) -> list[StepView]:
    """List the newest steps of a match, at most MOST_SHOWN, the newest first."""
    newest = select(Step).where(Step.match_id == match_id).order_by(Step.id.desc())
    with store.reading() as session:
        numbered = select(Hand.id, Hand.position).where(Hand.match_id == match_id)
        positions: dict[str, int] = {name: position for name, position in session.execute(numbered)}
        marks = _marks(session, match_id)
        changed_since: set[str] = set()
        views = []
        for step in session.scalars(newest.limit(MOST_SHOWN)):
            views.append(_view(step, positions, changed_since, marks))
            if step.undone_by is None:
                changed_since |= subjects_of(step)
        return views


def _marks(session: Session, match_id: str) -> Marks:
    """Return four digits for each device that shares its name with another one in the steps of a
    match; of two devices both have the same digits once in 10,000 times. The digits come from the
    id alone, so a device keeps them: an order of appearance would change with each word that a
    later one replaces.
    """
    told = select(Step.device, Step.device_id).where(Step.match_id == match_id)
    known = [(name, one) for name, one in session.execute(told.distinct()) if one]
    shared = Counter(name for name, _one in known)
    return {
        (name, one): f"{crc32(one.encode()) % 10_000:04}" for name, one in known if shared[name] > 1
    }


def _view(step: Step, positions: dict[str, int], changed_since: set[str], marks: Marks) -> StepView:
    """Return a step as people see it. `positions` maps the ids of the match's hands to their
    numbers. `changed_since` holds what later steps that still apply have changed: ids of hands, and
    names of columns of the match's row in the database. `marks` are those of `_marks`.
    """
    is_gone = step.hand_id is not None and step.hand_id not in positions
    is_covered = bool(subjects_of(step) & changed_since)
    return StepView(
        step.id,
        step.made,
        step.device,
        marks.get((step.device, step.device_id), ""),
        StepKind(step.kind),
        positions.get(step.hand_id) if step.hand_id else None,
        {} if step.hand_id else step.before,
        step.after,
        step.undone_by,
        can_undo=bool(subjects_of(step))
        and step.undone_by is None
        and not is_covered
        and not is_gone,
        is_correction=step.kind in SAVING and step.before.get("record") is not None,
    )


def subjects_of(step: Step) -> set[str]:
    """Return what undoing a step would change: the id of a hand, or the names of some columns of
    the match; an empty set for a step that cannot be undone.

    A step that changed the ruleset and a step that changed an option have the subject "rules" in
    common, because another ruleset may not have that option. Steps that changed the number of
    players and the seat that begins have "seats" in common.
    """
    if step.kind in TOLD_ONLY:
        return set()
    if step.hand_id:
        return {step.hand_id}
    columns = set(step.before)
    if step.kind == StepKind.RULES and not _OF_RULES.isdisjoint(columns):
        columns.add("rules")
    if not _OF_SEATS.isdisjoint(columns):
        columns.add("seats")
    return columns
