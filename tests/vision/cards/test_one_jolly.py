"""Cards: marks that look like several jollies and are of one. The outlines are made in the tests,
without any network.
"""

from __future__ import annotations

import numpy as np
import pytest

from vision.cards.one_jolly import jollies_joined

from .test_four_corners import right_mark
from .test_marks import HEIGHT, MARK, WIDTH, mark, outline, placed, surely


def test_what_looks_like_a_second_jolly_on_a_jolly_is_the_same_card() -> None:
    """Marks in four corners of a jolly were taken for two cards; they are joined, and a jolly
    beside them stays another card.
    """
    right = placed(MARK + [WIDTH - 20, 0], 0, 0, 0)
    quads = np.stack([mark(), mark(degrees=180), right, mark(2 * WIDTH, 0)])
    outlines = np.stack([outline(), outline(degrees=180), outline(5, 5), outline(2 * WIDTH, 0)])
    cards = [[0, 1], [2], [3]]
    faces = surely("J", "J", "J", "J")
    assert jollies_joined(quads, outlines, faces, cards) == [[0, 1, 2], [3]]
    assert jollies_joined(quads, outlines, surely("7R", "7R", "7R", "J"), cards) == cards


@pytest.mark.parametrize("first", [True, False])
def test_a_mark_on_a_jolly_of_which_three_corners_are_seen_is_its_fourth(first: bool) -> None:
    """The fourth mark, the surest or the faintest, told of a card elsewhere; no other card shows
    how large cards are.
    """
    fourth = placed(MARK + [0, HEIGHT - 28], 0, 0, 0)
    three = [mark(), mark(degrees=180), placed(MARK + [WIDTH - 20, 0], 0, 0, 0)]
    quads = np.stack([fourth, *three] if first else [*three, fourth])
    away, there = outline(-80, 90), [outline(), outline(degrees=180), outline()]
    outlines = np.stack([away, *there] if first else [*there, away])
    cards = [[0], [1, 2, 3]] if first else [[0, 1, 2], [3]]
    joined = jollies_joined(quads, outlines, surely("J", "J", "J", "J"), cards)
    assert [sorted(card) for card in joined] == [[0, 1, 2, 3]]


def test_marks_that_tell_a_jolly_in_the_same_place_are_of_one_card() -> None:
    """The network takes the card for much smaller than it is, so that neither mark lies on the card
    that the other one tells. No other card shows how large cards are.
    """
    quads = np.stack([mark(), mark(degrees=180)])
    outlines = np.float32(0.6) * np.stack([outline(), outline(degrees=180)])
    assert jollies_joined(quads, outlines, surely("J", "J"), [[0], [1]]) == [[0, 1]]
    elsewhere = outlines + np.array([[[0, 0]], [[100, 0]]], np.float32)
    assert jollies_joined(quads, elsewhere, surely("J", "J"), [[0], [1]]) == [[0], [1]]


def test_jollies_of_a_fan_stay_two() -> None:
    """They lie near each other, but the same corner of each is seen."""
    quads, outlines = np.stack([mark(), mark(40)]), np.stack([outline(), outline(40)])
    assert jollies_joined(quads, outlines, surely("J", "J"), [[0], [1]]) == [[0], [1]]


def test_a_mark_on_a_jolly_is_of_it_although_its_place_was_told_by_a_later_mark() -> None:
    """The second card is a word on the jolly, of which the network tells another outline. That it
    lies on the jolly is known as soon as the third card, one more corner, was joined.
    """
    word, right = mark(10, 60), right_mark(0, 0)
    quads = np.stack([mark(), mark(degrees=180), word, right])
    outlines = np.stack([outline(), outline(degrees=180), outline(300, 200), outline()])
    cards = [[0, 1], [2], [3]]
    joined = jollies_joined(quads, outlines, surely("J", "J", "J", "J"), cards)
    assert [sorted(card) for card in joined] == [[0, 1, 2, 3]]


@pytest.mark.parametrize("in_columns", [True, False])
def test_jollies_of_two_columns_stay_two(in_columns: bool) -> None:
    """Their marks stand as if in opposite corners of a card that is turned a little."""
    across, down = 1.05 * WIDTH, 0.8 * HEIGHT
    step = 0.25 * HEIGHT if in_columns else -3 * HEIGHT
    places = [(0.0, 0.0), (across, down), (0.0, -step), (across, down + step)]
    quads = np.stack([mark(*place) for place in places])
    outlines = np.stack([outline(*place) for place in places])
    joined = jollies_joined(quads, outlines, surely("J", "J", "7R", "9K"), [[0], [1], [2], [3]])
    assert joined == ([[0], [1], [2], [3]] if in_columns else [[0, 1], [2], [3]])


@pytest.mark.parametrize("marks", [4, 2])
def test_joined_marks_that_only_two_cards_can_hold_are_of_two_jollies(marks: int) -> None:
    """Of two jollies side by side the network told outlines so wrong that their marks were joined.
    They lie too far apart for one card, and each part of them is as far apart as a card's.
    """
    corner = [MARK, *(MARK + step for step in ([WIDTH - 20, HEIGHT - 28], [WIDTH - 20, 0]))]
    corner.append(MARK + [0, HEIGHT - 28])
    beside = np.array([1.4 * WIDTH, 20])
    places = [*corner[:marks], *(one + beside for one in corner[:marks])]
    away = placed(MARK + [0, -2 * HEIGHT], 0, 0, 0)
    quads = np.stack([*(placed(place, 0, 0, 0) for place in places), away])
    outlines = np.stack([*[outline(0.5 * WIDTH, 0)] * 2 * marks, outline(0, -2 * HEIGHT)])
    faces = surely(*["J"] * 2 * marks, "9K")
    cards = [[*range(2 * marks)], [2 * marks]]
    joined = sorted(map(sorted, jollies_joined(quads, outlines, faces, cards)))
    assert joined == [[*range(marks)], [*range(marks, 2 * marks)], [2 * marks]]
    one = [[*range(marks)], [2 * marks]]
    assert jollies_joined(quads, outlines, faces, one) == one


@pytest.mark.parametrize(("third", "cards"), [("beside", 2), ("upper right", 1)])
def test_a_mark_beside_a_jolly_seen_whole_is_of_another(third: str, cards: int) -> None:
    """Of the jolly beside only the mark at the upper left shows, and it had been joined."""
    lower = MARK + [WIDTH - 20, HEIGHT - 28]
    other = MARK + ([1.4 * WIDTH, 10] if third == "beside" else [WIDTH - 20, 0])
    away = MARK + [0, -2 * HEIGHT]
    quads = np.stack([placed(place, 0, 0, 0) for place in (MARK, lower, other, away)])
    outlines = np.stack([outline(0.5 * WIDTH, 0)] * 3 + [outline(0, -2 * HEIGHT)])
    told = jollies_joined(quads, outlines, surely("J", "J", "J", "9K"), [[0, 1, 2], [3]])
    assert sorted(map(sorted, told)) == ([[0, 1], [2], [3]] if cards == 2 else [[0, 1, 2], [3]])
