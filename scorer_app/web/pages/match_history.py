"""The history of a match with steps to undo, the archive, and hands whose totals people counted
themselves.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from flask import Blueprint, abort, make_response, redirect, render_template, request, url_for
from werkzeug import Response as AnyResponse

from engine.sides import SIDES, SideName
from scorer_app.hand.counted import COUNTED_PARTS, Counted, counted_points
from scorer_app.hand.record import MAX_POINTS, Record
from scorer_app.services.hand_rows import Overtaken
from scorer_app.services.next_hand import AlreadyCounted, NextHand, NextHandTaken
from scorer_app.services.steps import StepKind, steps_of
from scorer_app.services.tally import HandLine
from scorer_app.services.undoing import CannotUndo
from scorer_app.store.tables import token
from scorer_app.web.devices import device_name
from scorer_app.web.forms import points_written, read_form_id
from scorer_app.web.pages.context import hands, intake, matches, say, side_names, signed, store
from scorer_app.web.roles import scorers_only
from scorer_app.web.step_sentences import step_details, step_sentence

pages = Blueprint("match_history", __name__, url_prefix="/matches")


@pages.get("/<match_id>/history")
@scorers_only
def show(match_id: str) -> str:
    """Show the steps by which devices changed a match, with a button for each one that can be
    undone.
    """
    tally = matches().tally(match_id)
    sides = {str(side): name for side, name in side_names(tally.match).items()}
    players = tally.match.players
    steps = [
        (step, step_sentence(step, sides, say), [*step_details(step, sides, players, say)])
        for step in steps_of(store(), match_id)
    ]
    return render_template("history.html", tally=tally, steps=steps)


@pages.post("/<match_id>/history/<int(max=2147483647):step_id>/undo")
@scorers_only
def undo(match_id: str, step_id: int) -> AnyResponse:
    """Undo a step. The unfinished hand's photographs are read anew where this changes what the
    match is played with. What the match's set of tiles learned from a hand follows the hand.
    """
    before = _played_with(match_id)
    try:
        hand_id = matches().undo(match_id, step_id, device_name())
    except CannotUndo:
        abort(409)
    if hand_id is not None:
        intake().learn_from(hand_id)
    if _played_with(match_id) != before:
        intake().read_anew(match_id)
    return redirect(url_for("match_history.show", match_id=match_id), 303)


def _played_with(match_id: str) -> tuple[str, str | None]:
    match = matches().tally(match_id).match
    return match.pieces, match.tile_set_id


@pages.post("/<match_id>/archive")
@scorers_only
def archive(match_id: str) -> AnyResponse:
    """Archive a match where the field `archived` of the form is "yes"; else bring it back from the
    archive.
    """
    wanted = request.form.get("archived") == "yes"
    matches().change(match_id, StepKind.ARCHIVED, device_name(), archived=wanted)
    target = url_for("home.index") if wanted else url_for("matches.show", match_id=match_id)
    return redirect(target, 303)


@pages.get("/<match_id>/count")
@scorers_only
def ask(match_id: str) -> AnyResponse:
    """Ask for base and puntos of a hand that people counted themselves.

    The form of a new hand has an id, which stands in its address: whoever goes back to a form that
    has saved its hand is led to the match, instead of to a form that the browser fills in again.
    """
    if "hand" in request.args:
        return make_response(_form(match_id, {}, None))
    new_id = read_form_id(request.args.get("new", ""))
    if new_id is None:
        matches().tally(match_id)  # raises NotFound where there is no such match
        return redirect(url_for("match_history.ask", match_id=match_id, new=token()))
    if counted := hands().counted_from(match_id, new_id):
        return _counted_already(match_id, counted)
    return make_response(_form(match_id, {}, None))


@pages.post("/<match_id>/count")
@scorers_only
def count(match_id: str) -> AnyResponse:
    """Save a hand that people counted themselves. With `hand` in the query, that hand is counted
    anew. A form of a new hand that comes again, because its answer was lost or a person went back
    to it, changes nothing; with other points it is shown once more, as the form of another hand.
    So is a form of a new hand that another device has saved or begun since the form was shown.
    """
    hand_id = request.args.get("hand")
    record = matches().records(match_id).get(hand_id or "")
    if hand_id is not None and record is None:
        abort(404)
    try:
        points = {side: _points(side, record) for side in SIDES}
    except WrongPoints as wrong:
        return _again(match_id, "count.wrong", wrong.field)
    if not any(request.form.get(f"{part}_{side}") for side in SIDES for part in COUNTED_PARTS):
        return _again(match_id, "count.empty")
    if record and record.counted and (overtaken := _overtaken(points, record)):
        return _corrected_elsewhere(match_id, overtaken, record)
    new_id = read_form_id(request.form.get("new", ""))
    try:
        if hand_id:
            saved = hand_id
            hands().correct_counted(hand_id, points, device_name(), known=record)
        else:
            shown = _shown_next(request.form)
            saved = hands().save_counted(
                match_id, points, device_name(), new_id=new_id, shown=shown
            )
    except Overtaken:
        return count(match_id)  # compares the form with what the other device has just saved
    except AlreadyCounted as error:
        if _are_points_of(points, matches().records(match_id).get(error.hand_id)):
            return _counted_already(match_id, error.hand_id)
        return _another(match_id, error.hand_id)
    except NextHandTaken as error:
        return _taken(match_id, error.saved, error.now)
    intake().removed.forget(saved)
    return redirect(url_for("matches.show", match_id=match_id), 303)


def _counted_already(match_id: str, hand_id: str) -> AnyResponse:
    """Lead to the match, which says that this hand is counted already and how to correct it."""
    return redirect(url_for("matches.show", match_id=match_id, counted=hand_id), 303)


def _are_points_of(points: Counted, record: Record | None) -> bool:
    counted = counted_points(record) if record else {}
    return all(tuple(counted.get(side, {}).values()) == points[side] for side in SIDES)


def _another(match_id: str, hand_id: str) -> AnyResponse:
    """Show a form that has saved the hand `hand_id` again, with the other points that were filled
    in, as the form of a new hand; the status is 409.
    """
    following = hands().next_hand(match_id)
    line = next(line for line in matches().tally(match_id).lines if line.hand_id == hand_id)
    # Of the hands that others have saved since that one, the page has not told yet.
    shown = {"shown_hand": str(line.position + 1), "shown_draft": following.draft_id or ""}
    values = request.form.to_dict() | {"new": "", **shown}
    page = _form(match_id, values, say("count.another", n=line.position))
    return make_response(page, 409)


def _shown_next(fields: Mapping[str, str]) -> NextHand | None:
    """Return the next hand for which a form of a new hand was shown, from its fields; None where a
    program sends none.
    """
    number = fields.get("shown_hand", "")
    if not re.fullmatch(r"[1-9][0-9]{0,8}", number):
        return None
    return NextHand(int(number), fields.get("shown_draft") or None)


def _taken(match_id: str, saved: Sequence[str], following: NextHand) -> AnyResponse:
    """Show the form of a new hand as it was filled in, as the form of the hand that is the next one
    by now, and tell which hands were saved meanwhile; the status is 409. Where none was, the form
    tells by itself of the hand that was begun.
    """
    lines = {line.hand_id: line for line in matches().tally(match_id).lines}
    told = [_saved_meanwhile(lines[hand_id]) for hand_id in saved if hand_id in lines]
    message = " ".join([*told, say("count.other_hand")]) if saved else None
    values = request.form.to_dict()
    for name in ("shown_hand", "shown_draft"):
        values.pop(name, None)
    return make_response(_form(match_id, values, message, None, following), 409)


def _saved_meanwhile(line: HandLine) -> str:
    if line.excluded:
        return say("count.meanwhile_voided", n=line.position)
    if line.judged is None:
        return say("count.meanwhile_unknown", n=line.position)
    points = {side.lower(): signed(line.score.total(side)) for side in SIDES}
    return say("count.meanwhile", n=line.position, **points)


def _overtaken(points: Counted, record: Record) -> str | None:
    """Return the first field with a number that a person edited in the form and that another device
    has changed since the form was shown; None where both wrote the same or there is no such field.
    """
    now = counted_points(record)
    for side in SIDES:
        for part, sent in zip(COUNTED_PARTS, points[side], strict=True):
            shown = request.form.get(f"shown_{part}_{side}")
            if shown is not None and str(now[side][part]) not in (shown, str(sent)):
                return f"{part}_{side}"
    return None


def _corrected_elsewhere(match_id: str, field: str, record: Record) -> AnyResponse:
    """Show the form of a hand as it is by now, with the numbers that were edited in it. The number
    that another device wrote meanwhile is told at its `field`; the status is 409.
    """
    form = request.form
    values: dict[str, str] = {}
    for name, now in _shown_points(record).items():
        is_edited = name in form and form[name] != form.get(f"shown_{name}")
        values |= {name: form[name] if is_edited else now, f"shown_{name}": now}
    told = say("count.overtaken", points=signed(int(values[f"shown_{field}"])))
    return make_response(_form(match_id, values, told, field), 409)


def _shown_points(record: Record) -> dict[str, str]:
    """Return the fields of the form, by name, as a counted hand fills them in."""
    points = counted_points(record)
    return {f"{part}_{side}": str(points[side][part]) for side in SIDES for part in COUNTED_PARTS}


def _points(side: SideName, record: Record | None) -> tuple[int, int]:
    """Return base and puntos of a side from the form. Of a hand that was counted before, `record`,
    only a number that was edited in the form is new, so that two phones can correct one each.
    Raises WrongPoints for a text that is no possible number.
    """
    form, points = request.form, []
    for part in COUNTED_PARTS:
        name = f"{part}_{side}"
        is_unedited = name in form and form[name] == form.get(f"shown_{name}")
        if record and record.counted and is_unedited:
            points.append(counted_points(record)[side][part])
        else:
            points.append(_points_in(name))
    return points[0], points[1]


class WrongPoints(ValueError):
    """A field of the form that holds no possible number; `field` is its name."""

    def __init__(self, field: str) -> None:
        super().__init__(f"{field}: expected points up to {MAX_POINTS}")
        self.field = field


def _points_in(field: str) -> int:
    """Return the points in a field of the form. Raises WrongPoints."""
    try:
        points = points_written(request.form.get(field, ""))
    except ValueError as error:
        raise WrongPoints(field) from error
    if abs(points) > MAX_POINTS:
        raise WrongPoints(field)
    return points


def _again(match_id: str, wrong: str, field: str | None = None) -> AnyResponse:
    """Show the form again as it was filled in, with the sentence `wrong` in the field of that name
    or, without one, above the form; the status is 422.
    """
    page = _form(match_id, request.form.to_dict(), say(wrong), field)
    return make_response(page, 422)


def _form(
    match_id: str,
    values: dict[str, str],
    message: str | None,
    wrong_field: str | None = None,
    taken: NextHand | None = None,
) -> str:
    """Make the page with the form. After a form of a new hand that came too late, `taken` is the
    hand that is the next one by now.
    """
    following = taken or hands().next_hand(match_id)
    tally, hand_id = matches().tally(match_id), request.args.get("hand")
    record = matches().records(match_id).get(hand_id or "")
    if hand_id and record is None:
        abort(404)
    if record and not values:
        points = _shown_points(record)
        values = points | {f"shown_{name}": now for name, now in points.items()}
    line = next((line for line in tally.lines if line.hand_id == hand_id), None)
    new_id = read_form_id(values.get("new", request.args.get("new", ""))) or token()
    return render_template(
        "count.html",
        tally=tally,
        hand_id=hand_id,
        line=line,
        new_id=new_id,
        following=following,
        shown=_shown_next(values) or following,
        was_refused=taken is not None,
        values=values,
        message=message,
        wrong_field=wrong_field,
    )
