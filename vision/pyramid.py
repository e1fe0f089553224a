"""A picture at full size, half, a quarter and so on.

Halving with OpenCV's area interpolation is some ten times faster than shrinking as many pixels by
any other factor. So large pictures are halved first and brought to their exact size afterwards.
"""

from __future__ import annotations

from threading import Lock

import cv2
import numpy as np
from numpy.typing import NDArray

RGB = NDArray[np.uint8]  # (..., 3), colours in the order red, green, blue


class Pyramid:
    """An (h, w, 3) RGB picture at full size, half, a quarter and so on. Each of these levels is
    made when it is first needed, and then kept. Safe to use from several threads at a time.
    """

    def __init__(self, picture: RGB) -> None:
        self._levels = [picture]
        self._lock = Lock()

    @property
    def picture(self) -> RGB:
        """The picture at full size."""
        return self._levels[0]

    def shrunk(self, max_factor: float) -> tuple[RGB, int]:
        """Return the smallest level that is shrunk by no more than `max_factor`, and its factor: 1,
        2, 4...

        Pixel (x, y) of the picture lies at ((x + 0.5) / factor - 0.5, (y + 0.5) / factor - 0.5) of
        the level. Halving leaves out an odd row or column at the end.
        """
        level = 0
        with self._lock:
            while 2 << level <= max_factor and min(self._levels[level].shape[:2]) >= 2:
                level += 1
                if level == len(self._levels):
                    self._levels.append(_halved(self._levels[-1]))
            return self._levels[level], 1 << level


Picture = RGB | Pyramid  # where the levels of a picture are needed, and may be there already


def pyramid_of(picture: Picture) -> Pyramid:
    """Return the levels of a picture: those that are there already, or else new ones."""
    return picture if isinstance(picture, Pyramid) else Pyramid(picture)


def _halved(picture: RGB) -> RGB:
    height, width = picture.shape[0] // 2, picture.shape[1] // 2
    even = picture[: 2 * height, : 2 * width]  # OpenCV's fast way takes an exact factor of 2 only
    return np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
