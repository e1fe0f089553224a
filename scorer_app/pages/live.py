"""Watching the table: the page, the frames its camera sends, and what a person orders."""

from __future__ import annotations

from typing import cast

from flask import Blueprint, Response, abort, current_app, jsonify, render_template, request, url_for

from scorer_app.hand_over import hand_over
from scorer_app.pages.api import body
from scorer_app.pages.context import config, intake, language, matches
from scorer_app.photos import open_frame
from scorer_app.security import RateLimiter, scorers_only
from scorer_app.watching import LiveRefused, LiveTrouble, TableWatch, Watches

pages = Blueprint("live", __name__)


@pages.get("/matches/<match_id>/table")
@scorers_only
def show(match_id: str) -> str:
    return render_template("table.html", tally=matches().tally(match_id))


@pages.post("/api/live/<match_id>/frame")
@scorers_only
def frame(match_id: str) -> Response:
    """The body is a JPEG. Query: `camera`, a name the page gives itself; `version` and `event`, what it has been told."""
    if not cast(RateLimiter, current_app.extensions["frame_limiter"]).allow(request.remote_addr or ""):
        abort(429)
    tally = matches().tally(match_id)
    request.max_content_length = config().frame_bytes
    picture = open_frame(request.get_data(cache=False), config().frame_pixels)
    watch = watches().begin(match_id, tally.rules.rules)
    if not watch.lock.acquire(blocking=False):  # frames are never queued: the next one says more
        abort(429)
    try:
        watch.see(picture, request.args.get("camera", "")[:40], watches().clock())
        return jsonify(_state(watch))
    finally:
        watch.lock.release()


@pages.post("/api/live/<match_id>/orders")
@scorers_only
def order(match_id: str) -> Response:
    matches().tally(match_id)
    operation, watch = body(), watches().of(match_id)
    with watch.lock:
        watch.order(operation)
        return jsonify(_state(watch))


@pages.post("/api/live/<match_id>/hand-over")
@scorers_only
def to_scoring(match_id: str) -> Response:
    matches().tally(match_id)
    watch = watches().of(match_id)
    with watch.lock:
        table, picture = watch.watch.table, watch.picture
    if table is None or picture is None or not table.melds:
        raise LiveRefused(LiveTrouble.NO_TABLE)
    hand_id = hand_over(intake(), match_id, table, picture)
    return jsonify(hand=hand_id, url=url_for("hands.edit", hand_id=hand_id))


def watches() -> Watches:
    return cast(Watches, current_app.extensions["watches"])


def _state(watch: TableWatch) -> dict[str, object]:
    return watch.to_json(language(), request.args.get("version", -1, int), request.args.get("event", 0, int))
