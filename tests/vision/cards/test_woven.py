"""Columns that lie between one another's cards become one escalera."""

from __future__ import annotations

from itertools import accumulate, chain, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.rulesets import ruleset
from vision.cards.card import Card
from vision.cards.marks import ANY_FACE
from vision.cards.woven import NEAR, woven
from vision.decoding import meld_judge
from vision.grouping import Indices
from vision.kinds import CARDS

from .test_marks import card, surely

HEIGHT = 140.0  # of a card, in pixels


def told(columns: list[Indices], *names: str, places: list[float] | None = None) -> list[Indices]:
    """What is made of `columns` of cards with these names, which lie at `places`, in heights of a
    card; by default in one line, each a fifth of a height from the next.
    """
    cards = in_line(places or [0.2 * place for place in range(len(names))])
    faces = surely(*names)
    rules, any_card = ruleset("burraco_it"), len(cards)
    is_meld = meld_judge(np.concatenate([faces, ANY_FACE]), rules, CARDS.decoding)

    def may_be_meld(row: Indices) -> bool:
        places = range(1, len(row))
        return is_meld(row) or any(is_meld((*row[:at], any_card, *row[at:])) for at in places)

    return woven(columns, cards, faces, is_meld, may_be_meld)


def in_line(places: list[float]) -> list[Card]:
    return [card(0, HEIGHT * place) for place in places]


def test_two_columns_of_one_escalera_that_lie_between_each_other_are_one() -> None:
    names = ("5R", "6R", "7R", "8R", "9R", "10R")
    assert told([(0, 2, 4, 5), (1, 3)], *names) == [(0, 1, 2, 3, 4, 5)]
    assert told([(5, 4, 2, 0), (3, 1)], *names) == [(5, 4, 3, 2, 1, 0)]
    assert told([(0, 1, 4, 5), (2, 3)], *names) == [(0, 1, 2, 3, 4, 5)]


def test_two_melds_that_lie_between_each_other_are_one() -> None:
    names = ("2Y", "7R", "6R", "5R", "4R", "3R", "2R", "1R")
    whole = tuple(range(len(names)))
    assert told([(0, 5, 6, 7), (1, 2, 3, 4)], *names) == [whole]


@pytest.mark.parametrize(
    ("names", "joined"),
    [
        (("4R", "6R", "7R", "8R", "9R"), True),
        (("4R", "6R", "7R", "9R", "10R"), False),
        (("5R", "J", "8R", "9R", "10R"), False),
    ],
    ids=["lacks one", "lacks two", "a wild"],
)
def test_two_columns_are_one_beside_a_meld_though_a_card_was_missed(
    names: tuple[str, ...], joined: bool
) -> None:
    """A wild might fill the place itself, and without a meld cards may lie so by chance."""
    columns: list[Indices] = [(0, 1, 4), (2, 3)]
    assert told(columns, *names) == columns
    meld: list[Indices] = [(5, 6, 7)]
    places = [0, 0.2, 0.4, 0.6, 0.8, 5, 5.2, 5.4]
    rows = told(columns + meld, *names, "9B", "9K", "9Y", places=places)
    assert rows == ([(0, 1, 2, 3, 4)] if joined else columns) + meld


@pytest.mark.parametrize(
    ("names", "column", "in_order"),
    [
        (("5R", "6R", "7R", "8R"), (0, 2, 1, 3), (0, 1, 2, 3)),
        (("5R", "6R", "7R", "8R"), (3, 1, 2, 0), (3, 2, 1, 0)),
        (("5R", "6R", "7R", "9R"), (0, 2, 1, 3), (0, 1, 2, 3)),
        (("5R", "6R", "7R", "10R"), (0, 2, 1, 3), (0, 2, 1, 3)),
        (("5R", "6R", "8R", "9R"), (0, 1, 2, 3), (0, 1, 2, 3)),
    ],
    ids=["a meld so", "the other way round", "lacks one", "lacks two", "as it should be"],
)
def test_cards_of_an_escalera_lie_in_the_order_of_their_numbers(
    names: tuple[str, ...], column: Indices, in_order: Indices
) -> None:
    """Without a meld beside them they may lie so by chance."""
    assert told([column], *names) == [column]
    meld, places = ("9B", "9K", "9Y"), [0, 0.2, 0.4, 0.6, 5, 5.2, 5.4]
    rows = told([column, (4, 5, 6)], *names, *meld, places=places)
    assert rows == [in_order, (4, 5, 6)]


def test_a_card_in_no_column_may_lie_inside_one_that_is_no_meld() -> None:
    names = ("5R", "6R", "7R", "8R")
    assert told([(0, 2, 3)], *names) == [(0, 1, 2, 3)]
    alone = [0, 1, 2, 3, 8]
    assert told([(0, 1, 2, 3)], *names, "9R", places=[0.2 * at for at in alone]) == [(0, 1, 2, 3)]


@pytest.mark.parametrize(
    ("names", "whole"),
    [
        (("1R", "2R", "3R", "4R", "5R"), (0, 1, 2, 3, 4)),
        (("10R", "11R", "12R", "13R", "1R"), (0, 1, 2, 3, 4)),
        (("5R", "6R", "J", "8R", "9R"), (0, 1, 2, 3, 4)),
        (("5R", "6R", "2Y", "8R", "9R"), (0, 1, 2, 3, 4)),
    ],
    ids=["an ace before", "an ace behind", "a jolly", "a wild 2"],
)
def test_aces_and_wilds_have_their_place(names: tuple[str, ...], whole: Indices) -> None:
    assert told([(0, 2, 4), (1, 3)], *names) == [whole]


@pytest.mark.parametrize(
    ("columns", "names"),
    [
        ([(0, 2, 4), (1, 3, 5)], ("5R", "5Y", "6R", "6Y", "7R", "7Y")),
        ([(0, 1, 2), (3, 4, 5)], ("5R", "6R", "7R", "8R", "9R", "10R")),
        ([(0, 2, 4), (1, 3)], ("5R", "6R", "7R", "9R", "10R")),
        ([(0, 2, 4), (1, 3)], ("5R", "6R", "6R", "7R", "9R")),
        ([(0, 1)], ("5R", "6R")),
    ],
    ids=["two suits", "two melds", "no escalera", "equal cards", "two cards"],
)
def test_other_columns_stay(columns: list[Indices], names: tuple[str, ...]) -> None:
    assert told(columns, *names) == columns


@pytest.mark.parametrize(("apart", "joined"), [(NEAR - 0.05, True), (NEAR + 0.05, False)])
def test_neighbours_lie_near_each_other(apart: float, joined: bool) -> None:
    """Columns side by side are farther from each other."""
    rows = told([(0, 1), (2, 3)], "5R", "6R", "7R", "8R", places=[0, 0.2, 0.2 + apart, 0.9])
    assert (len(rows) == 1) == joined


@settings(max_examples=100, deadline=None)
@given(numbers=st.permutations([*range(3, 12)]), parts=st.lists(st.integers(2, 4), max_size=3))
def test_no_card_is_lost_or_told_twice(numbers: list[int], parts: list[int]) -> None:
    places = [0.2 * number for number in numbers]
    bounds = [min(bound, len(numbers)) for bound in (0, *accumulate(parts))]
    columns = [tuple(range(*two)) for two in pairwise(bounds) if two[1] - two[0] > 1]
    rows = told(columns, *(f"{number}R" for number in numbers), places=places)
    in_rows = [*chain(*rows)]
    assert len({*in_rows}) == len(in_rows) and {*chain(*columns)} <= {*in_rows}
