"""What each device changed of a match, step by step, and how a step is undone."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from engine.pieces import Pieces
from engine.sides import SideName
from scorer_app.hand.misplaced import area_of_photo
from scorer_app.hand.record import Place, Record, UnreadableRecord
from scorer_app.services.draft_photos import bring_back_shown
from scorer_app.services.hand_rows import photos_of, rules_of
from scorer_app.services.reading_queue import SET_ASIDE
from scorer_app.services.set_values import options_with, with_comodines_of
from scorer_app.store import (
    UNSYNCHRONIZED,
    Hand,
    HandState,
    Match,
    OwnSet,
    PhotoState,
    SoundJson,
    Step,
    Store,
)
from scorer_app.store.tables import Json

MOST_SHOWN = 200  # steps of one match


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


# Steps that are only shown: edits of a hand, which are undone in the hand, and what was done to the
# set of tiles, which is undone at the set if at all.
TOLD_ONLY = frozenset({StepKind.END, StepKind.MUERTO, StepKind.COPIES, StepKind.FORGOTTEN})
SAVING = frozenset({StepKind.SAVED, StepKind.COUNTED})  # steps that give a hand a new record
# Columns of a match that its set of tiles changes, or that say whether it has one in use.
_OF_SET = frozenset({"options", "tile_set_id", "pieces"})
# Columns of a match that fit each other: the rules, and the seats of those who play.
_OF_RULES = frozenset({"ruleset", "options", "pieces", "players"})
_OF_SEATS = frozenset({"players", "first_player", "throws"})


class CannotUndo(Exception):
    """A step cannot be undone: no step has that id, it is undone already, a later step changed
    the same thing, or the match could not be played by the rules that it would then have.
    """


@dataclass(frozen=True)
class StepView:
    """One step as people see it. `made` is the moment at which it was made, and `device` the name
    of the device that made it. `position` is the number of the hand; None for a step about the
    whole match, and for a hand that was deleted. `is_correction` says that the step saved a hand
    anew: once it is undone, nothing has the newer record any more.
    """

    id: int
    made: datetime
    device: str
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
) -> None:
    """Note a step of a hand, or without `hand_id` of the match itself. `before` holds the values
    that undoing the step puts back, and `after` the new ones, both by the names of their columns.
    `after` may also hold values that the step left as they were.
    """
    session.add(
        Step(
            match_id=match_id,
            hand_id=hand_id,
            kind=kind,
            device=device,
            before=before,
            after=after,
        )
    )


def tell_step(
    session: Session, match_id: str, kind: StepKind, device: str, after: Json, hand_id: str
) -> None:
    """Note a step that the history shows but that cannot be undone. `after` holds what was set, as
    JSON. The step replaces the earlier one of the same kind by the same device for the same hand
    and, where `after` names a `side`, for the same side.
    """
    same_side = SoundJson(Step.after)["side"].as_string() == after.get("side")
    earlier = (Step.hand_id == hand_id, Step.kind == kind, Step.device == device, same_side)
    session.execute(delete(Step).where(*earlier), execution_options=UNSYNCHRONIZED)
    note_step(session, match_id, kind, device, {}, after, hand_id)


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
        changed_since: set[str] = set()
        views = []
        for step in session.scalars(newest.limit(MOST_SHOWN)):
            views.append(_view(step, positions, changed_since))
            if step.undone_by is None:
                changed_since |= _subjects(step)
        return views


def _view(step: Step, positions: dict[str, int], changed_since: set[str]) -> StepView:
    """Return a step as people see it. `positions` maps the ids of the match's hands to their
    numbers. `changed_since` holds what later steps that still apply have changed: ids of hands, and
    names of columns of the match's row in the database.
    """
    is_gone = step.hand_id is not None and step.hand_id not in positions
    is_covered = bool(_subjects(step) & changed_since)
    return StepView(
        step.id,
        step.made,
        step.device,
        StepKind(step.kind),
        positions.get(step.hand_id) if step.hand_id else None,
        {} if step.hand_id else step.before,
        step.after,
        step.undone_by,
        can_undo=bool(_subjects(step))
        and step.undone_by is None
        and not is_covered
        and not is_gone,
        is_correction=step.kind in SAVING and step.before.get("record") is not None,
    )


def lock_hand_of(session: Session, step_id: int) -> None:
    """Lock the hand that a step changed, if it changed one, where the database has locks of rows.

    The hand is locked before its match, as everywhere, so that no two transactions wait for each
    other.
    """
    changed = select(Step.hand_id).where(Step.id == step_id)
    session.execute(select(Hand.id).where(Hand.id.in_(changed)).with_for_update())


def undo_step(session: Session, match: Match, step_id: int, device: str) -> str | None:
    """Undo a step of a match, and note `device` as the device that undid it. Returns the id of the
    hand that the step had changed; None where it had changed columns of the match itself.

    Raises CannotUndo where the match has no such step, or where it can no longer be undone.
    """
    steps = session.scalars(
        select(Step)
        .where(Step.match_id == match.id, Step.id >= step_id, Step.undone_by.is_(None))
        .order_by(Step.id)
    ).all()
    if not steps or steps[0].id != step_id:
        raise CannotUndo(step_id)
    step, later = steps[0], steps[1:]
    if not _subjects(step) or any(_subjects(other) & _subjects(step) for other in later):
        raise CannotUndo(step_id)
    if step.hand_id:
        hand = session.get(Hand, step.hand_id)
        if hand is None:
            raise CannotUndo(step_id)
        _put_back(session, hand, step.before)
    else:
        _put_columns_back(session, match, step)
        try:
            rules_of(match)
        except UnreadableRecord as error:
            raise CannotUndo(step_id) from error
    step.undone_by = device
    match.version += 1
    return step.hand_id


def _put_columns_back(session: Session, match: Match, step: Step) -> None:
    """Put the columns of a match back to how they were before a step. What was noted since of the
    set of tiles stays.
    """
    of_tiles = match.pieces == Pieces.TILES
    former = session.get(OwnSet, match.tile_set_id) if of_tiles and match.tile_set_id else None
    options = match.options
    for name, value in step.before.items():
        setattr(match, name, value)
    if former is not None and step.kind == StepKind.TILES and "options" not in step.before:
        match.options = _without_notes(options, former, step)
    if match.tile_set_id is not None and not _OF_SET.isdisjoint(step.before):
        _update_set(session, match)
        if step.kind == StepKind.RULES and "pieces" not in step.before:
            has_set = match.tile_set_id is not None
            match.options = with_comodines_of(match.options, _comodines(step, options, has_set))


def _without_notes(options: Json, own: OwnSet, step: Step) -> Json:
    """Return the options of a match without what was noted of the set `own` since the `step` that
    chose it, which changed no option. A number of comodines that the match had then stays, though
    the set may have as many.
    """
    left = options_with(options, {}, own.copies)
    then = step.after.get("options")  # missing in steps of earlier versions
    is_as_then = then is not None and with_comodines_of(options, then) == options
    return with_comodines_of(left, options) if is_as_then else left


def _comodines(step: Step, options: Json, has_set: bool) -> Json:
    """Return the options of a match whose number of comodines holds once a step of it is undone.
    `options` are those until now, and `has_set` says whether its set of tiles is still there.

    These are the options before the step, unless the number has changed after the step too: then
    it was noted of the set, and holds for all matches of the set.
    """
    noted_since = with_comodines_of(options, step.after["options"]) != options
    return options if noted_since or not has_set else step.before["options"]


def _update_set(session: Session, match: Match) -> None:
    """Bring a match up to date with its set of tiles, after an undone step has put old values back
    into the match. The match gets the numbers of copies that the set has now, and no set where its
    set has been forgotten since.
    """
    own = session.get(OwnSet, match.tile_set_id)
    if own is None:
        match.tile_set_id = None
    copies = own.copies if own and match.pieces == Pieces.TILES else {}
    match.options = options_with(match.options, copies)


def _put_back(session: Session, hand: Hand, before: Json) -> None:
    """Put a hand back to how it was before a step. A correction of the hand that is not saved yet
    stays, and so do the areas of its photographs then. A photograph of that record that was removed
    since belongs to the hand again, though its file is deleted.

    `before` holds the hand's `record` and `state` of that time. Where that `record` is None, the
    hand had not been saved. Such a hand leaves the tally, but keeps its present record and its
    photographs. A photograph whose tiles were saved by the step alone can be read again.
    """
    if before["record"] is None:
        hand.state = HandState.EXCLUDED
    else:
        undone = hand.record
        hand.record, hand.state = before["record"], before["state"]
        if hand.draft is None:
            bring_back_shown(session, hand)
            put_photos_back(session, hand)
            _set_photos_aside(session, hand, undone)
    hand.version += 1


def put_photos_back(session: Session, hand: Hand) -> None:
    """Give each photograph that was moved for a correction of a saved hand back to the area in
    which the saved record has its tiles. A reading of such a photograph that was ordered since
    counts no more, whether it failed or is still to come: then it loses its lease. Nothing is done
    where that record cannot be read.
    """
    with suppress(UnreadableRecord):
        saved = Record.from_json(hand.record)
        shown = saved.photos()
        for photo in photos_of(session, hand.id):
            side: SideName = "A" if photo.side == "A" else "B"
            photo.side, photo.place = area_of_photo(saved, photo.id, (side, Place(photo.place)))
            if photo.id in shown and photo.state != PhotoState.READ:
                photo.state, photo.problem = PhotoState.READ, None
                photo.lease, photo.attempts = None, 0


def _set_photos_aside(session: Session, hand: Hand, undone: Json | None) -> None:
    """Mark the photographs that show tiles of the record `undone` and none of the hand's present
    record: their tiles count nowhere until they are read again. Nothing is done where one of the
    two records cannot be read.
    """
    with suppress(UnreadableRecord):
        alone = Record.from_json(undone).photos() - Record.from_json(hand.record).photos()
        for photo in photos_of(session, hand.id):
            if photo.id in alone and photo.state == PhotoState.READ:
                photo.state, photo.problem = PhotoState.FAILED, SET_ASIDE


def _subjects(step: Step) -> set[str]:
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
