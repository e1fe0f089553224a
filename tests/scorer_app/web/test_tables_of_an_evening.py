"""The first page where several tables play on one server in one evening."""

from __future__ import annotations

from datetime import timedelta
from html import unescape

from flask import Flask

from scorer_app.store import Match
from scorer_app.web.own_match import EVENING
from scorer_app.web.parts import parts_of

from ..conftest import Scorer
from ..hands import new_match, saved_hand
from .forms import form_of

THE_BUTTON = 'id="score-now"'


def press(scorer: Scorer, form: dict[str, str]) -> str:
    """Press the large button of the first page, and return the address to which it leads."""
    return str(scorer.form("/score", **form).headers["Location"])


def match_of(scorer: Scorer, address: str) -> str:
    return str(scorer.hand(address.rsplit("/", 1)[1])["match"])


def test_the_large_button_leads_to_the_match_above_it_whatever_others_began_since(
    app: Flask, scorer: Scorer
) -> None:
    mine, other = new_match(scorer), Scorer.of(app)
    form = form_of(scorer, "/", THE_BUTTON)
    theirs = new_match(other)
    other.begin(theirs)
    assert match_of(scorer, press(scorer, form)) == mine


def test_a_device_is_offered_the_match_that_it_opened_last(app: Flask, scorer: Scorer) -> None:
    mine, other = new_match(scorer), Scorer.of(app)
    theirs = new_match(other, side_a="Azul")
    scorer.client.get(f"/matches/{mine}")
    assert form_of(scorer, "/", THE_BUTTON)["match"] == mine
    assert form_of(other, "/", THE_BUTTON)["match"] == theirs
    hand = scorer.begin(theirs)
    scorer.client.get(f"/hands/{hand}")
    assert form_of(scorer, "/", THE_BUTTON)["match"] == theirs


def test_a_match_of_another_evening_gives_way_to_the_one_played_last(
    app: Flask, scorer: Scorer
) -> None:
    mine = new_match(scorer)
    scorer.client.get(f"/matches/{mine}")
    theirs = new_match(Scorer.of(app))
    with parts_of(app).store.writing() as session:
        match = session.get_one(Match, mine)
        match.touched -= EVENING + timedelta(minutes=1)
        match.version += 1  # tallies of this version are remembered
    assert form_of(scorer, "/", THE_BUTTON)["match"] == theirs


def test_a_hand_in_no_match_is_asked_about_where_another_table_has_begun_one(
    app: Flask, scorer: Scorer
) -> None:
    form = form_of(scorer, "/", THE_BUTTON)
    assert "match" not in form
    theirs = new_match(Scorer.of(app), side_a="Azul")
    refused = scorer.form("/score", **form)
    assert refused.status_code == 409
    assert "en otro teléfono empezaron esta partida" in unescape(refused.text)
    assert "Azul" in refused.text and parts_of(app).matches.tally(theirs).draft_id is None
    assert match_of(scorer, press(scorer, form_of(scorer, "/", THE_BUTTON))) == theirs


def test_a_double_tap_on_the_large_button_begins_one_match(scorer: Scorer) -> None:
    form = form_of(scorer, "/", THE_BUTTON)
    assert press(scorer, form) == press(scorer, form)


def test_the_large_button_of_a_match_that_is_finished_by_now_leads_to_it(
    app: Flask, scorer: Scorer
) -> None:
    match = new_match(scorer, target="400")
    form = form_of(scorer, "/", THE_BUTTON)
    saved_hand(scorer)
    assert parts_of(app).matches.tally(match).finished
    assert press(scorer, form) == f"/matches/{match}"
    scorer.form(f"/matches/{match}/delete")
    assert scorer.form("/score", **form).status_code == 404
