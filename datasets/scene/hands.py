"""Paints a hand and an arm over the table, as tapering limbs with rounded shading that cover
everything below them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, pi, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.pixels import shares
from datasets.scene.camera import NEAR, Array
from datasets.scene.ground import darken_shape
from datasets.scene.paint import Canvas, clipped_box, fixed, hull
from datasets.scene.surfaces import any_colour

Colour = tuple[float, float, float]
LIFT = np.array([0, 0, 1.0])  # upwards, (3,)

SKINS = (
    (236, 196, 170),
    (222, 172, 140),
    (198, 146, 112),
    (160, 110, 80),
    (112, 74, 54),
    (80, 52, 40),
)


@dataclass(frozen=True)
class Limb:
    """A limb from `start` to `end`, (3,) mm each. `radii` are its radius at the start and at the
    end, in mm.
    """

    start: Array
    end: Array
    radii: tuple[float, float]
    colour: Colour  # RGB 0..255


def random_hand(rng: np.random.Generator, x: float, y: float) -> list[Limb]:
    """Make the limbs of a random arm, mostly in a sleeve, and of a hand whose fingers reach towards
    (x, y) mm. The limbs are in the order of painting.

    The arm mostly comes from the side of the table nearest to the camera.
    """
    angle = pi / 2 + rng.normal(0, 0.7) if rng.random() < 0.7 else rng.uniform(-pi, pi)
    ahead, side = np.array([cos(angle), sin(angle), 0.0]), np.array([sin(angle), -cos(angle), 0.0])
    base = np.array(SKINS[rng.integers(len(SKINS))]) * rng.uniform(0.9, 1.08)
    skin = tuple(np.clip(base, 0, 255).tolist())
    wrist = np.array([x, y, 0.0]) - ahead * 95 + LIFT * rng.uniform(25, 60)
    palm = Limb(wrist + ahead * 8, wrist + ahead * 61, (30, 38), skin)
    limbs = [*_arm(rng, wrist, ahead, side, skin), palm]
    mirror = float(rng.choice([-1.0, 1.0]))
    limbs += _fingers(rng, wrist + ahead * 75, ahead, side * mirror, skin)
    thumb = wrist + ahead * 30 - side * 30 * mirror
    tip = thumb + (ahead * 0.85 - side * 0.6 * mirror) * 55
    tip[2] = 12
    limbs.append(Limb(thumb, tip, (13, 9), skin))
    return limbs


def _arm(
    rng: np.random.Generator, wrist: Array, ahead: Array, side: Array, skin: Colour
) -> list[Limb]:
    """Make a forearm, an upper arm and in most cases a sleeve, behind the `wrist`, (3,) mm.

    `ahead` is the direction from the arm to the fingers and `side` lies across it, both unit
    vectors (3,). `skin` is a colour.
    """
    elbow = wrist - ahead * 260 + LIFT * rng.uniform(0, 60) + side * rng.normal(0, 40)
    shoulder = elbow - ahead * 900 + LIFT * rng.uniform(0, 150)
    cloth = tuple(any_colour(rng, (0, 0.8), (0.1, 0.9)).tolist())
    sleeve = elbow + (wrist - elbow) * rng.choice([0.0, rng.uniform(0.1, 0.9)])
    limbs = [Limb(elbow, wrist, (42, 27), skin), Limb(shoulder, elbow, (75, 52), cloth)]
    if sleeve[0] != elbow[0]:
        limbs.append(Limb(elbow, sleeve, (52, 40), cloth))
    return limbs


def _fingers(
    rng: np.random.Generator, knuckles: Array, ahead: Array, side: Array, skin: Colour
) -> Iterator[Limb]:
    """Yield the four fingers, each as a Limb that begins near `knuckles`, (3,) mm. `ahead` is the
    direction in which they point, and `side` the direction from the first finger to the last, both
    unit vectors (3,).
    """
    curl, spread = rng.uniform(0.5, 1.0), rng.uniform(0.1, 0.3)
    pointing = rng.random() < 0.3
    for i, offset in enumerate((-27, -9, 9, 27)):
        length = (68, 78, 74, 58)[i] * (1.0 if not pointing or i == 0 else 0.45) * curl
        root = knuckles + side * offset
        way = ahead + side * spread * (i - 1.5) / 1.5
        tip = root + way * length
        tip[2] = rng.uniform(8, 14)
        yield Limb(root, tip, (10.5, 8), skin)


def paint_hand(canvas: Canvas, limbs: list[Limb]) -> None:
    """Paint the shadows of the limbs on the table, then the limbs in their order."""
    for limb in limbs:
        ends = np.stack([limb.start, limb.end])
        dropped = ends - canvas.light.direction * (ends[:, 2:] / canvas.light.direction[2])
        dropped[:, 2] = 0
        shape = _outline(canvas, dropped, limb.radii)
        if shape is not None:
            darken_shape(canvas.image, shape, sigma=6.0, strength=0.22)
    for limb in limbs:
        shape = _outline(canvas, np.stack([limb.start, limb.end]), limb.radii)
        if shape is not None:
            _paint_limb(canvas, shape, limb.colour)


def _outline(canvas: Canvas, ends: Array, radii: tuple[float, float]) -> Array | None:
    """Return the convex outline of a limb in the picture, (n, 2) px; None where the limb comes too
    near the lens. `ends`, (2, 3), and `radii` are those of the limb, in mm.
    """
    if canvas.camera.depths(ends).min() < 3 * NEAR:
        return None
    pixels = canvas.camera.project(ends)
    sizes = np.asarray(radii) * canvas.camera.focal / canvas.camera.depths(ends)
    turn = np.linspace(0, 2 * pi, 20, endpoint=False)
    circle = np.column_stack([np.cos(turn), np.sin(turn)])
    return hull(np.concatenate([p + r * circle for p, r in zip(pixels, sizes, strict=True)]))


def _paint_limb(canvas: Canvas, shape: Array, colour: tuple[float, float, float]) -> None:
    x0, y0, x1, y1 = clipped_box(shape, canvas.labels.shape)
    if x1 - x0 < 3 or y1 - y0 < 3:
        return
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(mask, fixed(shape - [x0, y0]), 255, cv2.LINE_AA, 4)
    inside = cv2.distanceTransform(
        np.pad((mask > 127).astype(np.uint8), 1, mode="edge"), cv2.DIST_L2, 3
    )[1:-1, 1:-1]
    shade = _round_shading(np.asarray(inside, np.float32), canvas)
    share = shares(mask)[..., None]
    region = canvas.image[y0:y1, x0:x1]
    lit = shade[..., None] * np.asarray(colour, np.float32)
    region[:] = np.clip(region * (1 - share) + lit * share, 0, 255).astype(np.uint8)
    canvas.cover(shape)


def _round_shading(inside: NDArray[np.float32], canvas: Canvas) -> NDArray[np.float32]:
    """Return the factor, (h, w), by which light and shade change the brightness of a rounded body.
    `inside` is each pixel's distance from the body's rim, (h, w) px.
    """
    radius = max(float(inside.max()), 1.0)
    height = cv2.GaussianBlur(
        np.sqrt(np.clip(1 - (1 - inside / radius) ** 2, 0, 1)), (0, 0), max(radius / 12, 0.6)
    )
    dx = cv2.Sobel(height, cv2.CV_32F, 1, 0, scale=radius / 8)
    dy = cv2.Sobel(height, cv2.CV_32F, 0, 1, scale=radius / 8)
    light = canvas.camera.rotation @ canvas.light.direction
    key = (1 - canvas.light.ambient) * 0.8 + 0.15
    lit = 1 - key * 0.5 * (dx * light[0] + dy * light[1]) / np.sqrt(1 + dx * dx + dy * dy)
    rim = 0.72 + 0.28 * height
    return np.asarray(np.clip(lit, 0.3, 1.3) * rim, np.float32)
