"""A table of plain rectangles, and eyes that find them in the picture: watching is tested from the
pixels on, without networks.
"""

from __future__ import annotations

import io
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from datasets.sequences.eyes import Faults, TruthEyes
from vision.detector import Detections

WIDTH, HEIGHT, STEP = 48, 68, 50
GROUND, IVORY = (40, 110, 60), (235, 228, 210)
LAID = {"3R 4R 5R": (300, 480), "7B 7K 7Y": (300, 160)}
ILLEGAL = "9K"  # laid beside the 5R
LOOSE = "2K"  # of the pozo
PRINTED = "8R 5K 9B"  # on the lid of a box
BOX, BLUE = (980, 440, 1240, 620), (40, 50, 150)  # x0, y0, x1, y1
LINE = [[0, 360], [1280, 360]]  # side A, right of it, lies below


class Places:
    """All tiles that may ever lie there."""

    def __init__(self, box: bool = False) -> None:
        self.tiles: dict[tuple[int, int], str] = {}
        self.box = box
        for row, (x, y) in {
            **LAID,
            **({PRINTED: (BOX[0] + 50, BOX[1] + 60)} if box else {}),
        }.items():
            self.tiles |= {(x + number * STEP, y): face for number, face in enumerate(row.split())}
        self.tiles[1000, 300] = LOOSE
        self.illegal = (300 + 3 * STEP, 480)

    def table_at(self, frame: int) -> tuple[list[str], NDArray[np.float32]]:
        places = self.tiles | {self.illegal: ILLEGAL}
        box = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)
        return list(places.values()), np.array(
            [box + np.array(place) for place in places], np.float32
        )

    def picture(self, with_illegal: bool) -> bytes:
        image = np.full((720, 1280, 3), GROUND, np.uint8)
        if self.box:
            cv2.rectangle(image, BOX[:2], BOX[2:], BLUE, -1)
        for x, y in [*self.tiles, *([self.illegal] if with_illegal else [])]:
            image[y : y + HEIGHT, x : x + WIDTH] = IVORY
            image[y + 12 : y + 40, x + 14 : x + 34] = (60, 40, 40)
        out = io.BytesIO()
        Image.fromarray(image).save(out, "JPEG", quality=92)
        return out.getvalue()

    def film(self, path: Path, legal: int, illegal: int) -> None:
        """So many frames without the illegal tile, so many with it; browsers play them at 30 a
        second, over and over.
        """
        path.write_bytes(self.picture(False) * legal + self.picture(True) * illegal)

    def video(self, path: Path, legal: int, illegal: int) -> None:
        """The same as an AVI of ten frames a second, which OpenCV reads."""
        pictures = [
            cv2.imdecode(np.frombuffer(self.picture(spoilt), np.uint8), cv2.IMREAD_COLOR)
            for spoilt in (False, True)
        ]
        out = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (1280, 720))
        for number in range(legal + illegal):
            out.write(pictures[number >= legal])
        out.release()


class IvoryEyes(TruthEyes):
    """Finds what is ivory in the picture; what each tile says is known by its place."""

    def __init__(self, places: Places | None = None) -> None:
        super().__init__(places or Places(), Faults(jitter=0.0))

    def detect(self, picture: NDArray[np.uint8]) -> Detections:
        ivory = cv2.inRange(picture, np.array([200, 190, 170]), np.array([255, 255, 240]))
        _, quads = self._table()
        kept = [quad for quad in quads if ivory[int(quad[0, 1]) + 4, int(quad[0, 0]) + WIDTH // 2]]
        return Detections(
            np.array(kept, np.float32).reshape(-1, 4, 2), np.full(len(kept), 0.9, np.float32)
        )
