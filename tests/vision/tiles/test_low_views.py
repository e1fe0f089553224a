"""Tiles seen from low above the table get the quads in which they lie there; they have a detector
of their own, and so have racks.
"""

from __future__ import annotations

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.tiles import Tile
from tests.places import SAMPLES
from vision.detector import Detections, Detector
from vision.faint import body_light
from vision.frame import load
from vision.kinds import LOW_TILES, RACK_TILES, TILES
from vision.pyramid import Pyramid
from vision.quads import areas, drawn
from vision.reader import FaceScores, Reader
from vision.tiles.low_views import unread_in_plane, with_quads_in_plane

TABLE = next(
    line
    for line in json.loads((SAMPLES / "hand.json").read_text("utf-8"))["photos"]
    if line.get("place") == "melds"
)
LAID = [tile for tile in TABLE["tiles"] if not tile["hidden_or_cut"] and tile["tile"] != "J"]
NUMBERS = np.array([Tile.parse(tile["tile"]).number for tile in LAID])
ROWS = np.array([-1 if tile["row"] is None else tile["row"] for tile in LAID])
FROM_ABOVE = np.array([tile["corners"] for tile in LAID], np.float32)  # (n, 4, 2)


def from_low(
    picture: NDArray[np.uint8], quads: NDArray[np.float32], top: float = 0.5, bottom: float = 0.95
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Return the picture and the quads (n, 4, 2) as if the camera had looked at the table from
    lower: the upper half of the picture is farther away and flatter. The table reaches from `top`
    to `bottom`, in heights of the picture.
    """
    height, width = picture.shape[:2]
    corners = np.float32([[0, 0], [width, 0], [width, height], [0, height]])
    lower = np.float32([[0.3, top], [0.7, top], [1, bottom], [0, bottom]]) * (width, height)
    there = cv2.getPerspectiveTransform(corners, lower.astype(np.float32))
    seen = cv2.warpPerspective(picture, there, (width, height), flags=cv2.INTER_AREA)
    moved = cv2.perspectiveTransform(quads.reshape(1, -1, 2), there).reshape(-1, 4, 2)
    return np.asarray(seen, np.uint8), np.asarray(moved, np.float32)


def misplaced(quads: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return squares (n, 4, 2), as large as the faces at the quads (n, 4, 2) and standing on a
    corner, as where a detector cannot tell the direction.
    """
    side = np.sqrt(areas(quads)).astype(np.float32)[:, None] / np.float32(np.sqrt(2))
    down_right, down_left = side * np.float32([1, 1]), side * np.float32([-1, 1])
    return drawn(quads.mean(axis=1), down_right, down_left)


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


@pytest.fixture(scope="module")
def photograph() -> NDArray[np.uint8]:
    return load(SAMPLES / TABLE["photo"]).pixels


def read_and_looked_at(
    reader: Reader, picture: NDArray[np.uint8], quads: NDArray[np.float32], unsure: list[int]
) -> tuple[FaceScores, FaceScores]:
    """Return what is seen in the quads (n, 4, 2) at one look, and after looking again; those with
    the indices `unsure` were found with a score of 0.5 only.
    """
    found = np.full(len(quads), 0.9, np.float32)
    found[unsure] = 0.5
    before = reader.look(Pyramid(picture), quads)
    return before, with_quads_in_plane(reader, picture, quads, found, before)


def off(scores: FaceScores, true: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return how far the worst corner of each face is from its place, in widths of the face."""
    apart = np.linalg.norm(scores.quads - true, axis=2).max(axis=1)
    return np.asarray(apart / np.linalg.norm(true[:, 1] - true[:, 0], axis=1))


def farthest(true: NDArray[np.float32]) -> list[int]:
    """Return the indices of the tiles of the row that is farthest away."""
    rows = [row for row in sorted(set(ROWS.tolist())) if row >= 0]
    heights = [float(true[row == ROWS][:, :, 1].mean()) for row in rows]
    return [int(tile) for tile in np.flatnonzero(rows[int(np.argmin(heights))] == ROWS)]


def rightly_found(found: Detections, true: NDArray[np.float32]) -> int:
    """Count the faces with the quads `true` (n, 4, 2) that were found with all corners nearly right
    and a score that counts.
    """
    quads = found.quads[found.scores > TILES.doubts.tile]
    apart = np.linalg.norm(quads[None] - true[:, None], axis=3).max(axis=2)
    return int((apart.min(axis=1) < 0.3 * np.linalg.norm(true[:, 1] - true[:, 0], axis=1)).sum())


@pytest.mark.parametrize("top", [0.4, 0.6, 0.65])
def test_more_corners_are_right_with_the_network_for_low_views(
    photograph: NDArray[np.uint8], top: float
) -> None:
    picture, true = from_low(photograph, FROM_ABOVE, top, 0.85)
    detector = Detector()
    without = Detector(config=replace(detector.config, perhaps_low=0.0))
    seen = rightly_found(detector.detect(picture), true)
    assert seen >= len(true) - 2
    assert seen > rightly_found(without.detect(picture), true)


@pytest.mark.parametrize("top", [0.25, 0.3, 0.35])
def test_where_both_networks_tell_the_same_view_the_usual_one_finds_all(
    photograph: NDArray[np.uint8], top: float
) -> None:
    """From about 40 degrees."""
    picture, _ = from_low(photograph, FROM_ABOVE, top)
    detector = Detector()
    without = Detector(config=replace(detector.config, perhaps_low=0.0))
    always = Detector(config=replace(detector.config, low=1.0))
    found, usual = detector.detect(picture), without.detect(picture)
    np.testing.assert_array_equal(found.quads, usual.quads)
    assert not np.isin(found.scores, always.detect(picture).scores).any()


@pytest.mark.parametrize("limits", [{}, {"threshold": 0.5}, {"faintest": 0.05}])
def test_on_a_rack_the_network_for_racks_alone_looks(
    photograph: NDArray[np.uint8], limits: dict[str, float]
) -> None:
    picture, _ = from_low(photograph, FROM_ABOVE)
    on_rack = Detector().detect(picture, on_rack=True, **limits)
    expected = Detector(kind=RACK_TILES).detect(picture, **limits)
    np.testing.assert_array_equal(on_rack.quads, expected.quads)
    for other in (LOW_TILES, replace(TILES, low_views=None)):
        found = Detector(kind=other).detect(picture, **limits)
        assert not np.isin(on_rack.scores, found.scores).any()


def test_from_above_the_usual_network_finds_all(photograph: NDArray[np.uint8]) -> None:
    detector = Detector()
    without = Detector(config=replace(detector.config, perhaps_low=0.0))
    found, usual = detector.detect(photograph), without.detect(photograph)
    np.testing.assert_array_equal(found.quads, usual.quads)
    np.testing.assert_array_equal(found.scores, usual.scores)


def test_a_lower_threshold_counts_in_low_views_too(photograph: NDArray[np.uint8]) -> None:
    picture, _ = from_low(photograph, FROM_ABOVE)
    detector = Detector()
    faint = detector.detect(picture, threshold=0.05)
    sure = faint.scores >= detector.config.threshold
    assert len(detector.detect(picture)) == sure.sum() < len(faint)


def test_far_tiles_are_read_in_the_quads_that_the_near_ones_tell(
    reader: Reader, photograph: NDArray[np.uint8]
) -> None:
    picture, true = from_low(photograph, FROM_ABOVE)
    far = farthest(true)
    quads = true.copy()
    quads[far] = misplaced(true[far])
    before, after = read_and_looked_at(reader, picture, quads, far)
    assert before.legible[far].max() < 0.5
    np.testing.assert_array_equal(after.number[far].argmax(axis=1) + 1, NUMBERS[far])
    assert off(after, true)[far].max() < 0.3


def test_faces_that_nobody_can_read_lie_as_their_row(
    reader: Reader, photograph: NDArray[np.uint8]
) -> None:
    picture, true = from_low(photograph, FROM_ABOVE)
    far = farthest(true)
    for quad, light in zip(true[far], np.exp(body_light(picture, true[far])), strict=True):
        cv2.fillConvexPoly(picture, quad.astype(np.int32), light.tolist())  # no number is left
    quads = true.copy()
    quads[far] = misplaced(true[far])
    before, after = read_and_looked_at(reader, picture, quads, far)
    assert before.legible[far].max() < 0.5
    assert after.legible[far].max() < 0.9
    assert off(before, true)[far].min() > 0.3
    assert np.median(off(before, true)[far]) > 0.4
    assert np.median(off(after, true)[far]) < 0.25


def test_what_was_surely_read_stays(reader: Reader, photograph: NDArray[np.uint8]) -> None:
    picture, true = from_low(photograph, FROM_ABOVE)
    far = farthest(true)
    quads = true.copy()
    quads[far] = misplaced(true[far])
    before, after = read_and_looked_at(reader, picture, quads, far)
    others = np.setdiff1d(np.arange(len(true)), far)
    np.testing.assert_array_equal(after.quads[others], before.quads[others])
    np.testing.assert_array_equal(after.number[others], before.number[others])


def test_where_no_quad_can_be_drawn_all_stays(
    reader: Reader, photograph: NDArray[np.uint8], monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the edge of a picture all quads of a tile there may be turned inside out."""
    monkeypatch.setattr(
        "vision.tiles.low_views.are_convex", lambda quads: np.zeros(len(quads), bool)
    )
    picture, true = from_low(photograph, FROM_ABOVE)
    far = farthest(true)
    quads = true.copy()
    quads[far] = misplaced(true[far])
    before, after = read_and_looked_at(reader, picture, quads, far)
    for name in ("quads", "number", "colour", "turn"):
        np.testing.assert_array_equal(getattr(after, name), getattr(before, name))


def test_on_the_bare_table_no_tile_is_seen(reader: Reader, photograph: NDArray[np.uint8]) -> None:
    picture, true = from_low(photograph, FROM_ABOVE)
    height, width = picture.shape[:2]
    grid = np.stack(
        np.meshgrid(np.arange(60, width, 90), np.arange(height * 0.55, height * 0.9, 50)), axis=2
    )
    middles = grid.reshape(-1, 2).astype(np.float32)
    away = np.linalg.norm(middles[:, None] - true.mean(axis=1), axis=2).min(axis=1)
    bare = middles[away > 120][:20, None] + (true[:1] - true[:1].mean(axis=1, keepdims=True))
    quads = np.concatenate([true, bare])
    _, after = read_and_looked_at(reader, picture, quads, list(range(len(true), len(quads))))
    assert len(bare) >= 5
    assert after.legible[len(true) :].max() < 0.5


def test_seen_from_above_nothing_is_looked_at_again(
    reader: Reader, photograph: NDArray[np.uint8]
) -> None:
    far = farthest(FROM_ABOVE)
    quads = FROM_ABOVE.copy()
    quads[far] = misplaced(FROM_ABOVE[far])
    before, after = read_and_looked_at(reader, photograph, quads, far)
    np.testing.assert_array_equal(after.quads, before.quads)


def test_an_unreadable_find_of_the_size_of_a_tile_there_is_a_tile(
    photograph: NDArray[np.uint8],
) -> None:
    picture, true = from_low(photograph, FROM_ABOVE)
    far = farthest(true)
    quads = true.copy()
    quads[far] = misplaced(true[far])
    tiles = np.ones(len(true), bool)
    tiles[far] = False
    score = np.full(len(true), 0.7, np.float32)
    told, lying = unread_in_plane(picture, quads, score, true, tiles)
    np.testing.assert_array_equal(told, sorted(far))
    middles = np.linalg.norm(lying.mean(axis=1) - true[told].mean(axis=1), axis=1)
    assert middles.max() < 0.2 * np.linalg.norm(true[told][:, 1] - true[told][:, 0], axis=1).min()
    np.testing.assert_allclose(areas(lying) / areas(true[told]), 1.0, atol=0.3)


@pytest.mark.parametrize(
    ("score", "size", "light"), [(0.55, 1.0, 1.0), (0.7, 0.6, 1.0), (0.7, 1.6, 1.0), (0.7, 1, 0.5)]
)
def test_finds_that_are_unsure_or_unlike_a_tile_there_are_none(
    photograph: NDArray[np.uint8], score: float, size: float, light: float
) -> None:
    picture, true = from_low(photograph, FROM_ABOVE)
    far = farthest(true)
    quads = true.copy()
    middles = true.mean(axis=1, keepdims=True)
    quads[far] = (middles + (true - middles) * size)[far]
    hull = cv2.boundingRect(quads[far].reshape(-1, 2))
    left, top, width, height = hull
    around = picture[top : top + height, left : left + width]
    around[:] = (around * light).astype(np.uint8)
    tiles = np.ones(len(true), bool)
    tiles[far] = False
    scores = np.full(len(true), score, np.float32)
    told, lying = unread_in_plane(picture, quads, scores, true, tiles)
    assert len(told) == len(lying) == 0


def test_where_as_much_cannot_be_read_as_can_it_is_a_print(photograph: NDArray[np.uint8]) -> None:
    picture, true = from_low(photograph, FROM_ABOVE)
    scores = np.full(len(true), 0.7, np.float32)
    for unread, told in ((8, 8), (15, 0)):
        tiles = np.arange(len(true)) >= unread
        assert len(unread_in_plane(picture, true, scores, true, tiles)[0]) == told


def test_from_above_nothing_is_told_by_its_size(photograph: NDArray[np.uint8]) -> None:
    tiles = np.arange(len(FROM_ABOVE)) > 3
    scores = np.full(len(FROM_ABOVE), 0.7, np.float32)
    told, _ = unread_in_plane(photograph, FROM_ABOVE, scores, FROM_ABOVE, tiles)
    assert len(told) == 0
