"""The statistics: averages, which matches they count for whom, and the way back from them."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from scorer_app.services.statistics import (
    PairRecord,
    PlayerRecord,
    SideRecord,
    average,
    names_on_both_sides,
    pair_records,
    player_records,
)
from scorer_app.web.parts import parts_of

from ..conftest import Scorer
from ..hands import CANASTA, new_match, saved_hand


@pytest.mark.parametrize(
    ("points", "hands", "rounded"),
    [
        (3165, 2, 1583),
        (225, 2, 113),
        (-225, 2, -113),
        (1, 3, 0),
        (-1, 3, 0),
        (5, 3, 2),
        (-5, 3, -2),
        (7, 1, 7),
        (0, 4, 0),
        (0, 0, 0),
    ],
)
def test_a_half_is_rounded_away_from_zero(points: int, hands: int, rounded: int) -> None:
    assert average(points, hands) == rounded
    assert PlayerRecord("Ana", hands=hands, points=points).average == rounded
    sides = {"Ana": SideRecord("Ana", points=points)}
    assert PairRecord(sides, hands=hands).average("Ana") == rounded


@given(st.integers(-(10**18), 10**18), st.integers(1, 10**6))
def test_an_average_is_at_most_a_half_from_the_exact_one(points: int, hands: int) -> None:
    assert abs(average(points, hands) - Fraction(points, hands)) <= Fraction(1, 2)


def test_statistics_count_both_seatings_of_a_pair(scorer: Scorer) -> None:
    saved_hand(scorer)
    page = scorer.client.get("/matches/statistics").text
    assert "Partidas: 1 · manos: 1" in page
    assert "445" in page


def test_statistics_say_whom_they_leave_out_as_one_name_plays_on_both_sides(
    scorer: Scorer,
) -> None:
    told = "en los dos lados, esa partida no se cuenta para ese nombre"
    first = {f"player_{seat}": name for seat, name in enumerate(("Ana", "Beto", "Ana", "Beto"))}
    new_match(scorer, **first)
    assert told not in scorer.client.get("/matches/statistics").text
    twice = {f"player_{seat}": name for seat, name in enumerate(("Zoe", "Ana", "Ana", "Zoe"))}
    new_match(scorer, **twice, known_twice="ana, zoe")
    page = scorer.client.get("/matches/statistics").text
    assert f"{told}: Ana, Zoe." in page
    named = re.findall(r'<th scope="row"><span class="whole-name"[^>]*>(Ana|Beto|Zoe)<', page)
    assert named == ["Ana", "Beto"]


def test_spellings_of_a_name_that_differ_in_capitals_are_one_name(
    app: Flask, scorer: Scorer
) -> None:
    """The statistics agree with the forms, and use the spelling of the latest match."""
    first = new_match(
        scorer, side_a="Ana/Caro", side_b="beto/dani", player_0="Ana", player_1="ÑATA"
    )
    second = new_match(
        scorer, side_a="Beto/Dani", side_b="ana/caro", player_0="ñata", player_1="ANA"
    )
    twice = new_match(scorer, player_0="Zoe", player_1="zoe", known_twice="zoe")
    tallies = [parts_of(app).matches.tally(match) for match in (first, second, twice)]
    (pair,) = pair_records(tallies[:2])
    assert (pair.matches, sorted(pair.sides)) == (2, ["Beto/Dani", "ana/caro"])
    assert [(one.name, one.matches) for one in player_records(tallies)] == [("ANA", 2), ("ñata", 2)]
    assert names_on_both_sides(tallies) == ["zoe"]
    page = scorer.client.get("/matches/statistics").text
    assert page.count('class="card rivals"') == 2 and "Ana/Caro" not in page


@pytest.mark.parametrize("bonus", ["100", "0"])
def test_a_hand_was_closed_whatever_the_table_pays_for_it(
    app: Flask, scorer: Scorer, bonus: str
) -> None:
    match = new_match(scorer, close_bonus=bonus)
    hand = scorer.begin(match)
    scorer.tap(hand, "A", "melds", CANASTA)
    scorer.close(hand)
    scorer.post(f"/api/hands/{hand}/save")
    (pair,) = pair_records([parts_of(app).matches.tally(match)])
    assert [side.closed for side in pair.sides.values()] == [1, 0]


def test_statistics_lead_back_to_the_match_from_which_they_were_opened(scorer: Scorer) -> None:
    match = new_match(scorer)
    (address,) = re.findall(
        r'href="(/matches/statistics[^"]*)"', scorer.client.get(f"/matches/{match}").text
    )
    way_back = f'<p class="back"><a href="/matches/{match}">'
    assert way_back in scorer.client.get(address).text
    for other in ("/matches/statistics", "/matches/statistics?match=unknown"):
        assert 'class="back"' not in scorer.client.get(other).text
