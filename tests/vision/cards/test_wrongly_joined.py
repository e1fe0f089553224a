"""Cards: three or four marks of one face may be of two cards. The outlines are exact and made in
the tests, without any network.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.cards.wrongly_joined import wrongly_joined_parted

from .test_four_corners import RIGHT, right_mark
from .test_marks import WIDTH, mark, outline, placed, surely

Quads = list[NDArray[np.float32]]
# A card that shows both upper marks and the lower right one, of which the last stands upside down.
THREE = [mark(), right_mark(0, 0), mark(degrees=180)]
OUTLINES = [outline(), outline(), outline(degrees=180)]


def turned(mark: NDArray[np.float32], degrees: float) -> NDArray[np.float32]:
    """Return a mark turned clockwise around its middle."""
    middle, turn = mark.mean(axis=0), np.radians(degrees)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return ((mark - middle) @ rotation.T + middle).astype(np.float32)


def apart(marks: Quads, outlines: Quads, *faces: str) -> list[list[int]]:
    """Return the cards that are made of marks that were joined to one, beside three cards that show
    both their upper marks.
    """
    pairs = range(3)
    usual = [quad for n in pairs for quad in (mark(500, 300 * n), right_mark(500, 300 * n))]
    quads = np.stack([*marks, *usual])
    told = np.stack([*outlines, *(outline(500, 300 * n) for n in (0, 0, 1, 1, 2, 2))])
    first = len(marks)
    cards = [[*range(first)], *([first + 2 * n, first + 2 * n + 1] for n in pairs)]
    left = wrongly_joined_parted(
        quads, told, surely(*faces, *["4B"] * 2, *["5B"] * 2, *["6B"] * 2), cards
    )
    assert left[-3:] == cards[1:]
    return left[:-3]


def test_three_corners_of_one_card_stay_one() -> None:
    assert apart(THREE, OUTLINES, "7R", "7R", "7R") == [[0, 1, 2]]


@pytest.mark.parametrize("at", range(3))
@pytest.mark.parametrize(
    ("degrees", "two"), [(22, False), (26, True), (-26, True), (59, True), (61, False)]
)
def test_a_mark_that_stands_turned_is_another_cards(at: int, degrees: float, two: bool) -> None:
    marks = [*THREE]
    marks[at] = turned(THREE[at], degrees)
    others = [one for one in range(3) if one != at]
    told = sorted([others, [at]]) if two else [[0, 1, 2]]
    assert apart(marks, OUTLINES, "7R", "7R", "7R") == told
    assert apart(marks, OUTLINES, "J", "J", "J") == [[0, 1, 2]]


@pytest.mark.parametrize(("degrees", "two"), [(10, False), (15, True)])
def test_a_slight_turn_tells_it_where_the_marks_lie_too_near(degrees: float, two: bool) -> None:
    nearer = -0.3 * WIDTH
    marks = [turned(THREE[0], degrees), right_mark(nearer, 0), THREE[2] + np.float32([nearer, 0])]
    told = [[0], [1, 2]] if two else [[0, 1, 2]]
    assert apart(marks, OUTLINES, "7R", "7R", "7R") == told


@pytest.mark.parametrize(
    ("degrees", "two", "told"),
    [
        (26, [1, 3], [[0, 1, 2, 3]]),
        (30, [1, 3], [[0, 2], [1, 3]]),
        (-30, [0, 1], [[0, 1], [2, 3]]),
        (30, [2], [[0, 1, 3], [2]]),
    ],
    ids=["hardly turned", "two turned", "the other two", "one turned"],
)
def test_of_four_marks_those_that_stand_turned_are_another_cards(
    degrees: float, two: list[int], told: list[list[int]]
) -> None:
    marks = [*THREE, placed(RIGHT, 0, 0, 180)]
    for one in two:
        marks[one] = turned(marks[one], degrees)
    assert apart(marks, [*OUTLINES, OUTLINES[2]], *["7R"] * 4) == told


@pytest.mark.parametrize(
    ("away", "two"), [(0.0, False), (0.35, False), (0.7, True)], ids=["one", "askew", "two"]
)
def test_four_marks_that_are_no_corners_of_one_card_are_two_by_their_outlines(
    away: float, two: bool
) -> None:
    """The second card, seen whole, lies so many widths to the right of a covered one that shows its
    left edge.
    """
    right = away * WIDTH
    lower_left = placed(RIGHT, 0, 0, 180)
    marks = [mark(right), lower_left, mark(right, 0, 180), mark()]
    if not two:
        marks[0] = right_mark(right - 0.5 * away * WIDTH, 0)
    turned_round = outline(degrees=180)
    outlines = [outline(right), turned_round, outline(right, 0, 180), outline()]
    told = [[0, 2], [1, 3]] if two else [[0, 1, 2, 3]]
    assert apart(marks, outlines, *["7R"] * 4) == told


def test_pairs_stay_and_so_do_no_cards() -> None:
    quads = np.stack([mark(), turned(right_mark(0, 0), 40)])
    outlines = np.stack([outline()] * 2)
    assert wrongly_joined_parted(quads, outlines, surely("7R", "7R"), [[0, 1]]) == [[0, 1]]
    assert wrongly_joined_parted(quads[:0], outlines[:0], surely()[:0], []) == []
