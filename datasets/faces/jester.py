"""Draws jesters and clowns at random: caps of two to five horns with bells, collars and faces, in
the flat colours of clip-art.
"""

from __future__ import annotations

import numpy as np
from PIL import Image

from datasets.faces.marks import Pen, Points

Rng = np.random.Generator
Ink = tuple[int, int, int, int]
SIDE = 224
BARE: Ink = (0, 0, 0, 0)
PALETTE: tuple[Ink, ...] = (
    (208, 22, 34, 255),
    (236, 168, 16, 255),
    (24, 66, 176, 255),
    (26, 24, 26, 255),
    (16, 132, 74, 255),
    (122, 40, 140, 255),
    (232, 96, 20, 255),
    (40, 150, 214, 255),
)
SKINS: tuple[Ink, ...] = (
    (250, 214, 180, 255),
    (255, 255, 252, 255),
    (244, 190, 150, 255),
    (255, 236, 130, 255),
    BARE,
)
LINE: Ink = (24, 22, 24, 255)


def random_jester(rng: Rng) -> Image.Image:
    """Draw a random head with a cap, a hat or hair, mostly with a collar: (SIDE, SIDE) RGBA,
    upright.
    """
    image = Image.new("RGBA", (SIDE, SIDE), BARE)
    pen = Pen(image)
    colours = _colours(rng)
    bold = float(rng.uniform(0.03, 0.09))
    top, wide = float(rng.uniform(-0.10, 0.05)), float(rng.uniform(0.38, 0.52))
    if rng.random() < 0.75:
        _collar(pen, rng, colours, bold)
    if rng.random() < 0.7:
        _cap(pen, rng, colours, top, wide, bold)
        _head(pen, rng, top, wide, bold)
        _brim(pen, rng, colours, top, wide, bold)
    else:
        _hair(pen, colours, top, wide, bold)
        _head(pen, rng, top, wide, bold)
        _hat(pen, rng, colours, top, bold)
    _features(pen, rng, colours, top + 0.38, wide, bold)
    return image


def _colours(rng: Rng) -> list[Ink]:
    """Choose three colours at random, mostly out of black, red, yellow and blue. For some figures
    the first and the third are one colour, and the second is transparent or the dark colour of the
    outlines. For others all three are transparent, so that only the outlines show.
    """
    kind = rng.random()
    if kind < 0.15:
        return [BARE, BARE, BARE]
    if kind < 0.35:
        one = PALETTE[int(rng.integers(4))]
        return [one, BARE if rng.random() < 0.5 else LINE, one]
    known = 4 if rng.random() < 0.6 else len(PALETTE)
    return [PALETTE[int(i)] for i in rng.permutation(known)[:3]]


def _shape(pen: Pen, points: Points, fill: Ink, bold: float) -> None:
    """Draw a polygon, filled with `fill` and outlined. `bold` is the width of the outline in the
    pen's units.
    """
    pen.polygon(points, fill)
    pen.line([*points, points[0], points[1]], bold, LINE)


def _ball(
    pen: Pen, x: float, y: float, r: float, fill: Ink, bold: float, ry: float | None = None
) -> None:
    ry = r if ry is None else ry
    pen.disc(x, y, r + bold / 2, LINE, ry + bold / 2)
    pen.disc(x, y, r - bold / 2, fill, ry - bold / 2)


def _head(pen: Pen, rng: Rng, top: float, wide: float, bold: float) -> None:
    _ball(pen, 0, top + 0.38, wide * 0.85, SKINS[int(rng.integers(len(SKINS)))], bold, wide)


def _collar(pen: Pen, rng: Rng, colours: list[Ink], bold: float) -> None:
    count = int(rng.integers(3, 7))
    places = np.linspace(-0.62, 0.62, count)
    step, bells = 0.62 / count, rng.random() < 0.6
    for i, x in enumerate(places):
        points = [(float(x - step), 0.62), (float(x + step), 0.62), (float(x * 1.15), 0.93)]
        _shape(pen, points, colours[i % 2], bold * 0.7)
        if bells:
            _ball(pen, float(x * 1.15), 0.93, 0.055, colours[2], bold * 0.5)


