"""Tiles surely seen show how large another tile looks anywhere on their table."""

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.own_set.shapes import FEWEST, TileShapes, across

# From a table seen from low, millimetres, to the picture, pixels.
SEEN = np.array([[2.2, 0.3, 300.0], [0.1, 1.3, 200.0], [0.0, 0.0009, 1.0]])
WIDTH, HEIGHT = 26.0, 37.0


def tiles(count: int, seed: int) -> NDArray[np.float32]:
    """Draw quads (n, 4, 2) of tiles that lie in any direction all over a table."""
    rng = np.random.default_rng(seed)
    corners = np.array([[-WIDTH, -HEIGHT], [WIDTH, -HEIGHT], [WIDTH, HEIGHT], [-WIDTH, HEIGHT]]) / 2
    quads = []
    for _ in range(count):
        angle, place = rng.uniform(0, 2 * np.pi), rng.uniform((0, 0), (400, 300))
        cosine, sine = np.cos(angle), np.sin(angle)
        on_table = corners @ np.array([[cosine, sine], [-sine, cosine]]) + place
        seen = np.column_stack([on_table, np.ones(4)]) @ SEEN.T
        quads.append(seen[:, :2] / seen[:, 2:])
    return np.array(quads, np.float32)


def test_a_middle_and_a_direction_tell_the_whole_quad() -> None:
    known, others = tiles(24, 1), tiles(12, 2)
    shapes = TileShapes.of(known)
    assert shapes is not None
    told = shapes.at(others.mean(axis=1), across(others))
    widths = np.linalg.norm(across(others), axis=1)
    off = np.linalg.norm(told - others, axis=2).max(axis=1) / widths
    assert np.median(off) < 0.08
    assert off.max() < 0.25


def test_the_height_of_a_face_is_told_by_tiles_of_any_direction() -> None:
    shapes = TileShapes.of(tiles(24, 3))
    assert shapes is not None
    assert shapes.aspect == pytest.approx(HEIGHT / WIDTH, abs=0.08)


def test_hardly_any_tiles_tell_nothing() -> None:
    assert TileShapes.of(tiles(FEWEST - 1, 4)) is None
    assert TileShapes.of(tiles(FEWEST, 4)) is not None
