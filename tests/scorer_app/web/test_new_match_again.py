"""The form of a new match that is sent more than once, as after going back in the browser."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select

from scorer_app.services.form_ids import match_of_form
from scorer_app.services.sets import Sets
from scorer_app.services.steps import StepKind, steps_of
from scorer_app.services.tally import Tally
from scorer_app.store import Match
from scorer_app.web.parts import parts_of

from ..conftest import Scorer
from ..hands import delete_match
from ..own_sets import example
from ..served import PATIENCE
from .forms import fields_in

NEW = "/matches/new"


def fields_at(scorer: Scorer, address: str) -> dict[str, str]:
    """Return the fields of the form at an address, without the token of the session."""
    fields = fields_in(scorer.client.get(address).text, 'id="new-match"')
    del fields["csrf"]
    return fields


def asked(scorer: Scorer) -> tuple[str, dict[str, str]]:
    """Ask for the form of a new match; return its address and its fields, with names."""
    address = scorer.client.get(NEW).headers["Location"]
    form = fields_at(scorer, address)
    return address, form | {"side_a": "Los Pérez", "side_b": "Visitas"}


def begun(scorer: Scorer, form: dict[str, str]) -> str:
    """Send the form; return the address to which the answer leads."""
    answer = scorer.form(NEW, **form)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["Location"])


def tally_at(app: Flask, address: str) -> Tally:
    return parts_of(app).matches.tally(address.split("?")[0].rsplit("/", 1)[1])


def count_matches(app: Flask) -> int:
    counted = parts_of(app).store.look(select(func.count(Match.id)).where(~Match.deleted), {})
    return int(counted[0][0])


def test_a_form_that_is_sent_again_leads_to_the_match_that_it_has_made(
    app: Flask, scorer: Scorer
) -> None:
    address, form = asked(scorer)
    assert re.fullmatch(r"/matches/new\?new=[\w-]{22}", address)
    match = begun(scorer, form)
    for _time in range(2):
        assert begun(scorer, form) == match
    assert count_matches(app) == 1
    assert steps_of(parts_of(app).store, tally_at(app, match).match.id) == []
    other = begun(scorer, asked(scorer)[1])  # of another form with the same values
    assert other != match and count_matches(app) == 2


def test_what_is_changed_in_the_form_changes_the_match_that_has_no_hand(
    app: Flask, scorer: Scorer, sets: Sets
) -> None:
    first, second = (sets.teach(name, [example("7R")]).id for name in ("One", "Two"))
    address, form = asked(scorer)
    match = begun(scorer, form | {"tile_set": first})
    assert fields_at(scorer, address) == form
    assert f'value="{first}" selected' in scorer.client.get(address).text
    changed = form | {"side_b": "Vecinos", "players": "2", "target": "1500", "player_1": "Eva"}
    assert begun(scorer, changed | {"tile_set": second}) == match
    tally = tally_at(app, match)
    kept = tally.match
    assert (kept.side_a, kept.side_b, kept.player_names) == ("Los Pérez", "Vecinos", ["", "Eva"])
    assert (kept.players, tally.target, kept.tile_set_id) == (2, 1500, second)
    assert fields_at(scorer, address)["side_b"] == "Vecinos"
    assert count_matches(app) == 1
    steps = steps_of(parts_of(app).store, kept.id)
    assert [step.kind for step in steps] == [StepKind.TILES, StepKind.RULES]
    assert scorer.client.get(f"{match}/history").status_code == 200
    for step in steps:
        assert scorer.form(f"{match}/history/{step.id}/undo").status_code == 303
    undone = tally_at(app, match).match
    assert (undone.side_b, undone.players, undone.tile_set_id) == ("Visitas", 4, first)


def test_a_form_whose_match_has_hands_leads_there_and_says_so_or_makes_another_one(
    app: Flask, scorer: Scorer
) -> None:
    address, form = asked(scorer)
    match = begun(scorer, form)
    scorer.form(f"{match}/count", base_A="300")
    again = begun(scorer, form)
    assert again == f"{match}?begun=yes"
    assert "Ya habías empezado esta partida" in scorer.client.get(again).text
    assert "Ya habías empezado" not in scorer.client.get(match).text
    shown = fields_at(scorer, address)
    assert shown["side_a"] == "Nosotros"  # those of a new match
    other = begun(scorer, form | {"target": "1500"})
    assert other != match and begun(scorer, form | {"target": "1500"}) == other
    assert begun(scorer, form | {"target": "1600"}) == other  # which has no hand yet
    assert (tally_at(app, match).target, tally_at(app, other).target) == (3000, 1600)
    assert count_matches(app) == 2


def test_a_match_whose_dice_were_thrown_keeps_its_number_of_players(
    app: Flask, scorer: Scorer
) -> None:
    _address, form = asked(scorer)
    match = begun(scorer, form)
    scorer.form(f"{match}/die")
    assert begun(scorer, form | {"target": "1500"}) == match
    assert begun(scorer, form | {"players": "2"}) != match


def test_a_form_whose_match_was_deleted_makes_another_one(app: Flask, scorer: Scorer) -> None:
    _address, form = asked(scorer)
    match = begun(scorer, form)
    delete_match(app, tally_at(app, match).match.id)
    other = begun(scorer, form)
    assert other != match and begun(scorer, form) == other


def test_a_form_that_is_wrong_keeps_its_id(app: Flask, scorer: Scorer) -> None:
    _address, form = asked(scorer)
    wrong = scorer.form(NEW, **form | {"side_b": ""})
    assert wrong.status_code == 422
    assert fields_in(wrong.text, 'id="new-match"')["new"] == form["new"]


@pytest.mark.parametrize("hostile", ["", "x", "%00", "a" * 22 + "%0A", "_anchor"])
def test_a_form_without_an_id_is_served(app: Flask, scorer: Scorer, hostile: str) -> None:
    answer = scorer.client.get(f"{NEW}?new={hostile}&_anchor=x&pieces=cards")
    assert re.fullmatch(r"/matches/new\?new=[\w-]{22}&pieces=cards", answer.headers["Location"])
    fields = {"side_a": "A", "side_b": "B", "ruleset": "burako", "new": hostile}
    assert begun(scorer, fields) != begun(scorer, fields)
    assert count_matches(app) == 2


def test_two_taps_that_come_at_once_make_one_match(
    app: Flask, scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    _address, form = asked(scorer)
    matches = parts_of(app).matches
    real, both = matches.create, Barrier(2)

    def create_together(**named: Any) -> str:
        both.wait(PATIENCE)
        return real(**named)

    monkeypatch.setattr(matches, "create", create_together)
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda phone: begun(phone, form), (scorer, Scorer.of(app)))
    assert first == second and count_matches(app) == 1


def test_the_match_that_another_process_has_just_made_of_a_form_is_taken(
    app: Flask, scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    _address, form = asked(scorer)
    match, matches = begun(scorer, form).rsplit("/", 1)[1], parts_of(app).matches
    answers = [(form["new"], None)]  # as it was before that process wrote

    def look(*given: Any) -> Any:
        return answers.pop() if answers else match_of_form(*given)

    monkeypatch.setattr("scorer_app.services.matches.match_of_form", look)
    columns = ("side_a", "side_b", "players", "player_names", "ruleset", "options", "pieces")
    fields = {name: getattr(matches.tally(match).match, name) for name in columns}
    assert matches.create(form_id=form["new"], **fields) == match
    assert answers == [] and count_matches(app) == 1
