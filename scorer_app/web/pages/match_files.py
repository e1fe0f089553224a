"""A match as something to send: its tally as a picture and as a sheet of numbers, and its copy as a
file, which any scorer takes in.
"""

from __future__ import annotations

import logging
from codecs import BOM_UTF8

import msgspec
from flask import (
    Blueprint,
    Response,
    abort,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from werkzeug import Response as AnyResponse
from werkzeug.exceptions import HTTPException

from scorer_app.hand.fields import WrongField
from scorer_app.services.exchange import (
    export_csv,
    export_match,
    file_name,
    import_match,
    is_match_copy,
    twin_of,
)
from scorer_app.texts.languages import LANGUAGES
from scorer_app.web.pages.context import language, matches, say, translate, upload_limiter
from scorer_app.web.pages.home import first_page
from scorer_app.web.roles import may_write, scorers_only
from scorer_app.web.security import takes_up_to, too_large_in_words
from scorer_app.web.tenancy import count_new_match, holder, is_public
from scorer_app.web.times import zone

pages = Blueprint("match_files", __name__, url_prefix="/matches")
log = logging.getLogger(__name__)


@pages.get("/<match_id>/share")
@scorers_only
def share(match_id: str) -> str:
    """Show the tally as a picture to send."""
    tally, name = matches().tally(match_id), file_name(matches(), match_id, "png", zone())
    return render_template("share.html", tally=tally, picture_name=name)


@pages.get("/<match_id>/export.json")
@scorers_only
def as_json(match_id: str) -> Response:
    """Send a copy of the match, named after its sides and day, as JSON, which `take_in` imports."""
    copy = export_match(matches(), match_id)
    return _download(jsonify(copy), file_name(matches(), match_id, "json", zone()))


@pages.get("/<match_id>/export.csv")
@scorers_only
def as_csv(match_id: str) -> Response:
    """Send the tally as CSV for spreadsheets, in a file that is named as the copy is. Its cells are
    parted as spreadsheets expect it that speak the language of the page.
    """
    between = LANGUAGES[language()].between_cells
    sheet = export_csv(matches().tally(match_id), translate(), between)
    name = file_name(matches(), match_id, "csv", zone())
    return _download(Response("\ufeff" + sheet, mimetype="text/csv"), name)


@pages.get("/import")
@scorers_only
def after_import() -> AnyResponse:
    """Lead to the first page. A file that was refused leaves this address in the browser's bar,
    where a person loads it anew.
    """
    return redirect(url_for("home.index"))


@pages.post("/import")
@scorers_only
@takes_up_to("import_bytes")
def take_in() -> AnyResponse:
    """Import a match from a copy, a JSON file. For a wrong file the form says why it is refused; if
    the file is the copy of a match at all, it names the part of it that is wrong.
    """
    if not upload_limiter().allow(request.remote_addr or ""):
        abort(429)
    sent, data = request.files.get("file"), None
    try:
        data = msgspec.json.decode(sent.read().removeprefix(BOM_UTF8)) if sent else None
        match_id = import_match(matches(), data, holder(), count_new_match)
        # On a public server the twin may be somebody else's match.
        twin = None if is_public() else twin_of(matches(), match_id)
    except (ValueError, RecursionError) as error:
        log.info("not taken in: %s", error)
        is_copy = is_match_copy(data)
        message = say("error.import_damaged" if is_copy else "error.import")
        if is_copy and isinstance(error, WrongField) and error.field:
            message += " " + say(f"error.field.{error.wrong}", field=error.field)
        return _refused(message, 422)
    session["twin"] = (match_id, twin or "")
    return redirect(url_for("matches.show", match_id=match_id), 303)


@pages.errorhandler(413)
def too_large(_error: HTTPException) -> AnyResponse:
    """Answer a request with too large a body. Who may import a match is told at the form's field
    how large the file is and may be.
    """
    message = too_large_in_words(say)
    if request.endpoint == "match_files.take_in" and may_write():
        return _refused(message, 413)
    return make_response(render_template("failure.html", message=message, status=413), 413)


def _refused(message: str, status: int) -> AnyResponse:
    """Show the form that brings in a match, and at its field why the file was refused. No browser
    keeps the file that was chosen.
    """
    return make_response(first_page(wrong_field="file", message=message), status)


def _download(response: Response, name: str) -> Response:
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
