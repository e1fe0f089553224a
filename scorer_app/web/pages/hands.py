"""The screen on which a hand is scored, and the photographs that it shows."""

from __future__ import annotations

import logging
from io import BytesIO

from flask import (
    Blueprint,
    abort,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    send_file,
    url_for,
)
from jinja2.utils import htmlsafe_json_dumps
from werkzeug import Response

from scorer_app.hand.record import Trouble, UnreadableRecord
from scorer_app.services.hand_rows import find_hand
from scorer_app.services.unreadable import delete_hand, hand_as_stored, is_readable
from scorer_app.web.devices import device_name
from scorer_app.web.own_match import note_opened
from scorer_app.web.pages.context import (
    config,
    event_bus,
    hand_view,
    hands,
    intake,
    matches,
    say,
    store,
)
from scorer_app.web.roles import scorers_only

pages = Blueprint("hands", __name__)
log = logging.getLogger(__name__)
FORM_ROOM = 4096  # bytes that a form adds to the file it carries


@pages.get("/hands/<hand_id>")
@scorers_only
def edit(hand_id: str) -> str | Response:
    """Show a hand or, if it cannot be shown, why not and what can be done about it.

    A hand that people counted themselves has a page of its own.
    """
    try:
        view, text = hand_view().with_text(hand_id)
    except UnreadableRecord as error:
        log.warning("hand %s: %s", hand_id, error)
        return make_response(_unreadable(hand_id, error.trouble), 409)
    tally, limit = matches().tally(view["match"]), config().upload_bytes - FORM_ROOM
    if tally.was_counted(hand_id):
        where = url_for("match_history.ask", match_id=tally.match.id, hand=hand_id)
        return make_response(redirect(where))
    note_opened(tally.match)
    # The template's filter `tojson` would encode the text once more.
    for_script = htmlsafe_json_dumps(text, dumps=str)
    return render_template(
        "hand.html", view=view, view_json=for_script, tally=tally, upload_limit=limit
    )


def _unreadable(hand_id: str, trouble: Trouble) -> str:
    """Make the page about a hand that cannot be shown.

    A hand that is damaged as saved can be deleted; one whose correction is damaged can go back to
    how it was saved. What a newer version wrote is left alone.
    """
    with store().reading() as session:
        stored = hand_as_stored(session, hand_id)
        readable = is_readable(session, hand_id)
    remedy = None if trouble is Trouble.NEWER else "drop" if readable else "delete"
    return render_template(
        "unreadable.html",
        title=say("match.hand_n", n=stored["position"]),
        message=say(f"error.{trouble}"),
        export_url=url_for("hands.as_stored", hand_id=hand_id),
        back_url=url_for("matches.show", match_id=stored["match"]),
        remedy=remedy,
        remedy_url=remedy and url_for(f"hands.{remedy}", hand_id=hand_id),
    )


@pages.get("/hands/<hand_id>/export.json")
@scorers_only
def as_stored(hand_id: str) -> Response:
    """Send a hand exactly as the database holds it, as JSON. The texts of its record and of its
    draft, the version not yet saved, are strings in the JSON, since they may be invalid.
    """
    with store().reading() as session:
        response = jsonify(hand_as_stored(session, hand_id))
    response.headers["Content-Disposition"] = 'attachment; filename="burako-hand.json"'
    return response


@pages.post("/hands/<hand_id>/delete")
@scorers_only
def delete(hand_id: str) -> Response:
    """Delete a hand that cannot be shown, with its photographs."""
    match_id, photos = delete_hand(store(), hand_id)
    for photo_id in photos:
        intake().files.erase(photo_id)
    event_bus().tell(hand_id, match_id)
    return redirect(url_for("matches.show", match_id=match_id), 303)


@pages.post("/hands/<hand_id>/undone")
@scorers_only
def set_excluded(hand_id: str) -> Response:
    """Throw away a hand that was never saved if the form's `undone` is "discarded". Take a hand out
    of the tally if it is "yes", else put it back. The match's set of tiles learns from a hand that
    is put back, since it may have been corrected while it was out.
    """
    match_id = _match_of(hand_id)
    if request.form.get("undone") == "discarded":
        hands().discard(hand_id)
    else:
        hands().set_excluded(hand_id, request.form.get("undone") == "yes", device_name())
    intake().removed.forget(hand_id)
    intake().learn_from(hand_id)
    return redirect(url_for("matches.show", match_id=match_id), 303)


@pages.post("/hands/<hand_id>/drop")
@scorers_only
def drop(hand_id: str) -> Response:
    """Discard the unsaved corrections of a saved hand, and the photographs that came for them."""
    for photo_id in hands().drop_draft(hand_id):
        intake().files.erase(photo_id)
    return redirect(url_for("matches.show", match_id=_match_of(hand_id)), 303)


@pages.get("/photos/<photo_id>.jpg")
@scorers_only
def photo(photo_id: str) -> Response:
    """Send the upright JPEG of a photograph."""
    picture = intake().picture(photo_id)
    if picture is None:
        abort(404)
    file = BytesIO(picture) if isinstance(picture, bytes) else picture
    response = send_file(file, mimetype="image/jpeg", conditional=True)
    response.headers["Cache-Control"] = "private, max-age=86400, immutable"
    return response


def _match_of(hand_id: str) -> str:
    with store().reading() as session:
        return find_hand(session, hand_id).match_id
