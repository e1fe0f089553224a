"""Short names of what people do to a hand, for the button that undoes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scorer_app.hand.record import Place
from scorer_app.texts.translator import Translate

Json = dict[str, Any]
# By the name of an operation: what it is called where tiles or rows are set aside, and where rows
# that were set aside become melds.
_ASIDE = {"move_tile": "aside_tile", "move_row": "aside_row", "move_rows": "aside_rows"}
_COUNTED = {"move_row": "count_row", "move_rows": "count_rows"}


def step_name(
    operation: Json,
    face_before: Callable[[str], str | None],
    place_before: Callable[[str], str | None],
    sides: Mapping[str, str],
    face_name: Callable[[str], str],
    say: Translate,
) -> str:
    """Return a short name of an edit, given as the log holds it, `{"op": NAME, ...}`. `face_before`
    looks up the face that a tile had before the edit, None where it was unread or unknown, and
    `place_before` the place in which a row lay, None where there was no such row. `sides` holds
    the names of sides A and B, and `face_name` names a face in words.
    """
    faces = operation.get("faces") or [operation.get("face")]
    face = faces[0] or face_before(str(operation.get("tile")))
    values = {
        "tile": face_name(face) if face else say("js.unread"),
        "last": face_name(faces[-1]) if faces[-1] else "",
        "side": sides.get(str(operation.get("side")), ""),
        "reason": operation.get("reason", ""),
    }
    return say(f"undo.{_kind(operation, place_before)}", **values)


def _kind(operation: Json, place_before: Callable[[str], str | None]) -> str:
    """Return what kind of edit an operation is: its name, but a name of its own where it sets tiles
    or rows aside, or counts rows that were set aside.
    """
    name = str(operation.get("op"))
    moves = operation.get("moves") or [operation]
    places = {move.get("place") for move in moves}
    if name in _ASIDE and places == {Place.POZO}:
        return _ASIDE[name]
    if name in _COUNTED and places == {Place.MELDS}:
        rows = [str(move.get("row")) for move in moves]
        return _COUNTED[name] if all(place_before(row) == Place.POZO for row in rows) else name
    return name
