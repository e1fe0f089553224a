"""The average points of a hand in the statistics."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer_app.services.statistics import PairRecord, PlayerRecord, SideRecord, average


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
