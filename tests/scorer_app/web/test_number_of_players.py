"""The number of players of a running match, changed in its form."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from scorer_app.services.steps import StepKind, steps_of
from scorer_app.web.parts import parts_of

from ..conftest import Scorer
from ..hands import new_match, saved_hand
from .forms import form_of

NAMED = {f"player_{seat}": name for seat, name in enumerate(("Ana", "Beto", "Caro", "Dani"))}


def seats_dealt(scorer: Scorer, match: str) -> list[str]:
    """Return the names of those to whom the page of the match says to deal."""
    seats = scorer.client.get(f"/matches/{match}/deal").text.split('class="seats"')[1]
    return re.findall(r"</span>\s*([^<]+?)\s*</b>", seats.split("</ul>")[0].split("</ol>")[0])


@pytest.mark.parametrize("hands", [0, 1])
def test_a_match_begun_for_four_becomes_one_for_two_and_undoing_it_brings_all_back(
    app: Flask, scorer: Scorer, hands: int
) -> None:
    match, matches = new_match(scorer, **NAMED), parts_of(app).matches
    for _ in range(hands):
        assert saved_hand(scorer)[1] == match
    assert scorer.form(f"/matches/{match}/die").status_code == 303
    before = matches.tally(match)
    assert seats_dealt(scorer, match) == ["Ana", "Beto", "Caro", "Dani"]
    page = f"/matches/{match}/edit"
    assert scorer.form(page, **form_of(scorer, page) | {"players": "2"}).status_code == 303
    after = matches.tally(match)
    assert (after.match.players, after.match.player_names) == (2, ["Ana", "Beto"])
    assert (after.match.first_player, after.match.throws) == (None, None)
    assert after.totals == before.totals
    assert seats_dealt(scorer, match) == ["Ana", "Beto"]
    told = scorer.client.get(f"/matches/{match}/history").text
    assert "cambió nombres y reglas" in told
    assert "Jugadores: 4 → 2." in told
    assert "Jugador 3: Caro → –." in told
    assert scorer.form(f"/matches/{match}/die").status_code == 303
    dice, rules, *_ = steps_of(parts_of(app).store, match)
    for step in (dice, rules):
        assert scorer.form(f"/matches/{match}/history/{step.id}/undo").status_code == 303
    again = matches.tally(match).match
    assert (again.players, again.player_names) == (4, list(NAMED.values()))
    assert (again.first_player, again.throws) == (before.match.first_player, before.match.throws)


def test_a_match_begun_for_two_becomes_one_for_four(app: Flask, scorer: Scorer) -> None:
    match = new_match(scorer, players="2", player_0="Ana", player_1="Beto")
    page = f"/matches/{match}/edit"
    changed = {"players": "4", "player_2": "Caro", "player_3": "Dani"}
    assert scorer.form(page, **form_of(scorer, page) | changed).status_code == 303
    assert parts_of(app).matches.tally(match).match.player_names == list(NAMED.values())
    assert seats_dealt(scorer, match) == list(NAMED.values())


def test_a_form_without_a_number_of_players_keeps_that_of_the_match(
    app: Flask, scorer: Scorer
) -> None:
    match = new_match(scorer, players="2")
    page = f"/matches/{match}/edit"
    fields = form_of(scorer, page) | {"target": "1500"}
    del fields["players"]
    assert scorer.form(page, **fields).status_code == 303
    tally = parts_of(app).matches.tally(match)
    assert (tally.match.players, tally.target) == (2, 1500)


def test_a_number_of_players_that_another_phone_changed_stays_beside_what_was_typed(
    app: Flask, scorer: Scorer
) -> None:
    match = new_match(scorer)
    page, tally = f"/matches/{match}/edit", parts_of(app).matches.tally
    mine = form_of(scorer, page) | {"side_b": "Abuela"}
    assert scorer.form(page, **form_of(scorer, page) | {"players": "2"}).status_code == 303
    refused = scorer.form(page, **mine)
    assert refused.status_code == 409
    assert re.search(r'name="players" value="2" checked', refused.text)
    assert 'value="Abuela"' in refused.text
    assert tally(match).match.side_b != "Abuela"


def test_dice_thrown_for_four_do_not_count_once_two_play(
    app: Flask, scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, matches = new_match(scorer), parts_of(app).matches

    def change_meanwhile(players: int) -> list[list[int]]:
        matches.change(match, players=2)
        return [[1], [2], [3], [6]][:players]

    monkeypatch.setattr("scorer_app.web.pages.matches.throw_dice", change_meanwhile)
    assert scorer.form(f"/matches/{match}/die").status_code == 303
    assert matches.tally(match).match.first_player is None


def undo(app: Flask, scorer: Scorer, match: str, kind: StepKind, nth: int = 0) -> int:
    """Undo the nth newest step of a kind; return the status of the answer."""
    steps = [step for step in steps_of(parts_of(app).store, match) if step.kind is kind]
    answer = scorer.form(f"/matches/{match}/history/{steps[nth].id}/undo")
    return int(answer.status_code)


def test_a_number_of_players_after_which_dice_were_thrown_stays_until_they_are_undone(
    app: Flask, scorer: Scorer
) -> None:
    match = new_match(scorer)
    page = f"/matches/{match}/edit"
    assert scorer.form(page, **form_of(scorer, page) | {"players": "2"}).status_code == 303
    scorer.form(f"/matches/{match}/die")
    assert undo(app, scorer, match, StepKind.RULES) == 409
    assert seats_dealt(scorer, match) == ["Jugador 1", "Jugador 2"]
    assert undo(app, scorer, match, StepKind.DIE) == 303
    assert undo(app, scorer, match, StepKind.RULES) == 303
    assert len(seats_dealt(scorer, match)) == 4


def test_a_number_of_players_that_later_rules_depend_on_is_not_undone(
    app: Flask, scorer: Scorer
) -> None:
    """So many tiles can be dealt to two alone: by these rules four could not play."""
    match = new_match(scorer)
    page = f"/matches/{match}/edit"
    for change in ({"players": "2"}, {"hand_size": "30"}):
        assert scorer.form(page, **form_of(scorer, page) | change).status_code == 303
    assert undo(app, scorer, match, StepKind.RULES, 1) == 409
    assert parts_of(app).matches.tally(match).match.players == 2
    assert undo(app, scorer, match, StepKind.RULES) == 303
    assert undo(app, scorer, match, StepKind.RULES, 1) == 303
    assert parts_of(app).matches.tally(match).match.players == 4
