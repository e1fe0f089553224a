"""Watching the table: the page, the frames its camera sends, the server's cameras, and what a
person orders.
"""

from __future__ import annotations

from typing import Annotated, cast

import msgspec
from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    jsonify,
    render_template,
    request,
    url_for,
)
from msgspec import Meta

from scorer_app.hand.fields import EditRefused, Refusal, read_sent
from scorer_app.services.photos import open_frame
from scorer_app.watch.cameras import LONGEST_ADDRESS, source_name, typed_source
from scorer_app.watch.commands import read_order
from scorer_app.watch.hand_over import hand_over
from scorer_app.watch.tables import LiveRefused, LiveTrouble
from scorer_app.web.pages.api import body
from scorer_app.web.pages.context import chosen_set, config, intake, matches
from scorer_app.web.pages.live_view import state_of, watches
from scorer_app.web.roles import RateLimiter, is_host, scorers_only
from scorer_app.web.security import takes_up_to

pages = Blueprint("live", __name__)
FRAME_PATIENCE = 0.5  # seconds: somebody may be asking for the state just now


class Camera(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A camera of the server: by its number among those the server was started with, counted from
    0, or by the address that the host types.
    """

    named: Annotated[int, Meta(ge=0)] | None = None
    source: Annotated[str, Meta(max_length=LONGEST_ADDRESS)] | None = None


@pages.get("/matches/<match_id>/table")
@scorers_only
def show(match_id: str) -> str:
    names = [source_name(source) for source in config().cameras]
    return render_template("table.html", tally=matches().tally(match_id), cameras=names)


@pages.post("/api/live/<match_id>/frame")
@scorers_only
@takes_up_to("frame_bytes")
def frame(match_id: str) -> Response:
    """The body is a JPEG. Query: `camera`, a name the page gives itself; `version` and `event`,
    what it has been told.
    """
    if not cast(RateLimiter, current_app.extensions["frame_limiter"]).allow(
        request.remote_addr or ""
    ):
        abort(429)
    tally = matches().tally(match_id)
    camera = f"page {request.args.get('camera', '')[:40]}"
    watches().expect_frame(match_id, camera)  # before it is decoded
    picture = open_frame(request.get_data(cache=False), config().frame_pixels)
    watch = watches().begin(match_id, tally.rules.rules, chosen_set(tally))
    if not watch.lock.acquire(
        timeout=FRAME_PATIENCE
    ):  # frames are not queued: the next one says more
        abort(429)
    try:
        watch.see(picture, camera, watches().clock())
        return state_of(watch)
    finally:
        watch.lock.release()


@pages.post("/api/live/<match_id>/camera")
@scorers_only
def start_camera(match_id: str) -> Response:
    """Body `{"named": N}`, one of those the server was started with, or from the host alone
    `{"source": TEXT}`.
    """
    tally, wanted = matches().tally(match_id), read_sent(Camera, body())
    source, chosen = _source(wanted), chosen_set(tally)
    watch = watches().watch_with(match_id, tally.rules.rules, source, chosen)
    with watch.lock:
        return state_of(watch)


@pages.delete("/api/live/<match_id>/camera")
@scorers_only
def stop_camera(match_id: str) -> Response:
    matches().tally(match_id)
    watch = watches().of(match_id)
    with watch.lock:
        watch.rest()
        return state_of(watch)


@pages.post("/api/live/<match_id>/orders")
@scorers_only
def order(match_id: str) -> Response:
    matches().tally(match_id)
    wanted, watch = read_order(body()), watches().of(match_id)
    with watch.lock:
        watch.order(wanted)
        return state_of(watch)


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


def _source(wanted: Camera) -> str:
    """What a person may make this machine connect to: what it was started with, or what its host
    types at its own screen.
    """
    cameras = config().cameras
    if wanted.named is not None:
        if wanted.named >= len(cameras):
            raise EditRefused(Refusal.NOT_THERE, "a camera the server was started with")
        return cameras[wanted.named]
    if not is_host():
        abort(403, "host_only")
    source = typed_source(wanted.source)
    if source is None:
        raise LiveRefused(LiveTrouble.BAD_SOURCE)
    return source
