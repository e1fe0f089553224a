"""Resizing and scaling of pixels that keep track of their type, which the stubs of OpenCV and
NumPy do not.
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
    """(h, w) or (h, w, channels) brought to `size`, (width, height)."""
    return np.asarray(cv2.resize(pixels, size, interpolation=how), pixels.dtype)


def shares(mask: NDArray[np.uint8]) -> NDArray[np.float32]:
    """0..255 as 0..1."""
    return mask.astype(np.float32) / np.float32(255)
