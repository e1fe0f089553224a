"""Forms about a match that two phones send, or that one phone sends twice."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from flask import Flask

from scorer_app.hand.table_rules import TableRules
from scorer_app.services.steps import StepKind, steps_of
from scorer_app.services.tally import Tally
from scorer_app.web.parts import parts_of

from ..conftest import Scorer, closing, taps
from ..hands import CANASTA, new_match, saved_hand
from ..served import PATIENCE
from .forms import fields_in, form_of


def test_a_form_in_which_nothing_was_changed_is_no_step_of_a_match_begun_with_one_tap(
    scorer: Scorer,
) -> None:
    match = scorer.hand(scorer.begin())["match"]
    assert scorer.form(f"/matches/{match}/edit", **form_of(scorer, f"/matches/{match}/edit"))
    assert "Todavía no cambió nada." in scorer.client.get(f"/matches/{match}/history").text


def test_a_form_that_another_phone_overtook_changes_nothing_and_is_shown_anew(
    app: Flask, scorer: Scorer
) -> None:
    match = new_match(scorer)
    page, matches = f"/matches/{match}/edit", parts_of(app).matches
    shown = form_of(scorer, page)
    assert scorer.form(page, **form_of(scorer, page) | {"target": "2000"}).status_code == 303
    refused = scorer.form(page, **shown | {"side_a": "Ana"})
    assert refused.status_code == 409
    assert "Otro teléfono cambió la partida mientras tanto" in refused.text
    tally = matches.tally(match)
    assert (tally.target, tally.match.side_a) == (2000, "Los Pérez")
    saved_hand(scorer)  # a hand that is played is no other change
    assert scorer.form(page, **form_of(scorer, page) | {"side_a": "Ana"}).status_code == 303
    tally = matches.tally(match)
    assert (tally.target, tally.match.side_a) == (2000, "Ana")


def test_what_was_typed_in_a_form_that_another_phone_overtook_stays_in_it_beside_its_change(
    app: Flask, scorer: Scorer
) -> None:
    match = new_match(scorer)
    page, tally = f"/matches/{match}/edit", parts_of(app).matches.tally
    mine, theirs = (form_of(scorer, page) for _phone in "ab")
    theirs |= {"target": "1500", "player_1": "Eva", "muerto_penalty_if_nobody": "yes"}
    assert scorer.form(page, **theirs).status_code == 303
    changed = {"side_b": "Abuela y Juan", "close_bonus": "120", "player_1": "Olga"}
    del mine["muerto_bonus"]
    refused = scorer.form(page, **mine | changed)
    assert refused.status_code == 409
    assert "acá está como quedó, con lo que escribiste vos" in refused.text
    again = fields_in(refused.text)
    assert "muerto_bonus" not in again and again["muerto_penalty_if_nobody"] == "yes"
    assert scorer.form(page, **again).status_code == 303
    kept = tally(match)
    assert (kept.target, kept.match.side_a) == (1500, "Los Pérez")
    assert (kept.match.side_b, kept.match.player_names[1]) == ("Abuela y Juan", "Olga")
    rules = kept.rules.rules
    assert (rules.close_bonus, rules.muerto_bonus, rules.muerto_penalty_if_nobody) == (
        120,
        False,
        True,
    )


def test_another_ruleset_in_a_form_that_another_phone_overtook_keeps_its_own_values(
    app: Flask, scorer: Scorer
) -> None:
    match = new_match(scorer)
    page, tally = f"/matches/{match}/edit", parts_of(app).matches.tally
    mine, theirs = (form_of(scorer, page) for _phone in "ab")
    scorer.form(page, **theirs | {"target": "1500", "side_a": "Ana"})
    asked = form_of(scorer, "/matches/new?rules=buraco&pieces=tiles")
    options = {name: value for name, value in asked.items() if name not in ("csrf", "players")}
    names = {name: value for name, value in mine.items() if name.startswith(("side", "player"))}
    held = {name: mine[name] for name in ("seen", "shown")}
    refused = scorer.form(page, **options | names | held)
    assert refused.status_code == 409
    assert scorer.form(page, **fields_in(refused.text)).status_code == 303
    kept = tally(match)
    assert (kept.rules.rules.id, kept.match.side_a) == ("buraco", "Ana")
    assert "target" not in kept.match.options


def test_a_change_that_counts_hands_anew_keeps_what_was_typed_where_another_phone_overtakes_it(
    app: Flask, scorer: Scorer
) -> None:
    _hand, match = saved_hand(scorer)
    page, matches = f"/matches/{match}/edit", parts_of(app).matches
    form = form_of(scorer, page) | {"canasta_pura": "300", "side_b": "Olga"}
    effect = scorer.form(page, **form).headers["Location"]
    assert "Olga" not in effect and "&shown=" not in effect
    sure = form_of(scorer, effect, 'name="sure"')
    matches.change(match, StepKind.RULES, "another phone", side_a="Ana")
    for refused in (scorer.client.get(effect), scorer.form(page, **sure)):
        assert refused.status_code == 409
        again = fields_in(refused.text)
        assert (again["side_a"], again["side_b"], again["canasta_pura"]) == ("Ana", "Olga", "300")


@pytest.mark.parametrize(
    "shown", ["", "no JSON", "[]", "null", '{"ruleset": "x"}', '{"side_a": 1}']
)
def test_a_form_that_holds_no_match_of_before_is_shown_anew(scorer: Scorer, shown: str) -> None:
    match = new_match(scorer)
    page = f"/matches/{match}/edit"
    form = form_of(scorer, page)
    scorer.form(page, **form | {"target": "1500"})
    refused = scorer.form(page, **form | {"side_a": "Ana", "shown": shown})
    assert refused.status_code == 409 and "Hacé de nuevo tu cambio" in refused.text


def test_rules_that_another_phone_changes_in_the_same_instant_are_kept(
    app: Flask, scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = new_match(scorer)
    page, matches = f"/matches/{match}/edit", parts_of(app).matches
    form = form_of(scorer, page) | {"canasta_pura": "300", "canasta_impura": "150"}
    real = matches.by_rules

    def change_meanwhile(match_id: str, rules: TableRules) -> Tally:
        matches.change(match_id, options={"target": 1500})
        return real(match_id, rules)

    monkeypatch.setattr(matches, "by_rules", change_meanwhile)
    refused = scorer.form(page, **form)
    assert refused.status_code == 409
    assert "Otro teléfono cambió la partida mientras tanto" in refused.text
    assert matches.tally(match).match.options == {"target": 1500}


@pytest.mark.parametrize("page", ["edit", "compare"])
def test_a_hand_counted_while_rules_are_compared_is_no_fault(
    app: Flask, scorer: Scorer, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    _hand, match = saved_hand(scorer)
    matches, hands = parts_of(app).matches, parts_of(app).hands
    real = matches.by_rules

    def count_meanwhile(match_id: str, rules: TableRules) -> Tally:
        hands.save_counted(match_id, {"A": (300, 0), "B": (0, 0)})
        return real(match_id, rules)

    monkeypatch.setattr(matches, "by_rules", count_meanwhile)
    form = form_of(scorer, f"/matches/{match}/{page}") | {"target": "2000"}
    answer = (
        scorer.compare(match, **form)
        if page == "compare"
        else scorer.form(f"/matches/{match}/{page}", **form)
    )
    assert answer.status_code in (200, 303)


def test_a_hand_of_tiles_that_is_saved_once_more_counts_once(app: Flask, scorer: Scorer) -> None:
    hand, match = saved_hand(scorer)
    seen = scorer.hand(hand)["version"]
    for version, status in ((seen - 1, 409), (seen, 200)):
        sent = scorer.post(f"/api/hands/{hand}/save", json={"version": version})
        assert sent.status_code == status
    begun = [scorer.form(f"/matches/{match}/hands").headers["Location"] for _ in range(2)]
    assert begun[0] == begun[1]
    assert [line.hand_id for line in parts_of(app).matches.tally(match).lines] == [hand]


def test_two_phones_that_ask_for_a_rematch_play_the_same_one(app: Flask, scorer: Scorer) -> None:
    match = new_match(scorer, target="400")
    saved_hand(scorer)
    assert parts_of(app).matches.tally(match).finished

    def rematch(of: str) -> str:
        answer = Scorer.of(app).form(f"/matches/{of}/rematch")
        return str(answer.headers["Location"].rsplit("/", 1)[1])

    first = rematch(match)
    assert first != match and rematch(match) == first
    hand = scorer.begin(first)
    assert rematch(match) == first
    scorer.edit(hand, *taps("A", "melds", CANASTA), *taps("B", "rack", "J"), *closing())
    assert scorer.post(f"/api/hands/{hand}/save").status_code == 200
    assert parts_of(app).matches.tally(first).finished
    second = rematch(first)
    assert len({match, first, second}) == 3 and rematch(first) == second


def test_each_table_of_an_evening_has_a_rematch_of_its_own(app: Flask, scorer: Scorer) -> None:
    finished = []
    for _table in range(3):
        finished.append(new_match(scorer, target="400"))
        saved_hand(scorer)
    rematches = [scorer.form(f"/matches/{match}/rematch").headers["Location"] for match in finished]
    again = [scorer.form(f"/matches/{match}/rematch").headers["Location"] for match in finished]
    assert again == rematches and len({*rematches}) == len(finished)


def test_a_match_of_the_same_names_at_another_table_is_no_rematch(
    app: Flask, scorer: Scorer
) -> None:
    mine = new_match(scorer, target="400")
    saved_hand(scorer)
    theirs = new_match(scorer, target="400")
    began = scorer.form(f"/matches/{mine}/rematch").headers["Location"]
    assert began not in (f"/matches/{mine}", f"/matches/{theirs}")


def test_two_phones_that_ask_for_a_rematch_in_the_same_instant_play_the_same_one(
    app: Flask, scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, both = new_match(scorer, target="400"), Barrier(2)
    saved_hand(scorer)

    def look_together(*_given: Any) -> None:
        both.wait(PATIENCE)  # no phone finds a match that the other one has begun

    def rematch(phone: Scorer) -> str:
        return str(phone.form(f"/matches/{match}/rematch").headers["Location"])

    monkeypatch.setattr("scorer_app.web.pages.matches._unfinished_rematch", look_together)
    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(rematch, (scorer, Scorer.of(app)))
    assert one == other != f"/matches/{match}"


def test_of_two_phones_that_throw_the_dice_the_first_one_counts(
    app: Flask, scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, seats = new_match(scorer), iter((2, 1, 3))
    page, matches = f"/matches/{match}/deal", parts_of(app).matches
    throws = "scorer_app.web.pages.matches.throw_dice"
    monkeypatch.setattr(throws, lambda players: [[6 * (seat == best)] for seat in range(players)])
    for best in seats:
        shown = form_of(scorer, page)
        assert scorer.form(f"/matches/{match}/die", **shown).status_code == 303
        assert matches.tally(match).match.first_player == best
        kept, best = best, 0
        assert scorer.form(f"/matches/{match}/die", **shown).headers["Location"] == page
        assert matches.tally(match).match.first_player == kept


def test_a_throw_of_dice_that_is_sent_twice_counts_once_though_it_equals_the_throw_before(
    app: Flask, scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, throws = new_match(scorer), iter(([[1], [2], [6], [3]],) * 2 + ([[6], [1], [1], [1]],))
    monkeypatch.setattr("scorer_app.web.pages.matches.throw_dice", lambda players: next(throws))
    page = f"/matches/{match}/deal"
    scorer.form(f"/matches/{match}/die", **form_of(scorer, page))
    again = form_of(scorer, page)
    for _ in range(2):  # the phone got no answer and sends the form once more
        assert scorer.form(f"/matches/{match}/die", **again).headers["Location"] == page
        assert parts_of(app).matches.tally(match).match.first_player == 2
    assert len(steps_of(parts_of(app).store, match)) == 2


def test_dice_thrown_in_the_same_instant_do_not_take_the_place_of_those_thrown_first(
    app: Flask, scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, matches = new_match(scorer), parts_of(app).matches
    first = {"first_player": 2, "throws": [[1], [2], [6], [3]]}

    def throw_meanwhile(players: int) -> list[list[int]]:
        matches.change(match, **first)
        return [[6], [1], [1], [1]][:players]

    monkeypatch.setattr("scorer_app.web.pages.matches.throw_dice", throw_meanwhile)
    assert scorer.form(f"/matches/{match}/die").status_code == 303
    assert matches.tally(match).match.first_player == 2


def test_the_die_is_no_near_tap_once_a_hand_is_counted_and_gone_after_the_last(
    app: Flask, scorer: Scorer
) -> None:
    match = new_match(scorer, target="400")
    deal, die = f"/matches/{match}/deal", f"/matches/{match}/die"
    assert ">Tirar el dado<" in scorer.client.get(deal).text
    scorer.form(die)
    assert "<details" not in scorer.client.get(deal).text
    old = form_of(scorer, deal)
    hand = scorer.begin(match)
    ended = {"op": "set_end", "end": "stock_exhausted", "closed_by": None}
    scorer.edit(hand, *taps("A", "melds", "7R 7B 7K"), ended)
    scorer.edit(hand, *({"op": "set_muerto", "side": side, "taken": True} for side in "AB"))
    scorer.edit(hand, *({"op": "empty_rack", "side": side} for side in "AB"))
    assert scorer.post(f"/api/hands/{hand}/save").status_code == 200
    assert re.search(r"<details[^>]*><summary>Cambiar a quién", scorer.client.get(deal).text)
    matches = parts_of(app).matches
    throws = matches.tally(match).match.throws
    scorer.form(die, **old)  # from a page of before the hand
    saved_hand(scorer)
    shown = scorer.client.get(deal).text
    assert "/die" not in shown and "<em>empieza" not in shown
    scorer.form(die)
    assert matches.tally(match).match.throws == throws


def test_two_phones_rename_one_side_each(app: Flask, scorer: Scorer) -> None:
    match = new_match(scorer)
    shown = {"shown_side_a": "Los Pérez", "shown_side_b": "Visitas"}
    page = scorer.client.get(f"/matches/{match}").text
    assert all(f'name="{name}" value="{value}"' in page for name, value in shown.items())
    for names in ({"side_a": "Ana", "side_b": "Visitas"}, {"side_a": "Los Pérez", "side_b": "Eva"}):
        assert scorer.form(f"/matches/{match}/names", **names, **shown).status_code == 303
    kept = parts_of(app).matches.tally(match).match
    assert (kept.side_a, kept.side_b) == ("Ana", "Eva")


def test_a_refused_name_does_not_undo_what_another_phone_renamed(
    app: Flask, scorer: Scorer
) -> None:
    match = new_match(scorer, side_a="Uno", side_b="Dos")
    shown = {"shown_side_a": "Uno", "shown_side_b": "Dos"}
    parts_of(app).matches.change(match, StepKind.RULES, "another phone", side_b="Lobos")
    refused = scorer.form(f"/matches/{match}/names", side_a="LOBOS", side_b="Dos", **shown)
    assert refused.status_code == 422
    assert 'name="side_a" value="LOBOS"' in refused.text
    assert 'name="side_b" value="Lobos"' in refused.text
    shown["shown_side_b"] = "Lobos"
    again = scorer.form(f"/matches/{match}/names", side_a="Tigres", side_b="Lobos", **shown)
    assert again.status_code == 303
    kept = parts_of(app).matches.tally(match).match
    assert (kept.side_a, kept.side_b) == ("Tigres", "Lobos")
