"""Where jollies lie: their marks are of any size and direction, so that the cards beside them tell
more.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.cards.from_marks import SURE_TOGETHER, _sure_together
from vision.cards.jollies import (
    fit_on_one_card,
    in_two_columns,
    jollies_as_beside,
)

from .test_four_corners import right_mark
from .test_marks import HEIGHT, WIDTH, mark, outline
from .test_steps import STEP

SECOND = np.array([False, True, False, False])


def lying(
    quads: list[NDArray[np.float32]], told: list[NDArray[np.float32]], jolly: NDArray[np.bool_]
) -> NDArray[np.float32]:
    return jollies_as_beside(np.stack(quads), np.stack(told), jolly)


def column(*steps: float) -> tuple[list[NDArray[np.float32]], list[NDArray[np.float32]]]:
    """Return marks and outlines of the cards of a column; each of `steps` is a card's distance from
    its top, in steps.
    """
    return [mark(0, STEP * at) for at in steps], [outline(0, STEP * at) for at in steps]


@pytest.mark.parametrize(("x", "y"), [(-WIDTH, 0), (0, -HEIGHT), (-WIDTH, -HEIGHT)])
def test_a_jolly_whose_mark_seems_to_stand_in_another_corner_lies_as_its_column(
    x: float, y: float
) -> None:
    quads, told = column(0, 1, 2, 3)
    moved = [told[0], told[1] + np.float32([x, y]) * np.float32(0.8), *told[2:]]
    assert np.allclose(lying(quads, moved, SECOND)[1], told[1], atol=3)


def test_a_jolly_at_the_end_of_a_column_lies_as_it_does() -> None:
    quads, told = column(0, 1, 2, 3)
    last = np.array([False, False, False, True])
    moved = [*told[:3], told[3] - np.float32([0, HEIGHT])]
    assert np.allclose(lying(quads, moved, last)[3], told[3], atol=3)


def test_a_jolly_beside_one_card_alone_lies_as_the_network_tells() -> None:
    """Two marks are always in line, so one neighbour says nothing of where the jolly lies."""
    (quads, told), jolly = column(0, 1), np.array([False, True])
    moved = [told[0], told[1] - np.float32([0, 0.82 * HEIGHT])]
    assert np.allclose(lying(quads, moved, jolly)[1], moved[1], atol=3)


def test_a_jolly_of_which_both_ends_are_seen_lies_as_the_network_tells() -> None:
    """The jolly lies by itself below a column, and its mark continues the column's line."""
    quads, told = column(0, 1, 2)
    jollies = np.array([False, False, False, True, True])
    away = 3.5 * STEP
    quads += [mark(0, away), mark(0, away, 180)]
    told += [outline(0, away) - np.float32([0, HEIGHT])] * 2
    assert np.array_equal(lying(quads, told, jollies)[3:], told[3:])


def test_marks_in_other_corners_make_no_column() -> None:
    """The marks before and after the jolly's are in the right corners of their cards, the jolly's
    in the left one: such marks are no column, and the jolly stays where the network saw it.
    """
    quads = [right_mark(-WIDTH, 0), mark(0, STEP), right_mark(-WIDTH, 2 * STEP)]
    told = [outline(-WIDTH, 0), outline(0, STEP - HEIGHT), outline(0, 2 * STEP)]
    jolly = np.array([False, True, False])
    assert np.allclose(lying(quads, told, jolly)[1], told[1], atol=3)


def test_without_other_cards_jollies_stay_as_they_are() -> None:
    quads, told = column(0, 1)
    assert np.array_equal(lying(quads, told, np.array([True, True])), np.stack(told))


CORNERS = [(-0.41, -0.41), (0.41, -0.41), (0.41, 0.41), (-0.41, 0.41)]


def corners(*which: int, x: float = 0, y: float = 0) -> NDArray[np.float32]:
    """Return the quads of the marks in these corners of a card with its middle at (x, y)."""
    places = np.array([CORNERS[corner] for corner in which]) * [WIDTH, HEIGHT] + [x, y]
    return places.astype(np.float32)


BESIDE = outline(200, 0)[None]


@pytest.mark.parametrize("which", [(0, 1, 2), (0, 1, 2, 3), (0, 2), (1, 3)])
def test_marks_in_the_corners_are_of_one_card(which: tuple[int, ...]) -> None:
    assert fit_on_one_card(corners(*which), BESIDE)


@pytest.mark.parametrize("apart", [110.0, 30.0, 0.0])
def test_a_fifth_mark_may_be_of_a_neighbour(apart: float) -> None:
    strange = corners(0, x=apart)
    assert fit_on_one_card(corners(0, 1, 2, 3), BESIDE)
    assert not fit_on_one_card(np.concatenate([corners(0, 1, 2, 3), strange]), BESIDE)


@pytest.mark.parametrize("apart", [(1.1 * WIDTH, 0.0), (0.0, 0.3 * HEIGHT), (0.0, 1.1 * HEIGHT)])
def test_marks_of_two_jollies_are_not_of_one_card(apart: tuple[float, float]) -> None:
    """One jolly lies beside or over another. Of the covered one both upper corners show, of the
    free one all four.
    """
    other = corners(0, 1, 2, 3, x=apart[0], y=apart[1])
    assert not fit_on_one_card(np.concatenate([corners(0, 1), other]), BESIDE)


@pytest.mark.parametrize(("degrees", "fit"), [(0, True), (15, True), (40, False), (90, False)])
def test_marks_of_one_card_lie_about_as_the_nearest_card(degrees: int, fit: bool) -> None:
    turn = np.radians(degrees)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    turned = (corners(0, 1, 2) @ rotation.T).astype(np.float32)
    assert fit_on_one_card(turned, BESIDE) == fit


@pytest.mark.parametrize("in_columns", [True, False])
def test_marks_of_jollies_in_two_columns_are_of_two_cards(in_columns: bool) -> None:
    """They face each other as marks in opposite corners of one card do."""
    step = 0.25 * HEIGHT if in_columns else 3 * HEIGHT
    beside, lower = -1.1 * WIDTH, 0.2 * HEIGHT
    poses = [(0, 0, 0), (beside, lower, 180), (0, -step, 0), (beside, lower + step, 180)]
    outlines = np.stack([outline(*pose) for pose in poses])
    jollies = np.array([True, True, False, False])
    two = np.argwhere(in_two_columns(outlines, jollies)).tolist()
    assert two == ([[0, 1], [1, 0]] if in_columns else [])


def test_two_marks_of_a_jolly_make_it_sure_together() -> None:
    """Two of another card do not, nor does one of a jolly, nor do three of which each two are too
    faint.
    """
    half = np.float32(SURE_TOGETHER / 2)
    scores = np.array([half + 0.01, half, half, half, 0.9 * half, half, half, half], np.float32)
    cards = [[0, 1], [2], [3, 4, 4], [5, 6, 7]]
    jollies = np.array([True, True, True, False])
    assert _sure_together(scores, cards, jollies) == [True, False, False, False]
