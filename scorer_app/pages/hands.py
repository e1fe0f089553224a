"""The screen on which a hand is scored, and the photographs it shows."""

from __future__ import annotations

from flask import Blueprint, abort, render_template, send_file
from werkzeug import Response

from scorer_app.hands import find_hand
from scorer_app.pages.context import hand_view, intake, matches, store
from scorer_app.security import scorers_only

pages = Blueprint("hands", __name__)


@pages.get("/hands/<hand_id>")
@scorers_only
def edit(hand_id: str) -> str:
    with store().reading() as session:
        match_id = find_hand(session, hand_id).match_id
    return render_template("hand.html", view=hand_view().of(hand_id), tally=matches().tally(match_id))


@pages.get("/photos/<photo_id>.jpg")
@scorers_only
def photo(photo_id: str) -> Response:
    path = intake().file(photo_id)
    if path is None:
        abort(404)
    response = send_file(path, mimetype="image/jpeg", conditional=True)
    response.headers["Cache-Control"] = "private, max-age=86400, immutable"
    return response
