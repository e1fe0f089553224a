"""Draws the figures of comodines from plain geometry in up to three inks, and some from symbol
fonts. Each figure has a function that draws it with a pen in the inks `a`, `b` and `c`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from datasets.faces.fonts import font_files, word
from datasets.faces.inks import Rgb
from datasets.faces.marks import Pen, heart_points, star_points
from datasets.faces.pictograms import draw_pictogram
from datasets.pixels import resized

Colour = tuple[int, int, int, int]
Figure = Callable[[Pen, Colour, Colour, Colour], None]
CANVAS = 256  # pixels
BARE: Colour = (0, 0, 0, 0)  # lets the body show
# Figures that look the same when turned by 180 degrees.
TWO_HEADED = frozenset(
    {"mirrored", "harlequin", "star6_ring", "two_jesters", "flower", "glyph_sunrise"}
)


def _turned(x: float, y: float, angle: float) -> tuple[float, float]:
    c, s = np.cos(angle), np.sin(angle)
    return float(c * x - s * y), float(s * x + c * y)


def _smile(pen: Pen, x: float, y: float, r: float, ink: Colour, up: int = 1) -> None:
    """Draw the eyes and the mouth of a face of radius `r` around (x, y), in the pen's units; upside
    down where `up` is -1.
    """
    for side in (-1, 1):
        pen.disc(x + side * 0.36 * r, y - up * 0.22 * r, 0.11 * r, ink, 0.16 * r)
    start, end = (20, 160) if up > 0 else (200, 340)
    pen.arc(x, y, 0.58 * r, 0.58 * r, start, end, 0.13 * r, ink)


def smile_ring(pen: Pen, a: Colour, b: Colour, c: Colour) -> None:
    pen.ring(0, 0, 0.95, 0.14, a)
    _smile(pen, 0, 0, 0.95, b)


def smile_disc(pen: Pen, a: Colour, b: Colour, c: Colour) -> None:
    pen.disc(0, 0, 0.95, a)
    _smile(pen, 0, 0, 0.95, BARE)


def portrait_ring(pen: Pen, a: Colour, b: Colour, c: Colour) -> None:
    """Draw a man's face in a ring, all in the ink `a`: brows, almond eyes, nose, wide mouth."""
    pen.ring(0, 0, 0.97, 0.12, a)
    for side in (-1, 1):
        pen.arc(side * 0.38, -0.16, 0.30, 0.24, 200, 340, 0.09, a)
        pen.disc(side * 0.36, -0.18, 0.22, a, 0.11)
        pen.disc(side * 0.36, -0.18, 0.14, BARE, 0.06)
        pen.disc(side * 0.36, -0.18, 0.06, a)
        pen.line([(side * 0.12, 0.18), (side * 0.17, 0.28), (side * 0.05, 0.34)], 0.06, a)
        pen.disc(side * 0.07, -0.44, 0.05, a)
    pen.arc(0, 0.28, 0.55, 0.36, 25, 155, 0.10, a)
    pen.arc(0, 0.24, 0.42, 0.24, 10, 170, 0.07, a)
    pen.line([(-0.55, 0.36), (-0.42, 0.44)], 0.07, a)
    pen.line([(0.55, 0.36), (0.42, 0.44)], 0.07, a)


def clown(pen: Pen, a: Colour, b: Colour, c: Colour) -> None:
    """Draw a bald clown in a small bowler, with tufts of hair at the sides and a pleated collar."""
    for side in (-1, 1):
        for dy in (-0.22, 0.02, 0.26):
            pen.polygon(
                [(side * 0.42, dy - 0.12), (side * 0.98, dy - 0.16), (side * 0.42, dy + 0.14)], b
            )
    for x in (-0.56, -0.28, 0.0, 0.28, 0.56):
        pen.disc(x, 0.80, 0.17, c)
    pen.disc(0, 0.08, 0.58, a, 0.66)
    pen.disc(0, 0.08, 0.51, BARE, 0.59)
    pen.disc(0, -0.66, 0.30, c)
    pen.polygon([(-0.48, -0.60), (0.48, -0.60), (0.48, -0.48), (-0.48, -0.48)], c)
    _smile(pen, 0, 0.14, 0.55, a)
    pen.disc(0, 0.18, 0.13, b)


