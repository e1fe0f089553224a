"""Lines of a rack: whether a tile stands in line with sure ones, gaps and all."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.tiles.rack_lines import is_in_line

WIDTH, HEIGHT = 30.0, 42.0


def tile(x: float, y: float, lean: float = 0.0, size: float = 1.0) -> NDArray[np.float64]:
    """Return the quad (4, 2) of a tile in the middle of place `x`, `y`, counted in widths and
    heights of a tile, turned by `lean` degrees.
    """
    right, low = size * WIDTH / 2, size * HEIGHT / 2
    corners = np.array([[-right, -low], [right, -low], [right, low], [-right, low]])
    cos, sin = np.cos(np.radians(lean)), np.sin(np.radians(lean))
    turned: NDArray[np.float64] = corners @ np.array([[cos, sin], [-sin, cos]])
    return turned + [x * WIDTH, y * HEIGHT]


def first_in_line(quads: list[NDArray[np.float64]], turn: float = 0.0) -> bool:
    """Tell whether the first tile stands in line with two others, after turning all quads by `turn`
    degrees.
    """
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    turned = (np.stack(quads) @ np.array([[cos, sin], [-sin, cos]]) + 400).astype(np.float32)
    return is_in_line(turned, 0, np.arange(1, len(quads)))


@pytest.mark.parametrize("turn", [0, 35, 90, 200])
def test_tiles_are_in_line_across_the_gaps_between_them(turn: float) -> None:
    row = [tile(x, 0) for x in (4.0, 0.0, 1.0, 6.5)]
    assert first_in_line(row, turn)


def test_of_two_rows_the_one_in_which_the_tile_stands_counts() -> None:
    front, back = [tile(x, 0) for x in (0, 2, 3)], [tile(x, -1.4) for x in (0, 1, 2, 3)]
    assert first_in_line([tile(5, 0), *back, *front])
    assert not first_in_line([tile(5, -0.7), *back, *front])


@pytest.mark.parametrize(
    "aside",
    [
        pytest.param(tile(3, 0.5), id="below the line"),
        pytest.param(tile(9, 0), id="too far away"),
        pytest.param(tile(3, 0, lean=40), id="turned"),
        pytest.param(tile(3, 0, size=1.5), id="too large"),
        pytest.param(tile(3, 0, size=0.6), id="too small"),
    ],
)
def test_what_does_not_stand_like_the_tiles_of_a_line_is_not_in_it(
    aside: NDArray[np.float64],
) -> None:
    row = [tile(x, 0) for x in (0, 1, 2)]
    assert first_in_line([tile(3, 0), *row])
    assert not first_in_line([aside, *row])


def test_tiles_one_above_the_other_make_no_line() -> None:
    assert not first_in_line([tile(0, 3), *(tile(0, y) for y in (0, 1, 2))])


def test_a_single_sure_tile_makes_no_line() -> None:
    assert not first_in_line([tile(1, 0), tile(0, 0)])


def test_of_hundreds_of_tiles_only_the_nearest_are_looked_at() -> None:
    crowd = [tile(x + 0.5, y + 0.5, size=0.5) for x in range(-3, 3) for y in range(-3, 3)]
    row = [tile(4.5, 0), tile(5.5, 0)]
    assert first_in_line([tile(0, 0), *row])
    assert not first_in_line([tile(0, 0), *row, *crowd])
