"""The pages of people's own sets of tiles: which there are, what each has learned, and how to send
one to a friend. Everybody who scores may look; only the host (`scorer_app.web.roles`) may change
anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from flask import (
    Blueprint,
    Response,
    abort,
    make_response,
    redirect,
    render_template,
    request,
    session,
)
from flask import url_for as address
from werkzeug import Response as AnyResponse
from werkzeug.exceptions import HTTPException

from engine.pieces import Pieces
from engine.tiles import COLOURS, NUMBERS
from scorer_app.hand.fields import without_controls
from scorer_app.services.set_files import MOST_BYTES, export_set, file_name, import_set
from scorer_app.services.set_readers import forget_prepared
from scorer_app.services.set_values import KeptSet, SetError, SetTrouble
from scorer_app.store import Example
from scorer_app.texts.faces import face_in_words
from scorer_app.web.devices import device_name
from scorer_app.web.pages.context import config, event_bus, intake, read_open_hands_anew, say, sets
from scorer_app.web.pages.sets_api import KNOWN_PHOTOS
from scorer_app.web.pages.settings import page_before
from scorer_app.web.roles import host_only, is_host, scorers_only
from scorer_app.web.security import takes_up_to, too_large_in_words
from vision.own_set.examples import FACE_NAMES, Origin

pages = Blueprint("sets", __name__, url_prefix="/sets")
FORM_ROOM = 4096  # bytes that a form adds to the file it carries
MOST_NAMED = 5  # matches that the page names of those that lose the set when it is forgotten
OF_NAME = (SetTrouble.BAD_NAME, SetTrouble.TAKEN)  # what is told at the field of the name
FILES = ("sets.picture", "sets.as_file")  # addresses that show no page
PARTS = (
    "pictures",
    "copies",
    "photos",
    "learned",
)  # ids of the parts of a set's page that change the set
# The faces as the page arranges them: a line for each colour, then the comodín.
FACE_LINES = (
    *((colour, tuple(f"{number}{colour}" for number in NUMBERS)) for colour in COLOURS),
    ("J", ("J",)),
)


@dataclass(frozen=True)
class _ShownPicture:
    """A picture of a face as the page of a set shows it. `origin` ends the key of the text
    (`set.origin_ORIGIN`) that says what happened at the moment `made`.
    """

    id: int
    face: str
    origin: str
    made: datetime

    @classmethod
    def of(cls, row: Example) -> _ShownPicture:
        return cls(row.id, row.face, "imported" if row.imported else row.origin, row.made)


@pages.url_defaults
def keep_way_back(endpoint: str, values: dict[str, Any]) -> None:
    """Make the address of every page of sets name, as the parameter `to`, the page from which the
    settings were opened. So the way back there is not lost.
    """
    if endpoint not in FILES:
        values.setdefault("to", page_before())


@pages.context_processor
def _way_back() -> dict[str, str]:
    """Let the links to the settings lead on to the page from which they were opened first."""
    page = page_before()
    return {"back_to": page} if page else {}


@pages.get("")
@scorers_only
def show_all() -> str:
    return render_template("sets.html", sets=sets().listed())


@pages.get("/new")
@host_only
def teach_new() -> str:
    return _teaching_page(None)


@pages.get("/<set_id>/teach")
@host_only
def teach_more(set_id: str) -> str:
    return _teaching_page(sets().of_id(set_id))


def _teaching_page(kept: KeptSet | None) -> str:
    limit = config().upload_bytes - FORM_ROOM
    known = [one.name for one in ([kept] if kept else sets().listed())]
    return render_template(
        "teach_set.html",
        kept=kept,
        known=known,
        free_name=_free_name(known),
        lines=FACE_LINES,
        upload_limit=limit,
    )


def _free_name(known: Sequence[str]) -> str:
    """Return the name of a new set to which nobody gives one: one that none of the `known` sets
    has, with a number where the first choice is taken.
    """
    usual, taken = say("set.name_example"), {name.casefold() for name in known}
    numbered = (f"{usual} {number}" for number in range(2, len(taken) + 3))
    return next(name for name in (usual, *numbered) if name.casefold() not in taken)


@pages.get("/<set_id>")
@scorers_only
def show(set_id: str) -> str:
    """Show the 53 faces of a set, and all examples of the face that the query's `face` names."""
    taught, known = session.pop(KNOWN_PHOTOS, ("", 0))
    return _set_page(set_id, known_photos=known if taught == set_id else 0)


