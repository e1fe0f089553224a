"""Sides that nobody has named are called "we" and "they" in the language of whoever looks on; names
that people chose stay.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from scorer_app.texts.languages import LANGUAGES
from scorer_app.texts.translator import catalogue
from scorer_app.web.parts import parts_of

from ..conftest import Scorer
from ..hands import new_match, saved_hand

USUAL = {one: (catalogue(one)["side.A"], catalogue(one)["side.B"]) for one in LANGUAGES}
FORMER = ("We", "They")  # of matches that an earlier version made


def text_of(scorer: Scorer, path: str, language: str) -> str:
    return scorer.client.get(path, headers={"Accept-Language": language}).text


def stored(scorer: Scorer, match: str) -> tuple[str, str]:
    kept = parts_of(scorer.client.application).matches.tally(match).match
    return kept.side_a, kept.side_b


@pytest.mark.parametrize("begun", [*USUAL.values(), FORMER])
@pytest.mark.parametrize("language", USUAL)
def test_every_page_of_a_match_has_the_usual_names_in_the_language_of_who_looks(
    scorer: Scorer, begun: tuple[str, str], language: str
) -> None:
    match = new_match(scorer, side_a=begun[0], side_b=begun[1])
    hand = scorer.begin(match)
    scorer.tap(hand, "A", "melds", "3R 4R 5R 6R 7R 8R 9R")
    scorer.close(hand, muerto=True)
    scorer.post(f"/api/hands/{hand}/save")
    viewer = parts_of(scorer.client.application).matches.tally(match).match.viewer_token
    paths = ["", "/edit", "/share", "/history", "/deal", f"/compare?hand={hand}"]
    pages = [f"/matches/{match}{path}" for path in paths]
    shown = USUAL[language]
    others = {name for names in USUAL.values() for name in names} - {*shown}
    for page in (*pages, f"/hands/{hand}", "/", "/matches/statistics", f"/v/{viewer}"):
        text = text_of(scorer, page, language)
        found = set(re.findall(r"\b[A-Z]\w+\b", re.sub(r'id="texts">.*?</script>', "", text)))
        assert found & others == set(), page
    for page in (pages[0], f"/hands/{hand}", "/", "/matches/statistics", f"/v/{viewer}"):
        assert all(name in text_of(scorer, page, language) for name in shown), page


def test_names_that_people_chose_stay(scorer: Scorer) -> None:
    match = new_match(scorer, side_a="Los Pérez", side_b="Ellos")
    page = text_of(scorer, f"/matches/{match}", "en")
    assert ("Los Pérez" in page, "Ellos" in page, "Them" in page) == (True, False, True)


def test_a_form_sent_as_it_was_shown_in_another_language_changes_no_name(scorer: Scorer) -> None:
    match = new_match(scorer, side_a="Nosotros", side_b="Ellos")
    english = {"Accept-Language": "en"}
    form = {"side_a": "Us", "side_b": "Them", "ruleset": "burako", "players": "4"}
    token = scorer.headers["X-CSRF-Token"]
    for path in ("edit", "names"):
        sent = {**form, "shown_side_a": "Us", "shown_side_b": "Them", "csrf": token}
        scorer.client.post(f"/matches/{match}/{path}", data=sent, headers=english)
        assert stored(scorer, match) == ("Nosotros", "Ellos")
    renamed = {**form, "side_a": "Us", "shown_side_b": "Them", "side_b": "Ana", "csrf": token}
    scorer.client.post(f"/matches/{match}/edit", data=renamed, headers=english)
    assert stored(scorer, match) == ("Nosotros", "Ana")
    assert "Them → Ana" in text_of(scorer, f"/matches/{match}/history", "en")
    same = {"side_a": "Us", "shown_side_a": "Us", "side_b": "Nosotros", "csrf": token}
    answer = scorer.client.post(f"/matches/{match}/names", data=same, headers=english)
    assert (answer.status_code, stored(scorer, match)) == (422, ("Nosotros", "Ana"))


def test_matches_begun_in_two_languages_are_those_of_one_pair(scorer: Scorer) -> None:
    for names in (USUAL["es"], USUAL["it"], FORMER):
        match = new_match(scorer, side_a=names[0], side_b=names[1])
        hand = scorer.begin(match)
        scorer.tap(hand, "A", "melds", "3R 4R 5R 6R 7R 8R 9R")
        scorer.close(hand, muerto=True)
        scorer.post(f"/api/hands/{hand}/save")
    page = text_of(scorer, "/matches/statistics", "en")
    assert page.count('class="card rivals"') == 1
    assert "Matches: 3 · hands: 3" in page


def test_a_default_name_of_another_language_that_a_person_types_is_the_default_name(
    scorer: Scorer,
) -> None:
    """On each page, in the statistics, and where the sides of two players are named after them."""
    match = new_match(scorer, side_a="Noi", side_b="Them")
    page = text_of(scorer, f"/matches/{match}", "es").split('id="texts"')[0]
    assert "Nosotros" in page and "Ellos" in page and "Noi" not in page
    for one in (match, new_match(scorer, side_a="Nosotros", side_b="Ellos")):
        scorer.form(f"/matches/{one}/count", base_A="100")
    statistics = text_of(scorer, "/matches/statistics", "es")
    assert statistics.count('class="card rivals"') == 1
    of_two = {"players": "2", "player_0": "Ana", "player_1": "Beto"}
    assert stored(scorer, new_match(scorer, side_a="Us", side_b="Loro", **of_two)) == (
        "Ana",
        "Beto",
    )
    assert stored(scorer, new_match(scorer, side_a="us", side_b="Loro", **of_two)) == ("us", "Beto")


def test_a_copy_has_the_names_as_they_are_kept_and_a_table_those_of_its_reader(
    scorer: Scorer,
) -> None:
    _hand, match = saved_hand(scorer)
    names = stored(scorer, match)
    copy: Any = json.loads(text_of(scorer, f"/matches/{match}/export.json", "en"))
    assert (copy["match"]["side_a"], copy["match"]["side_b"]) == names == USUAL["es"]
    assert "Us base,Us points," in text_of(scorer, f"/matches/{match}/export.csv", "en")


def test_what_is_shared_names_the_players_of_each_side(scorer: Scorer) -> None:
    seats = {"player_0": "Ana", "player_1": "Beto", "player_2": "Caro"}
    match = new_match(scorer, side_a="Tigres", side_b="Ellos", **seats)
    page = scorer.client.get(f"/matches/{match}/share").text
    assert "\nTigres: Ana, Caro\nEllos: Beto\n" in page
    assert '"remarks": ["Tigres: Ana, Caro", "Ellos: Beto"]' in page
    two = new_match(scorer, players="2", side_a="Ana", side_b="Beto", player_0="Ana")
    assert "Ana: Ana" not in scorer.client.get(f"/matches/{two}/share").text


@pytest.mark.parametrize(
    ("side_a", "points", "told"),
    [
        ("Nosotros", {"base_A": "3100"}, "3.100, Ellos 0. Diferencia: 3.100, en una sola"),
        ("Tigres", {"base_B": "3000"}, "0, Ellos 3.000. Diferencia: 3.000, en una sola"),
    ],
)
def test_who_is_asked_how_a_finished_match_stands_says_who_won(
    scorer: Scorer, side_a: str, points: dict[str, str], told: str
) -> None:
    match = new_match(scorer, side_a=side_a, side_b="Ellos")
    scorer.form(f"/matches/{match}/count", **points)
    page = text_of(scorer, f"/matches/{match}/table", "es")
    won = "¡Ganamos!" if "base_A" in points else "Ganaron ellos"
    assert f'id="live-standing" class="visually-hidden">{side_a} {told} mano. {won}</p>' in page
    assert "ganando" not in page.partition("</header>")[2].partition("<script")[0]


def test_a_change_that_renames_the_sides_too_says_what_each_total_is_called_then(
    scorer: Scorer,
) -> None:
    match = new_match(scorer, side_a="Ana", side_b="Beto", target="400")
    for points in (("500", "50"), ("600", "550")):
        scorer.form(f"/matches/{match}/count", puntos_A=points[0], puntos_B=points[1])
    fields = {"side_a": "Beto", "side_b": "Ana", "ruleset": "burako", "options_shown": "tiles"}
    page = scorer.preview(match, **fields, target="1000").text.partition('id="effect"')[2]
    rows = [
        re.sub(r"<[^>]*>", " ", row).split() for row in page.split("</table>")[0].split("<tr>")[2:]
    ]
    assert rows == [
        ["Ana", "→", "Beto", "500", "1.100"],
        ["Beto", "→", "Ana", "50", "600"],
        ["Resultado", "Victoria", "de", "Ana", "Victoria", "de", "Beto"],
    ]
