"""The lists of matches, and the statistics over them."""

from __future__ import annotations

from flask import Blueprint, abort, render_template, request

from engine.pieces import Pieces
from scorer_app.services.exchange import without_copies
from scorer_app.services.shelves import Shelf
from scorer_app.services.statistics import (
    Result,
    names_on_both_sides,
    pair_records,
    player_records,
)
from scorer_app.web.pages.context import shelf, side_name, speak_of
from scorer_app.web.plot import course_of
from scorer_app.web.roles import scorers_only

pages = Blueprint("match_lists", __name__, url_prefix="/matches")
A_PAGE = 30  # matches listed at once
MOST_COUNTED = 250  # matches in the statistics


@pages.get("/")
@scorers_only
def older() -> str:
    """Show a page of one list of matches: the played ones, the archived ones or the samples, as
    `shelf` in the query says. The match in which a hand was begun or saved last comes first. If
    the query names a match as `after`, the page shows only matches that follow it in the list.
    """
    named, after = request.args.get("shelf", Shelf.PLAYED), request.args.get("after")
    if named not in list(Shelf):
        abort(404)
    found = shelf(Shelf(named), A_PAGE, after)
    return render_template("matches.html", shelf=Shelf(named), found=found)


@pages.get("/statistics")
@scorers_only
def statistics() -> str:
    """Show two statistics over the matches played last: of every two names that played against each
    other, and of every player. Samples and matches that cannot be shown are left out, and of a
    match and its copies one counts. Where all of them are of cards the page speaks of cards and
    shows one beside its name. If the query names a listed match as `match`, the page leads back to
    it.
    """
    shelves = [shelf(name, MOST_COUNTED) for name in (Shelf.PLAYED, Shelf.ARCHIVED)]
    listed = [tally for part in shelves for tally in part.tallies]
    every = without_copies(listed)
    played = sorted(every, key=lambda tally: tally.match.touched)[-MOST_COUNTED:]
    is_part = len(every) > len(played) or any(part.last for part in shelves)
    unreadable = sum(len(part.unreadable) for part in shelves)
    left_out = unreadable + sum(len(tally.left_out) for tally in played)
    players = player_records(played)
    if played and all(tally.rules.pieces is Pieces.CARDS for tally in played):
        speak_of(Pieces.CARDS)
    return render_template(
        "statistics.html",
        origin=next((one for one in listed if one.match.id == request.args.get("match")), None),
        pairs=[(pair, course_of(pair)) for pair in pair_records(played, side_name)],
        players=players,
        results=[one for one in Result if any(one in player.latest for player in players)],
        on_both_sides=names_on_both_sides(played),
        left_out=left_out,
        most_counted=MOST_COUNTED if is_part else None,
    )
