"""Resizes and scales pixels and keeps track of their types, which the stubs of OpenCV and NumPy do
not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

Pixel = TypeVar("Pixel", np.uint8, np.float32)


def resized(
    pixels: NDArray[Pixel], size: Sequence[int], how: int = cv2.INTER_AREA
) -> NDArray[Pixel]:
    """Bring (h, w) or (h, w, channels) to `size`, (width, height)."""
    return np.asarray(cv2.resize(pixels, size, interpolation=how), pixels.dtype)


def shares(mask: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Divide by 255: 0..255 becomes 0..1."""
    return mask.astype(np.float32) / np.float32(255)
