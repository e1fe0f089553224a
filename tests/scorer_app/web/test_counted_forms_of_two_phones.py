"""Forms of a hand counted by hand that two phones send, or that one phone sends twice."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from threading import Barrier
from typing import Any

import pytest
from flask import Flask

from scorer_app.store import Hand
from scorer_app.web.parts import parts_of

from ..conftest import Scorer, closing, taps
from ..hands import CANASTA, new_match, saved_hand
from ..served import PATIENCE
from .forms import fields_in, form_of


def test_points_that_are_sent_again_because_no_answer_came_count_once(
    app: Flask, scorer: Scorer
) -> None:
    match = new_match(scorer)
    page, tally = f"/matches/{match}/count", parts_of(app).matches.tally
    form = form_of(scorer, page) | {"base_A": "300", "puntos_A": "45"}
    wrong = scorer.form(page, **form | {"base_B": "many"})
    assert (wrong.status_code, form["new"] in wrong.text) == (422, True)
    assert "ya está anotada" not in told_after(scorer, page, form)
    other = scorer.form(page, **form | {"base_B": "200"})
    assert (other.status_code, 'value="200"' in other.text) == (409, True)
    assert "La mano 1 ya está anotada, con otros puntos." in unescape(other.text)
    new = r'name="new" value="([^"]{22})"'
    (fresh,) = set(re.findall(new, other.text)) - {form["new"]}
    for _ in range(2):
        told = told_after(scorer, page, form)
        assert "Esa mano ya está anotada: es la mano 1." in told
    (line,) = tally(match).lines
    assert line.running and line.running.totals == {"A": 345, "B": 0}
    anew = f"{page}?hand={line.hand_id}"
    assert f'<a class="quiet" href="{anew}">Corregir esa mano</a>' in told
    assert scorer.form(anew, base_A="400", puntos_A="45").status_code == 303
    assert tally(match).totals == {"A": 445, "B": 0}
    # Another form counts another hand, even with the same points.
    assert "ya está anotada" not in told_after(
        scorer, page, form_of(scorer, page) | {"base_A": "300", "puntos_A": "45"}
    )
    assert tally(match).totals == {"A": 790, "B": 0}
    told_after(scorer, page, {"base_A": "300", "puntos_A": "45", "base_B": "200", "new": fresh})
    assert tally(match).totals == {"A": 1135, "B": 200}


def told_after(scorer: Scorer, page: str, form: dict[str, str]) -> str:
    """Send the form of `page`; return the page to which the answer leads."""
    answer = scorer.form(page, **form)
    assert answer.status_code == 303
    return str(scorer.client.get(answer.headers["Location"]).text)


def test_a_form_that_has_saved_its_hand_leads_to_the_match_also_after_a_restart(
    app: Flask, scorer: Scorer
) -> None:
    match, matches = new_match(scorer), parts_of(app).matches
    page = scorer.client.get(f"/matches/{match}/count").headers["Location"]
    form = form_of(scorer, page)
    assert page.endswith(f"?new={form['new']}") and form_of(scorer, page) == form
    scorer.form(f"/matches/{match}/count", **form | {"base_A": "300"})
    # What a restarted server knows is what the database holds.
    there = scorer.client.get(page)
    assert there.status_code == 303
    assert "Esa mano ya está anotada" in scorer.client.get(there.headers["Location"]).text
    other = new_match(scorer)
    assert scorer.client.get(f"/matches/{other}/count?new={form['new']}").status_code == 200
    for _ in range(2):  # the form's id belongs to the other match's hand
        scorer.form(f"/matches/{other}/count", **form | {"base_A": "300"})
    assert len(matches.tally(other).lines) == len(matches.tally(match).lines) == 1
    for hostile in ("x", "%00", "a" * 22 + "%0A", "counted"):
        again = scorer.client.get(f"/matches/{match}/count?new={hostile}")
        assert again.status_code in (302, 404)
        assert scorer.client.get(f"/matches/{match}?counted={hostile}").status_code in (200, 404)
    assert scorer.client.get("/matches/nobody/count").status_code == 404


def test_points_of_a_hand_that_was_taken_out_stay_out_where_their_form_is_sent_once_more(
    app: Flask, scorer: Scorer
) -> None:
    match = new_match(scorer)
    page, tally = f"/matches/{match}/count", parts_of(app).matches.tally
    form = form_of(scorer, page) | {"base_A": "300"}
    scorer.form(page, **form)
    scorer.form(f"/hands/{tally(match).lines[0].hand_id}/undone", undone="yes")
    assert "es la mano 1, que está anulada y no suma." in told_after(scorer, page, form)
    assert [line.excluded for line in tally(match).lines] == [True]


def test_points_that_a_double_tap_sends_twice_at_once_count_once(
    app: Flask, scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, hands = new_match(scorer), parts_of(app).hands
    form = {"new": form_of(scorer, f"/matches/{match}/count")["new"], "base_A": "300"}
    real, both = hands.save_counted, Barrier(2)

    def save_together(*given: Any, **named: Any) -> str:
        both.wait(PATIENCE)
        return real(*given, **named)

    def send_form(phone: Scorer) -> int:
        return int(phone.form(f"/matches/{match}/count", **form).status_code)

    monkeypatch.setattr(hands, "save_counted", save_together)
    with ThreadPoolExecutor(2) as pool:
        assert [*pool.map(send_form, (scorer, Scorer.of(app)))] == [303, 303]
    assert parts_of(app).matches.tally(match).totals == {"A": 300, "B": 0}


def test_two_phones_that_correct_a_number_each_of_a_counted_hand_keep_both(
    app: Flask, scorer: Scorer
) -> None:
    match, tally = new_match(scorer), parts_of(app).matches.tally
    counted = {"base_A": "300", "puntos_A": "145", "base_B": "0", "puntos_B": "-50"}
    scorer.form(f"/matches/{match}/count", **counted)
    page = f"/matches/{match}/count?hand={tally(match).lines[0].hand_id}"
    mine, theirs = (form_of(scorer, page, 'id="count"') for _phone in "ab")
    assert scorer.form(page, **mine | {"base_A": "400"}).status_code == 303
    wrong = scorer.form(page, **theirs | {"puntos_B": "many"})
    assert (wrong.status_code, 'name="shown_base_A" value="300"' in wrong.text) == (422, True)
    assert scorer.form(page, **theirs | {"puntos_B": "-60"}).status_code == 303
    assert tally(match).totals == {"A": 545, "B": -60}
    assert scorer.form(page, base_A="1").status_code == 303  # of a program: all four numbers
    assert tally(match).totals == {"A": 1, "B": 0}


def test_a_number_that_another_phone_corrects_at_the_same_moment_is_kept(
    app: Flask, scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, hands = new_match(scorer), parts_of(app).hands
    tally, real = parts_of(app).matches.tally, hands.correct_counted
    scorer.form(f"/matches/{match}/count", base_A="300", puntos_B="50")
    page = f"/matches/{match}/count?hand={tally(match).lines[0].hand_id}"
    mine, theirs = (form_of(scorer, page, 'id="count"') for _phone in "ab")

    def correct_second(*given: Any, **named: Any) -> None:
        monkeypatch.setattr(hands, "correct_counted", real)
        scorer.form(page, **theirs | {"puntos_B": "60"})
        real(*given, **named)

    monkeypatch.setattr(hands, "correct_counted", correct_second)
    assert scorer.form(page, **mine | {"base_A": "400"}).status_code == 303
    assert tally(match).totals == {"A": 400, "B": 60}


def test_a_number_of_a_counted_hand_that_two_phones_correct_is_told_before_it_is_lost(
    app: Flask, scorer: Scorer
) -> None:
    match, tally = new_match(scorer), parts_of(app).matches.tally
    scorer.form(f"/matches/{match}/count", base_A="1300", puntos_B="50")
    page = f"/matches/{match}/count?hand={tally(match).lines[0].hand_id}"
    mine, theirs = (form_of(scorer, page, 'id="count"') for _phone in "ab")
    for _time in range(2):  # the second time because no answer came
        assert scorer.form(page, **mine | {"base_A": "1400"}).status_code == 303
    refused = scorer.form(page, **theirs | {"base_A": "1500", "puntos_B": "60"})
    assert refused.status_code == 409 and tally(match).totals == {"A": 1400, "B": 50}
    assert '<small class="wrong" id="wrong">Otro teléfono corrigió esta mano' in refused.text
    assert "puso 1.400 donde" in refused.text
    shown = fields_in(refused.text, 'id="count"')
    assert shown["base_A"] == "1500" and shown["puntos_B"] == "60"
    assert scorer.form(page, **shown).status_code == 303
    assert tally(match).totals == {"A": 1500, "B": 60}


@pytest.mark.parametrize("is_draft", [True, False])
def test_a_form_with_the_id_of_another_hand_changes_nothing_of_it(
    app: Flask, scorer: Scorer, is_draft: bool
) -> None:
    match, tally = new_match(scorer), parts_of(app).matches.tally
    taken = scorer.begin(match) if is_draft else saved_hand(scorer)[0]
    before = scorer.hand(taken)["tiles"]
    other = match if is_draft else new_match(scorer)
    answer = scorer.form(f"/matches/{other}/count", new=taken, base_A="300")
    assert (answer.status_code, tally(other).totals) == (303, {"A": 300, "B": 0})
    assert scorer.hand(taken)["tiles"] == before


def of_two_phones(app: Flask, scorer: Scorer) -> tuple[str, str, Scorer]:
    """Return a match with one counted hand, the page of its form, and a second phone."""
    match = new_match(scorer)
    scorer.form(f"/matches/{match}/count", base_A="100")
    return match, f"/matches/{match}/count", Scorer.of(app)


def test_a_hand_that_two_phones_write_down_is_counted_once_and_twice_only_if_it_is_another_one(
    app: Flask, scorer: Scorer
) -> None:
    match, page, other = of_two_phones(app, scorer)
    mine, theirs = form_of(scorer, page), form_of(other, page)
    assert (mine["shown_hand"], mine["shown_draft"]) == ("2", "")
    assert scorer.form(page, **mine | {"base_A": "420", "base_B": "-85"}).status_code == 303
    wrong = other.form(page, **theirs | {"base_A": "420", "base_B": "many"})
    form = fields_in(wrong.text, 'id="count"')  # which has not told of that hand
    assert form == theirs | {"base_A": "420", "base_B": "many"}
    refused = other.form(page, **form | {"base_B": "-80"})
    tally = parts_of(app).matches.tally
    assert refused.status_code == 409 and len(tally(match).lines) == 2
    told = "Mientras tanto alguien ya anotó la mano 2: 420 a −85. ¿Esta es otra mano?"
    assert told in unescape(refused.text)
    shown = fields_in(refused.text, 'id="count"')
    assert (shown["base_B"], shown["shown_hand"], shown["new"]) == ("-80", "3", theirs["new"])
    assert other.form(page, **shown).status_code == 303
    assert tally(match).totals == {"A": 940, "B": -165}


def test_each_hand_that_was_written_down_since_a_form_was_shown_is_told(
    app: Flask, scorer: Scorer
) -> None:
    match, page, other = of_two_phones(app, scorer)
    theirs = form_of(other, page)
    for points in ("420", "300"):
        scorer.form(page, **form_of(scorer, page) | {"base_A": points})
    lines = parts_of(app).matches.tally(match).lines
    scorer.form(f"/hands/{lines[1].hand_id}/undone", undone="yes")
    refused = other.form(page, **theirs | {"base_A": "300"})
    assert (
        "Mientras tanto alguien anotó la mano 2, que está anulada y no suma. "
        "Mientras tanto alguien ya anotó la mano 3: 300 a 0. ¿Esta es otra mano?"
    ) in unescape(refused.text)
    assert len(parts_of(app).matches.tally(match).lines) == 3


def test_a_hand_that_cannot_be_shown_is_told_without_points(app: Flask, scorer: Scorer) -> None:
    match, page, other = of_two_phones(app, scorer)
    theirs = form_of(other, page)
    scorer.form(page, **form_of(scorer, page) | {"base_A": "420"})
    with parts_of(app).store.writing() as session:
        hand = session.get_one(Hand, parts_of(app).matches.tally(match).lines[1].hand_id)
        hand.record, hand.version = {"version": 1, "nonsense": []}, hand.version + 1
    told = unescape(other.form(page, **theirs | {"base_A": "420"}).text)
    assert "alguien anotó la mano 2, que no se puede mostrar. ¿Esta es otra mano?" in told


def test_a_hand_that_another_phone_begins_with_tiles_is_told_before_it_is_counted_twice(
    app: Flask, scorer: Scorer
) -> None:
    match, page, other = of_two_phones(app, scorer)
    theirs = form_of(other, page)
    draft = scorer.begin(match)
    told = "La mano 2 se está anotando con fichas: si es la misma, no la anotes acá."
    refused = other.form(page, **theirs | {"base_A": "420"})
    assert refused.status_code == 409 and f'<a href="/hands/{draft}">' in refused.text
    assert f'role="alert" id="drafted">{told} ¿Esta es otra mano?' in unescape(refused.text)
    assert len(parts_of(app).matches.tally(match).lines) == 1
    shown = fields_in(refused.text, 'id="count"')
    assert shown["shown_draft"] == draft and shown["base_A"] == "420"
    asked = other.client.get(page, follow_redirects=True).text
    assert f'role="note" id="drafted">{told} <a href="/hands/{draft}">' in asked
    assert other.form(page, **shown).status_code == 303
    assert [line.position for line in parts_of(app).matches.tally(match).lines] == [1, 2]
    assert scorer.hand(draft)["position"] == 3


def test_a_hand_that_another_phone_has_saved_with_tiles_is_told(app: Flask, scorer: Scorer) -> None:
    match, page, other = of_two_phones(app, scorer)
    draft = scorer.begin(match)
    theirs = form_of(other, page)
    scorer.edit(draft, *taps("A", "melds", CANASTA), *taps("B", "rack", "J"), *closing())
    assert scorer.post(f"/api/hands/{draft}/save").status_code == 200
    refused = other.form(page, **theirs | {"base_A": "445", "base_B": "-150"})
    assert (refused.status_code, 'id="drafted"' in refused.text) == (409, False)
    assert "ya anotó la mano 2: 445 a −150. ¿Esta es otra mano?" in unescape(refused.text)


def test_a_hand_that_is_saved_while_another_one_is_being_saved_is_told(
    app: Flask, scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, page, other = of_two_phones(app, scorer)
    mine, theirs = form_of(scorer, page), form_of(other, page)
    hands = parts_of(app).hands
    real, both = hands.save_counted, Barrier(2)

    def save_together(*given: Any, **named: Any) -> str:
        both.wait(PATIENCE)
        return real(*given, **named)

    def send_form(phone: Scorer, form: dict[str, str]) -> int:
        return int(phone.form(page, **form | {"base_A": "420"}).status_code)

    monkeypatch.setattr(hands, "save_counted", save_together)
    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(send_form, (scorer, other), (mine, theirs))) == [303, 409]
    assert parts_of(app).matches.tally(match).totals == {"A": 520, "B": 0}


def test_other_points_in_a_form_that_has_saved_its_hand_are_compared_with_later_hands(
    app: Flask, scorer: Scorer
) -> None:
    match, page, other = of_two_phones(app, scorer)
    form = form_of(scorer, page)
    scorer.form(page, **form | {"base_A": "420"})
    other.form(page, **form_of(other, page) | {"base_A": "300"})
    again = scorer.form(page, **form | {"base_A": "310"})
    assert "La mano 2 ya está anotada, con otros puntos." in unescape(again.text)
    refused = scorer.form(page, **fields_in(again.text, 'id="count"'))
    assert (refused.status_code, "la mano 3: 300 a 0" in refused.text) == (409, True)
    assert len(parts_of(app).matches.tally(match).lines) == 3


@pytest.mark.parametrize("number", ["", "0", "x", "-1", "²", "9" * 40])
def test_a_program_that_does_not_say_for_which_hand_it_asked_is_served(
    app: Flask, scorer: Scorer, number: str
) -> None:
    match, page, _other = of_two_phones(app, scorer)
    assert scorer.form(page, base_A="420").status_code == 303
    assert scorer.form(page, base_A="420", shown_hand=number, shown_draft="x").status_code == 303
    assert parts_of(app).matches.tally(match).totals == {"A": 940, "B": 0}


def title_of(page: str) -> str:
    """Return the heading of a page, which is also the title of its window."""
    heading = unescape(page.split('<h1 class="page-title">')[1].split("</h1>")[0])
    assert unescape(page).count(f"<title>{heading} – Burako</title>") == 1
    return heading


def test_the_form_says_which_hand_is_written_down_or_corrected(app: Flask, scorer: Scorer) -> None:
    match, page, other = of_two_phones(app, scorer)
    theirs = form_of(other, page)
    asked = scorer.client.get(page, follow_redirects=True)
    assert title_of(asked.text) == "Mano 2 · Anotar a mano"
    scorer.form(page, **form_of(scorer, page) | {"base_A": "420"})
    refused = other.form(page, **theirs | {"base_A": "300"})
    assert title_of(refused.text) == "Mano 3 · Anotar a mano"
    wrong = other.form(page, **theirs | {"base_A": "many"})  # as the form was shown
    assert title_of(wrong.text) == "Mano 2 · Anotar a mano"
    first, second = parts_of(app).matches.tally(match).lines
    for line in (first, second):
        shown = scorer.client.get(f"{page}?hand={line.hand_id}").text
        assert title_of(shown) == f"Mano {line.position} · Anotar a mano"
    empty = scorer.form(f"{page}?hand={first.hand_id}")
    assert (empty.status_code, title_of(empty.text)) == (422, "Mano 1 · Anotar a mano")
