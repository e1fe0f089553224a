"""Which finds are tiles: what both networks tell of a find, and the row in which it lies."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision import open_reader
from vision.detector import Detections
from vision.frame import Frame
from vision.kinds import TILES
from vision.reader import FEATURE_COUNT, UNREADABLE, FaceScores
from vision.reading import Layout
from vision.tiles.finds import Finds, finds_left_out, tiles_among


def faces_at(*places: float, seen: float) -> Finds:
    """Make faces of 40 x 56 pixels side by side. All are read surely but the last, to which both
    networks give probability `seen`.
    """
    face = np.array([[0, 0], [40, 0], [40, 56], [0, 56]], np.float32)
    quads = np.stack([face + np.float32([x, 0]) for x in places])
    number = np.full((len(places), 15), np.log(1e-4), np.float32)
    number[:, 5] = np.log(0.998)
    number[-1, 5], number[-1, UNREADABLE] = np.log(seen), np.log(1 - seen)
    flat = np.zeros((len(places), 8), np.float32)
    crops = np.zeros((len(places), 64, 48, 3), np.uint8)
    found = np.array([0.95] * (len(places) - 1) + [seen], np.float32)
    scores = FaceScores(
        number, flat[:, :4], flat[:, :4], quads, crops, flat, np.zeros((len(places), FEATURE_COUNT))
    )
    return Finds(Detections(quads, found), scores, scores.legible)


@pytest.mark.parametrize(
    ("last", "seen", "body", "kept"),
    [
        (82.0, 0.6, 40, 3),
        (300.0, 0.6, 40, 2),
        (82.0, 0.42, 40, 2),
        (82.0, 0.42, 220, 3),
        (300.0, 0.7, 40, 3),
    ],
    ids=["weak, in line", "weak, alone", "an empty place", "faint, in line", "clear, alone"],
)
def test_a_weak_face_is_a_tile_where_it_continues_a_row(
    last: float, seen: float, body: int, kept: int
) -> None:
    pixels = np.full((64, 400, 3), 220, np.uint8)
    pixels[:, int(last) :] = body
    reader = open_reader()
    finds, frame = faces_at(0.0, 41.0, last, seen=seen), Frame.of(pixels)
    joint_scores, scores = tiles_among(finds, frame, reader.reader, Layout.MELDS, reader.doubts)
    assert len(joint_scores) == len(scores) == kept


def quads_in_line(count: int, width: float) -> NDArray[np.float32]:
    """Return the quads (count, 4, 2) of faces side by side, each 1.4 times as high as wide."""
    face = np.array([[0, 0], [width, 0], [width, 1.4 * width], [0, 1.4 * width]], np.float32)
    return np.stack([face + np.float32([1.1 * width * i, 0]) for i in range(count)])


@pytest.mark.parametrize(
    ("score", "width", "away", "told"),
    [(0.4, 20, 100, 1), (0.3, 20, 100, 0), (0.4, 60, 100, 0), (0.4, 20, 4, 0)],
    ids=["may be a tile", "too faint", "of an odd size", "a tile found twice"],
)
def test_what_may_be_a_tile_and_is_none_is_left_out(
    score: float, width: float, away: float, told: int
) -> None:
    tiles = quads_in_line(5, 20)
    other = quads_in_line(1, width) + np.float32([0, away])
    scores = np.float32([0.9] * 5 + [score])
    quads = np.concatenate([tiles, other])
    assert len(finds_left_out(quads, scores, scores * 0.9, tiles, TILES.doubts)) == told
