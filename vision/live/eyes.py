"""What the live referee sees with: anything that finds faces in a picture and reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from vision.colour import Inks
from vision.detector import Detections
from vision.live.pictures import RGB
from vision.reader import FaceScores

if TYPE_CHECKING:
    from vision.tiles.pipeline import TableReader

# Faces looked at together from which on they tell whether the chosen set lies on the table: a whole
# table has more, a single change fewer.
ENOUGH_TO_TELL = 8


class Eyes(Protocol):
    """Finds the faces in a (h, w, 3) RGB picture, and reads the faces at given quads, (n, 4, 2)
    pixels.
    """

    @property
    def inks(self) -> Inks:
        """The evidence of each ink on an average table, and its variance, with which the colours of
        tiles are judged.
        """

    @property
    def other_set(self) -> bool:
        """Whether the tiles seen at last are plainly of another set than the chosen one."""

    def detect(self, picture: RGB) -> Detections: ...

    def read(self, picture: RGB, quads: NDArray[np.float32]) -> FaceScores: ...


class NetworkEyes:
    """Sees with the networks of a `TableReader`, and with the set of tiles that this reader
    knows.
    """

    def __init__(self, reader: TableReader) -> None:
        self._reader = reader
        self._other_set = False

    @property
    def other_set(self) -> bool:
        return self._other_set

    @property
    def inks(self) -> Inks:
        return self._reader.inks

    def detect(self, picture: RGB) -> Detections:
        return self._reader.detector.detect(picture)

    def read(self, picture: RGB, quads: NDArray[np.float32]) -> FaceScores:
        scores = self._reader.reader.read(picture, quads)
        if len(quads) >= ENOUGH_TO_TELL:
            self._other_set = self._reader.shows_other_set(scores)
        return self._reader.compared_with_set(picture, scores)
