"""Draws small printed shapes, which are strewn over cloths, as masks (size, size) 0..255."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.faces.marks import heart_points, mark_mask, star_points
from datasets.pixels import resized

Rng = np.random.Generator
Mask = NDArray[np.uint8]
DOUBLE = 2  # shapes are drawn so many times as large, then shrunk


def _blank(size: int) -> Mask:
    return np.zeros((DOUBLE * size, DOUBLE * size), np.uint8)


def _fill(
    mask: Mask,
    points: list[tuple[float, float]] | NDArray[np.float64],
    scale: float = 1.0,
    ink: int = 255,
) -> None:
    """Fill a polygon with `ink`, 0..255, in place. Its points, multiplied by `scale`, are in units
    in which the mask's middle is (0, 0) and its edges lie at -1 and 1.
    """
    half = mask.shape[0] / 2
    cv2.fillPoly(
        mask, [np.rint((np.asarray(points) * scale + 1) * half).astype(np.int32)], ink, cv2.LINE_AA
    )


def _disc(mask: Mask, x: float, y: float, r: float, ink: int = 255, width: float = 0.0) -> None:
    half = mask.shape[0] / 2
    thick = max(1, round(width * half)) if width else -1
    cv2.circle(
        mask,
        (round((x + 1) * half), round((y + 1) * half)),
        max(1, round(r * half)),
        ink,
        thick,
        cv2.LINE_AA,
    )


def _done(mask: Mask) -> Mask:
    side = mask.shape[0] // DOUBLE
    return resized(mask, (side, side))


def ring(rng: Rng, size: int) -> Mask:
    mask, width = _blank(size), rng.uniform(0.1, 0.35)
    _disc(mask, 0, 0, 0.95 - width / 2, 255, width)
    if rng.random() < 0.3:
        _disc(mask, 0, 0, 0.25)
    return _done(mask)


def star_in_ring(rng: Rng, size: int) -> Mask:
    mask = _blank(size)
    _disc(mask, 0, 0, 0.9, 255, 0.12)
    _fill(mask, star_points(int(rng.integers(4, 9)), float(rng.uniform(0.35, 0.6))), 0.66)
    return _done(mask)


def dot(rng: Rng, size: int) -> Mask:
    mask = _blank(size)
    _disc(mask, 0, 0, float(rng.uniform(0.4, 0.95)))
    return _done(mask)


def cross(rng: Rng, size: int) -> Mask:
    mask, w = _blank(size), float(rng.uniform(0.1, 0.32))
    _fill(mask, [(-0.95, -w), (0.95, -w), (0.95, w), (-0.95, w)])
    _fill(mask, [(-w, -0.95), (w, -0.95), (w, 0.95), (-w, 0.95)])
    return _done(mask)


def star(rng: Rng, size: int) -> Mask:
    mask = _blank(size)
    _fill(mask, star_points(int(rng.integers(4, 13)), float(rng.uniform(0.25, 0.7))))
    return _done(mask)


def compass(rng: Rng, size: int) -> Mask:
    """Draw a wind rose: four short rays below four long ones, one half of each ray left blank."""
    mask = _blank(size)
    for inner, reach, turn in ((0.22, 0.66, np.pi / 4), (0.2, 0.97, 0.0)):
        points = star_points(4, inner, turn)
        _fill(mask, points, reach)
        for i in range(0, 8, 2):
            _fill(mask, [(0, 0), points[i], points[(i + 1) % 8]], reach * 0.92, 0)
    if rng.random() < 0.6:
        _disc(mask, 0, 0, float(rng.uniform(0.4, 0.85)), 255, 0.05)
    return _done(mask)


def rosette(rng: Rng, size: int) -> Mask:
    mask, count, r = _blank(size), int(rng.integers(5, 10)), float(rng.uniform(0.2, 0.34))
    for angle in 2 * np.pi * np.arange(count) / count:
        _disc(mask, 0.62 * np.cos(angle), 0.62 * np.sin(angle), r)
    _disc(mask, 0, 0, 0.36, 0)
    _disc(mask, 0, 0, float(rng.uniform(0.12, 0.28)))
    return _done(mask)


def paisley(rng: Rng, size: int) -> Mask:
    mask = _blank(size)
    _disc(mask, 0, 0.3, 0.6)
    _fill(
        mask,
        [
            (-0.6, 0.3),
            (-0.45, -0.4),
            (0.1, -0.8),
            (0.62, -0.92),
            (0.3, -0.55),
            (0.35, -0.2),
            (0.6, 0.3),
        ],
    )
    _disc(mask, 0, 0.3, 0.4, 0, 0.1)
    _disc(mask, 0, 0.35, 0.15, 0)
    return _done(mask)


def blob(rng: Rng, size: int) -> Mask:
    mask, angles = _blank(size), np.linspace(0, 2 * np.pi, 40, endpoint=False)
    radius = 0.65 + sum(
        rng.uniform(-0.12, 0.12) * np.sin(k * angles + rng.uniform(0, 6)) for k in (1, 2, 3, 5)
    )
    _fill(mask, np.stack([radius * np.cos(angles), radius * np.sin(angles)], axis=1))
    return _done(mask)


def heart(rng: Rng, size: int) -> Mask:
    mask = _blank(size)
    _fill(mask, heart_points())
    if rng.random() < 0.3:
        _fill(mask, heart_points(), 0.7, 0)
    return _done(mask)


def suit(rng: Rng, size: int) -> Mask:
    shape = str(rng.choice(["heart", "spade", "clover", "diamond"]))
    return (mark_mask(shape, size, bool(rng.random() < 0.25)) * 255).astype(np.uint8)


def bar(rng: Rng, size: int) -> Mask:
    """Draw a stroke: straight, bent as in a 7, or a zigzag."""
    mask, half = _blank(size), DOUBLE * size / 2
    points = (
        [(0.0, -0.8), (0.0, 0.8)]
        if rng.random() < 0.4
        else [(-0.5, -0.75), (0.5, -0.75), (-0.1, 0.8)]
    )
    if rng.random() < 0.3:
        points = [(-0.6, 0.4), (-0.2, -0.5), (0.2, 0.5), (0.6, -0.4)]
    line = np.rint((np.array(points) + 1) * half).astype(np.int32)
    cv2.polylines(
        mask, [line], False, 255, max(2, round(rng.uniform(0.15, 0.4) * half)), cv2.LINE_AA
    )
    return _done(mask)


def hatched(mask: Mask) -> Mask:
    """Keep only every other diagonal thread of a mask, (h, w) 0..255, as in woven or embroidered
    cloth.
    """
    threads = (
        np.add.outer(np.arange(mask.shape[0]), np.arange(mask.shape[1])) // 2 % 2 * 255
    ).astype(np.uint8)
    return np.asarray(cv2.min(mask, threads), np.uint8)


MOTIFS: tuple[Callable[[Rng, int], Mask], ...] = (
    ring,
    star_in_ring,
    dot,
    cross,
    star,
    compass,
    rosette,
    paisley,
    blob,
    heart,
    suit,
    bar,
)