@pages.get("/<set_id>/name")
@scorers_only
def after_renaming(set_id: str) -> AnyResponse:
    """Lead to the page of a set. A name that was refused leaves this address in the browser's bar,
    where a person loads it anew.
    """
    return redirect(address("sets.show", set_id=set_id))


@pages.post("/<set_id>/name")
@host_only
def rename(set_id: str) -> AnyResponse:
    """Give a set the name that the form gives. Where that cannot be, the page keeps the name in its
    field and says why.
    """
    name = request.form.get("name", "")
    try:
        sets().rename(set_id, name)
    except SetError as error:
        if error.reason is SetTrouble.UNKNOWN:
            raise
        return make_response(_set_page(set_id, **_told(error, name)), 422)
    return _back_to(set_id)


def _told(error: SetError, name: str, otherwise: str | None = None) -> dict[str, str | None]:
    """Return what a page shows of a form that was refused: a sentence, the name that was typed and
    the field that the sentence stands at: the name's where this is to blame, or else `otherwise`.
    """
    return {
        "message": say(f"error.set.{error.reason}", what=_what_of(error)),
        "typed": without_controls(name),
        "wrong_field": "name" if error.reason in OF_NAME else otherwise,
    }


def _set_page(set_id: str, **told: str | int | None) -> str:
    kept, examples = sets().of_id(set_id), sets().examples(set_id)
    shown = [_ShownPicture.of(row) for row in examples]
    by_face = {face: [one for one in shown if one.face == face] for face in FACE_NAMES}
    taught = _by_photo(examples)
    asked = request.args.get("face", "")
    return render_template(
        "own_set.html",
        kept=kept,
        lines=FACE_LINES,
        by_face=by_face,
        face_names=FACE_NAMES,
        face=asked if asked in by_face else None,
        taught=taught,
        learned=[row for row in reversed(examples) if row.origin == Origin.SETTLED],
        played=sets().played_with(set_id),
        most_named=MOST_NAMED,
        **told,
    )


def _by_photo(examples: Sequence[Example]) -> list[tuple[str, list[Example]]]:
    """Return what each photograph of rows has taught, by the photograph's id, the newest one first.
    Examples of which it is not known by which photograph they were taught are left out.
    """
    photos = dict[str, list[Example]]()
    for row in examples:
        if row.photo_id is not None and row.hand_id is None:
            photos.setdefault(row.photo_id, []).append(row)
    return [*photos.items()][::-1]


@pages.get("/<set_id>/pictures/<int(max=2147483647):example_id>.png")
@scorers_only
def picture(set_id: str, example_id: int) -> Response:
    """Send the picture of an example, which browsers may keep: its address on the page names the
    moment at which the example was made, since a later example may get the id of a removed one.
    """
    found = sets().picture(set_id, example_id)
    if found is None:
        abort(404)
    headers = {"Cache-Control": "private, max-age=86400, immutable"}
    return Response(found, mimetype="image/png", headers=headers)


@pages.post("/<set_id>/pictures/<int(max=2147483647):example_id>/drop")
@host_only
def drop(set_id: str, example_id: int) -> AnyResponse:
    """Remove a picture from a set, so that the reader no longer uses it."""
    sets().drop(set_id, example_id)
    return _back_to(set_id, part=request.form.get("part", ""))


@pages.post("/<set_id>/photos/<photo_id>/drop")
@host_only
def drop_photo(set_id: str, photo_id: str) -> AnyResponse:
    """Remove all that a photograph of rows has taught a set."""
    sets().drop_photo(set_id, photo_id)
    read_open_hands_anew(set_id)
    return _back_to(set_id, part="photos")


