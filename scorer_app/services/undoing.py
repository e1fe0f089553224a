"""Undoes a step of a match: puts back the columns of the match, or the hand, that it changed."""

from __future__ import annotations

from contextlib import suppress

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.pieces import Pieces
from engine.sides import SideName
from scorer_app.hand.misplaced import area_of_photo
from scorer_app.hand.record import Place, Record, UnreadableRecord
from scorer_app.services.draft_photos import bring_back_shown
from scorer_app.services.hand_rows import photos_of, rules_of
from scorer_app.services.reading_queue import SET_ASIDE
from scorer_app.services.set_values import options_with, with_comodines_of
from scorer_app.services.steps import StepKind, subjects_of
from scorer_app.store import Hand, HandState, Match, OwnSet, PhotoState, Step
from scorer_app.store.tables import Json

# Columns of a match that its set of tiles changes, or that say whether it has one in use.
_OF_SET = frozenset({"options", "tile_set_id", "pieces"})


class CannotUndo(Exception):
    """A step cannot be undone: no step has that id, it is undone already, a later step changed
    the same thing, or the match could not be played by the rules that it would then have.
    """


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
    if not subjects_of(step) or any(subjects_of(other) & subjects_of(step) for other in later):
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
