"""The screen on which a hand is scored, and the photographs it shows."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, render_template, request, send_file, url_for
from jinja2.utils import htmlsafe_json_dumps
from werkzeug import Response

from scorer_app.services.hands import find_hand
from scorer_app.web.pages.context import config, hand_view, hands, intake, matches, store
from scorer_app.web.security import scorers_only

pages = Blueprint("hands", __name__)
FORM_ROOM = 4096  # what a form adds to the file it carries


@pages.get("/hands/<hand_id>")
@scorers_only
def edit(hand_id: str) -> str:
    view, text = hand_view().with_text(hand_id)
    tally, limit = matches().tally(view["match"]), config().upload_bytes - FORM_ROOM
    for_script = htmlsafe_json_dumps(
        text, dumps=str
    )  # as `tojson` writes it, but for what is written already
    return render_template(
        "hand.html", view=view, view_json=for_script, tally=tally, upload_limit=limit
    )


@pages.post("/hands/<hand_id>/undone")
@scorers_only
def set_undone(hand_id: str) -> Response:
    """Takes a hand out of the tally, or puts it back; a draft is thrown away."""
    match_id = _match_of(hand_id)
    hands().set_undone(hand_id, request.form.get("undone") == "yes")
    return redirect(url_for("matches.show", match_id=match_id), 303)


@pages.post("/hands/<hand_id>/drop")
@scorers_only
def drop(hand_id: str) -> Response:
    """Gives up the changes to a saved hand."""
    hands().drop_draft(hand_id)
    return redirect(url_for("matches.show", match_id=_match_of(hand_id)), 303)


@pages.get("/photos/<photo_id>.jpg")
@scorers_only
def photo(photo_id: str) -> Response:
    path = intake().file(photo_id)
    if path is None:
        abort(404)
    response = send_file(path, mimetype="image/jpeg", conditional=True)
    response.headers["Cache-Control"] = "private, max-age=86400, immutable"
    return response


def _match_of(hand_id: str) -> str:
    with store().reading() as session:
        return find_hand(session, hand_id).match_id
