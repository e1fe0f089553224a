"""The photograph with what was read drawn on it: a quad a tile, its reading above, rows joined by
a line.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame
from vision.quads import sides
from vision.reading import TableReading

SURE, DOUBTFUL, ROW_LEGAL, ROW_ILLEGAL, INK = (
    (40, 200, 80),
    (255, 150, 0),
    (60, 140, 255),
    (235, 40, 40),
    (20, 20, 20),
)  # RGB
LONGEST = 2000  # pixels: larger pictures are shrunk, the overlay is for looking at


def draw(frame: Frame, reading: TableReading) -> NDArray[np.uint8]:
    """(h, w, 3) RGB: the picture of `frame`, at most LONGEST pixels long, with the reading on
    it.
    """
    shrink = min(1.0, LONGEST / max(frame.pixels.shape[:2]))
    size = round(frame.pixels.shape[1] * shrink), round(frame.pixels.shape[0] * shrink)
    canvas = np.asarray(cv2.resize(frame.pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
    factor = canvas.shape[1] / frame.width
    for meld in reading.melds:
        colour = ROW_ILLEGAL if meld.verdict and not meld.verdict.valid else ROW_LEGAL
        centres = np.array([reading.tiles[i].corners.mean(axis=0) for i in meld.tiles]) * factor
        cv2.polylines(canvas, [np.round(centres).astype(np.int32)], False, colour, 2, cv2.LINE_AA)
    for tile in reading.tiles:
        quad = (tile.corners * factor).astype(np.float32)
        colour = DOUBTFUL if tile.doubtful else SURE
        cv2.polylines(canvas, [np.round(quad).astype(np.int32)], True, colour, 2, cv2.LINE_AA)
        _label(canvas, str(tile.tile or "?"), quad, colour)
    return canvas


def _label(
    canvas: NDArray[np.uint8], text: str, quad: NDArray[np.float32], colour: tuple[int, int, int]
) -> None:
    scale = max(0.35, float(sides(quad[None])[0][0]) / 70)
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 1)
    x, y = (int(v) for v in (quad[2] + quad[3]) / 2 * 0.35 + quad.mean(axis=0) * 0.65)
    corner = x - width // 2, y + height // 2
    cv2.rectangle(
        canvas,
        (corner[0] - 2, corner[1] + 3),
        (corner[0] + width + 2, corner[1] - height - 3),
        colour,
        -1,
    )
    cv2.putText(canvas, text, corner, cv2.FONT_HERSHEY_SIMPLEX, scale, INK, 1, cv2.LINE_AA)


def write(path: Path, picture: NDArray[np.uint8]) -> None:
    """Raises OSError when the folder cannot be written."""
    done, data = cv2.imencode(path.suffix, cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))
    if not done:
        raise OSError(f"cannot encode {path.name}")
    path.write_bytes(data.tobytes())
