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
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from werkzeug import Response as AnyResponse

from scorer_app.hand.fields import WrongField
from scorer_app.services.exchange import (
    copy_name,
    export_csv,
    export_match,
    import_match,
    is_match_copy,
    twin_of,
)
from scorer_app.web.pages.context import matches, say, translate
from scorer_app.web.roles import scorers_only
from scorer_app.web.security import takes_up_to
from scorer_app.web.tenancy import count_new_match, holder, is_public

pages = Blueprint("match_files", __name__, url_prefix="/matches")
log = logging.getLogger(__name__)


@pages.get("/<match_id>/share")
@scorers_only
def share(match_id: str) -> str:
    """Show the tally as a picture to send."""
    return render_template("share.html", tally=matches().tally(match_id))


@pages.get("/<match_id>/export.json")
@scorers_only
def as_json(match_id: str) -> Response:
    """Send a copy of the match, named after its sides and day, as JSON, which `take_in` imports."""
    copy = export_match(matches(), match_id)
    return _download(jsonify(copy), copy_name(matches(), match_id))


@pages.get("/<match_id>/export.csv")
@scorers_only
def as_csv(match_id: str) -> Response:
    """Send the tally as CSV for spreadsheets."""
    sheet = export_csv(matches().tally(match_id), translate())
    return _download(Response("\ufeff" + sheet, mimetype="text/csv"), "burako.csv")


@pages.post("/import")
@scorers_only
@takes_up_to("import_bytes")
def take_in() -> AnyResponse:
    """Import a match from a copy, a JSON file. For a wrong file the answer names the field that is
    wrong, if the file is the copy of a match at all.
    """
    sent, data = request.files.get("file"), None
    try:
        data = msgspec.json.decode(sent.read().removeprefix(BOM_UTF8)) if sent else None
        count_new_match()
        match_id = import_match(matches(), data, holder())
        # On a public server the twin may be somebody else's match.
        twin = None if is_public() else twin_of(matches(), match_id)
    except (ValueError, RecursionError) as error:
        log.info("not taken in: %s", error)
        is_copy = is_match_copy(data)
        message = say("error.import_damaged" if is_copy else "error.import")
        if is_copy and isinstance(error, WrongField) and error.field:
            message += " " + say(f"error.field.{error.wrong}", field=error.field)
        return make_response(render_template("failure.html", message=message, status=422), 422)
    session["twin"] = (match_id, twin or "")
    return redirect(url_for("matches.show", match_id=match_id), 303)


def _download(response: Response, name: str) -> Response:
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
