"""A font of the symbols that comodines are drawn with, made of polygons.

It stands in for Symbola in tests. The sun, which is the same when it is turned by 180 degrees, is a
star of eight rays; every other symbol is one of a few polygons that are not.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

EM = 1000  # units
SHAPES = 12
SUN = "\u2600"


def write_symbol_font(path: Path) -> None:
    from datasets.faces.jokers import SYMBOLS as JOKER_SYMBOLS
    from datasets.faces.pictograms import SYMBOLA_ONLY, SYMBOLS

    names = [".notdef", "sun", *(f"shape{number}" for number in range(SHAPES))]
    outlines = [arrow(0), star(), *(arrow(number) for number in range(SHAPES))]
    codes = {ord(symbol) for symbol in (*JOKER_SYMBOLS.values(), *SYMBOLS, *SYMBOLA_ONLY)}
    builder = FontBuilder(EM)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap(
        {code: "sun" if chr(code) == SUN else f"shape{code % SHAPES}" for code in codes}
    )
    builder.setupGlyf({name: outline(points) for name, points in zip(names, outlines, strict=True)})
    builder.setupHorizontalMetrics(dict.fromkeys(names, (EM, 0)))
    builder.setupHorizontalHeader(ascent=EM, descent=0)
    builder.setupNameTable({"familyName": "Symbols of the tests", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    builder.save(path)


def arrow(number: int) -> np.ndarray:
    """A broad arrow, its head at an angle of its own: (n, 2) in units of the em."""
    points = np.array([(-1, -0.35), (0, -0.35), (0, -1), (1, 0), (0, 1), (0, 0.35), (-1, 0.35)])
    angle = 2 * np.pi * number / SHAPES
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return EM / 2 + 0.45 * EM * points @ turn.T


def star() -> np.ndarray:
    """Eight rays about the middle: (n, 2) in units of the em."""
    angles = np.arange(16) * np.pi / 8
    radii = EM * np.where(np.arange(16) % 2, 0.25, 0.45)
    return EM / 2 + np.stack([radii * np.cos(angles), radii * np.sin(angles)], axis=1)


def outline(points: np.ndarray) -> object:
    pen = TTGlyphPen(None)
    rounded = [(round(x), round(y)) for x, y in points]
    pen.moveTo(rounded[0])
    for _, point in pairwise(rounded):
        pen.lineTo(point)
    pen.closePath()
    return pen.glyph()
