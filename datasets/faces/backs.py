"""Draws the side that lies upwards when a tile is face down."""

from __future__ import annotations

import numpy as np

from datasets.faces import body as plastic
from datasets.faces.fonts import word
from datasets.faces.marks import mark_mask
from datasets.faces.sheet import Face, Plane, blank, finish, place
from datasets.faces.style import FaceStyle, Finish
from datasets.pixels import resized, shares


def draw_back(style: FaceStyle, width: int, rng: np.random.Generator) -> Face:
    """Draw the back of a tile, `width` pixels wide: blank, or with the set's pattern pressed into
    it.
    """
    sheet = blank(style, width, rng, dish=False)
    h, w = sheet.relief.shape
    pattern = _pattern(style, h, w)
    if pattern is not None:
        sheet.shape(pattern, Finish.ENGRAVED)
        if style.seed % 3 == 0:
            sheet.ink(pattern, style.inks[style.seed % 4], 0.7)
    return finish(sheet, style, width, rng, same=True)


def _pattern(style: FaceStyle, h: int, w: int) -> Plane | None:
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    if style.back == "word":
        name = style.name.text if style.name else "Burako"
        drawn = word(style.digits.typeface, name)
        small = resized(drawn, (round(0.7 * w), max(2, round(0.11 * h))))
        return place(shares(small), (h, w), w / 2, h / 2)
    if style.back in {"ring", "star"}:
        return place(mark_mask(style.back, round(0.5 * w), False), (h, w), w / 2, h / 2)
    inner = plastic.inside(style, w) > 0.12
    if style.back == "dots":
        return np.asarray(
            inner & (np.hypot(x % (w / 8) - w / 16, y % (w / 8) - w / 16) < w / 40), np.float32
        )
    if style.back == "weave":
        return np.asarray(
            inner & (((x + y) % (w / 10) < w / 60) | ((x - y) % (w / 10) < w / 60)), np.float32
        )
    if style.back == "frame":
        return np.asarray(np.abs(plastic.inside(style, w) - 0.1) < 0.012, np.float32)
    return None
