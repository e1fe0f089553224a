"""Small pictures that know which of their pixels are burnt out: of those only the least brightness
is known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

RGB: TypeAlias = NDArray[Any]  # (h, w, 3) uint8
Mask: TypeAlias = NDArray[Any]  # (h, w) uint8, 0 or 255
BURNT_OUT = 249  # levels above this may be any brightness from there on


@dataclass
class Plate:
    """Every value lies between `low` and `high`, (h, w, 3) uint8 RGB: the same but where it is
    burnt out.
    """

    low: RGB
    high: RGB

    @classmethod
    def of(cls, small: RGB, gain: NDArray[Any], rows: NDArray[np.float64] | None = None) -> Plate:
        """`small` in the light that a `gain` (3,) a channel makes of it, and `rows` (h,) one a
        row: both at once, since what is brighter than white in between would be cut off.
        """
        if rows is None:
            low = cv2.multiply(small, np.array([*gain, 1.0]))
        else:
            factors = np.broadcast_to(rows[:, None, None] * gain, small.shape).astype(np.float32)
            low = cv2.multiply(small, factors, dtype=cv2.CV_8U)
        burnt = cv2.threshold(small, BURNT_OUT, 255, cv2.THRESH_BINARY)[1]
        return cls(low, cv2.max(low, burnt))

    def copy(self) -> Plate:
        return Plate(self.low.copy(), self.high.copy())

    def paste(self, other: Plate, mask: Mask) -> None:
        """Take over `other` under `mask`."""
        cv2.copyTo(other.low, mask, self.low)
        cv2.copyTo(other.high, mask, self.high)

    def warped(self, homography: NDArray[np.float64]) -> Plate:
        size = self.low.shape[1::-1]
        low, high = (
            cv2.warpPerspective(each, homography, size, flags=cv2.INTER_LINEAR)
            for each in (self.low, self.high)
        )
        return Plate(low, high)

    def softened(self) -> Plate:
        """Without the detail that a shift of half a pixel changes."""
        low, high = (cv2.blur(each, (3, 3)) for each in (self.low, self.high))
        return Plate(low, high)

    def difference(self, other: Plate) -> Mask:
        """(h, w): how far apart the values surely are, the largest over the channels."""
        apart = cv2.max(cv2.subtract(self.low, other.high), cv2.subtract(other.low, self.high))
        red, green, blue = cv2.split(apart)
        return cv2.max(cv2.max(red, green), blue)
