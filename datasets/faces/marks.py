"""Draws the shapes below the digits and on comodines, as masks from plain geometry."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from datasets.pixels import resized, shares

Points = list[tuple[float, float]]
Ink = int | tuple[int, ...]  # grey, or RGBA
CANVAS = 128  # side in pixels at which shapes are drawn before they are scaled


def star_points(points: int = 5, inner: float = 0.42, turn: float = 0.0) -> Points:
    """Return the corners of a star of radius 1 about the origin, as x and y with y downwards. One
    tip points up if `turn` is 0.

    `points` is the number of tips, `inner` the radius of the corners between them, and `turn` an
    angle in radians, clockwise.
    """
    angles = np.pi * np.arange(2 * points) / points + turn
    radii = np.where(np.arange(2 * points) % 2, inner, 1.0)
    return [
        (float(r * np.sin(a)), float(-r * np.cos(a))) for r, a in zip(radii, angles, strict=True)
    ]


def heart_points() -> Points:
    t = np.linspace(0, 2 * np.pi, 60)
    x = 16 * np.sin(t) ** 3
    y = 13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)
    return [(float(a), float(b)) for a, b in zip(x / 17, -(y + 2.5) / 16, strict=True)]


class Pen:
    """Draws on a square picture in units: the centre is (0, 0), the edges are at -1 and 1, and y
    points downwards. Widths and radii are in the same units.
    """

    def __init__(self, image: Image.Image) -> None:
        self.half = image.width / 2
        self.draw = ImageDraw.Draw(image)

    def _px(self, points: Points) -> Points:
        return [((x + 1) * self.half, (y + 1) * self.half) for x, y in points]

    def polygon(self, points: Points, fill: Ink) -> None:
        self.draw.polygon(self._px(points), fill=fill)

    def disc(self, x: float, y: float, rx: float, fill: Ink, ry: float | None = None) -> None:
        ry = rx if ry is None else ry
        (x0, y0), (x1, y1) = self._px([(x - rx, y - ry), (x + rx, y + ry)])
        self.draw.ellipse((x0, y0, x1, y1), fill=fill)

    def ring(self, x: float, y: float, radius: float, width: float, fill: Ink) -> None:
        self.arc(x, y, radius, radius, 0, 360, width, fill)

    def arc(
        self,
        x: float,
        y: float,
        rx: float,
        ry: float,
        start: float,
        end: float,
        width: float,
        fill: Ink,
    ) -> None:
        """Draw an arc of the ellipse with centre (x, y) and half axes `rx` and `ry`: a line `width`
        wide in the colour `fill`. The angles `start` and `end` are in degrees, clockwise from three
        o'clock, as in Pillow.
        """
        (x0, y0), (x1, y1) = self._px([(x - rx, y - ry), (x + rx, y + ry)])
        pixels = max(1, round(width * self.half))
        self.draw.arc((x0, y0, x1, y1), start, end, fill=fill, width=pixels)

    def line(self, points: Points, width: float, fill: Ink) -> None:
        pixels = max(1, round(width * self.half))
        self.draw.line(self._px(points), fill=fill, width=pixels, joint="curve")


def _heart(pen: Pen) -> None:
    pen.polygon(heart_points(), 255)


def _spade(pen: Pen) -> None:
    pen.polygon([(0.85 * x, -0.85 * y - 0.12) for x, y in heart_points()], 255)
    pen.polygon([(-0.06, 0.1), (0.06, 0.1), (0.3, 0.95), (-0.3, 0.95)], 255)


def _clover(pen: Pen) -> None:
    for x, y in ((0, -0.48), (-0.46, 0.14), (0.46, 0.14)):
        pen.disc(x, y, 0.43, 255)
    pen.polygon([(-0.1, -0.1), (0.1, -0.1), (0.3, 0.95), (-0.3, 0.95)], 255)


def _diamond(pen: Pen) -> None:
    pen.polygon([(0, -1), (0.75, 0), (0, 1), (-0.75, 0)], 255)


def _star(pen: Pen) -> None:
    pen.polygon(star_points(), 255)


def _disc(pen: Pen) -> None:
    pen.disc(0, 0, 0.97, 255)


def _ring(pen: Pen) -> None:
    pen.ring(0, 0, 0.97, 0.24, 255)


def _circle(pen: Pen) -> None:
    pen.ring(0, 0, 0.97, 0.14, 255)


def _line(pen: Pen) -> None:
    pen.polygon([(-1, -0.1), (1, -0.1), (1, 0.1), (-1, 0.1)], 255)


SHAPES: dict[str, Callable[[Pen], None]] = {
    "ring": _ring,
    "dish": _disc,
    "dot": _disc,
    "circle": _circle,
    "heart": _heart,
    "spade": _spade,
    "clover": _clover,
    "diamond": _diamond,
    "star": _star,
    "line": _line,
}


@lru_cache(maxsize=512)
def mark_mask(shape: str, size: int, outlined: bool) -> NDArray[np.float32]:
    """Draw a shape, one of SHAPES, `size` pixels wide: (size, size), 0..1. Of an `outlined` shape
    only the rim is drawn.
    """
    image = Image.new("L", (CANVAS, CANVAS))
    SHAPES[shape](Pen(image))
    mask = np.asarray(image)
    if outlined and shape not in {"ring", "circle", "line", "dish"}:
        mask = mask - cv2.erode(
            mask, np.ones((3, 3), np.uint8), iterations=CANVAS // 20, borderValue=0
        )
    return resized(shares(mask), (size, size))
