"""A picture at full size, half, a quarter and so on: levels are made when asked for, and places on
them agree with the docstring.
"""

from __future__ import annotations

import numpy as np
import pytest

from vision.pyramid import Pyramid


@pytest.mark.parametrize(
    ("most", "shrunk"),
    [(0.3, 1), (1.0, 1), (1.99, 1), (2.0, 2), (3.9, 2), (4.0, 4), (7.0, 4), (8.0, 8)],
)
def test_no_level_is_shrunk_by_more_than_asked(most: float, shrunk: int) -> None:
    level, by = Pyramid(np.zeros((96, 160, 3), np.uint8)).shrunk(most)
    assert (by, level.shape) == (shrunk, (96 // shrunk, 160 // shrunk, 3))


def test_it_ends_before_nothing_is_left() -> None:
    level, by = Pyramid(np.full((5, 37, 3), 7, np.uint8)).shrunk(1e9)
    assert (by, level.shape) == (4, (1, 9, 3))
    assert (level == 7).all()


@pytest.mark.parametrize("size", [(96, 128), (97, 131)])
def test_a_pixel_is_found_again_on_every_level(size: tuple[int, int]) -> None:
    """A blot's centre of mass lies where the level's scale puts it, also where halving leaves out
    an odd row or column.
    """
    picture = np.zeros((*size, 3), np.uint8)
    picture[40:48, 60:76] = 200
    pyramid = Pyramid(picture)
    for most in (1, 2, 4):
        level, by = pyramid.shrunk(most)
        weight = level[..., 0].astype(float)
        y, x = (float((weight * place).sum() / weight.sum()) for place in np.indices(weight.shape))
        assert (x, y) == pytest.approx(((67.5 + 0.5) / by - 0.5, (43.5 + 0.5) / by - 0.5))


def test_a_level_is_made_once() -> None:
    pyramid = Pyramid(np.zeros((64, 64, 3), np.uint8))
    assert pyramid.shrunk(4)[0] is pyramid.shrunk(5)[0]
