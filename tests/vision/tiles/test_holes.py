"""Finds where one more tile may lie: between two tiles of a row, and beyond its ends."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.tiles.holes import HoleConfig, are_filled, holes

TILE = np.array([[0, 0], [10, 0], [10, 14], [0, 14]], np.float32)


def row(*places: float) -> NDArray[np.float32]:
    """Return the quads (n, 4, 2) of tiles ten pixels wide in a row, each at so many widths from the
    left.
    """
    return np.stack([TILE + np.float32([10 * place, 0]) for place in places])


def found_in(quads: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the holes between tiles, of which none count as side by side; beyond the ends of rows
    none is looked for then.
    """
    return holes(quads, (1000, 1000), HoleConfig(beside=(0, 0)))


def beyond(quads: NDArray[np.float32], size: tuple[int, int] = (100, 100)) -> NDArray[np.float32]:
    """Return the holes of tiles that lie 40 pixels inside a picture, in pixels from that corner."""
    return holes(quads + 40, size) - 40


def test_between_two_tiles_with_room_for_one_lies_a_hole() -> None:
    assert np.allclose(found_in(row(0, 1, 3)), row(2))


@pytest.mark.parametrize("places", [(0,), (0, 1, 2), (0, 1, 2.5), (0, 1, 4)])
def test_elsewhere_there_is_none(places: tuple[float, ...]) -> None:
    assert found_in(row(*places)).shape == (0, 4, 2)


def test_of_a_row_with_every_second_tile_all_others_are_told() -> None:
    assert np.allclose(found_in(row(0, 2, 4, 6)), row(1, 3, 5))


def test_a_neighbour_that_stands_upside_down_counts() -> None:
    tiles = row(0, 2)
    tiles[1] = np.roll(tiles[1], 2, axis=0)
    assert np.allclose(found_in(tiles), row(1))


def test_tiles_above_each_other_or_turned_leave_no_hole() -> None:
    above = np.stack([TILE, TILE + np.float32([0, 20])])
    turned = np.stack([TILE, np.roll(TILE, 1, axis=0) + np.float32([20, 0])])
    assert len(found_in(above)) == len(found_in(turned)) == 0


def test_tiles_that_lie_as_those_of_another_row_leave_no_hole() -> None:
    lower = TILE + np.float32([20, 9])
    assert len(found_in(np.stack([TILE, lower]))) == 0


def test_where_two_rows_cross_lies_one_hole() -> None:
    middle = TILE.mean(axis=0) + np.float32([10, 0])
    crossing = (row(0, 2) - middle) @ np.float32([[0, 1], [-1, 0]]) + middle
    assert len(found_in(np.concatenate([row(0, 2), crossing]))) == 1


def test_no_tiles_leave_none() -> None:
    assert found_in(np.zeros((0, 4, 2), np.float32)).shape == (0, 4, 2)


@given(st.floats(0, 6.28), st.floats(0.3, 8), st.floats(-500, 500))
def test_a_photograph_turned_moved_or_enlarged_shows_the_same_hole(
    angle: float, scale: float, away: float
) -> None:
    turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    tiles, hole = ((quads @ turn.T + away).astype(np.float32) for quads in (row(0, 2), row(1)))
    assert np.allclose(found_in(tiles), hole, atol=0.01)


@pytest.mark.parametrize("places", [(0, 1), (0, 1, 2), (0, 1.3, 2.3)])
def test_one_step_beyond_both_ends_of_a_row_another_may_lie(
    places: tuple[float, ...],
) -> None:
    steps = places[1] - places[0], places[-1] - places[-2]
    assert np.allclose(beyond(row(*places)), row(places[0] - steps[0], places[-1] + steps[1]))


def test_a_lone_tile_has_no_end() -> None:
    assert len(beyond(row(0))) == len(beyond(row(0, 3))) == 0


def test_beyond_the_pictures_edge_nothing_lies() -> None:
    assert np.allclose(beyond(row(0, 1), (65, 100)), row(-1))


def test_beyond_an_end_where_another_row_begins_nothing_is_missed() -> None:
    nearby = row(0, 1, 2.5)
    nearby[2] += np.float32([0, 2])
    assert len(beyond(nearby)) == 1


@pytest.mark.parametrize(
    ("find", "sure", "filled"),
    [
        pytest.param(2.0, (True, True, True), True, id="in the middle"),
        pytest.param(2.3, (False, True, True), True, id="a little aside; far tiles do not matter"),
        pytest.param(2.4, (True, True, True), False, id="too far aside"),
        pytest.param(2.0, (True, False, True), False, id="between tiles that may be none"),
    ],
)
def test_a_find_of_any_size_between_sure_tiles_fills_a_hole(
    find: float, sure: tuple[bool, ...], filled: bool
) -> None:
    tiny = row(find).mean(axis=1, keepdims=True) + TILE / 10 - TILE.mean(axis=0) / 10
    told = are_filled(row(2), np.array(sure), row(0, 1, 3), tiny)
    assert told.tolist() == [filled]


def test_without_finds_or_places_nothing_is_filled() -> None:
    tiles, sure, none = row(0, 2), np.ones(2, bool), np.zeros((0, 4, 2), np.float32)
    assert are_filled(row(1), sure, tiles, none).tolist() == [False]
    assert are_filled(none, sure, tiles, row(1)).tolist() == []
