"""The JSON API behind the scoring screen. Everything that changes a hand answers with the hand as
it now is.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, jsonify, make_response, request

from scorer_app.hand.fields import EditRefused, Refusal, key_of
from scorer_app.services.event_bus import EventStream, table_topic
from scorer_app.services.hands import KeyedEdit
from scorer_app.web.pages.context import hand_view, hands, intake, matches, news, upload_limiter
from scorer_app.web.security import csrf_token, is_host, may_write, scorers_only, takes_up_to

pages = Blueprint("api", __name__, url_prefix="/api")
MOST_EDITS = 100


@pages.get("/session")
def session_facts() -> Response:
    """What a program needs before it writes."""
    return jsonify(csrf=csrf_token(), scorer=may_write(), host=is_host())


@pages.get("/hands/<hand_id>")
@scorers_only
def hand(hand_id: str) -> Response:
    return Response(hand_view().text(hand_id), mimetype="application/json")


@pages.post("/hands/<hand_id>/edits")
@scorers_only
def edit(hand_id: str) -> Response:
    """Body `{"edits": [{"key": NAME, "op": ...}, ...]}`: all are applied or none."""
    entries = body().get("edits")
    if not isinstance(entries, list) or not 0 < len(entries) <= MOST_EDITS:
        raise EditRefused(Refusal.BAD_VALUE, f"edits, a list of 1 to {MOST_EDITS}", entries)
    hands().edit(hand_id, [_keyed(entry) for entry in entries])
    return hand(hand_id)


@pages.post("/hands/<hand_id>/step-back")
@scorers_only
def step_back(hand_id: str) -> Response:
    hands().step_back(hand_id)
    return hand(hand_id)


@pages.post("/hands/<hand_id>/save")
@scorers_only
def save(hand_id: str) -> Response:
    """Mere doubts stand in the way too, unless the body says `{"with_doubts": true}`: no guess
    becomes a fact unnoticed. Nor does what another device changed since the person looked,
    where the body says at which `version`.
    """
    view, sent = hand_view().of(hand_id), request.get_json(silent=True)
    said = sent if isinstance(sent, dict) else {}
    seen, with_doubts = said.get("version", view["version"]), said.get("with_doubts") is True
    if seen != view["version"]:
        raise EditRefused(
            Refusal.CHANGED, f"version {view['version']}, the hand as it now is", seen
        )
    if not view["ready"] or (view["questions"] and not with_doubts):
        raise EditRefused(
            Refusal.OPEN_QUESTIONS,
            "a hand without open questions",
            [asked["text"] for asked in view["questions"]],
        )
    hands().save(hand_id, seen=view["version"])
    return hand(hand_id)


@pages.post("/hands/<hand_id>/photos")
@scorers_only
@takes_up_to("upload_bytes")
def add_photo(hand_id: str) -> Response:
    """Multipart: `photo` (the file), `side` A or B, `place` melds or rack, and, if it may be sent
    again, a `key` of the sender's own: the same key twice is the same photograph. 202: read in
    the background.
    """
    if not upload_limiter().allow(request.remote_addr or ""):
        abort(429)
    sent = request.files.get("photo")
    if sent is None:
        raise EditRefused(Refusal.BAD_VALUE, "photo, a file", None)
    form = request.form
    intake().receive(
        hand_id, form.get("side", ""), form.get("place", ""), sent.read(), form.get("key")
    )
    return make_response(hand(hand_id), 202)


@pages.delete("/hands/<hand_id>/photos/<photo_id>")
@scorers_only
def remove_photo(hand_id: str, photo_id: str) -> Response:
    intake().remove(hand_id, photo_id)
    return hand(hand_id)


@pages.post("/hands/<hand_id>/photos/<photo_id>/read")
@scorers_only
def read_again(hand_id: str, photo_id: str) -> Response:
    if not upload_limiter().allow(request.remote_addr or ""):
        abort(429)
    if photo_id not in {photo["id"] for photo in hand_view().of(hand_id)["photos"]}:
        abort(404)
    intake().read_again(photo_id)
    return make_response(hand(hand_id), 202)


@pages.get("/hands/<hand_id>/events")
@scorers_only
def hand_events(hand_id: str) -> Response:
    hand_view().of(hand_id)
    return event_stream(news().stream(hand_id, device=request.remote_addr or ""))


@pages.get("/matches/<match_id>/events")
@scorers_only
def match_events(match_id: str) -> Response:
    matches().tally(match_id)
    return match_stream(match_id)


def match_stream(match_id: str) -> Response:
    """News of the match and of its watched table."""
    device = request.remote_addr or ""
    return event_stream(news().stream(match_id, device=device, table=table_topic(match_id)))


def event_stream(events: EventStream) -> Response:
    """Handed on as it is: the server follows it without holding a thread."""
    response = Response(events, mimetype="text/event-stream", direct_passthrough=True)
    response.headers["X-Accel-Buffering"] = "no"
    return response


def body() -> dict[str, Any]:
    data = request.get_json(silent=True)
    if not isinstance(data, dict):
        raise EditRefused(Refusal.BAD_VALUE, "a JSON object", request.get_data(cache=True)[:40])
    return data


def _keyed(entry: object) -> KeyedEdit:
    if not isinstance(entry, dict):
        raise EditRefused(Refusal.BAD_VALUE, "an edit, an object with key and op", entry)
    return KeyedEdit(
        key_of(entry.get("key")), {name: value for name, value in entry.items() if name != "key"}
    )