def clown_solid(pen: Pen, a: Colour, b: Colour, c: Colour) -> None:
    for side in (-1, 1):
        pen.disc(side * 0.60, 0.0, 0.34, a, 0.40)
    pen.disc(0, 0.08, 0.58, b)
    pen.polygon([(-0.34, -0.42), (0.34, -0.42), (0.1, -1.0)], a)
    _smile(pen, 0, 0.08, 0.58, BARE)
    pen.disc(0, 0.16, 0.12, a)
    pen.ring(0, 0.16, 0.15, 0.05, BARE)


def _cap(pen: Pen, a: Colour, b: Colour, c: Colour, y: float, k: float) -> None:
    """Draw a jester's cap with points and bells. The middle of its rim is at (0, `y`) in the pen's
    units, and `k` scales its size. The left point is in the ink `a`, as are the rim and the bell at
    the top; the right point is in `b`, the middle point and the other bells in `c`.
    """
    horns = (
        (
            [(-0.5, 0), (0, 0), (-0.15, -0.45), (-0.62, -0.62), (-0.95, -0.12), (-0.62, -0.30)],
            a,
            (-0.93, -0.04),
        ),
    )
    for points, colour, bell in horns:
        pen.polygon([(k * px, y + k * py) for px, py in points], colour)
        pen.polygon([(-k * px, y + k * py) for px, py in points], b)
        pen.disc(k * bell[0], y + k * bell[1], 0.09 * k, c)
        pen.disc(-k * bell[0], y + k * bell[1], 0.09 * k, c)
    pen.polygon([(-0.28 * k, y), (0.28 * k, y), (0.0, y - 0.85 * k)], c)
    pen.disc(0, y - 0.88 * k, 0.10 * k, a)
    pen.polygon(
        [
            (k * x, y + k * dy)
            for x, dy in ((-0.52, -0.07), (0.52, -0.07), (0.52, 0.07), (-0.52, 0.07))
        ],
        a,
    )


def jester(pen: Pen, a: Colour, b: Colour, c: Colour) -> None:
    pen.disc(0, 0.22, 0.50, a, 0.56)
    pen.disc(0, 0.22, 0.43, BARE, 0.49)
    _smile(pen, 0, 0.27, 0.48, a)
    pen.polygon([(0, 0.2), (0.07, 0.38), (-0.07, 0.38)], b)
    _cap(pen, a, b, c, -0.06, 1.0)
    for x in (-0.5, -0.17, 0.17, 0.5):
        pen.polygon([(x - 0.17, 0.76), (x + 0.17, 0.76), (x, 1.0)], b if x in (-0.5, 0.17) else c)


def jester_solid(pen: Pen, a: Colour, b: Colour, c: Colour) -> None:
    pen.disc(0, 0.30, 0.50, a, 0.58)
    _smile(pen, 0, 0.36, 0.48, BARE)
    _cap(pen, b, a, c, 0.0, 0.98)


def hat(pen: Pen, a: Colour, b: Colour, c: Colour) -> None:
    _cap(pen, a, b, c, 0.45, 1.05)


def sun(pen: Pen, a: Colour, b: Colour, c: Colour) -> None:
    pen.polygon(star_points(12, 0.66), a)
    pen.disc(0, 0, 0.60, BARE)
    pen.disc(0, 0, 0.54, b)
    _smile(pen, 0, 0, 0.54, BARE)


def sun_lines(pen: Pen, a: Colour, b: Colour, c: Colour) -> None:
    for angle in np.arange(0, 2 * np.pi, np.pi / 6):
        pen.line([_turned(0, -0.66, angle), _turned(0, -0.97, angle)], 0.09, a)
    pen.ring(0, 0, 0.55, 0.10, a)
    _smile(pen, 0, 0, 0.52, b)


def moon(pen: Pen, a: Colour, b: Colour, c: Colour) -> None:
    pen.disc(0, 0, 0.95, a)
    pen.disc(0.42, -0.08, 0.78, BARE)
    pen.disc(-0.52, -0.2, 0.08, BARE)
    pen.polygon([(0.45 + 0.3 * x, 0.3 * y - 0.1) for x, y in star_points()], b)


def star(pen: Pen, a: Colour, b: Colour, c: Colour) -> None:
    pen.polygon(star_points(), a)


def star_outline(pen: Pen, a: Colour, b: Colour, c: Colour) -> None:
    pen.polygon(star_points(5, 0.45), a)
    pen.polygon([(0.72 * x, 0.72 * y) for x, y in star_points(5, 0.45)], BARE)
    pen.polygon([(0.5 * x, 0.5 * y) for x, y in star_points(5, 0.45)], b)


