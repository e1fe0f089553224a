"""The description of the API for programs, in OpenAPI 3.1."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, Response, jsonify

from engine.sides import SIDES
from scorer_app.hand.edits import EDITS, AnyEdit
from scorer_app.hand.fields import KEY
from scorer_app.watch.commands import AnyOrder
from scorer_app.web.pages.api import Edits, Move, Save, Undo
from scorer_app.web.pages.live import Camera
from scorer_app.web.pages.sets_api import Teaching
from scorer_app.web.roles import scorers_only

pages = Blueprint("description", __name__, url_prefix="/api")
Json = dict[str, Any]
REFUSALS = frozenset({400, 401, 403, 404, 405, 409, 413, 415, 421, 422, 429, 503, 507})


@pages.get("/openapi.json")
@scorers_only
def openapi() -> Response:
    """Answer with the description of the API."""
    return jsonify(describe())


def describe() -> Json:
    """Return the description as JSON: each address with what it takes and what it may answer."""
    named = {"Hand": _HAND, "Error": _ERROR, "Session": _SESSION, **_LIVE, **_SETS}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Burako",
            "version": "1",
            "description": "Scoring a hand. Writes need the header X-CSRF-Token.",
        },
        "paths": _paths_of_hands() | _paths_of_live_tables() | _paths_of_sets(),
        "components": {"schemas": named | _schemas_of_types()},
    }


def _paths_of_hands() -> Json:
    """Return the descriptions of the addresses of a device's session and of a hand with its
    photographs, by address.
    """
    hand = [_parameter("hand_id")]
    photo = [*hand, _parameter("photo_id")]
    return {
        "/api/session": {
            "get": _operation(
                "The token that writes must carry, and what this device may do", ok="Session"
            )
        },
        "/api/hands/{hand_id}": {"get": _operation("The hand as it stands", hand)},
        "/api/hands/{hand_id}/edits": {
            "post": _operation("Edits, all or none", hand, _json("Edits"))
        },
        "/api/hands/{hand_id}/undo": {
            "post": _operation("Takes the last edit back", hand, _json("Undo", False))
        },
        "/api/hands/{hand_id}/save": {
            "post": _operation("Puts the hand into the tally", hand, _json("Save", False))
        },
        "/api/hands/{hand_id}/photos": {
            "post": _operation("A photograph, read behind the page", hand, _upload(), status=202)
        },
        "/api/hands/{hand_id}/photos/{photo_id}": {
            "delete": _operation("Removes a photograph and its tiles", photo)
        },
        "/api/hands/{hand_id}/photos/{photo_id}/move": {
            "post": _operation("Moves it to the area to which it belongs", photo, _json("Move"))
        },
        "/api/hands/{hand_id}/photos/{photo_id}/read": {
            "post": _operation("Reads it once more", photo, status=202)
        },
    }


def _paths_of_live_tables() -> Json:
    """Return the descriptions of the addresses of a watched table, by address."""
    match = [_parameter("match_id")]
    since = [*match, *(_asked(name, kind) for name, kind in _OF_WATCHES)]
    return {
        "/api/live/{match_id}/state": {
            "get": _operation("The watched table as it stands", since, ok="Live")
        },
        "/api/live/{match_id}/picture.jpg": {
            "get": _picture(
                "The table as last seen",
                [*match, _asked("after", "integer")],
                "No frame after the one with that number",
            )
        },
        "/api/live/{match_id}/settled.jpg": {
            "get": _picture("The table as it last lay still", match, "The table was not seen yet")
        },
        "/api/live/{match_id}/thumbnail.jpg": {
            "get": _picture(
                "What an event shows",
                [*match, _asked("watch", "string"), _asked("event", "integer")],
            )
        },
        "/api/live/{match_id}/camera": {
            "post": _operation("A camera on the server watches", since, _json("Camera"), ok="Live"),
            "delete": _operation("It stops", since, ok="Live"),
        },
        "/api/live/{match_id}/frame": {
            "post": _operation(
                "A frame of the watched table, or the part of it that has changed since the frame"
                " `known`, from the pixel `left`, `top` on",
                [*since, *(_asked(name, kind) for name, kind in _OF_FRAMES)],
                _JPEG,
                ok="Live",
            )
        },
        "/api/live/{match_id}/orders": {
            "post": _operation("Look now, line, correct", since, _json("Order"), ok="Live")
        },
        "/api/live/{match_id}/hand-over": {
            "post": _operation(
                "The table becomes the hand's melds; with `replace=yes` also where melds that it"
                " became before would go",
                [*match, _asked("replace", "string")],
                ok="HandedOver",
            )
        },
    }


def _paths_of_sets() -> Json:
    """Return the descriptions of the addresses of the sets of tiles, by address."""
    return {
        "/api/sets": {
            "get": _operation("The sets of tiles that were taught", ok="Sets"),
            "post": _operation("Teaches a set; the host alone", None, _json("Teaching"), ok="Set"),
        },
        "/api/sets/photos": {
            "post": _operation(
                "What a photograph teaches, to be confirmed; the host alone",
                None,
                _photograph({}),
                ok="Taught",
            )
        },
    }


_HAND: Json = {
    "type": "object",
    "required": [
        "id",
        "match",
        "version",
        "state",
        "tiles",
        "rows",
        "photos",
        "closing",
        "score",
        "questions",
        "ready",
        "undo",
    ],
}
_ERROR: Json = {
    "type": "object",
    "required": ["error", "message"],
    "properties": {
        "error": {"type": "string"},
        "message": {"type": "string"},
        "detail": {"type": "string"},
    },
}
_SESSION: Json = {
    "type": "object",
    "required": ["csrf", "scorer", "host"],
    "properties": {
        "csrf": {"type": "string"},
        "scorer": {"type": "boolean"},
        "host": {"type": "boolean"},
    },
}

_JPEG: Json = {
    "required": True,
    "content": {"image/jpeg": {"schema": {"type": "string", "format": "binary"}}},
}
# What a program knows already of a watched table, so that it is told only what is new: the name of
# the watch, the version of the table, and the number of the last event.
_OF_WATCHES = (
    ("watch", "string"),
    ("version", "integer"),
    ("event", "integer"),
)
_OF_FRAMES = (
    ("camera", "string"),
    ("known", "string"),
    ("left", "integer"),
    ("top", "integer"),
)
_LIVE: Json = {
    "Live": {"type": "object", "required": ["watch", "camera"]},
    "HandedOver": {"type": "object", "required": ["hand", "url"]},
}
_SETS: Json = {
    "Sets": {"type": "object", "required": ["sets"]},
    "Set": {"type": "object", "required": ["id", "name", "faces", "missing", "learned", "url"]},
    "Taught": {"type": "object", "required": ["width", "height", "rows", "faces"]},
}


def _schemas_of_types() -> Json:
    """Make the schemas of the JSON that the API takes, from the types that read it. Return a map
    from the name of each schema to the schema.
    """
    kinds = [AnyEdit, AnyOrder, Edits, Move, Save, Undo, Camera, Teaching]
    template = "#/components/schemas/{name}"
    (edit, order, *_named), schemas = msgspec.json.schema_components(kinds, ref_template=template)
    key = {"type": "string", "pattern": f"^{KEY}$"}
    for kind in EDITS.values():  # an edit is an operation with a key beside its fields
        schema = schemas[kind.__name__]
        schema["properties"] = {"key": key} | schema["properties"]
        schema["required"] = ["key", *schema["required"]]
    schemas["Edits"]["properties"]["edits"]["items"] = edit
    return schemas | {"Order": order}


def _operation(
    summary: str,
    parameters: list[Json] | None = None,
    body: Json | None = None,
    status: int = 200,
    ok: str = "Hand",
) -> Json:
    refused = {str(code): _answer("Refused, in a sentence", "Error") for code in sorted(REFUSALS)}
    described: Json = {
        "summary": summary,
        "parameters": parameters or [],
        "responses": {str(status): _answer("Done", ok), **refused},
    }
    return described | ({"requestBody": body} if body else {})


def _picture(summary: str, parameters: list[Json], without: str | None = None) -> Json:
    """Describe, in OpenAPI, an operation that answers with a JPEG. `without` is a sentence that
    says when the operation answers 204, without a picture; None where it never does.
    """
    described = _operation(summary, parameters)
    described["responses"]["200"] = {"description": "A JPEG", "content": {"image/jpeg": {}}}
    if without:
        described["responses"]["204"] = {"description": without}
    return described


def _answer(description: str, schema: str) -> Json:
    return {"description": description, "content": {"application/json": {"schema": _ref(schema)}}}


def _json(schema: str, required: bool = True) -> Json:
    return {"required": required, "content": {"application/json": {"schema": _ref(schema)}}}


def _upload() -> Json:
    fields = {"side": {"enum": list(SIDES)}, "place": {"enum": ["melds", "rack"]}}
    again = "The sender's own name for it: the same key twice is the same photograph, kept once"
    key = {"type": "string", "pattern": f"^{KEY}$", "description": again}
    replaced = {"type": "string", "description": "The photograph that it replaces, removed with it"}
    return _photograph(fields, {"key": key, "instead_of": replaced})


def _photograph(fields: Json, optional: Json | None = None) -> Json:
    """Describe the body of a request in OpenAPI: a form that must have the field `photo`, a file,
    and all of `fields`, and that may have the `optional` fields. Both map the name of a field to
    its schema.
    """
    needed = {"photo": {"type": "string", "format": "binary"}, **fields}
    properties = needed | (optional or {})
    schema = {"type": "object", "required": list(needed), "properties": properties}
    return {"required": True, "content": {"multipart/form-data": {"schema": schema}}}


def _ref(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}


def _asked(name: str, kind: str) -> Json:
    return {"name": name, "in": "query", "required": False, "schema": {"type": kind}}


def _parameter(name: str) -> Json:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
