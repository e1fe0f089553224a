"""The first page, which leads to the unfinished hand, to a new one and to all matches."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from flask import (
    Blueprint,
    abort,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask import Response as FlaskResponse
from werkzeug import Response

from engine.pieces import Pieces
from engine.rulesets import RULESETS
from scorer_app.hand.table_rules import jokers_in
from scorer_app.services.holdings import viewed_by
from scorer_app.services.shelves import Shelf
from scorer_app.store.tables import token
from scorer_app.texts.languages import DEFAULT, LANGUAGES
from scorer_app.web.forms import read_form_id, read_pieces
from scorer_app.web.own_match import match_under_way
from scorer_app.web.pages.context import (
    first_ruleset,
    hands,
    intake,
    matches,
    new_match,
    say,
    shelf,
    speak_of,
    store,
    usual_pieces,
    usual_ruleset,
    usual_set,
    with_copies_of_set,
)
from scorer_app.web.roles import may_write, scorers_only
from scorer_app.web.tenancy import holder

pages = Blueprint("home", __name__)
SHOWN = 20  # matches of a shelf; a page of their own lists the older ones


@pages.get("/")
def index() -> str | Response:
    """Show the matches. A device that has not joined is asked for the join code."""
    return first_page() if may_write() else redirect(url_for("joining.ask"))


def first_page(**told: str) -> str:
    """Make the first page for a scorer. `told` says what came of a form: `message` is a sentence;
    `wrong_field` names the field that it is about, in the form that brings in a match.
    """
    shelves = {name: shelf(name, SHOWN) for name in Shelf}
    usual = usual_pieces()
    speak_of(usual)
    return render_template(
        "home.html",
        shelves=shelves,
        viewed=viewed_by(store(), device) if (device := holder()) else [],
        current=match_under_way(shelves[Shelf.PLAYED]),
        new_id=token(),
        samples=[pieces for pieces in Pieces if sample_photos(pieces)],
        usual=usual,
        other=Pieces.TILES if usual is Pieces.CARDS else Pieces.CARDS,
        **told,
    )


@pages.post("/score")
@scorers_only
def score_now() -> Response:
    """Begin a hand with one tap. The form names the match that the first page showed as the one
    under way. Where it showed none, the form has an id, and the hand begins in a new match with the
    usual names and rules, of tiles or cards as the form says; that page is shown once more where
    another device has begun a match since. Without either, the match under way is taken.
    """
    if shown := request.form.get("match"):
        return _hand_of(shown)
    new_id = read_form_id(request.form.get("new", ""))
    going = match_under_way(shelf(Shelf.PLAYED, SHOWN))
    if going and new_id not in (None, going.match.id):
        return make_response(first_page(message=say("home.begun_elsewhere")), 409)
    return _hand_of(going.match.id if going else _new_match(_asked_pieces(), new_id))


def _hand_of(match_id: str) -> Response:
    """Lead to the unfinished hand of a match, or to a new one; to the match itself where it is
    finished by now. Raises NotFound.
    """
    if matches().tally(match_id).finished:
        return redirect(url_for("matches.show", match_id=match_id), 303)
    return redirect(url_for("hands.edit", hand_id=hands().begin(match_id)), 303)


def _asked_pieces() -> Pieces:
    """Return what the form says a match is played with or, where it does not say, what a new match
    usually is. Raises FormProblem for any other value.
    """
    return read_pieces(request.form, usual_pieces())


def _new_match(pieces: Pieces, form_id: str | None = None, *, sample: bool = False) -> str:
    """Make a match with the usual names and rules, and return its id; where the form with the id
    `form_id` has made one before, return the id of that one. `sample` marks the match as made of
    the bundled photographs; it has the rules of a first match, whatever was played last.
    """
    name = first_ruleset(pieces) if sample else usual_ruleset(pieces)
    rules = RULESETS[name]
    jokers = jokers_in(rules, pieces)
    fields = {
        "side_a": say("side.A"),
        "side_b": say("side.B"),
        "ruleset": name,
        "options": {} if jokers == rules.jokers else {"jokers": jokers},
        "players": 4,
        "pieces": pieces,
        "tile_set_id": None if sample or pieces is Pieces.CARDS else usual_set(),
        "sample": sample,
    }
    return new_match(form_id, **with_copies_of_set(fields))


@pages.post("/samples")
@scorers_only
def samples() -> Response:
    """Show a hand made of the bundled photographs, to try everything at once: the latest such hand
    that was never saved or, without one, a new hand in a match of its own.
    """
    pieces = _asked_pieces()
    found = sample_photos(pieces)
    if not found:
        abort(404)
    for tally in shelf(Shelf.SAMPLES, SHOWN).tallies:
        is_open = tally.draft_id and not tally.lines
        if is_open and tally.rules.pieces is pieces:
            return redirect(url_for("hands.edit", hand_id=tally.draft_id), 303)
    match_id = _new_match(pieces, sample=True)
    hand_id = hands().begin(match_id)
    for path in found:
        place, side = path.stem.split("-")
        with path.open("rb") as file:
            intake().receive(hand_id, side.upper(), place, file, bundled=True)
    return redirect(url_for("hands.edit", hand_id=hand_id), 303)


@cache
def sample_photos(pieces: Pieces) -> tuple[Path, ...]:
    """List the paths of the bundled photographs, those of melds before those of racks. Photographs
    of tiles are `static/samples/PLACE-SIDE.jpg`, such as `melds-a.jpg`; those of cards lie in
    `static/samples/cards/`.
    """
    folder = Path(__file__).parents[1] / "static" / "samples"
    folder = folder / "cards" if pieces is Pieces.CARDS else folder
    paths = sorted(folder.glob("*-[ab].jpg"))
    return tuple(path for path in paths if path.stem.split("-")[0] in ("melds", "rack"))


@pages.get("/app.webmanifest")
def manifest() -> FlaskResponse:
    """Send the web app manifest, which lets phones install the page as an application."""

    def icon(size: int, purpose: str) -> dict[str, str]:
        source = url_for("static", filename=f"icons/tile-{size}.png")
        return {"src": source, "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}

    icons = [icon(192, "any"), icon(512, "any"), icon(512, "maskable")]
    response = jsonify(
        name="Burako",
        short_name="Burako",
        lang=LANGUAGES[DEFAULT].tag,
        start_url="/",
        display="standalone",
        background_color="#123328",
        theme_color="#1d4a3a",
        icons=icons,
    )
    response.mimetype = "application/manifest+json"
    return response
