"""What may be seen of a watched table: its state, its latest picture and the tiles of each event.

Scorers ask by the match's id; whoever was given the link to the tally asks by that link.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from flask import Blueprint, Response, abort, jsonify, request

from engine.pieces import Pieces
from scorer_app.services.reading_queue import ReadingFailed
from scorer_app.watch.pictures import as_jpeg
from scorer_app.watch.table_watch import TableWatch
from scorer_app.watch.tables import Watches
from scorer_app.web.pages.context import chosen_set, language, matches
from scorer_app.web.parts import parts
from scorer_app.web.roles import may_write, scorers_only

pages = Blueprint("live_view", __name__)


def watches() -> Watches:
    """Return the watches of all tables."""
    return parts().watches


def state_of(watch: TableWatch) -> Response:
    """Answer with JSON of what is new about a table, for a page that already has the `version` of
    the table and the `event` that the query names.

    The query also names the `watch` that gave these two numbers. Where it names another watch than
    this one, everything is new. A device that may not score is not told a camera's address.
    """
    known = request.args.get("version", -1, int), request.args.get("event", 0, int)
    if request.args.get("watch", watch.name) != watch.name:
        known = -1, 0
    state = watch.to_json(language(), *known, watches().clock())
    if state["camera"] and not may_write():
        state["camera"] = {key: state["camera"][key] for key in ("kind", "state")}
    return jsonify(state)


def state(match_id: str) -> Response:
    """Answer with what is new about a match's table, as `state_of` does. Where nobody watches the
    table, `watch` and `camera` are null.
    """
    watch = watches().find(match_id)
    if watch is not None and watch.server is not None:
        _keep_to_the_match(match_id)
        watch = watches().find(match_id)
    if watch is None:
        return jsonify(watch=None, camera=None)
    with watch.lock:
        return state_of(watch)


def _keep_to_the_match(match_id: str) -> None:
    """Let a camera on the server judge by the present rules of the match, and with the match's
    present set of tiles. Where the match is played with cards by now, end the watch. A page's
    camera needs no such care, since each of its frames is judged by the rules that the match has
    then.
    """
    tally = matches().tally(match_id)
    if tally.rules.pieces is Pieces.CARDS:
        return watches().forget(match_id)
    with suppress(ReadingFailed):  # of another set of tiles: what has begun goes on
        watches().keep_to(match_id, tally.rules.rules, chosen_set(tally), hand=tally.next_position)


def picture(match_id: str) -> Response:
    """Answer with the latest frame, a JPEG.

    The answer is 204 where the latest frame is still the one whose number is `after` in the query,
    or where nobody watches: a page asks for pictures until it learns that the watch has ended.
    """
    watch = watches().find(match_id)
    number, jpeg = (0, b"") if watch is None else watch.jpeg()
    if number == 0 or number == request.args.get("after", -1, int):
        return Response(status=204)
    return Response(jpeg, mimetype="image/jpeg", headers={"X-Frame-Number": str(number)})


def settled(match_id: str) -> Response:
    """Answer with the frame that shows the table as it was last understood, a JPEG; 204 where there
    is none.
    """
    watch = watches().find(match_id)
    if watch is None or watch.picture is None:
        return Response(status=204)
    return Response(as_jpeg(watch.picture, quality=90), mimetype="image/jpeg")


def thumbnail(match_id: str) -> Response:
    """Answer with a JPEG of the tiles that an event is about. The query names the event: `watch` is
    the name of the watch, and `event` is the number of the event in it. The status is 404 where
    there is no such picture.
    """
    watch, number = watches().of(match_id), request.args.get("event", 0, int)
    told = next((told for told in list(watch.events) if told.number == number), None)
    if told is None or told.thumbnail is None or request.args.get("watch") != watch.name:
        abort(404)
    return Response(
        told.thumbnail,
        mimetype="image/jpeg",
        headers={"Cache-Control": "private, max-age=86400, immutable"},
    )


def _for_both(view: Callable[[str], Response], name: str) -> None:
    """Give a view, which takes the id of a match, two addresses that end with `name`: one for the
    scorers of the match, and one for whoever has the link to its tally.
    """

    def of_link(viewer_token: str) -> Response:
        return view(matches().of_viewer(viewer_token).match.id)

    @scorers_only
    def of_match(match_id: str) -> Response:
        matches().tally(match_id)
        return view(match_id)

    pages.add_url_rule(f"/v/<viewer_token>/live/{name}", f"viewers_{view.__name__}", of_link)
    pages.add_url_rule(f"/api/live/<match_id>/{name}", view.__name__, of_match)


for _view, _name in (
    (state, "state"),
    (picture, "picture.jpg"),
    (settled, "settled.jpg"),
    (thumbnail, "thumbnail.jpg"),
):
    _for_both(_view, _name)
