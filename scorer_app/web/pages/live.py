"""The page of a watched table: the frames that its camera sends, the server's cameras, and the
orders that people give.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec
from flask import (
    Blueprint,
    Response,
    abort,
    jsonify,
    render_template,
    request,
    url_for,
)
from msgspec import Meta

from engine.pieces import Pieces
from scorer_app.hand.fields import EditRefused, Refusal, read_sent, without_controls
from scorer_app.services.photo_headers import open_frame
from scorer_app.services.tally import Tally
from scorer_app.watch.cameras import LONGEST_ADDRESS, source_name, typed_source
from scorer_app.watch.commands import read_order
from scorer_app.watch.hand_over import hand_over
from scorer_app.watch.refusals import LiveRefused, LiveTrouble
from scorer_app.watch.table_watch import TableWatch
from scorer_app.web.pages.api import body
from scorer_app.web.pages.context import chosen_set, config, intake, matches
from scorer_app.web.pages.live_view import state_of, watches
from scorer_app.web.parts import parts
from scorer_app.web.roles import is_host, scorers_only
from scorer_app.web.security import takes_up_to
from scorer_app.web.tenancy import is_public

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

pages = Blueprint("live", __name__)
FRAME_PATIENCE = 0.5  # seconds to wait for the watch, while somebody asks it for its state


class Camera(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A camera on the server: `named` is its number among those that the server was started with,
    counted from 0. Where `named` is None, `source` is the number of a camera of the machine or the
    address of a stream. Only the host, who decides about the server, may send a `source`.
    """

    named: Annotated[int, Meta(ge=0)] | None = None
    source: Annotated[str, Meta(max_length=LONGEST_ADDRESS)] | None = None


@pages.get("/matches/<match_id>/table")
@scorers_only
def show(match_id: str) -> str:
    """Show the watched table of a match."""
    tally = matches().tally(match_id)
    if tally.rules.pieces is Pieces.CARDS:
        return render_template("table_of_cards.html", tally=tally)
    cameras = () if is_public() else config().cameras  # which are the house's own
    names = [source_name(source) for source in cameras]
    return render_template("table.html", tally=tally, cameras=names)


def _watchable(match_id: str) -> Tally:
    """Return the tally of a match whose table may be watched. Raises LiveRefused for a match of
    cards.
    """
    tally = matches().tally(match_id)
    if tally.rules.pieces is Pieces.CARDS:
        raise LiveRefused(LiveTrouble.CARDS)
    return tally


@pages.post("/api/live/<match_id>/frame")
@scorers_only
@takes_up_to("frame_bytes")
def frame(match_id: str) -> Response:
    """Take in one frame of the watched table, a JPEG, and answer with what is new.

    The query has `camera`, a name that the page gives itself, and what the page knows already: the
    name of the `watch`, the `version` of the table, and the number of the last `event`.

    With `known`, the name of the camera's previous frame, the JPEG holds only the part of the frame
    that has changed, whose upper left corner lies at the pixel `left`, `top`. An empty body then
    says that nothing has changed.
    """
    if not parts().frame_limiter.allow(request.remote_addr or ""):
        abort(429)
    tally = _watchable(match_id)
    camera = f"page {without_controls(request.args.get('camera', ''))[:40]}"
    watches().expect_frame(match_id, camera)  # before it is decoded
    known, data = request.args.get("known"), request.get_data(cache=False)
    sent = None if known and not data else open_frame(data, config().frame_pixels)
    watch = watches().begin(
        match_id, tally.rules.rules, chosen_set(tally), hand=tally.next_position
    )
    # Frames are not queued: the next one is newer.
    if not watch.lock.acquire(timeout=FRAME_PATIENCE):
        abort(429)
    try:
        watch.see(_whole(watch, camera, known, sent), camera, watches().clock())
        return state_of(watch)
    finally:
        watch.lock.release()


def _whole(
    watch: TableWatch, camera: str, known: str | None, sent: NDArray[np.uint8] | None
) -> NDArray[np.uint8]:
    """Return the whole frame, (h, w, 3) RGB.

    Where `known` is None, `sent` is the whole frame. Otherwise `known` is the name of an earlier
    frame, and `sent` is the part that has changed since then, None where nothing has; `left` and
    `top` of the query say where in the frame that part lies. Raises LiveRefused where `known` does
    not name the latest frame.
    """
    if sent is not None and known is None:
        return sent
    left, top = (request.args.get(name, 0, int) for name in ("left", "top"))
    return watch.completed(camera, known or "", sent, left, top)


@pages.post("/api/live/<match_id>/camera")
@scorers_only
def start_camera(match_id: str) -> Response:
    """Let a camera on the server watch the table, and answer with what is new.

    The body of the request names the camera: `{"named": N}` is one of the cameras that the server
    was started with, counted from 0. Only the host (`scorer_app.web.roles`) may send
    `{"source": TEXT}` instead, the address of another camera.
    """
    tally, wanted = _watchable(match_id), read_sent(Camera, body())
    source, chosen = _source(wanted), chosen_set(tally)
    watch = watches().watch_with(
        match_id, tally.rules.rules, source, chosen, hand=tally.next_position
    )
    with watch.lock:
        return state_of(watch)


@pages.delete("/api/live/<match_id>/camera")
@scorers_only
def stop_camera(match_id: str) -> Response:
    """Stop the server's camera, and answer as `state_of` does with what is new about the table."""
    matches().tally(match_id)
    watch = watches().of(match_id)
    with watch.lock:
        watch.rest()
        return state_of(watch)


@pages.post("/api/live/<match_id>/orders")
@scorers_only
def order(match_id: str) -> Response:
    """Carry out an order that a person gives about the watched table, and answer with what is new.
    The body is the order, `{"op": NAME, ...}`. The query names the `watch` and the `version` of the
    table that the person saw.
    """
    matches().tally(match_id)
    wanted, watch = read_order(body()), watches().of(match_id)
    with watch.lock:
        watch.order(wanted, watches().clock(), _version_seen(watch))
        return state_of(watch)


def _version_seen(watch: TableWatch) -> int | None:
    """Return the version of the table that the query names: -1 where it names another watch than
    this one, None where it names no version.
    """
    if request.args.get("watch", watch.name) != watch.name:
        return -1
    return request.args.get("version", type=int)


@pages.post("/api/live/<match_id>/hand-over")
@scorers_only
def to_scoring(match_id: str) -> Response:
    """Make the melds of the watched table the melds of the match's hand, and answer with the hand's
    id and the address of its page. Where melds handed over before would go, the query has to say
    `replace=yes`.
    """
    _watchable(match_id)
    watch = watches().of(match_id)
    with watch.lock:
        table, picture = watch.watch.table, watch.picture
    if table is None or picture is None or not table.melds:
        raise LiveRefused(LiveTrouble.NO_TABLE)
    replaces = request.args.get("replace") == "yes"
    hand_id = hand_over(intake(), match_id, table, picture, replaces=replaces)
    return jsonify(hand=hand_id, url=url_for("hands.edit", hand_id=hand_id))


def _source(wanted: Camera) -> str:
    """Return the source to connect to: a camera that the server was started with, or one that the
    host types.

    Raises EditRefused where the server was not started with that camera, and LiveRefused where the
    typed text is no source of a camera. Aborts with 403 where anybody but the host types one.
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
