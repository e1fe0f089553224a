"""Judges which installed fonts have figures that could stand on a tile, and prints the list from
which `typefaces.csv` was made.

python -m datasets.faces.survey > candidates.csv
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

HOLES = {
    "0": {1},
    "1": {0},
    "2": {0},
    "3": {0},
    "4": {0, 1},
    "5": {0},
    "6": {1},
    "7": {0},
    "8": {2},
    "9": {1},
}
SIZE = 96  # pixels per em for judging


def glyph(font: ImageFont.FreeTypeFont, text: str) -> NDArray[np.uint8]:
    """Draw a text white on black, cut to its ink: (h, w), 0..255. Where the font draws nothing, the
    array has the shape (0, 0).
    """
    left, top, right, bottom = font.getbbox(text)
    if right <= left or bottom <= top:
        return np.zeros((0, 0), np.uint8)
    image = Image.new("L", (int(right - left) + 8, int(bottom - top) + 8))
    ImageDraw.Draw(image).text((4 - left, 4 - top), text, fill=255, font=font)
    drawn = np.asarray(image)
    rows, columns = np.nonzero(drawn.max(1) > 64)[0], np.nonzero(drawn.max(0) > 64)[0]
    if not len(rows):
        return np.zeros((0, 0), np.uint8)
    return drawn[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def parts_and_holes(mask: NDArray[np.uint8]) -> tuple[int, int]:
    """Count the connected pieces of ink and the closed holes of a figure, given as a mask, (h, w)
    0..255.

    The two counts tell a plain figure from an outlined or dotted one.
    """
    padded = np.pad((mask > 127).astype(np.uint8), 2)
    pieces = cv2.connectedComponents(padded, connectivity=8)[0] - 1
    return pieces, cv2.connectedComponents(1 - padded, connectivity=4)[0] - 2


def stroke_width(mask: NDArray[np.uint8]) -> float:
    """Measure the width of a figure's thickest stroke, as a share of the figure's height. The
    figure is given as a mask, (h, w) 0..255.
    """
    distance = cv2.distanceTransform(np.pad((mask > 127).astype(np.uint8), 2), cv2.DIST_L2, 5)
    return float(2 * distance.max() / max(1, mask.shape[0]))


def stroke_of_plain_figures(path: Path) -> float | None:
    """Measure the mean stroke width of a font's figures 0-9, as a share of their height. None where
    the figures are not plain, solid and of one height, where their strokes are unusually thin or
    thick, and where the font cannot be read. In a file of several fonts the first one is measured.
    """
    try:
        font = ImageFont.truetype(str(path), SIZE)
        masks = {digit: glyph(font, digit) for digit in "0123456789"}
    except (OSError, ValueError):
        return None
    heights = [mask.shape[0] for mask in masks.values()]
    if min(heights) < 0.3 * SIZE or max(heights) > 1.12 * min(heights):
        return None  # missing glyphs, or old-style figures that hang below the line
    if any(
        (counts := parts_and_holes(masks[d]))[0] != 1 or counts[1] not in HOLES[d] for d in masks
    ):
        return None  # symbols, outlines, stencils, slashed zeros
    stroke = float(np.mean([stroke_width(mask) for mask in masks.values()]))
    return stroke if 0.07 <= stroke <= 0.45 else None


def main() -> None:
    for path in sorted(Path("/usr/share/fonts").rglob("*")):
        if path.suffix.lower() in {".ttf", ".otf", ".pfb", ".t1"} and (
            stroke := stroke_of_plain_figures(path)
        ):
            print(f"{path.stem},{stroke:.3f}")


if __name__ == "__main__":
    main()
