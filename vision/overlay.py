"""Draws a reading on its photograph: the outline and face of each tile, a line for each row."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.pieces import piece_name
from vision.frame import Frame
from vision.quads import Quad, sides
from vision.reading import TableReading

Colour = tuple[int, int, int]  # red, green, blue, 0-255


@dataclass(frozen=True)
class OverlayConfig:
    """How a reading is drawn. Colours are RGB, 0-255."""

    long_side: int = 2000  # pixels: larger pictures are shrunk, since an overlay is only looked at
    sure: Colour = (40, 200, 80)
    doubtful: Colour = (255, 150, 0)
    legal_row: Colour = (60, 140, 255)  # and rows without a verdict
    illegal_row: Colour = (235, 40, 40)
    text: Colour = (20, 20, 20)
    line_width: int = 2  # pixels
    min_font_scale: float = 0.35
    tile_width_per_font_scale: float = 70.0  # pixels: letters grow with the tile


CONFIG = OverlayConfig()


def draw(frame: Frame, reading: TableReading) -> NDArray[np.uint8]:
    """Return the picture with the reading drawn on it, (h, w, 3) RGB, shrunk to
    `OverlayConfig.long_side` pixels at most.

    `frame` is the picture from which `reading` was made.
    """
    height, width = frame.pixels.shape[:2]
    shrink = min(1.0, CONFIG.long_side / max(height, width))
    size = round(width * shrink), round(height * shrink)
    canvas = np.asarray(cv2.resize(frame.pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
    factor = canvas.shape[1] / frame.width  # from pixels of the original
    for meld in reading.melds:
        illegal = meld.verdict is not None and not meld.verdict.valid
        centres = np.array([reading.tiles[i].corners.mean(axis=0) for i in meld.tiles]) * factor
        colour = CONFIG.illegal_row if illegal else CONFIG.legal_row
        _line(canvas, centres, colour, closed=False)
    for tile in reading.tiles:
        quad = (tile.corners * factor).astype(np.float32)
        colour = CONFIG.doubtful if tile.doubtful else CONFIG.sure
        _line(canvas, quad, colour, closed=True)
        name = piece_name(tile.tile, reading.pieces) if tile.tile else "?"
        _label(canvas, name, quad, colour)
    return canvas


def _line(
    canvas: NDArray[np.uint8],
    points: NDArray[np.floating],
    colour: Colour,
    *,
    closed: bool,
) -> None:
    """Draw on the canvas, (h, w, 3), a line through n points, (n, 2) in its pixels; back to the
    first point where `closed` is True.
    """
    whole = np.round(points).astype(np.int32)
    cv2.polylines(canvas, [whole], closed, colour, CONFIG.line_width, cv2.LINE_AA)


def _label(canvas: NDArray[np.uint8], text: str, quad: Quad, colour: Colour) -> None:
    """Write a text on a patch of colour in the lower half of the tile at `quad`, where no number
    is.
    """
    tile_width = float(sides(quad[None])[0][0])
    scale = max(CONFIG.min_font_scale, tile_width / CONFIG.tile_width_per_font_scale)
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 1)
    x, y = (int(v) for v in (quad[2] + quad[3]) / 2 * 0.35 + quad.mean(axis=0) * 0.65)
    left, bottom = x - width // 2, y + height // 2
    cv2.rectangle(
        canvas, (left - 2, bottom + 3), (left + width + 2, bottom - height - 3), colour, -1
    )
    cv2.putText(
        canvas, text, (left, bottom), cv2.FONT_HERSHEY_SIMPLEX, scale, CONFIG.text, 1, cv2.LINE_AA
    )


def write(path: Path, picture: NDArray[np.uint8]) -> None:
    """Write an (h, w, 3) RGB picture in the format that the file's suffix names.

    Raises OSError when the picture cannot be encoded or the file cannot be written; half a file is
    not left behind.
    """
    encoded, data = cv2.imencode(path.suffix, cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))
    if not encoded:
        raise OSError(f"cannot encode {path.name}")
    with path.open("wb") as file:
        try:
            file.write(data.tobytes())
            file.flush()
        except OSError:
            with suppress(OSError):
                path.unlink()
            raise
