"""Draws the plastic of a tile before any ink: outline, relief of edge and dish, colour, and marks
of use.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.faces.style import Edge, FaceStyle
from datasets.pixels import shares

Plane = NDArray[np.float32]


def shape_of(style: FaceStyle, width: int) -> tuple[int, int]:
    """Return (height, width) in pixels of a face in this style, drawn `width` pixels wide."""
    return round(width * style.aspect), width


@lru_cache(maxsize=8)
def inside(style: FaceStyle, width: int) -> Plane:
    """Return how far inside the rounded outline of a face each pixel lies, (h, w), in widths of the
    face; negative outside.
    """
    h, w = shape_of(style, width)
    y, x = np.mgrid[0:h, 0:w].astype(np.float32) + 0.5
    radius = style.corner_radius * w
    qx, qy = np.abs(x - w / 2) - (w / 2 - radius), np.abs(y - h / 2) - (h / 2 - radius)
    outside = np.hypot(np.maximum(qx, 0), np.maximum(qy, 0)) + np.minimum(np.maximum(qx, qy), 0)
    return np.asarray((radius - outside) / w, np.float32)


@lru_cache(maxsize=8)
def base_relief(style: FaceStyle, width: int, with_dish: bool) -> Plane:
    """Return the relief of a bare face, (h, w), in widths of the face: the edge and, if
    `with_dish`, the dish behind the digits. 0 is the flat of the face, and hollows are negative.

    The array is cached: do not write to it.
    """
    body = style.body
    t = np.clip(inside(style, width) / body.edge_width, 0, 1)
    relief = np.zeros(t.shape, np.float32)
    if body.edge is Edge.CHAMFER:
        relief -= body.edge_depth * (1 - t)
    elif body.edge is Edge.ROUNDED:
        relief -= body.edge_depth * (1 - np.sqrt(np.maximum(0, 1 - (1 - t) ** 2)))
    elif body.edge is Edge.RIM:
        relief += 0.4 * body.edge_depth * np.clip(3 * (1 - t), 0, 1)
    if with_dish and body.dish:
        relief += dish(style, width, style.digits.centre, body.dish)
    return relief


def dish(style: FaceStyle, width: int, centre: float, radius: float) -> Plane:
    """Return the relief of a shallow round hollow, (h, w), in widths of the face; hollows are
    negative.

    `centre` is how far down the middle of the hollow lies, as a share of the face's height;
    `radius` is in widths of the face.
    """
    h, w = shape_of(style, width)
    y, x = np.ogrid[0:h, 0:w]
    distance = np.hypot((x + 0.5) / w - 0.5, (y + 0.5) / w - centre * h / w).astype(np.float32)
    hollow = (
        -style.body.dish_depth
        * np.maximum(0, 1 - (distance / radius) ** 2) ** style.body.dish_slope
    )
    if style.body.dish_rim:
        hollow += style.body.dish_rim * np.exp(-(((distance - radius) / 0.018) ** 2))
    return np.asarray(hollow, np.float32)


def plain_albedo(style: FaceStyle, width: int, rng: np.random.Generator) -> Plane:
    """Draw the body's colour with cloudiness and specks: (h, w, 3), RGB 0..255."""
    h, w = shape_of(style, width)
    body = style.body
    clouds = cv2.resize(
        rng.standard_normal((7, 5), np.float32), (w, h), interpolation=cv2.INTER_CUBIC
    )
    tone = 1 + 0.5 * body.mottling * clouds
    tone += body.gradient * np.linspace(-1, 1, h, dtype=np.float32)[:, None] * rng.choice((-1, 1))
    if body.speckle > 0.004:
        tone += body.speckle * rng.standard_normal((h, w), np.float32)
    own = np.array(style.body_rgb, np.float32) * rng.normal(1, 0.012) + rng.normal(
        0, 1.5, 3
    ).astype(np.float32)
    return tone[..., None] * own.astype(np.float32)


def smudge(albedo: Plane, style: FaceStyle, rng: np.random.Generator) -> None:
    """Add greasy patches to the colours of a face, in place."""
    if rng.random() > 0.7 * style.body.smudges:
        return
    h, w = albedo.shape[:2]
    patches = np.zeros((20, 14), np.float32)
    for _ in range(int(rng.integers(1, 5))):
        patches[rng.integers(20), rng.integers(14)] = rng.uniform(1, 5)
    spread = cv2.resize(cv2.GaussianBlur(patches, (0, 0), rng.uniform(0.9, 2.5)), (w, h))
    strength = 0.24 * style.body.smudges * np.clip(spread, 0, 1)[..., None]
    albedo *= 1 - strength * np.array([0.35, 0.5, 0.75], np.float32) * rng.uniform(0.3, 1.2)


def scratch(albedo: Plane, relief: Plane, style: FaceStyle, rng: np.random.Generator) -> None:
    """Scratch thin lines into the colours and the relief of a face, in place; some are lighter than
    their surroundings and some darker.
    """
    h, w = relief.shape
    for _ in range(rng.poisson(4 * style.body.scratches)):
        x = rng.uniform(0, w)
        y = rng.uniform(0, h)
        angle = rng.uniform(0, np.pi)
        length = rng.exponential(0.25) * w
        mask = np.zeros((h, w), np.uint8)
        end = (int(x + length * np.cos(angle)), int(y + length * np.sin(angle)))
        cv2.line(mask, (int(x), int(y)), end, int(rng.uniform(40, 160)), 1, cv2.LINE_AA)
        line = shares(mask)
        albedo += line[..., None] * rng.uniform(-60, 45)
        relief -= 0.004 * line


def chip(alpha: Plane, albedo: Plane, style: FaceStyle, rng: np.random.Generator) -> None:
    """Break small pieces off the edge of a face, in place: `alpha` (h, w) becomes 0 where a piece
    is missing, and the colours `albedo` (h, w, 3) around that place become darker.
    """
    h, w = alpha.shape
    for _ in range(rng.poisson(0.9 * style.body.chips)):
        along = rng.uniform(0, 2 * (w + h))
        at = (
            (along % w, 0.0 if along < w else float(h))
            if along < 2 * w
            else (float(w * (along % 2 > 1)), along % h)
        )
        bite = np.ones((h, w), np.float32)
        centre, radius = (int(at[0]), int(at[1])), max(1, int(rng.uniform(0.008, 0.03) * w))
        cv2.circle(bite, centre, radius + 2, 0.86, -1, cv2.LINE_AA)
        albedo *= bite[..., None]
        cv2.circle(alpha, centre, radius, 0.0, -1, cv2.LINE_AA)
