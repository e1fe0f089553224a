"""Which finds are tiles: what both networks tell of a find, and the row in which it lies."""

from __future__ import annotations

import numpy as np
import pytest

from vision import open_reader
from vision.detector import Detections
from vision.frame import Frame
from vision.reader import FEATURE_COUNT, UNREADABLE, FaceScores
from vision.reading import Layout
from vision.tiles.finds import Finds, tiles_among


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
