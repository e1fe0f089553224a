"""The JSON API behind the scoring screen. Each address that changes a hand answers with the whole
hand.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from flask import Blueprint, Response, abort, jsonify, make_response, request
from msgspec import Meta

from engine.sides import SideName
from scorer_app.hand.edits import read_edit
from scorer_app.hand.fields import (
    EditRefused,
    Refusal,
    Wrong,
    key_in_log,
    key_of,
    missing,
    read_sent,
)
from scorer_app.hand.record import Place
from scorer_app.services.event_bus import EventStream, links_topic, table_topic
from scorer_app.services.hand_log import KeyedOperation
from scorer_app.web.devices import device_id, device_name
from scorer_app.web.pages.context import (
    event_bus,
    hand_view,
    hands,
    intake,
    matches,
    upload_limiter,
)
from scorer_app.web.roles import is_host, may_write, scorers_only
from scorer_app.web.security import csrf_token, takes_up_to
from scorer_app.web.tenancy import is_public, quotas

pages = Blueprint("api", __name__, url_prefix="/api")
MOST_EDITS = 100


class Edits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Edits in the order in which they were made, each with its key and the fields of its
    operation.
    """

    edits: Annotated[list[dict[str, Any]], Meta(min_length=1, max_length=MOST_EDITS)]


