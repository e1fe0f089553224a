"""A table photographed from low is shown to the detector as it looks from above."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.places import SAMPLES
from tests.vision.test_plane import SIZE, camera, tiles_seen
from tests.vision.tiles.test_low_views import FROM_ABOVE, TABLE, rightly_found
from vision.detector import Detector
from vision.frame import load
from vision.from_above import CONFIG, ViewFromAbove, view_from_above
from vision.plane import fit_plane
from vision.quads import areas, foreshortening


def view(quads: NDArray[np.float32]) -> ViewFromAbove:
    found = view_from_above(quads, SIZE)
    assert found is not None
    return found


def in_view(shown: ViewFromAbove, quads: NDArray[np.float32]) -> NDArray[np.float32]:
    moved = cv2.perspectiveTransform(quads.reshape(1, -1, 2).astype(np.float64), shown.homography)
    return np.asarray(moved, np.float32).reshape(quads.shape)


@pytest.mark.parametrize("roll", [0, 40, 90, -60])
@pytest.mark.parametrize("elevation", [15, 30])
def test_from_above_all_tiles_are_about_equally_large_and_none_is_flat(
    elevation: float, roll: float
) -> None:
    quads = tiles_seen(camera(elevation, roll), seed=1)
    shown = view(quads)
    seen = in_view(shown, quads)
    assert np.ptp(np.log(areas(seen))) < 0.35 < np.ptp(np.log(areas(quads)))
    assert foreshortening(seen)[0].min() > 0.85
    assert shown.are_as_large_as_tiles(seen).all()
    assert (seen >= 0).all() and (seen < shown.size).all()
    np.testing.assert_allclose(shown.in_picture(seen), quads, atol=0.05)


def test_what_is_half_as_wide_as_a_tile_is_none() -> None:
    quads = tiles_seen(camera(20, 30), seed=2)
    shown = view(quads)
    seen = in_view(shown, quads)
    middles = seen.mean(axis=1, keepdims=True)
    for size, is_tile in ((0.5, False), (0.8, True), (1.3, True), (1.8, False)):
        resized = middles + size * (seen - middles)
        assert (shown.are_as_large_as_tiles(resized) == is_tile).all()


def test_figures_of_a_score_sheet_that_are_less_sure_do_not_tell_the_plane() -> None:
    tiles = tiles_seen(camera(25), seed=3, count=12)
    middles = tiles.mean(axis=1, keepdims=True)
    figures = middles + 0.4 * (tiles - middles) + np.float32([40, 25])
    with_figures = view(np.concatenate([tiles, figures]))
    assert with_figures.are_as_large_as_tiles(in_view(with_figures, tiles)).all()
    assert not with_figures.are_as_large_as_tiles(in_view(with_figures, figures)).any()


def test_a_view_has_a_bounded_size_and_keeps_to_the_picture() -> None:
    quads = tiles_seen(camera(12), seed=4, count=40)
    width, height = view(quads).size
    assert width * height <= CONFIG.most_pixels * 1.01
    near = np.argsort(areas(quads))[-6:]
    assert max(view(quads[near]).size) < CONFIG.tile_width * (2 * CONFIG.margin + 20)


@pytest.mark.parametrize("below", [4, 12, 40])
def test_one_find_near_the_horizon_does_not_make_the_tiles_small(below: float) -> None:
    quads = tiles_seen(camera(15), seed=6)
    plane = fit_plane(quads, SIZE)
    assert plane is not None
    _, slope, offset = plane.from_picture[2]
    horizon = -offset / slope  # a row of the picture, as the camera is not rolled
    outline = np.float32([[-8, -3], [8, -3], [8, 3], [-8, 3]])
    find = outline + np.float32([SIZE[0] / 2, horizon + below])
    assert view(np.concatenate([quads, find[None]])).size == view(quads).size


def test_few_tiles_tell_no_plane_and_nothing_found_lies_nowhere() -> None:
    quads = tiles_seen(camera(20), seed=5)
    assert view_from_above(quads[:3], SIZE) is None
    nothing = np.zeros((0, 4, 2), np.float32)
    assert view_from_above(nothing, SIZE) is None
    assert view(quads).in_picture(nothing).shape == (0, 4, 2)


def rolled(
    picture: NDArray[np.uint8], degrees: float
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Return the picture and its faces as a camera sees them that is low above the table and turned
    by `degrees`.
    """
    height, width = picture.shape[:2]
    corners = np.float32([[0, 0], [width, 0], [width, height], [0, height]])
    lower = np.float32([[0.35, 0.5], [0.65, 0.5], [1, 0.72], [0, 0.72]]) * (width, height)
    low = cv2.getPerspectiveTransform(corners, lower.astype(np.float32))
    turn = np.eye(3)
    turn[:2] = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
    there = turn @ low
    seen = cv2.warpPerspective(picture, there, (width, height), flags=cv2.INTER_AREA)
    moved = cv2.perspectiveTransform(FROM_ABOVE.reshape(1, -1, 2).astype(np.float64), there)
    return np.asarray(seen, np.uint8), np.asarray(moved, np.float32).reshape(-1, 4, 2)


@pytest.mark.parametrize("degrees", [35, 50, -50])
def test_with_a_rolled_camera_more_than_half_would_be_lost(
    degrees: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture, true = rolled(load(SAMPLES / TABLE["photo"]).pixels, degrees)
    found = rightly_found(Detector().detect(picture), true)
    monkeypatch.setattr("vision.detector.view_from_above", lambda quads, size: None)
    without = rightly_found(Detector().detect(picture), true)
    assert found >= len(true) - 5
    assert found >= without + 10
