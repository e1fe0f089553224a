"""Where jollies lie: their marks are of any size and direction, the cards beside them tell more."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.cards.jollies import jollies_as_beside

from .test_cards import HEIGHT, WIDTH, mark, outline
from .test_missed_cards import STEP, right_mark

SECOND = np.array([False, True, False, False])


def lying(
    quads: list[NDArray[np.float32]], told: list[NDArray[np.float32]], jolly: NDArray[np.bool_]
) -> NDArray[np.float32]:
    return jollies_as_beside(np.stack(quads), np.stack(told), jolly)


def column(*steps: float) -> tuple[list[NDArray[np.float32]], list[NDArray[np.float32]]]:
    """Marks and outlines of a column."""
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
    """Two marks are always in line."""
    (quads, told), jolly = column(0, 1), np.array([False, True])
    moved = [told[0], told[1] - np.float32([0, 0.82 * HEIGHT])]
    assert np.allclose(lying(quads, moved, jolly)[1], moved[1], atol=3)


def test_a_jolly_of_which_both_ends_are_seen_lies_as_the_network_tells() -> None:
    """It lies by itself below a column, whose line its mark continues."""
    quads, told = column(0, 1, 2)
    jollies = np.array([False, False, False, True, True])
    away = 3.5 * STEP
    quads += [mark(0, away), mark(0, away, 180)]
    told += [outline(0, away) - np.float32([0, HEIGHT])] * 2
    assert np.array_equal(lying(quads, told, jollies)[3:], told[3:])


def test_marks_in_other_corners_make_no_column() -> None:
    """A mark before and one behind, but in the right corners of their cards."""
    quads = [right_mark(-WIDTH, 0), mark(0, STEP), right_mark(-WIDTH, 2 * STEP)]
    told = [outline(-WIDTH, 0), outline(0, STEP - HEIGHT), outline(0, 2 * STEP)]
    jolly = np.array([False, True, False])
    assert np.allclose(lying(quads, told, jolly)[1], told[1], atol=3)


def test_without_other_cards_jollies_stay_as_they_are() -> None:
    quads, told = column(0, 1)
    assert np.array_equal(lying(quads, told, np.array([True, True])), np.stack(told))