def _cap(pen: Pen, rng: Rng, colours: list[Ink], top: float, wide: float, bold: float) -> None:
    """Draw a jester's cap: horns in a fan, bent outwards, with a bell on each tip. `top` is about
    where the head's upper end lies, `wide` about half the head's width, and `bold` the width of
    outlines, all in the pen's units.
    """
    count, spread = int(rng.integers(2, 6)), float(rng.uniform(0.8, 1.5))
    droop, reach = float(rng.uniform(-0.1, 0.5)), float(rng.uniform(0.75, 0.95))
    order = sorted(range(count), key=lambda i: -abs(i - (count - 1) / 2))
    for i in order:
        lean = spread * (2 * i / (count - 1) - 1)
        tip = (
            reach * float(np.sin(lean)),
            max(-0.93, top + 0.15 - reach * float(np.cos(lean))) + droop * abs(lean) / 1.5,
        )
        middle, half = wide * 0.75 * lean / spread, wide * 0.9 / count + 0.1
        bend = (0.62 * tip[0] + 0.1 * float(np.sign(lean)), 0.75 * (tip[1] - top) + top - 0.12)
        points = [
            (middle - half, top + 0.22),
            (bend[0] - half * 0.6, bend[1]),
            tip,
            (bend[0] + half * 0.6, bend[1] + 0.1),
            (middle + half, top + 0.22),
        ]
        _shape(pen, points, colours[i % len(colours)], bold)
        _ball(pen, *tip, 0.085, colours[(i + 1) % 3], bold * 0.7)


def _brim(pen: Pen, rng: Rng, colours: list[Ink], top: float, wide: float, bold: float) -> None:
    y, high = top + 0.12, float(rng.uniform(0.05, 0.1))
    if rng.random() < 0.5:
        _shape(
            pen,
            [(-wide, y - high), (wide, y - high), (wide, y + high), (-wide, y + high)],
            colours[2],
            bold * 0.8,
        )
        return
    teeth = np.linspace(-wide, wide, 9)
    lower = [(float(x), y + (2.2 * high if i % 2 else 0.0)) for i, x in enumerate(teeth)]
    _shape(pen, [(-wide, y - high), *lower, (wide, y - high)], colours[2], bold * 0.7)


def _hair(pen: Pen, colours: list[Ink], top: float, wide: float, bold: float) -> None:
    for side in (-1, 1):
        for dy in (0.15, 0.38, 0.58):
            _ball(pen, side * (wide + 0.1), top + dy, 0.17, colours[0], bold * 0.8)


def _hat(pen: Pen, rng: Rng, colours: list[Ink], top: float, bold: float) -> None:
    y, kind = top + 0.06, rng.random()
    if kind < 0.4:
        _shape(
            pen, [(-0.34, y), (0.34, y), (float(rng.uniform(-0.2, 0.2)), -0.88)], colours[1], bold
        )
        _ball(pen, 0, -0.86, 0.1, colours[2], bold * 0.7)
    elif kind < 0.7:
        _shape(pen, [(-0.28, y), (0.28, y), (0.28, y - 0.5), (-0.28, y - 0.5)], colours[1], bold)
        _shape(
            pen,
            [(-0.52, y - 0.04), (0.52, y - 0.04), (0.52, y + 0.06), (-0.52, y + 0.06)],
            colours[1],
            bold,
        )
    else:
        points = [
            (-0.42, y),
            (-0.52, y - 0.5),
            (-0.2, y - 0.22),
            (0, y - 0.62),
            (0.2, y - 0.22),
            (0.52, y - 0.5),
            (0.42, y),
        ]
        _shape(pen, points, colours[1], bold)


def _features(pen: Pen, rng: Rng, colours: list[Ink], y: float, wide: float, bold: float) -> None:
    apart, eye = 0.34 * wide, float(rng.uniform(0.035, 0.07))
    for side in (-1, 1):
        if rng.random() < 0.3:
            pen.line(
                [(side * apart - eye, y - 0.05), (side * apart + eye, y - 0.05)], bold * 0.8, LINE
            )
        else:
            pen.disc(side * apart, y - 0.05, eye, LINE, eye * float(rng.uniform(1.0, 1.8)))
    if rng.random() < 0.5:
        pen.disc(
            0, y + 0.08, float(rng.uniform(0.05, 0.1)), colours[0] if colours[0] != BARE else LINE
        )
    depth = float(rng.uniform(0.4, 0.6)) * wide
    if rng.random() < 0.5:
        pen.arc(0, y + 0.08, depth, depth * 0.8, 15, 165, bold, LINE)
    else:
        pen.draw.chord(
            [(v + 1) * pen.half for v in (-depth, y - 0.12, depth, y + 0.08 + depth * 0.75)],
            20,
            160,
            fill=LINE,
        )
