"""Geometry of quads: (4, 2) x, y in pixels; top-left, top-right, bottom-right, bottom-left as the tile reads."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Quad = NDArray[np.float32]


def sides(quads: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Mean width (top, bottom edge) and mean height (left, right edge) in pixels of each of (n, 4, 2) quads."""
    edges = np.linalg.norm(quads - np.roll(quads, -1, axis=1), axis=2)
    return (edges[:, 0] + edges[:, 2]) / 2, (edges[:, 1] + edges[:, 3]) / 2


def is_sound(quad: Quad) -> bool:
    """Convex, wound clockwise in the picture, with an area: what a face seen from its front must be."""
    following = np.roll(quad, -1, axis=0) - quad
    after = np.roll(following, -1, axis=0)
    turns = following[:, 0] * after[:, 1] - following[:, 1] * after[:, 0]
    return bool((turns > 1.0).all())


def overlap(a: Quad, b: Quad) -> float:
    """Intersection over the smaller area, 0..1: a part found twice counts as the whole."""
    smaller = min(abs(cv2.contourArea(a)), abs(cv2.contourArea(b)))
    return float(cv2.intersectConvexConvex(a, b)[0]) / smaller if smaller > 0 else 0.0


def keep_best(quads: NDArray[np.float32], scores: NDArray[np.float32], most: float) -> list[int]:
    """Indices left, best first, after dropping every quad that overlaps a better one by more than `most`, or nearly shares
    its centre (OpenCV 5.0 loses the intersection of quads whose corners coincide).
    """
    centres = quads.mean(axis=1)
    reach = np.linalg.norm(quads - centres[:, None], axis=2).max(axis=1)
    kept: list[int] = []
    for i in np.argsort(-scores):
        apart = np.linalg.norm(centres[kept] - centres[i], axis=1)
        near = [j for j, d in zip(kept, apart, strict=True) if d < reach[i] + reach[j]]
        coincide = any(d < 0.2 * reach[i] for d in apart)
        if not coincide and all(overlap(quads[i], quads[j]) <= most for j in near):
            kept.append(int(i))
    return kept
