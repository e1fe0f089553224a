"""Draws frames of ornaments: small motifs, one after the other, along the edges of a face."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.faces import body as plastic
from datasets.faces.style import FaceStyle, Motif, Ornament
from datasets.pixels import shares

LINE = 0.012  # width of an outline, share of the face's width
FINE = 3  # binary places of OpenCV's drawing coordinates
# Outlines beneath the upper edge of a face, in halves of a motif's extent, x to the right, y down.
OUTLINES = {
    Motif.TRIANGLE: [(-1, -0.8), (1, -0.8), (0, 0.9)],
    Motif.SQUARE: [(-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)],
    Motif.DASH: [(-1, -0.28), (1, -0.28), (1, 0.28), (-1, 0.28)],
    Motif.CROSS: [
        *[(-0.3, -1), (0.3, -1), (0.3, -0.3), (1, -0.3), (1, 0.3), (0.3, 0.3)],
        *[(0.3, 1), (-0.3, 1), (-0.3, 0.3), (-1, 0.3), (-1, -0.3), (-0.3, -0.3)],
    ],
}


def ornament_mask(style: FaceStyle, ornament: Ornament, width: int) -> NDArray[np.float32]:
    """Draw the frame of ornaments of a face `width` pixels wide: a mask, (h, w) 0..1."""
    canvas = np.zeros(plastic.shape_of(style, width), np.uint8)
    for number, (x, y, angle) in enumerate(_places(canvas.shape, ornament, width)):
        if ornament.motif is Motif.RING:
            _ring(canvas, ornament, (round(x), round(y)))
        else:
            _outline(canvas, _turned(_shape(ornament.motif, number), angle), ornament, (x, y))
    return shares(canvas)


def _places(
    shape: tuple[int, ...], ornament: Ornament, width: int
) -> Iterator[tuple[float, float, float]]:
    """Yield the middle of each motif, x and y in pixels, and the angle in radians, clockwise, by
    which it is turned against those along the upper edge. `shape` is (h, w) of the face.
    """
    h, w = shape
    inset = ornament.inset * width
    across = max(2, round((w - 2 * inset) / (ornament.step * width)))
    down = max(2, round((h - 2 * inset) / (ornament.step * width)))
    for x in np.linspace(inset, w - inset, across + 1):
        yield float(x), inset, 0.0
        yield float(x), h - inset, np.pi
    for y in np.linspace(inset, h - inset, down + 1)[1:-1]:
        yield w - inset, float(y), np.pi / 2
        yield inset, float(y), -np.pi / 2


def _shape(motif: Motif, number: int) -> NDArray[np.float64]:
    """Return the outline, (n, 2), of motif number `number` of the frame, as OUTLINES gives it."""
    if motif is not Motif.LEAF:
        return np.array(OUTLINES[motif], np.float64)
    t = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    leaf = np.stack([np.cos(t), 0.42 * np.sin(t)], axis=1)
    return _turned(leaf, np.pi / 4 if number % 4 < 2 else -np.pi / 4)


def _turned(points: NDArray[np.float64], angle: float) -> NDArray[np.float64]:
    c, s = np.cos(angle), np.sin(angle)
    return np.asarray(points @ np.array([[c, s], [-s, c]]), np.float64)


def _outline(
    canvas: NDArray[np.uint8],
    points: NDArray[np.float64],
    ornament: Ornament,
    middle: tuple[float, float],
) -> None:
    width = canvas.shape[1]
    placed = points * (ornament.size * width) + np.array(middle)
    drawn = [np.rint(placed * 2**FINE).astype(np.int32)]
    if ornament.filled:
        cv2.fillPoly(canvas, drawn, 255, cv2.LINE_AA, FINE)
    else:
        thick = max(1, round(LINE * width))
        cv2.polylines(canvas, drawn, True, 255, thick, cv2.LINE_AA, FINE)


def _ring(canvas: NDArray[np.uint8], ornament: Ornament, middle: tuple[int, int]) -> None:
    width = canvas.shape[1]
    radius, thick = max(2, round(ornament.size * width)), max(1, round(LINE * width))
    cv2.circle(canvas, middle, radius, 255, -1 if ornament.filled else thick, cv2.LINE_AA)
