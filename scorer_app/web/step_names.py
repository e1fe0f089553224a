"""Short names of what people do to a hand, for the button that undoes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scorer_app.texts.translator import Translate

Json = dict[str, Any]


def step_name(
    operation: Json,
    face_before: Callable[[str], str | None],
    sides: Mapping[str, str],
    face_name: Callable[[str], str],
    say: Translate,
) -> str:
    """Return a short name of an edit, given as the log holds it, `{"op": NAME, ...}`. `face_before`
    looks up the face that a tile had before the edit, None where it was unread or unknown. `sides`
    holds the names of sides A and B, and `face_name` names a face in words.
    """
    faces = operation.get("faces") or [operation.get("face")]
    face = faces[0] or face_before(str(operation.get("tile")))
    values = {
        "tile": face_name(face) if face else say("js.unread"),
        "last": face_name(faces[-1]) if faces[-1] else "",
        "side": sides.get(str(operation.get("side")), ""),
        "reason": operation.get("reason", ""),
    }
    name = str(operation.get("op"))
    return say(f"undo.{name}", **values)
