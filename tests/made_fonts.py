"""Makes the fonts that tests draw with, so that what is drawn is the same on every machine."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import numpy as np
from fontTools.afmLib import AFM
from fontTools.agl import AGL2UV
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

EM = 1000  # units
SHAPES = 12
SUN = "\u2600"
# Family and style of the page's first choices on a phone -> metrics of a typeface as wide, which
# matplotlib carries: Helvetica and New Century Schoolbook.
PAGE_FONTS = {
    ("Roboto", "Regular"): "phvr8a.afm",
    ("Roboto", "Bold"): "phvb8a.afm",
    ("Roboto Slab", "Regular"): "pncr8a.afm",
    ("Roboto Slab", "Bold"): "pncb8a.afm",
}
FONTCONFIG = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{made}</dir><dir>{others}</dir><cachedir>{made}/cache</cachedir></fontconfig>
"""


def write_page_fonts(folder: Path) -> Path:
    """Write the fonts of the page into `folder`: each letter is a box as wide as the real one.

    Returns a configuration for fontconfig, which knows these fonts and, for other characters, those
    that come with matplotlib.
    """
    import matplotlib  # takes long, and few runs of the tests need the fonts of the page

    fonts = Path(matplotlib.get_data_path()) / "fonts"
    for (family, style), metrics in PAGE_FONTS.items():
        letters = AFM(str(fonts / "afm" / metrics))
        named = [name for name in letters.chars() if name in AGL2UV]
        widths = {AGL2UV[name]: round(letters[name][1]) for name in named}
        outlines = {code: box(width) for code, width in widths.items() if chr(code) != " "}
        write_font(folder / f"{family}-{style}.ttf", (family, style), outlines, widths)
    configuration = folder / "fonts.conf"
    configuration.write_text(FONTCONFIG.format(made=folder, others=fonts / "ttf"), "utf-8")
    return configuration


def write_symbol_font(path: Path) -> None:
    """Write a font of the symbols that comodines are drawn with; it stands in for Symbola.

    The sun, which is the same when it is turned by 180 degrees, is a star of eight rays; every
    other symbol is an arrow, which is not.
    """
    from datasets.faces.jokers import SYMBOLS as JOKER_SYMBOLS
    from datasets.faces.pictograms import SYMBOLA_ONLY, SYMBOLS

    codes = {ord(symbol) for symbol in (*JOKER_SYMBOLS.values(), *SYMBOLS, *SYMBOLA_ONLY)}
    outlines = {code: star() if chr(code) == SUN else arrow(code % SHAPES) for code in codes}
    write_font(path, ("Symbols of the tests", "Regular"), outlines, dict.fromkeys(codes, EM))


def write_font(
    path: Path,
    name: tuple[str, str],
    outlines: Mapping[int, np.ndarray],
    widths: Mapping[int, int],
) -> None:
    """Write a font of family and style `name`.

    `outlines` and `widths` map code points to polygons and advance widths, in units of the em. A
    code point without a polygon is blank.
    """
    glyphs = {".notdef": glyph(box(EM // 2))}
    glyphs |= {f"u{code:x}": glyph(outlines.get(code, np.empty((0, 2)))) for code in widths}
    advances = {".notdef": EM // 2} | {f"u{code:x}": width for code, width in widths.items()}
    builder = FontBuilder(EM)
    builder.setupGlyphOrder([*glyphs])
    builder.setupCharacterMap({code: f"u{code:x}" for code in widths})
    builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics({each: (width, 0) for each, width in advances.items()})
    builder.setupHorizontalHeader(ascent=930, descent=-240)
    builder.setupNameTable({"familyName": name[0], "styleName": name[1]})
    bold = name[1] == "Bold"
    builder.setupOS2(usWeightClass=700 if bold else 400, fsSelection=0x20 if bold else 0x40)
    builder.setupPost()
    builder.font["head"].macStyle = int(bold)
    builder.save(path)


def box(width: int) -> np.ndarray:
    """Return a letter as a filled box: (4, 2) in units of the em."""
    left, right, top = 0.1 * width, 0.9 * width, 0.7 * EM
    return np.array([(left, 0), (left, top), (right, top), (right, 0)])


def arrow(number: int) -> np.ndarray:
    """Return a broad arrow whose direction depends on `number`: (7, 2) in units of the em."""
    points = np.array([(-1, -0.35), (0, -0.35), (0, -1), (1, 0), (0, 1), (0, 0.35), (-1, 0.35)])
    angle = 2 * np.pi * number / SHAPES
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return EM / 2 + 0.45 * EM * points @ turn.T


def star() -> np.ndarray:
    """Return eight rays about the middle: (16, 2) in units of the em."""
    angles = np.arange(16) * np.pi / 8
    radii = EM * np.where(np.arange(16) % 2, 0.25, 0.45)
    return EM / 2 + np.stack([radii * np.cos(angles), radii * np.sin(angles)], axis=1)


def glyph(points: np.ndarray) -> object:
    """Return the polygon (n, 2) as a TrueType glyph."""
    pen = TTGlyphPen(None)
    if len(points):
        rounded = [(round(x), round(y)) for x, y in points]
        pen.moveTo(rounded[0])
        for _, point in pairwise(rounded):
            pen.lineTo(point)
        pen.closePath()
    return pen.glyph()
