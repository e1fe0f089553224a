"""What small pictures show at the place of a tile."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.live.change.places import covered_share, grown, pattern_correlation, renewed_share
from vision.quads import Quad

FACE = np.array([[20, 20], [40, 20], [40, 48], [20, 48]], np.float32)


def face() -> NDArray[np.uint8]:
    picture = np.full((80, 120, 3), (120, 118, 116), np.uint8)
    cv2.fillConvexPoly(picture, FACE.astype(np.int32), (235, 228, 210))
    cv2.putText(picture, "8", (22, 38), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (200, 40, 30), 2)
    return picture


def test_a_shadow_leaves_the_pattern_and_a_bare_table_of_the_same_grey_does_not() -> None:
    shadowed = (face() * 0.5).astype(np.uint8)
    bare = np.full((80, 120, 3), (118, 114, 105), np.uint8)
    noisy = np.clip(bare + np.random.default_rng(1).normal(0, 3, bare.shape), 0, 255).astype(
        np.uint8
    )
    assert pattern_correlation(face(), shadowed, FACE) > 0.9
    assert (
        pattern_correlation(face(), bare, FACE) == 0.0
        and abs(pattern_correlation(face(), noisy, FACE)) < 0.2
    )
    assert pattern_correlation(face(), face(), FACE + 500) == 0.0


@pytest.mark.parametrize("border", [np.s_[:, 0], np.s_[0], np.s_[:, -1], np.s_[-1]])
def test_the_picture_counts_to_its_border(border: Any) -> None:
    mask = np.zeros((10, 10), np.uint8)
    mask[border] = 255
    assert covered_share(mask, square(0, 0, 9)) == pytest.approx(0.1)


def test_the_faintest_pattern_is_compared_too() -> None:
    """A single pixel that is one level darker in both pictures."""
    known = np.full((30, 30, 3), 200, np.uint8)
    known[15, 15, 0] = 199
    assert pattern_correlation(known, known, square(10, 10, 9)) == pytest.approx(1.0)


def square(x: float, y: float, side: float) -> Quad:
    return np.array([[x, y], [x + side, y], [x + side, y + side], [x, y + side]], np.float32)


@pytest.mark.parametrize(("x", "share"), [(0, 1.0), (5, 0.5), (400, 0.0), (-50, 0.0)])
def test_share_of_a_place_that_is_covered(x: int, share: float) -> None:
    mask = np.zeros((40, 40), np.uint8)
    mask[:, :10] = 255
    assert covered_share(mask, square(x, 5, 9)) == pytest.approx(share, abs=0.06)


def test_of_a_mask_that_sets_nothing_no_share_is_covered() -> None:
    assert covered_share(np.zeros((40, 40), np.uint8), square(5, 5, 9)) == 0.0


def tilted(rng: np.random.Generator) -> Quad:
    """Draw the quad of a tile of any size and direction; about half of these quads reach over the
    border of a picture of 40 x 40 pixels or lie beyond it.
    """
    angle, width, height = rng.uniform(0, 2 * np.pi), rng.uniform(2, 14), rng.uniform(2, 18)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    corners = np.array([[-width, -height], [width, -height], [width, height], [-width, height]])
    return np.asarray(corners / 2 @ turn.T + rng.uniform(-8, 48, 2), np.float32)


def whole_picture(quad: Quad) -> NDArray[np.bool_]:
    """Return the pixels of the quad in a picture of 40 x 40 pixels, by drawing it into a larger
    picture and cutting that.
    """
    drawn = np.zeros((140, 140), np.uint8)
    cv2.fillConvexPoly(drawn, np.round(quad + 50).astype(np.int32), 1)
    return drawn[50:90, 50:90] > 0


def test_any_place_counts_as_if_it_were_drawn_into_the_whole_picture() -> None:
    rng = np.random.default_rng(8)
    mask = np.asarray(rng.integers(0, 2, (40, 40)) * 255, np.uint8)
    known, now = (np.asarray(rng.integers(0, 256, (40, 40, 3)), np.uint8) for _ in range(2))
    whole = 0
    for _ in range(400):
        quad = tilted(rng)
        covered, alike = covered_share(mask, quad), pattern_correlation(known, now, quad)
        assert 0 <= covered <= 1 and -1.001 < alike < 1.001
        if (np.abs(quad - 19.5) < 19).all():  # a border cuts outlines off as it likes
            whole += 1
            inside = whole_picture(quad)
            assert covered == pytest.approx((mask > 0)[inside].mean()), quad
            assert alike == pytest.approx(correlation(known[inside], now[inside]), abs=1e-4), quad
    assert 60 < whole < 300


def correlation(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> float:
    one_off, other_off = (each - each.mean(axis=0) for each in (one, other))
    strength = float(np.linalg.norm(one_off) * np.linalg.norm(other_off))
    return float((one_off * other_off).sum()) / strength if strength else 0.0


def test_a_place_beside_the_pictures_corner_is_outside_though_its_box_is_not() -> None:
    """A diamond cuts off the corner of the picture, and nothing of it lies inside."""
    mask, picture = np.full((40, 40), 255, np.uint8), np.full((40, 40, 3), 90, np.uint8)
    beside = np.array([[-9, 2], [2, -9], [-9, -9], [-9, -4]], np.float32)
    assert not whole_picture(beside).any()
    assert covered_share(mask, beside) == 0.0
    assert pattern_correlation(picture, picture, beside) == 0.0
    assert renewed_share(picture, picture + 100, beside, []) == 0.0


def put_down(known: NDArray[np.uint8], left: int, right: int) -> NDArray[np.uint8]:
    """Return the small picture of a table with something patterned on it, from column `left` to
    column `right`.
    """
    now = known.copy()
    now[10:40, left:right] = np.random.default_rng(4).integers(0, 255, (30, right - left, 3))
    return now


def test_what_came_to_a_place_is_its_renewed_share() -> None:
    known = np.full((50, 60, 3), (60, 120, 70), np.uint8)
    half = renewed_share(known, put_down(known, 10, 25), square(10, 10, 29), [])
    assert half == pytest.approx(0.5, abs=0.12)
    assert renewed_share(known, known, square(10, 10, 29), []) == 0.0


def test_the_last_column_and_the_last_row_belong_to_a_place() -> None:
    known = np.full((50, 60, 3), (60, 120, 70), np.uint8)
    now = known.copy()
    now[10:40, 39] = now[39, 10:40] = 250
    # Where the light is averaged over the edge, up to four pixels beside it differ too.
    assert 59 / 900 < renewed_share(known, now, square(10, 10, 29), []) < 0.3


def test_what_is_excluded_of_a_place_does_not_count() -> None:
    known = np.full((50, 60, 3), (60, 120, 70), np.uint8)
    now, place = put_down(known, 10, 25), square(10, 10, 29)
    changed_half = np.array([[10, 10], [24, 10], [24, 39], [10, 39]], np.float32)
    still_half = np.array([[25, 10], [39, 10], [39, 39], [25, 39]], np.float32)
    # Of the fifteen columns left, three lie as near as the averaging of the light reaches.
    assert renewed_share(known, now, place, [changed_half]) < 4 / 15
    assert renewed_share(known, now, place, [still_half]) > 0.8


@pytest.mark.parametrize("away", [(500, 0), (-500, 0), (0, 500), (0, -500)])
def test_outside_the_picture_nothing_is_renewed(away: tuple[int, int]) -> None:
    known = np.zeros((50, 60, 3), np.uint8)
    now = np.full((50, 60, 3), 200, np.uint8)
    place = square(10, 10, 20) + np.array(away, np.float32)
    assert renewed_share(known, now, place.astype(np.float32), []) == 0.0


@pytest.mark.parametrize("margin", [2.5, -2.5])
def test_a_square_grows_by_the_margin_on_every_side(margin: float) -> None:
    wider = square(10 - margin, 20 - margin, 9 + 2 * margin)
    np.testing.assert_allclose(grown(square(10, 20, 9), margin), wider, atol=0.03)
    point = square(10, 20, 0)
    np.testing.assert_array_equal(grown(point, margin), point)
