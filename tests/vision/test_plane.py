"""The plane of the table is told by the tiles on it, and tells how a tile looks anywhere."""

from __future__ import annotations

from math import radians

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from datasets.scene.camera import Camera, aimed_camera
from vision.plane import FEWEST_TILES, Plane, fit_plane
from vision.quads import across

SIZE = (1280, 960)
WIDTH, HEIGHT = 26.0, 36.4  # of a tile, in mm


def camera(elevation: float, roll: float = 0.0, fov: float = 60.0) -> Camera:
    return aimed_camera(
        *SIZE,
        elevation=radians(elevation),
        roll=radians(roll),
        fov=radians(fov),
        tile_px=50,
        tile_mm=WIDTH,
    )


def tiles_seen(view: Camera, seed: int, count: int = 24) -> NDArray[np.float32]:
    """Return the quads (n, 4, 2) of at most `count` tiles that lie anyhow and wholly in the
    picture.
    """
    rng = np.random.default_rng(seed)
    corners = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * (WIDTH / 2, HEIGHT / 2)
    quads = list[NDArray[np.float32]]()
    for _ in range(500):
        angle, middle = rng.uniform(0, 2 * np.pi), rng.uniform(-300, 300, 2)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        on_table = np.column_stack([corners @ turn.T + middle, np.zeros(4)])
        quad = view.project(on_table).astype(np.float32)
        if view.depths(on_table).min() > 50 and (quad >= 0).all() and (quad < SIZE).all():
            quads.append(quad)
    return np.stack(quads[:count])


def told(plane: Plane, quads: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the quads that `plane` tells for tiles in the places and directions of `quads`."""
    corners = plane.places(quads)
    ways = across(corners.astype(np.float32))
    directions = np.arctan2(ways[:, 1], ways[:, 0]).astype(np.float64)
    return plane.tiles(corners.mean(axis=1), directions, np.ones(len(quads)))


def errors(plane: Plane | None, quads: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return how far the worst corner of each tile is off, in widths of that tile."""
    assert plane is not None
    off = np.linalg.norm(told(plane, quads) - quads, axis=2).max(axis=1)
    widths = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)
    return np.asarray(off / np.maximum(widths, 1))


@given(st.integers(15, 80), st.integers(0, 359), st.integers(40, 72), st.integers(0, 10**6))
def test_every_tile_is_told_by_all(elevation: int, roll: int, fov: int, seed: int) -> None:
    quads = tiles_seen(camera(elevation, roll, fov), seed)
    assert np.median(errors(fit_plane(quads, SIZE), quads)) < 0.05


@pytest.mark.parametrize("elevation", [15, 25, 40])
def test_tiles_far_away_are_told_by_those_that_are_near(elevation: float) -> None:
    quads = tiles_seen(camera(elevation, roll=8), seed=3, count=60)
    quads = quads[np.argsort(-quads[:, :, 1].mean(axis=1))]
    plane = fit_plane(quads[:15], SIZE)
    assert errors(plane, quads[-10:]).max() < 0.25


def test_tiles_elsewhere_and_wrong_corners_hardly_count() -> None:
    quads = tiles_seen(camera(22), seed=5)
    rng = np.random.default_rng(6)
    unsure = quads + rng.normal(0, 0.03, quads.shape).astype(np.float32) * 40
    unsure[::4] += rng.normal(0, 12, unsure[::4].shape).astype(np.float32)
    assert np.median(errors(fit_plane(unsure, SIZE), quads)) < 0.12


def test_few_tiles_tell_no_plane() -> None:
    quads = tiles_seen(camera(30), seed=7)
    assert fit_plane(quads[: FEWEST_TILES - 1], SIZE) is None
    assert fit_plane(quads[:FEWEST_TILES], SIZE) is not None


def test_the_way_to_the_plane_and_back_ends_where_it_began() -> None:
    quads = tiles_seen(camera(35, roll=120), seed=8)
    plane = fit_plane(quads, SIZE)
    assert plane is not None
    there = plane.places(quads)
    edges = np.linalg.norm(there[:, 1] - there[:, 0], axis=1)
    np.testing.assert_allclose(np.median(edges), 1, atol=0.05)
    back = np.concatenate([there, np.ones((*there.shape[:2], 1))], axis=2) @ plane.to_picture.T
    np.testing.assert_allclose(back[..., :2] / back[..., 2:], quads, atol=1e-6 * max(SIZE))
