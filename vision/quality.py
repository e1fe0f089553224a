"""What is wrong with a photograph as a whole, told from its pixels alone."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pyramid import Pyramid

LONG_SIDE = 640  # pixels the picture is shrunk to before its sharpness is measured
FINE, COARSE = 1.0, 4.0  # standard deviations of the two blurs, in those pixels
STRONGEST = 0.01  # share of the pixels that count: the edges
# Edges of 204 sharp photographs and renders have a ratio of 0.22 and more, after a blur of 2 px (of
# 640) 0.17 and less.
SHARP = 0.19
PLAIN = 4.0  # grey levels: below, there is no edge to measure
# largest distance of two channels, 0-255, in a picture without colours: JPEG may leave a trace
COLOURLESS = 8


def is_blurred(picture: NDArray[np.uint8]) -> bool:
    """Whether the edges of an (h, w, 3) RGB picture are all soft: fine detail against coarse
    detail, where it is strongest.
    """
    scale = min(LONG_SIDE / max(picture.shape[:2]), 1.0)
    level, shrunk = Pyramid(picture).shrunk(1 / scale)
    small = cv2.resize(
        level, None, fx=scale * shrunk, fy=scale * shrunk, interpolation=cv2.INTER_AREA
    )
    grey = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY).astype(np.float32)
    once, twice = (cv2.GaussianBlur(grey, (0, 0), sigma) for sigma in (FINE, COARSE))
    fine, coarse = _strongest(grey - once), _strongest(once - twice)
    return coarse > PLAIN and fine < SHARP * coarse


def _strongest(detail: NDArray[np.generic]) -> float:
    size = np.abs(detail).ravel()
    count = max(1, int(size.size * STRONGEST))
    return float(np.partition(size, -count)[-count:].mean())


def is_colourless(picture: NDArray[np.uint8]) -> bool:
    """Whether an (h, w, 3) picture holds greys only."""
    red, green, blue = cv2.split(picture[::8, ::8])
    most, least = cv2.max(cv2.max(red, green), blue), cv2.min(cv2.min(red, green), blue)
    return int((most - least).max()) <= COLOURLESS
