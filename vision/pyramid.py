"""A picture at its size, at half of it, at a quarter: halving is ten times faster than any other
shrinking of as many pixels.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

RGB = NDArray[np.uint8]


class Pyramid:
    """Levels of an (h, w, 3) picture, each made when it is first asked for."""

    def __init__(self, picture: RGB) -> None:
        self._levels = [picture]

    def shrunk(self, most: float) -> tuple[RGB, int]:
        """The smallest level that is shrunk by no more than `most`, and by how much: 1, 2, 4 ...
        Pixel x of the picture lies at (x + 0.5) / shrunk - 0.5 of it. A last odd row or column
        is left out.
        """
        level = 0
        while 2 << level <= most and min(self._levels[level].shape[:2]) >= 2:
            level += 1
            if level == len(self._levels):
                self._levels.append(_halved(self._levels[-1]))
        return self._levels[level], 1 << level


def _halved(picture: RGB) -> RGB:
    height, width = picture.shape[0] // 2, picture.shape[1] // 2
    even = picture[: 2 * height, : 2 * width]  # else OpenCV's fast way is not taken
    return np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