class Save(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a hand is to be saved. With `with_doubts` the hand is saved although doubts are open.
    With a `version` it is saved only if it still has that version.
    """

    with_doubts: bool = False
    version: int | None = None


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The area to which a photograph belongs: the melds or the rack of a side."""

    side: SideName
    place: Literal["melds", "rack"]


class Undo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which edit is to be undone, by its key; null for the last one."""

    key: str | None = None


@pages.get("/session")
def session_facts() -> Response:
    """Answer with what a program needs before it changes anything: the token of its session and
    what it may do.
    """
    return jsonify(csrf=csrf_token(), scorer=may_write(), host=is_host())


@pages.get("/hands/<hand_id>")
@scorers_only
def hand(hand_id: str) -> Response:
    """Answer with a hand, as the JSON that `HandView` makes of it."""
    return Response(hand_view().text(hand_id), mimetype="application/json")


@pages.post("/hands/<hand_id>/edits")
@scorers_only
def edit(hand_id: str) -> Response:
    """Apply edits, all or none, and answer with the hand.

    The body is `{"edits": [{"key": NAME, "op": ...}, ...]}`.
    """
    entries = read_sent(Edits, body()).edits
    keyed = [_keyed(entry, f"edits[{at}]") for at, entry in enumerate(entries)]
    hands().edit(hand_id, keyed, device_name(), device_id())
    return hand(hand_id)


@pages.post("/hands/<hand_id>/undo")
@scorers_only
def undo(hand_id: str) -> Response:
    """Undo the last edit, if there is one, and answer with the hand.

    The body may be left out. `key` names the edit that is meant: the same key twice undoes it once.
    An edit that is no longer the last is undone only if it added tiles: these are then removed.
    Otherwise the request is refused.
    """
    wanted = read_sent(Undo, body()) if request.get_data() else Undo()
    intake().moved.undo(hand_id, None if wanted.key is None else key_in_log(wanted.key))
    return hand(hand_id)


@pages.post("/hands/<hand_id>/save")
@scorers_only
def save(hand_id: str) -> Response:
    """Save a hand, and answer with it.

    The body may be left out. With `with_doubts` true a hand is saved although doubts are open.
    `version` is the one that the person looked at: where another device has changed the hand since,
    the request is refused.
    """
    wanted = read_sent(Save, body()) if request.get_data() else Save()
    device = device_name()
    hands().save(hand_id, version=wanted.version, with_doubts=wanted.with_doubts, device=device)
    intake().removed.forget(hand_id)
    intake().learn_from(hand_id)
    return hand(hand_id)


@pages.post("/hands/<hand_id>/photos")
@scorers_only
@takes_up_to("upload_bytes")
def add_photo(hand_id: str) -> Response:
    """Take in a photograph to be read in the background, and answer 202 with the hand.

    The form has `photo` (the file), `side` (A or B), `place` (melds or rack) and, if the photograph
    may be sent again, a `key`: the same key twice is the same photograph. `instead_of` names the
    photograph that this one replaces, which is removed with it: a hand with as many photographs as
    it may have takes the new one all the same.
    """
    if not upload_limiter().allow(request.remote_addr or ""):
        abort(429)
    sent = request.files.get("photo")
    if sent is None:
        raise missing("photo", "photo, a file")
    form, key = request.form, request.form.get("key")
    if is_public() and not intake().was_sent(hand_id, key):
        quotas().send_photo(request.remote_addr or "", hand_id)
    area, instead_of = (form.get("side", ""), form.get("place", "")), form.get("instead_of")
    intake().receive(hand_id, *area, sent.stream, key, instead_of=instead_of)
    return make_response(hand(hand_id), 202)


@pages.delete("/hands/<hand_id>/photos/<photo_id>")
@scorers_only
def remove_photo(hand_id: str, photo_id: str) -> Response:
    """Remove a photograph with the tiles that it showed, which undo brings back, and answer with
    the hand.
    """
    intake().removed.remove(hand_id, photo_id)
    return hand(hand_id)


@pages.post("/hands/<hand_id>/photos/<photo_id>/read")
@scorers_only
def read_again(hand_id: str, photo_id: str) -> Response:
    """Order another reading of a photograph, and answer 202 with the hand."""
    if not upload_limiter().allow(request.remote_addr or ""):
        abort(429)
    if photo_id not in {photo["id"] for photo in hand_view().of(hand_id)["photos"]}:
        abort(404)
    intake().read_again(photo_id)
    return make_response(hand(hand_id), 202)


@pages.post("/hands/<hand_id>/photos/<photo_id>/move")
@scorers_only
def move_photo(hand_id: str, photo_id: str) -> Response:
    """Move a photograph that was given for a wrong area, with its tiles, and answer with the hand.

    The body is `{"side": "A" or "B", "place": "melds" or "rack"}`. A photograph that goes from the
    melds to a rack, or from a rack to the melds, is read anew. Undo moves it back.
    """
    wanted = read_sent(Move, body())
    if not upload_limiter().allow(request.remote_addr or ""):
        abort(429)
    intake().moved.move(hand_id, photo_id, wanted.side, Place(wanted.place))
    return hand(hand_id)


@pages.get("/hands/<hand_id>/events")
@scorers_only
def hand_events(hand_id: str) -> Response:
    """Answer with a stream of events: `change` for each change of a hand, and `match` for each
    change of the hand's match. The hand is scored by the rules of that match.
    """
    match_id = hand_view().of(hand_id)["match"]
    device, until = request.remote_addr or "", _until(match_id)
    return event_stream(event_bus().stream(hand_id, device=device, until=until, match=match_id))


@pages.get("/matches/<match_id>/events")
@scorers_only
def match_events(match_id: str) -> Response:
    """Answer with a stream of events, one for each change of a match or of its watched table."""
    matches().tally(match_id)
    return match_stream(match_id)


def match_stream(match_id: str) -> Response:
    """Answer with a stream that tells each change of a match and of its watched table."""
    device, until = request.remote_addr or "", _until(match_id)
    table = table_topic(match_id)
    return event_stream(event_bus().stream(match_id, device=device, until=until, table=table))


def _until(match_id: str) -> str | None:
    """Return the topic whose change ends the streams of a match; None where the server is not
    public, since no device loses its access there.
    """
    return links_topic(match_id) if is_public() else None


def event_stream(events: EventStream) -> Response:
    """Answer with events as they come; the server sends them without holding a thread."""
    response = Response(events, mimetype="text/event-stream", direct_passthrough=True)
    response.headers["X-Accel-Buffering"] = "no"
    return response


def body() -> Any:
    """Return the JSON data in the body of the request.

    Raises EditRefused where the body is no valid JSON. NaN, the infinities and lone surrogates are
    not valid.
    """
    if not request.is_json:
        raise _no_json("a body of the type application/json")
    try:
        return msgspec.json.decode(request.get_data())
    except (ValueError, RecursionError) as error:
        raise _no_json(f"JSON ({error})") from error


def _no_json(expected: str) -> EditRefused:
    return EditRefused(Refusal.BAD_VALUE, expected, field="body", wrong=Wrong.NO_JSON)


def _keyed(entry: dict[str, Any], at: str) -> KeyedOperation:
    key = key_of(entry.get("key"))
    operation = {name: value for name, value in entry.items() if name != "key"}
    return KeyedOperation(key, read_edit(operation, at))
