"""Rows of thirteen tiles are found by their places, whichever way their quads are turned."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.detector import Detections
from vision.own_set.lattice import ROW_LENGTH, find_teaching_rows

TILE = np.array([[-13, -18], [13, -18], [13, 18], [-13, 18]], np.float32)


def laid(rows: int, turn: float, rng: np.random.Generator) -> NDArray[np.float32]:
    """Lay rows of tiles as by hand, seen in perspective and turned by degrees: (rows, 13, 4, 2)."""
    places = np.stack(np.meshgrid(np.arange(13) * 29.0, np.arange(rows) * 44.0), axis=2)
    centres = places - places.mean(axis=(0, 1)) + rng.normal(0, 1.0, places.shape)
    quads = centres[:, :, None] + TILE
    angle = np.radians(turn)
    rotation = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    view = np.array([[2.2, 0.05, 700], [0.02, 2.0, 600], [1e-5, 3e-4, 1]])
    flat = (quads.reshape(-1, 2) @ rotation.T).astype(np.float64)
    return cv2.perspectiveTransform(flat[None], view)[0].reshape(rows, 13, 4, 2).astype(np.float32)


def detections(quads: NDArray[np.float32], rng: np.random.Generator) -> Detections:
    """Return the quads in any order, each turned as a detector may turn it that cannot read the
    digits.
    """
    shuffled = rng.permutation(quads.reshape(-1, 4, 2))
    turned = np.stack([np.roll(quad, rng.choice([0, 2]), axis=0) for quad in shuffled])
    return Detections(turned, np.full(len(turned), 0.8, np.float32))


@pytest.mark.parametrize("turn", [-12.0, 0.0, 9.0, 90.0])
@pytest.mark.parametrize("rows", [1, 2, 4])
def test_rows_are_found_from_left_to_right_and_from_top_to_bottom(rows: int, turn: float) -> None:
    rng = np.random.default_rng(7)
    quads = laid(rows, turn, rng)
    found = detections(quads, rng)
    placed = find_teaching_rows(found)
    assert len(placed) == rows
    for row, truth in zip(placed, quads, strict=True):
        np.testing.assert_allclose(row.quads, truth, atol=1e-3)
        np.testing.assert_allclose(
            found.quads[row.found].mean(axis=1), row.quads.mean(axis=1), atol=1e-3
        )


@pytest.mark.parametrize("share", [0.12, 0.4, 0.7])
def test_tiles_of_which_only_the_middle_was_found_are_as_large_as_the_others(share: float) -> None:
    """On a face with an ornament around, a detector may take the middle of it for a tile."""
    rng = np.random.default_rng(9)
    quads = laid(4, 4.0, rng)
    found = quads.copy()
    for row, place in [(0, 0), (0, 5), (0, 7), (1, 2), (1, 3), (2, 1), (2, 3), (2, 5), (3, 12)]:
        middle = quads[row, place].mean(axis=0)
        found[row, place] = middle + share * np.roll(quads[row, place] - middle, 1, axis=0)
    placed = find_teaching_rows(detections(found, rng))
    assert len(placed) == 4
    width = np.linalg.norm(quads[0, 0, 1] - quads[0, 0, 0])
    for row, truth in zip(placed, quads, strict=True):
        assert (row.found >= 0).all()
        assert np.abs(row.quads - truth).max() < 0.2 * width


def test_what_is_found_on_a_tile_is_no_tile_of_its_own() -> None:
    rng = np.random.default_rng(10)
    quads = laid(2, 0.0, rng)
    middles = quads.mean(axis=2, keepdims=True)
    marks = middles + 0.3 * (quads - middles) + 0.25 * (quads[:, :, 3:] - quads[:, :, :1])
    placed = find_teaching_rows(detections(np.concatenate([quads, marks[:1]]), rng))
    assert len(placed) == 2
    for row, truth in zip(placed, quads, strict=True):
        np.testing.assert_allclose(row.quads, truth, atol=1e-3)


@pytest.mark.parametrize("missing", [(0,), (12,), (5,), (3, 4), (0, 12), (0, 1, 7)])
def test_tiles_that_were_not_found_are_filled_in(missing: tuple[int, ...]) -> None:
    rng = np.random.default_rng(8)
    quads = laid(3, 4.0, rng)
    kept = np.ones((3, ROW_LENGTH), bool)
    kept[1, list(missing)] = False
    placed = find_teaching_rows(detections(quads[kept], rng))
    assert len(placed) == 3
    assert sorted(np.flatnonzero(placed[1].found < 0)) == sorted(missing)
    width = np.linalg.norm(quads[1, 0, 1] - quads[1, 0, 0])
    assert np.abs(placed[1].quads - quads[1]).max() < 0.25 * width


def test_a_row_too_short_or_too_long_is_none() -> None:
    rng = np.random.default_rng(9)
    whole = laid(1, 0.0, rng)
    assert find_teaching_rows(detections(whole[:, :12], rng)) == []
    longer = np.concatenate([whole, whole[:, -1:] + (whole[:, -1:] - whole[:, -2:-1])], axis=1)
    assert find_teaching_rows(detections(longer, rng)) == []


def test_rows_with_gaps_of_any_width_are_none() -> None:
    rng = np.random.default_rng(10)
    quads = laid(1, 0.0, rng)
    for at in (4, 8):
        quads[:, at:] += 0.5 * (quads[:, 1, 0] - quads[:, 0, 0])
    assert find_teaching_rows(detections(quads, rng)) == []


def test_few_or_no_tiles_are_no_rows() -> None:
    none = np.zeros((0, 4, 2), np.float32)
    assert find_teaching_rows(Detections(none, np.zeros(0, np.float32))) == []
