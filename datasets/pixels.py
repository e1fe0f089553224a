"""Resizes and scales pixels and keeps track of their types, which the type stubs of OpenCV and
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
    """Resize (h, w) or (h, w, channels) pixels to `size`, (width, height), and keep their type.
    `how` is one of OpenCV's interpolations.
    """
    return np.asarray(cv2.resize(pixels, size, interpolation=how), pixels.dtype)


def shares(mask: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Turn a mask of 0..255 into shares of 0..1."""
    return mask.astype(np.float32) / np.float32(255)