def star_face(pen: Pen, a: Colour, b: Colour, c: Colour) -> None:
    pen.polygon(star_points(5, 0.55), a)
    _smile(pen, 0, 0.05, 0.5, BARE)


def star_ring(pen: Pen, a: Colour, b: Colour, c: Colour) -> None:
    pen.ring(0, 0, 0.96, 0.12, a)
    pen.polygon([(0.66 * x, 0.66 * y) for x, y in star_points()], b)


def star6_ring(pen: Pen, a: Colour, b: Colour, c: Colour) -> None:
    pen.ring(0, 0, 0.96, 0.10, a)
    pen.polygon([(0.7 * x, 0.7 * y) for x, y in star_points(8, 0.5)], b)


def clover_ring(pen: Pen, a: Colour, b: Colour, c: Colour) -> None:
    pen.ring(0, 0, 0.96, 0.10, a)
    for angle in np.arange(4) * np.pi / 2 + np.pi / 4:
        x, y = _turned(0, -0.36, float(angle))
        pen.disc(x, y, 0.27, b)
    pen.line([(0, 0), (0.06, 0.55), (0.2, 0.82)], 0.14, b)


def flower(pen: Pen, a: Colour, b: Colour, c: Colour) -> None:
    for angle in np.arange(6) * np.pi / 3:
        pen.disc(*_turned(0, -0.62, float(angle)), 0.33, a)
    pen.disc(0, 0, 0.40, BARE)
    pen.disc(0, 0, 0.30, b)


def crown(pen: Pen, a: Colour, b: Colour, c: Colour) -> None:
    pen.polygon(
        [
            (-0.8, 0.6),
            (-0.95, -0.45),
            (-0.42, 0.1),
            (0, -0.75),
            (0.42, 0.1),
            (0.95, -0.45),
            (0.8, 0.6),
        ],
        a,
    )
    pen.polygon([(-0.8, 0.68), (0.8, 0.68), (0.8, 0.85), (-0.8, 0.85)], b)
    for x, y in ((-0.95, -0.52), (0, -0.82), (0.95, -0.52)):
        pen.disc(0.92 * x, y, 0.11, c)


def letter_star(pen: Pen, a: Colour, b: Colour, c: Colour) -> None:
    pen.line([(0.18, -0.9), (0.18, 0.45)], 0.28, a)
    pen.arc(-0.19, 0.42, 0.51, 0.51, 0, 180, 0.28, a)
    pen.polygon([(-0.5 + 0.36 * x, -0.5 + 0.36 * y) for x, y in star_points()], b)


def harlequin(pen: Pen, a: Colour, b: Colour, c: Colour) -> None:
    for row in range(-2, 3):
        for column in range(-1 - row % 2, 3):
            x, y = 0.5 * column + 0.25 * (row % 2), 0.38 * row
            if abs(x) <= 0.76:
                pen.polygon(
                    [(x, y - 0.36), (x + 0.23, y), (x, y + 0.36), (x - 0.23, y)],
                    a if row % 2 else b,
                )


def mirrored(pen: Pen, a: Colour, b: Colour, c: Colour) -> None:
    """Draw two heads, one upside down below the other: the figure looks the same from both sides of
    the table.
    """
    for up, y in ((1, -0.5), (-1, 0.5)):
        pen.ring(0, y, 0.47, 0.09, a)
        _smile(pen, 0, y, 0.44, a, up)


def two_jesters(pen: Pen, a: Colour, b: Colour, c: Colour) -> None:
    for up in (1, -1):
        pen.disc(0, -up * 0.28, 0.26, a)
        _smile(pen, 0, -up * 0.28, 0.26, BARE, up)
        for x, tip in ((-0.3, -0.62), (0.0, 0.0), (0.3, 0.62)):
            pen.polygon(
                [
                    (x - 0.16, -up * 0.48),
                    (x + 0.16, -up * 0.48),
                    (tip, -up * (0.98 if not x else 0.82)),
                ],
                b,
            )


def heart_face(pen: Pen, a: Colour, b: Colour, c: Colour) -> None:
    pen.polygon(heart_points(), a)
    _smile(pen, 0, -0.15, 0.55, BARE)


def ace_star(pen: Pen, a: Colour, b: Colour, c: Colour) -> None:
    pen.disc(0, 0, 0.95, a)
    pen.polygon([(0.72 * x, 0.72 * y) for x, y in star_points()], BARE)
    pen.polygon([(0.5 * x, 0.5 * y) for x, y in star_points()], b)


