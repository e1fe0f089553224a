"""Makes places and readings for tests of the tracking."""

from __future__ import annotations

import numpy as np

from vision.live.tracking.tracks import FaceReading
from vision.quads import Quad

FACE = np.array([[20, 20], [40, 20], [40, 48], [20, 48]], np.float32)


def quads_at(*places: tuple[float, float]) -> list[Quad]:
    return [(FACE + np.array(place)).astype(np.float32) for place in places]


def read_as_5r(sure: float) -> FaceReading:
    """Make the reading of a look that takes the face for a 5R with probability `sure`."""
    number, colour = np.full(15, (1 - sure) / 14, np.float32), np.full(4, 1e-6, np.float32)
    number[4], colour[0] = sure, 1.0
    return FaceReading(np.log(number), np.log(colour), np.zeros(3))
