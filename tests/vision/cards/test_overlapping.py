"""Finds that overlap: marks of two cards, or one mark found twice."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.face_scores import Probabilities, seen_on
from vision.cards.overlapping import RATHER_READ, SURELY_READ, without_second_finds
from vision.detector import Detections
from vision.reader import JOKER

RED: Probabilities = {0: 1.0}
FOUR, SEVEN, TWELVE = 3, 6, 11
MARK = np.array([[0, 0], [20, 0], [20, 30], [0, 30]], np.float32)
NEAR = 8  # pixels aside, so that two marks share 0.6 of their area


def rather(number: int, likely: float) -> Probabilities:
    """A number that is read with this probability, where the rest is another one's."""
    return {number: likely, TWELVE: 1 - likely}


def left(
    aside: float, scores: tuple[float, ...], *numbers: Probabilities, told: float | None = None
) -> list[bool]:
    """Which finds are left, so far aside of each other, with these scores of the detector. The
    reader sees the marks so far aside as is `told`, or where they were found.
    """
    found = Detections(side_by_side(aside, len(numbers)), np.array(scores, np.float32))
    seen = seen_on(side_by_side(aside if told is None else told, len(numbers)), numbers, RED)
    after = without_second_finds(found, seen)
    assert np.array_equal(after.points, found.points)
    return [bool(score) for score in after.scores]


def side_by_side(aside: float, count: int) -> NDArray[np.float32]:
    quads = [MARK + [number * aside, 0] for number in range(count)]
    return np.array(quads, np.float32).reshape(-1, 4, 2)


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        ({FOUR: 1.0}, {SEVEN: 1.0}, True),
        ({FOUR: 1.0}, {FOUR: 1.0}, False),
        ({FOUR: 1.0}, rather(SEVEN, SURELY_READ + 0.01), True),
        ({FOUR: 1.0}, rather(SEVEN, SURELY_READ - 0.01), False),
        (rather(FOUR, SURELY_READ - 0.01), rather(SEVEN, SURELY_READ - 0.01), False),
        ({FOUR: 1.0}, {JOKER: 1.0}, False),
        ({JOKER: 1.0}, {JOKER: 1.0}, False),
    ],
)
def test_finds_that_overlap_are_of_two_cards_where_both_are_read_and_differ(
    one: Probabilities, other: Probabilities, both: bool
) -> None:
    assert left(NEAR, (0.9, 0.5), one, other) == [True, both]


@pytest.mark.parametrize(
    ("likely", "both"), [(RATHER_READ + 0.01, True), (RATHER_READ - 0.01, False)]
)
def test_where_the_reader_sees_the_marks_apart_one_may_be_read_less_surely(
    likely: float, both: bool
) -> None:
    assert left(NEAR, (0.9, 0.5), {FOUR: 1.0}, rather(SEVEN, likely), told=11) == [True, both]
    less = rather(FOUR, SURELY_READ - 0.01)
    assert left(NEAR, (0.9, 0.5), less, rather(SEVEN, likely), told=11) == [True, False]


def test_the_surer_find_is_left() -> None:
    """A find counts by how surely it was found and read."""
    assert left(NEAR, (0.5, 0.9), {FOUR: 1.0}, {FOUR: 1.0}) == [False, True]
    assert left(NEAR, (0.6, 0.7), {FOUR: 1.0}, rather(SEVEN, 0.5)) == [True, False]


def test_finds_side_by_side_are_left_whatever_they_show() -> None:
    assert left(15, (0.9, 0.5), {FOUR: 1.0}, {FOUR: 1.0}) == [True, True]


def test_what_overlaps_a_dropped_find_alone_is_left() -> None:
    assert left(NEAR, (0.9, 0.8, 0.7), *[{FOUR: 1.0}] * 3) == [True, False, True]


def test_without_finds_there_is_nothing_to_drop() -> None:
    assert left(NEAR, ()) == []