@pages.post("/<set_id>/pictures/<int(max=2147483647):example_id>/face")
@host_only
def rename_face(set_id: str, example_id: int) -> AnyResponse:
    """Store which face a picture of the set shows, as the form says."""
    face = request.form.get("face", "")
    if face not in FACE_NAMES:
        abort(422)
    sets().rename_face(set_id, example_id, face)
    return _back_to(set_id, face, "pictures")


@pages.post("/<set_id>/copies")
@host_only
def count(set_id: str) -> AnyResponse:
    """Store how many copies of a face the set has, as the form says. An empty count in the form
    means as many as usual.
    """
    face, told = request.form.get("face", ""), request.form.get("count", "").strip()
    if told and not (told.isascii() and told.isdigit() and len(told) < 3):
        abort(422)
    try:
        sets().count(set_id, {face: int(told) if told else None}, device_name())
    except ValueError:
        abort(422)
    event_bus().tell(*(match.id for match in sets().played_with(set_id)))
    return _back_to(set_id, part="copies")


@pages.post("/<set_id>/forget")
@host_only
def forget(set_id: str) -> AnyResponse:
    played = sets().played_with(set_id)
    sets().forget(set_id, device_name())
    forget_prepared(config().prepared_dir)
    for match in played:
        intake().read_anew(match.id)
    event_bus().tell(*(match.id for match in played))
    return redirect(address("sets.show_all"), 303)


@pages.get("/<set_id>/export")
@scorers_only
def as_file(set_id: str) -> Response:
    """Send a set as a JSON file that is named after it."""
    tile_set = sets().load(set_id)
    response = Response(export_set(tile_set), mimetype="application/json")
    named = f'attachment; filename="{file_name(tile_set.name)}"'
    response.headers["Content-Disposition"] = named
    return response


@pages.get("/import")
@scorers_only
def after_import() -> AnyResponse:
    """Lead to the list of sets. A file that was refused leaves this address in the browser's bar,
    where a person loads it anew.
    """
    return redirect(address("sets.show_all"))


@pages.post("/import")
@host_only
@takes_up_to("set_bytes")
def take_in() -> AnyResponse:
    """Import the set in a friend's file: under the name that the form gives or, where the form
    gives no name, under the one in the file.
    """
    sent, name = request.files.get("file"), request.form.get("name", "")
    try:
        tile_set = import_set(sent.stream.read(MOST_BYTES + 1) if sent else b"")
        kept = sets().create(name.strip() or tile_set.name, tile_set.examples, tile_set.copies)
    except SetError as error:
        if error.reason is SetTrouble.TOO_LARGE:
            abort(413)
        told = _told(error, name, otherwise="file")
        if error.reason in OF_NAME:  # no browser keeps the file that was chosen
            told["message"] = f"{told['message']} {say('set.file_again')}"
        page = render_template("sets.html", sets=sets().listed(), **told)
        return make_response(page, 422)
    return _back_to(kept.id)


@pages.errorhandler(413)
def too_large(_error: HTTPException) -> AnyResponse:
    """Answer a request with too large a body. Who may import a set sees the page from which it is
    imported, with a sentence that says how large the file is and may be.
    """
    if request.endpoint == "sets.take_in" and is_host():
        message = too_large_in_words(say, MOST_BYTES)
        told = {"message": message, "wrong_field": "file"}
        page = render_template("sets.html", sets=sets().listed(), **told)
    else:
        page = render_template("failure.html", message=too_large_in_words(say), status=413)
    return make_response(page, 413)


def _what_of(error: SetError) -> str:
    """Return the error's `what`, which the sentence about a refused file names, without control
    characters. Where it is a face, return the face in words.
    """
    if error.reason is SetTrouble.TOO_MANY_PICTURES:
        return face_in_words(error.what, Pieces.TILES, say)
    return without_controls(error.what)


def _back_to(set_id: str, face: str | None = None, part: str = "") -> AnyResponse:
    """Send the browser back to a set's page, at the `part` of it that was changed. The page shows
    the pictures of the face that the form names as `shown`, or else those of `face`, if given.
    """
    shown = request.form.get("shown") or face
    anchor = part if part in PARTS else None
    return redirect(address("sets.show", set_id=set_id, face=shown or None, _anchor=anchor), 303)
