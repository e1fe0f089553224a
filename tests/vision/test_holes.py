"""Room for one more tile between two of a row."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.holes import holes

TILE = np.array([[0, 0], [10, 0], [10, 14], [0, 14]], np.float32)


def row(*places: float) -> NDArray[np.float32]:
    """Return tiles (n, 4, 2) side by side, ten pixels wide, at so many widths from the left."""
    return np.stack([TILE + np.float32([10 * place, 0]) for place in places])


def test_between_two_tiles_with_room_for_one_lies_a_hole() -> None:
    assert np.allclose(holes(row(0, 1, 3)), row(2))


@pytest.mark.parametrize("places", [(0,), (0, 1, 2), (0, 1, 2.5), (0, 1, 4)])
def test_elsewhere_there_is_none(places: tuple[float, ...]) -> None:
    assert holes(row(*places)).shape == (0, 4, 2)


def test_of_a_row_with_every_second_tile_all_others_are_told() -> None:
    assert np.allclose(holes(row(0, 2, 4, 6)), row(1, 3, 5))


def test_a_neighbour_that_stands_upside_down_counts() -> None:
    tiles = row(0, 2)
    tiles[1] = np.roll(tiles[1], 2, axis=0)
    assert np.allclose(holes(tiles), row(1))


def test_tiles_above_each_other_or_turned_leave_no_hole() -> None:
    above = np.stack([TILE, TILE + np.float32([0, 20])])
    turned = np.stack([TILE, np.roll(TILE, 1, axis=0) + np.float32([20, 0])])
    assert len(holes(above)) == len(holes(turned)) == 0


def test_tiles_that_lie_as_those_of_another_row_leave_no_hole() -> None:
    lower = TILE + np.float32([20, 9])
    assert len(holes(np.stack([TILE, lower]))) == 0


def test_where_two_rows_cross_lies_one_hole() -> None:
    middle = TILE.mean(axis=0) + np.float32([10, 0])
    crossing = (row(0, 2) - middle) @ np.float32([[0, 1], [-1, 0]]) + middle
    assert len(holes(np.concatenate([row(0, 2), crossing]))) == 1


def test_no_tiles_leave_none() -> None:
    assert holes(np.zeros((0, 4, 2), np.float32)).shape == (0, 4, 2)


@given(st.floats(0, 6.28), st.floats(0.3, 8), st.floats(-500, 500))
def test_a_photograph_turned_moved_or_enlarged_shows_the_same_hole(
    angle: float, scale: float, away: float
) -> None:
    turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    tiles, hole = ((quads @ turn.T + away).astype(np.float32) for quads in (row(0, 2), row(1)))
    assert np.allclose(holes(tiles), hole, atol=0.01)
