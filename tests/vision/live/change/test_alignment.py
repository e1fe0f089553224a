"""How far the picture of the table has moved."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.live.change.alignment import (
    _is_plausible,
    at_scale,
    estimate_motion,
    fits_better_at_rest,
    refine_motion,
    transform_points,
)
from vision.quads import Quad

FACE = np.array([[20, 20], [40, 20], [40, 48], [20, 48]], np.float32)


def quads_at(*places: tuple[float, float]) -> list[Quad]:
    return [(FACE + np.array(place)).astype(np.float32) for place in places]


@pytest.mark.parametrize("degrees", [0.4, 90.0, 180.0])
def test_a_turned_table_is_a_similarity_and_stays_one_far_from_its_tiles(degrees: float) -> None:
    rng, old = np.random.default_rng(2), quads_at((0, 0), (21, 0), (42, 0), (63, 1), (84, 1))
    angle = np.radians(degrees)
    true = np.array(
        [[np.cos(angle), -np.sin(angle), 300], [np.sin(angle), np.cos(angle), 200], [0, 0, 1]]
    )
    new = [
        transform_points(quad, true) + rng.normal(0, 0.4, (4, 2)).astype(np.float32) for quad in old
    ]
    motion = estimate_motion(old, new)
    assert motion is not None
    far = np.array([[600.0, 400.0]], np.float32)
    assert np.linalg.norm(transform_points(far, motion) - transform_points(far, true)) < 12


@pytest.mark.parametrize(
    ("factor", "believed"), [(0.4, False), (0.8, True), (1.4, True), (1.9, False)]
)
def test_a_homography_that_squeezes_the_table_more_than_a_nudge_does_is_not_believed(
    factor: float, believed: bool
) -> None:
    old = quads_at(*((90 * column, 90 * row) for row in range(3) for column in range(4)))
    squeezed = np.diag([1.0, factor, 1.0])
    motion = estimate_motion(old, [transform_points(quad, squeezed) for quad in old])
    assert motion is not None
    assert np.allclose(motion, squeezed, atol=0.02) == believed
    if not believed:  # then the table moves as one piece: no stretching, no shear
        assert motion[0, 0] == pytest.approx(motion[1, 1])
        assert motion[0, 1] == pytest.approx(-motion[1, 0])


@pytest.mark.parametrize("contrast", [0.0, 6.0])
@pytest.mark.parametrize("camera_moved", [True, False])
def test_what_was_slid_over_a_cloth_is_told_from_a_camera_that_moved(
    camera_moved: bool, contrast: float
) -> None:
    """A cloth without any pattern cannot tell."""
    rng = np.random.default_rng(4)
    cloth = np.clip(100 + contrast * rng.standard_normal((45, 80)), 0, 255).astype(np.float32)
    cloth = cv2.resize(cloth, (320, 180), interpolation=cv2.INTER_LINEAR)
    before = cv2.merge([cloth.astype(np.uint8)] * 3)
    after, motion = before.copy(), np.array([[1, 0, 24], [0, 1, 10], [0, 0, 1.0]])
    before[60:100, 60:220] = 230
    if camera_moved:
        after = np.asarray(cv2.warpPerspective(before, motion, (320, 180)), np.uint8)
    else:
        after[70:110, 84:244] = 230
    stands = fits_better_at_rest(before, after, motion)
    assert stands == (not camera_moved and contrast > 0)


@pytest.mark.parametrize(
    ("scale", "plausible"),
    [(0.59999, False), (0.60001, True), (1.59999, True), (1.60001, False)],
)
def test_a_nudge_changes_lengths_up_to_two_limits(scale: float, plausible: bool) -> None:
    assert _is_plausible(np.diag([scale, scale, 1.0]), FACE) is plausible


def test_the_whole_picture_says_exactly_how_the_camera_moved() -> None:
    y, x = np.mgrid[:240, :320]
    rng = np.random.default_rng(3)
    old = (120 + 90 * np.sign(np.sin(x / 4.1) * np.sin(y / 4.3)))[..., None] * np.ones(
        3
    ) + rng.normal(0, 12, (240, 320, 1))
    old = cv2.GaussianBlur(np.clip(old, 0, 255).astype(np.uint8), (3, 3), 0)
    true = np.array([[1, -0.004, 4.2], [0.004, 1, -2.6], [0, 0, 1]])
    new = cv2.warpPerspective(old, true, (320, 240), borderMode=cv2.BORDER_REPLICATE)
    found = refine_motion(old, new, np.array([[1, 0, 3.4], [0, 1, -2.0], [0, 0, 1.0]]))
    corners = np.array([[0, 0], [319, 239]], np.float32)
    assert np.abs(transform_points(corners, found) - transform_points(corners, true)).max() < 0.1


@pytest.mark.parametrize("scale", [2.0, 5.0, 0.5])
def test_a_motion_in_larger_pixels_takes_each_place_where_it_was_taken(scale: float) -> None:
    """The middle of a large pixel lies in the middle of the `scale` x `scale` pixels that it is
    made of.
    """
    motion = np.array([[0.96, -0.1, 4.2], [0.1, 0.96, -2.6], [0, 0, 1]])
    fine = np.array([[0, 0], [319, 239], [40, 170]], np.float32)
    coarse = ((fine + 0.5) / scale - 0.5).astype(np.float32)
    there = (transform_points(coarse, at_scale(motion, scale)) + 0.5) * scale - 0.5
    assert np.allclose(there, transform_points(fine, motion), atol=1e-3)


def test_a_picture_without_pattern_leaves_the_motion_as_it_was() -> None:
    plain = np.full((60, 80, 3), 90, np.uint8)
    start = np.array([[1, 0, 5.0], [0, 1, 2.0], [0, 0, 1.0]])
    assert np.array_equal(refine_motion(plain, plain, start), start)


GRID = quads_at(*((90 * (at % 5), 90 * (at // 5)) for at in range(10)))  # tiles 20 pixels wide


@pytest.mark.parametrize(
    ("squeeze", "tiles", "is_similarity"),
    [
        (0.98, [0, 1, 5, 6], True),  # misses the middles by less than a tenth of a tile
        (0.85, [0, 1, 5, 6], False),
        (0.85, [0, 1, 5], True),  # three tiles say no more
    ],
)
def test_a_table_moves_as_one_piece_unless_enough_tiles_say_otherwise(
    squeeze: float, tiles: list[int], is_similarity: bool
) -> None:
    old, squeezed = [GRID[at] for at in tiles], np.diag([1.0, squeeze, 1.0])
    found = estimate_motion(old, [transform_points(quad, squeezed) for quad in old])
    assert found is not None
    assert bool(np.isclose(found[0, 0], found[1, 1], atol=1e-6)) is is_similarity
    if not is_similarity:
        np.testing.assert_allclose(found, squeezed, atol=0.01)


def test_a_tile_that_was_pushed_aside_does_not_bend_the_table() -> None:
    shift = np.array([[1, 0, 7], [0, 1, -4], [0, 0, 1.0]])
    new = [transform_points(quad, shift) for quad in GRID]
    new[3] = (new[3] + np.array([0, 12])).astype(np.float32)
    found = estimate_motion(GRID, new)
    assert found is not None
    np.testing.assert_allclose(found, shift, atol=0.01)
    assert (found[2] == [0, 0, 1]).all()


def test_quads_without_any_extent_tell_no_motion() -> None:
    point = [np.zeros((4, 2), np.float32)]
    assert estimate_motion(point, point) is None


def test_no_points_have_nowhere_to_go() -> None:
    none = np.zeros((0, 4, 2), np.float32)
    assert transform_points(none, np.eye(3)).shape == (0, 4, 2)
