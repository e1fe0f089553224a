"""The networks as the eyes of the live referee."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.detector import Detections
from vision.live.plates import RGB
from vision.pipeline import TableReader
from vision.reader import FaceScores


class NetworkEyes:
    """A `TableReader`'s detector and reader."""

    def __init__(self, reader: TableReader) -> None:
        self._reader = reader

    def detect(self, picture: RGB) -> Detections:
        return self._reader.detector.detect(picture)

    def read(self, picture: RGB, quads: NDArray[np.float32]) -> FaceScores:
        return self._reader.reader.read(picture, quads)
