"""A drawn table as a camera film, and eyes that find its tiles in the picture, so that watching is
tested from the pixels on, without networks.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.scene.photo import encoded
from datasets.sequences.eyes import Faults, TruthEyes
from tests.vision.live.doubles import PRINTED, DrawnTable
from vision.detector import Detections

LAID = {"3R 4R 5R": (150, 240), "7B 7K 7Y": (150, 80)}
ILLEGAL, LOOSE = "9K", "2K"  # laid beside the 5R; of the pozo
LINE = [[0, 360], [1280, 360]]  # side A, right of it, lies below

__all__ = ["ILLEGAL", "LINE", "LOOSE", "PRINTED", "IvoryEyes", "Places"]


class Places(DrawnTable):
    """A drawn table of 1280 x 720 pixels with two melds and a loose tile; a tile that makes a meld
    illegal can be shown or not.
    """

    def __init__(self, box: bool = False) -> None:
        super().__init__()
        self.zoom = 2.0
        for row, place in (*LAID.items(), (LOOSE, (500, 150))):
            self.lay(row, *place)
        if box:
            self.put_box(440, 215)
        self.legal = dict(self.places)
        self.lay(ILLEGAL, 225, 240)

    def shown(self, with_illegal: bool) -> NDArray[np.uint8]:
        """Draw the table, (720, 1280, 3) RGB, with the illegal tile or without it."""
        everything = self.places
        self.places = everything if with_illegal else self.legal
        image = self.picture()
        self.places = everything
        return image

    def jpeg(self, with_illegal: bool) -> bytes:
        return encoded(self.shown(with_illegal), 92)

    def film(self, path: Path, legal: int, illegal: int) -> None:
        """Write a film: `legal` frames without the illegal tile, then `illegal` frames with it.
        Browsers play it in a loop at 30 frames a second.
        """
        path.write_bytes(self.jpeg(False) * legal + self.jpeg(True) * illegal)

    def video(self, path: Path, legal: int, illegal: int) -> None:
        """Write an AVI of ten frames a second for OpenCV: `legal` frames without the illegal tile,
        then `illegal` frames with it.
        """
        pictures = [np.ascontiguousarray(self.shown(spoilt)[..., ::-1]) for spoilt in (False, True)]
        out = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (1280, 720))
        for number in range(legal + illegal):
            out.write(pictures[number >= legal])
        out.release()


class IvoryEyes(TruthEyes):
    """Finds what has the colour of ivory in the picture; each tile is read by its place."""

    def __init__(self, places: Places | None = None) -> None:
        super().__init__(places or Places(), Faults(jitter=0.0))

    def detect(self, picture: NDArray[np.uint8]) -> Detections:
        ivory = cv2.inRange(picture, np.array([200, 190, 170]), np.array([255, 255, 240]))
        _, quads = self._table()
        kept = [quad for quad in quads if ivory[int(quad[0, 1]) + 4, int(quad[:, 0].mean())]]
        return Detections(
            np.array(kept, np.float32).reshape(-1, 4, 2), np.full(len(kept), 0.9, np.float32)
        )