def mask_face(pen: Pen, a: Colour, b: Colour, c: Colour) -> None:
    """Draw the two masks of the theatre, side by side."""
    for x, ink, up in ((-0.45, a, 1), (0.45, b, -1)):
        pen.disc(x, 0.12 * up, 0.46, ink, 0.7)
        for side in (-1, 1):
            pen.disc(x + side * 0.18, 0.12 * up - 0.18, 0.10, BARE, 0.08)
        if up > 0:
            pen.arc(x, 0.2, 0.28, 0.3, 15, 165, 0.12, BARE)
        else:
            pen.arc(x, 0.42, 0.28, 0.3, 195, 345, 0.12, BARE)


def _glyph(symbol: str, pen: Pen, a: Colour, b: Colour, c: Colour) -> None:
    """Draw a symbol of the font Symbola in the colour `a`; `b` and `c` are not used. Where that
    font is missing, a substitute is drawn: a star for a symbol that looks the same upside down, as
    the star does, and a smiling face for any other symbol.
    """
    if "Symbola_hint" not in font_files():
        substitute = star6_ring if symbol in TWO_HEADED_SYMBOLS else smile_ring
        substitute(pen, a, a, a)
        return
    drawn = Image.fromarray(word("Symbola_hint", symbol))
    scale = (CANVAS - 4) / max(drawn.size)
    drawn = drawn.resize((max(1, int(drawn.width * scale)), max(1, int(drawn.height * scale))))
    pen.draw.bitmap(((CANVAS - drawn.width) // 2, (CANVAS - drawn.height) // 2), drawn, fill=a)


SYMBOLS = {
    "smile": "☺",
    "dark_smile": "☻",
    "clown": "🃏",
    "queen": "♛",
    "fool": "🎭",
    "sun": "🌞",
    "moon": "🌝",
    "grin": "😀",
    "cat": "😺",
    "devil": "😈",
    "star": "✪",
    "sunrise": "☀",
    "horse": "♞",
    "alien": "👽",
}
TWO_HEADED_SYMBOLS = frozenset(
    symbol for name, symbol in SYMBOLS.items() if f"glyph_{name}" in TWO_HEADED
)
DRAWN: tuple[Figure, ...] = (
    smile_ring,
    smile_disc,
    portrait_ring,
    clown,
    clown_solid,
    jester,
    jester_solid,
    hat,
    sun,
    sun_lines,
    moon,
    star,
    star_outline,
    star_face,
    star_ring,
    star6_ring,
    clover_ring,
    flower,
    crown,
    letter_star,
    harlequin,
    mirrored,
    two_jesters,
    heart_face,
    ace_star,
    mask_face,
)
FIGURES: dict[str, Figure] = {figure.__name__: figure for figure in DRAWN} | {
    f"glyph_{name}": partial(_glyph, symbol) for name, symbol in SYMBOLS.items()
}


@lru_cache(maxsize=128)
def joker_figure(
    figure: str, inks: tuple[Rgb, Rgb, Rgb], width: int, height: int
) -> NDArray[np.float32]:
    """Draw a figure in the given inks: (height, width, 4). `figure` is a name in FIGURES or of a
    pictogram (`datasets.faces.pictograms`).

    The last channel is coverage 0..1, the others are RGB 0..255 times coverage.
    """
    layers = _drawn(figure, inks) if figure in FIGURES else draw_pictogram(figure, inks)
    return resized(layers, (width, height))


def _drawn(figure: str, inks: tuple[Rgb, Rgb, Rgb]) -> NDArray[np.float32]:
    image = Image.new("RGBA", (CANVAS, CANVAS), BARE)
    a, b, c = ((*rgb, 255) for rgb in inks)
    FIGURES[figure](Pen(image), a, b, c)
    layers = np.asarray(image).astype(np.float32)
    layers[..., 3:] /= 255
    layers[..., :3] *= layers[..., 3:]
    return layers


def two_headed(figure: str, inks: tuple[Rgb, Rgb, Rgb]) -> bool:
    """Tell whether a figure looks the same when turned by 180 degrees.

    For a pictogram, drawn in the given inks, this means that nearly all its pixels agree with those
    of the turned one.
    """
    if figure in FIGURES:
        return figure in TWO_HEADED
    drawn = joker_figure(figure, inks, 64, 64) * np.array([1, 1, 1, 255], np.float32)
    return bool((np.abs(drawn - drawn[::-1, ::-1]).max(axis=2) > 40).mean() < 0.02)
