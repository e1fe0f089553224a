"""Small pictures that know which of their pixels are burnt out: of these only the least possible
brightness is known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.live.pictures import RGB, Mask

BURNT_OUT = 249  # a level above this may stand for any brightness from there on


@dataclass(frozen=True)
class ReferenceImage:
    """The limits between which the values of a picture lie, `low` and `high`, both (h, w, 3) uint8
    RGB. The two differ only where the picture is burnt out.

    `paste` changes the arrays in place, so a reference image has one owner, and nobody else changes
    it.
    """

    low: RGB
    high: RGB

    @classmethod
    def of(
        cls, small: RGB, gain: NDArray[Any], row_factors: NDArray[np.float64] | None = None
    ) -> ReferenceImage:
        """The picture `small`, (h, w, 3), with each channel multiplied by its `gain` (3,), and each
        row by its factor in `row_factors` (h,); None leaves the rows as they are.

        Gain and factors are applied at once: in two steps, values above white in between would be
        cut off.
        """
        if row_factors is None:
            low = cv2.multiply(small, np.array([*gain, 1.0]))
        else:
            factors = row_factors[:, None, None] * gain
            factors = np.broadcast_to(factors, small.shape).astype(np.float32)
            low = cv2.multiply(small, factors, dtype=cv2.CV_8U)
        burnt = cv2.threshold(small, BURNT_OUT, 255, cv2.THRESH_BINARY)[1]
        return cls(low, cv2.max(low, burnt))

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width in pixels."""
        return self.low.shape[0], self.low.shape[1]

    def copy(self) -> ReferenceImage:
        return ReferenceImage(self.low.copy(), self.high.copy())

    def paste(self, other: ReferenceImage, mask: Mask) -> None:
        """Replace the pixels that `mask`, (h, w), sets by those of `other`, a picture of the same
        size.
        """
        cv2.copyTo(other.low, mask, self.low)
        cv2.copyTo(other.high, mask, self.high)

    def warped(
        self, homography: NDArray[np.float64], shape: tuple[int, int] | None = None
    ) -> ReferenceImage:
        """The picture after a motion: `homography`, (3, 3), leads from pixels of this picture to
        those of the moved one. That has the `shape`, height and width; where `shape` is None, it is
        as large as this picture.
        """
        size = (shape or self.shape)[::-1]
        return ReferenceImage(
            cv2.warpPerspective(self.low, homography, size, flags=cv2.INTER_LINEAR),
            cv2.warpPerspective(self.high, homography, size, flags=cv2.INTER_LINEAR),
        )

    def lit(self, gain: NDArray[np.float32]) -> ReferenceImage:
        """The picture with each channel multiplied by its `gain`, (3,). What was burnt out stays
        so.
        """
        factors = np.array([*gain, 1.0])
        burnt = cv2.threshold(self.high, BURNT_OUT, 255, cv2.THRESH_BINARY)[1]
        return ReferenceImage(
            cv2.multiply(self.low, factors), cv2.max(cv2.multiply(self.high, factors), burnt)
        )

    def softened(self) -> ReferenceImage:
        """The picture without the detail that a shift of half a pixel changes."""
        return ReferenceImage(cv2.blur(self.low, (3, 3)), cv2.blur(self.high, (3, 3)))

    def difference(self, other: ReferenceImage) -> Mask:
        """By how many levels the two pictures differ at each pixel, (h, w): the largest difference
        of any channel. Where a pixel is burnt out this is the least possible difference.
        """
        below = cv2.subtract(self.low, other.high)
        above = cv2.subtract(other.low, self.high)
        red, green, blue = cv2.split(cv2.max(below, above))
        return cv2.max(cv2.max(red, green), blue)
