"""Cards: marks that look like several jollies and are of one. The outlines are made in the tests,
without any network.
"""

from __future__ import annotations

import numpy as np
import pytest

from vision.cards.one_jolly import jollies_joined

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
