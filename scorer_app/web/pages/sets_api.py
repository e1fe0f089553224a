"""Teaching a set over the API: a photograph is looked at, a person confirms, the faces are kept.

Between the two requests the server keeps nothing: the page sends back the pictures that it was
shown, so they are checked like a stranger's file.
"""

from __future__ import annotations

from base64 import b64encode
from collections import defaultdict
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from flask import Blueprint, Response, abort, jsonify, make_response, request, session, url_for
from msgspec import Meta

from scorer_app.hand.fields import EditRefused, Refusal, missing, read_sent
from scorer_app.hand.record import Face
from scorer_app.services.face_pictures import from_png, to_png
from scorer_app.services.set_values import KeptSet
from scorer_app.web.pages.api import body
from scorer_app.web.pages.context import read_open_hands_anew, sets, teacher, upload_limiter
from scorer_app.web.roles import host_only, scorers_only
from scorer_app.web.security import takes_up_to
from vision.own_set.examples import FaceExample

if TYPE_CHECKING:
    from vision.own_set.teaching import TaughtPhoto

pages = Blueprint("sets_api", __name__, url_prefix="/api/sets")
# Most faces taught at once, of 16 photographs of a whole set: the page joins what several have
# taught. With pictures that cannot be compressed these take 11 MB.
MOST_FACES = 16 * 54
Json = dict[str, Any]
# In the session, for the page of the set that has just been taught: its id, and of how many
# photographs it had the faces already.
KNOWN_PHOTOS = "known_photos"


class ShownFace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A face that a person has confirmed, with its picture: a PNG file of 48 x 64 pixels. Faces of
    one photograph have the same number `photo`.
    """

    face: Face
    picture: Annotated[bytes, Meta(max_length=16_384)]
    photo: Annotated[int, Meta(ge=0, lt=MOST_FACES)] = 0


class Teaching(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a set is taught. With `replace` all its earlier examples are deleted; with `adds` no new
    set is made where the set has been forgotten meanwhile. With `same` a person has said that all
    photographs show the same tiles, although they look otherwise.
    """

    name: Annotated[str, Meta(max_length=200)]
    faces: Annotated[list[ShownFace], Meta(min_length=1, max_length=MOST_FACES)]
    replace: bool = False
    adds: bool = False
    same: bool = False


@pages.get("")
@scorers_only
def listed() -> Response:
    """Answer with all sets, the one used last first."""
    return jsonify(sets=[_set_json(one) for one in sets().listed()])


@pages.post("")
@host_only
@takes_up_to("set_bytes")
def keep() -> Response:
    """Add the faces that a person has confirmed to the set that the request names. Where there is
    no such set, it is made, or the request is refused if it says that the set learns more. It is
    refused, too, where a photograph seems to show the tiles of another set, until a person says
    that it does not. The page of the set says of how many photographs it has the faces already.
    """
    wanted = read_sent(Teaching, body())
    photos = defaultdict[int, list[FaceExample]](list)
    for at, one in enumerate(wanted.faces):
        photos[one.photo].append(_example(one, f"faces[{at}]"))
    how = {"replace": wanted.replace, "adds": wanted.adds, "alike": not wanted.same}
    known = 0 if wanted.replace else sets().known_photos(wanted.name, photos.values())
    kept = sets().teach(wanted.name, *photos.values(), **how)
    if known:
        session[KNOWN_PHOTOS] = (kept.id, known)
    read_open_hands_anew(kept.id)
    return jsonify(_set_json(kept) | {"url": url_for("sets.show", set_id=kept.id)})


@pages.post("/photos")
@host_only
@takes_up_to("upload_bytes")
def look_at() -> Response:
    """Read a photograph, the file `photo` of a multipart form, and answer with the faces that it
    would teach, to be confirmed. Nothing is stored yet.
    """
    if not upload_limiter().allow(request.remote_addr or ""):
        abort(429)
    sent = request.files.get("photo")
    if sent is None:
        raise missing("photo", "photo, a file")
    return make_response(jsonify(_taught_json(teacher().look_at(sent.stream))))


def _set_json(kept: KeptSet) -> Json:
    return {
        "id": kept.id,
        "name": kept.name,
        "faces": kept.counts,
        "missing": list(kept.missing),
        "learned": kept.learned,
    }


def _taught_json(taught: TaughtPhoto) -> Json:
    """Return the JSON of what a photograph teaches: its `width` and `height` in pixels, its `rows`
    from top to bottom, each with its colour and whether this is sure, and the `faces`, each with
    its name, the index of its row (None for a comodín), its corners in pixels and its picture, a
    PNG as base64.
    """
    return {
        "width": taught.width,
        "height": taught.height,
        "rows": [{"colour": row.colour, "sure": row.sure} for row in taught.rows],
        "faces": [
            {
                "face": one.example.face,
                "row": one.row,
                "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in one.corners],
                "picture": b64encode(to_png(one.example.crop)).decode("ascii"),
            }
            for one in taught.faces
        ],
    }


def _example(shown: ShownFace, field: str) -> FaceExample:
    try:
        return FaceExample(shown.face, from_png(shown.picture))
    except ValueError as error:
        raise EditRefused(Refusal.BAD_VALUE, str(error), field=f"{field}.picture") from error
