"""A match: its tally, its hands, its rules."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, url_for
from werkzeug import Response

from scorer_app.pages.context import hands, matches
from scorer_app.security import scorers_only

pages = Blueprint("matches", __name__, url_prefix="/matches")


@pages.get("/<match_id>")
@scorers_only
def show(match_id: str) -> str:
    return render_template("match.html", tally=matches().tally(match_id))


@pages.post("/<match_id>/hands")
@scorers_only
def new_hand(match_id: str) -> Response:
    return redirect(url_for("hands.edit", hand_id=hands().begin(match_id)), 303)
