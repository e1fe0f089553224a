"""Figures of a score sheet are no tiles; small tiles far away, and unread ones, stay."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.quads import areas
from vision.writing import CROWD, FEWEST_LAID, SMALLER, are_writing

SIZE = (1200, 900)


def row(count: int, x: float, y: float, side: float = 40.0) -> NDArray[np.float32]:
    """Return the quads (n, 4, 2) of `count` tiles side by side, `side` pixels wide."""
    tile = np.array([[0, 0], [1, 0], [1, 1.4], [0, 1.4]]) * side
    return np.array([tile + [x + side * at, y] for at in range(count)], np.float32)


MELDS = np.concatenate([row(4, 100, 100), row(3, 700, 120), row(4, 150, 700)])


def told(
    figures: NDArray[np.float32], unread: int | None = None, laid: int = len(MELDS)
) -> list[bool]:
    """Tell of each of the `figures` beside the melds whether it is writing. The first `unread` of
    them show no face, by default all.
    """
    quads = np.concatenate([MELDS, figures])
    place = np.arange(len(quads)) - len(MELDS)
    shows_none = (place >= 0) & (place < (len(figures) if unread is None else unread))
    writing = are_writing(quads, shows_none, np.arange(len(quads)) < laid, SIZE)
    assert not writing[: len(MELDS)].any()
    return [bool(is_writing) for is_writing in writing[len(MELDS) :]]


def sheet(count: int = CROWD, side: float = 40 * SMALLER - 1) -> NDArray[np.float32]:
    return row(count, 700, 450, side)


def test_a_crowd_of_small_figures_is_writing() -> None:
    assert all(told(sheet()))
    assert all(told(sheet(8), unread=4))


@pytest.mark.parametrize(
    ("figures", "unread", "laid"),
    [
        pytest.param(sheet(CROWD - 1), None, len(MELDS), id="few"),
        pytest.param(sheet(side=40 * SMALLER + 2), None, len(MELDS), id="hardly smaller"),
        pytest.param(sheet(8), 3, len(MELDS), id="most of them read"),
        pytest.param(sheet(), None, FEWEST_LAID - 1, id="few tiles that surely lie in melds"),
    ],
)
def test_otherwise_nothing_is(figures: NDArray[np.float32], unread: int | None, laid: int) -> None:
    assert not any(told(figures, unread, laid))


# A table of 1200 x 1600 as a camera sees it from low: its far edge looks a third as long.
TABLE = np.array([[0, 0], [1200, 0], [1200, 1600], [0, 1600]], np.float32)
FROM_LOW = np.array([[400, 250], [800, 250], [1200, 900], [0, 900]], np.float32)


def test_a_row_that_is_far_away_is_none_however_small_it_looks() -> None:
    near = [row(4, 200, 1300), row(4, 700, 1400), row(4, 300, 1150), row(4, 800, 1100)]
    far = row(7, 450, 20)
    lying = np.concatenate([*near, far])
    view = cv2.getPerspectiveTransform(TABLE, FROM_LOW)
    quads = cv2.perspectiveTransform(lying.reshape(1, -1, 2), view).reshape(-1, 4, 2)
    is_far = np.arange(len(quads)) >= len(lying) - len(far)
    assert areas(quads[is_far]).max() < SMALLER**2 * areas(quads[~is_far]).min()
    quads = quads.astype(np.float32)
    assert not are_writing(quads, is_far, ~is_far, SIZE).any()


def test_without_finds_there_is_no_writing() -> None:
    none = np.zeros(0, bool)
    assert are_writing(np.zeros((0, 4, 2), np.float32), none, none, SIZE).shape == (0,)
