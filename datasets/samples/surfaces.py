"""Draws the table tops of the samples, finer than those of training scenes since people look at
them. `base` is always the colour of a surface, RGB. Each drawing is (SIDE, SIDE, 3) RGB.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.scene.camera import Array, Camera
from datasets.scene.ground import laid_texture
from datasets.scene.paint import fixed, hull

SIDE = 1600  # px of a texture
FINE = 0.45  # mm per texture pixel
Picture = NDArray[np.uint8]
Field = NDArray[np.float32]
Rgb = tuple[float, float, float]


def noise(rng: np.random.Generator, across: int, along: int) -> Field:
    """Draw smooth noise with standard deviation 1, (SIDE, SIDE), made of `across` cells from top to
    bottom and `along` cells from left to right.
    """
    cells = rng.standard_normal((across, along)).astype(np.float32)
    field = cv2.resize(cells, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC)
    return np.asarray(field / field.std(), np.float32)


def _tinted(base: Rgb, level: Field) -> Picture:
    return np.clip(level[..., None] * np.asarray(base, np.float32), 0, 255).astype(np.uint8)


def felt(rng: np.random.Generator, base: Rgb) -> Picture:
    """Draw felt: short fibres in every direction over faint patches of wear."""
    level = (
        1
        + 0.035 * noise(rng, 5, 5)
        + 0.02 * noise(rng, 24, 24)
        + 0.05 * noise(rng, 900, 300)
        + 0.05 * noise(rng, 300, 900)
    )
    return _tinted(base, level + 0.03 * rng.standard_normal((SIDE, SIDE)).astype(np.float32))


def wood(rng: np.random.Generator, base: Rgb) -> Picture:
    """Draw boards along x: wavy growth rings, dark pores and a gap between boards."""
    y = np.arange(SIDE, dtype=np.float32)[:, None]
    board = np.minimum((y * 6 / SIDE).astype(int), 5)
    tone = rng.normal(1, 0.05, 6).astype(np.float32)[board]
    offset = rng.uniform(0, 400, 6).astype(np.float32)[board]
    rings = np.sin((y + offset + 26 * noise(rng, 9, 3)) * 0.09) + 0.5 * np.sin(
        (y + offset + 15 * noise(rng, 14, 4)) * 0.31
    )
    pores = np.clip(noise(rng, 1000, 26) - 1.1, 0, 2)
    level = tone * (1 + 0.045 * rings + 0.035 * noise(rng, 700, 12) - 0.07 * pores)
    gap = np.abs(y * 6 / SIDE - np.rint(y * 6 / SIDE)) < 0.008
    return _tinted(base, np.where(gap, 0.55 * level, level))


def cloth(rng: np.random.Generator, base: Rgb) -> Picture:
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)
    return _tinted(
        base,
        1
        + 0.05 * np.sin(x * 1.1) * np.sin(y * 1.1)
        + 0.03 * noise(rng, 4, 3)
        + 0.02 * noise(rng, 500, 500),
    )


def checks(rng: np.random.Generator, base: Rgb) -> Picture:
    """Draw gingham: stripes of the base colour on white, darker where they cross."""
    stripe = ((np.arange(SIDE) // 40) % 2).astype(np.float32)
    share = ((stripe[:, None] + stripe[None, :]) / 2)[..., None]
    colour = (
        np.array([238, 236, 230], np.float32) * (1 - share) + np.asarray(base, np.float32) * share
    )
    return np.clip(colour * (1 + 0.02 * noise(rng, 500, 500))[..., None], 0, 255).astype(np.uint8)


def marble(rng: np.random.Generator, base: Rgb) -> Picture:
    veins = np.abs(noise(rng, 4, 4) + 0.5 * noise(rng, 9, 9) + 0.25 * noise(rng, 25, 25))
    return _tinted(base, 1 + 0.02 * noise(rng, 3, 3) - 0.22 * np.exp(-veins * 14))


SURFACES: dict[str, Callable[[np.random.Generator, Rgb], Picture]] = {
    "felt": felt,
    "wood": wood,
    "cloth": cloth,
    "checks": checks,
    "marble": marble,
}


def table_top(camera: Camera, surface: str, base: Rgb, angle: float = 0.0) -> Picture:
    """Paint a table as the camera sees it, (h, w, 3) RGB. One `surface`, a name in SURFACES, covers
    the table entirely. Its colour is `base`, and its grain is turned by `angle` in radians.
    """
    return laid_texture(camera, _texture(surface, base), FINE, np.zeros(2), angle)


@lru_cache(maxsize=4)
def _texture(surface: str, base: Rgb) -> Picture:
    """Draw a surface, a name in SURFACES, in the colour `base`: (SIDE, SIDE, 3) RGB, read-only.

    The drawing is cached, since several pictures show the same table and drawing it takes longer
    than drawing everything that lies on it.
    """
    texture = SURFACES[surface](np.random.default_rng([5, *surface.encode()]), base)
    texture.setflags(write=False)
    return texture


def lay_mat(image: Picture, camera: Camera, surface: str, base: Rgb, outline: Array) -> None:
    """Paint a mat with a soft shadow at its edge onto a picture, in place. `surface` is the mat's
    material, a name in SURFACES, and `base` its colour. `outline` holds the corners of the convex
    mat, (n, 2) mm.
    """
    pixels = hull(camera.project(np.column_stack([outline, np.zeros(len(outline))])))
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, fixed(pixels), 255, cv2.LINE_AA, 4)
    scale = camera.focal / float(np.linalg.norm(camera.position))  # px per mm
    shadow = cv2.GaussianBlur(mask, (0, 0), 2.5 * scale)
    keep = cv2.cvtColor(255 - cv2.convertScaleAbs(shadow, alpha=0.45), cv2.COLOR_GRAY2RGB)
    under = cv2.multiply(image, keep, scale=1 / 255)
    cover = cv2.cvtColor(mask, cv2.COLOR_GRAY2RGB)
    mat = cv2.multiply(table_top(camera, surface, base), cover, scale=1 / 255)
    cv2.add(cv2.multiply(under, 255 - cover, scale=1 / 255), mat, dst=image)
