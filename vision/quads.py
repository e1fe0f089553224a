"""Geometry of quads: (4, 2) x, y in pixels; top-left, top-right, bottom-right, bottom-left as the tile reads."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Quad = NDArray[np.float32]  # (4, 2), as above
# Of a face against its neighbours': 99 % of 1,700 real and rendered faces lie within 0.78 and 1.44; the others stand on racks.
USUAL_AREA = (0.5, 2.1)


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


def with_collapsed_mended(quads: NDArray[np.float32], scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Quads (n, 4, 2) whose corners crossed or fell together take the shape of the nearest sound one, the better one first:
    a face whose direction the detector cannot tell has its corners averaged over both, but its centre is right.
    """
    sound = np.array([is_sound(quad) for quad in quads], bool)
    result = quads.copy()
    for i in np.flatnonzero(~sound):
        near = nearest(quads, int(i), np.flatnonzero(sound & (scores > 0.4)))
        if len(near):
            result[i] = moved_to(quads[near[0]], quads[i].mean(axis=0))
    return result


def rivals(quads: NDArray[np.float32], i: int, models: NDArray[np.intp], most: int = 2) -> list[Quad]:
    """Other quads that tile i may have, given the ones found well: tiles lying near each other look alike in size and often in
    direction. Its own quad at its neighbours' size (a figure on a comodín is easily taken for the face), then their shapes.
    """
    near = nearest(quads, i, models)[: most + 1]
    if not len(near):
        return []
    centre = quads[i].mean(axis=0)
    areas = [abs(cv2.contourArea(quads[j])) for j in near]
    ratio = np.sqrt(float(np.median(areas)) / max(abs(cv2.contourArea(quads[i])), 1.0))
    scaled = ((quads[i] - centre) * np.float32(ratio) + centre).astype(np.float32)
    return [scaled, *(moved_to(quads[j], centre) for j in near[:most])]


def odd_sizes(quads: NDArray[np.float32], models: NDArray[np.intp], neighbours: int = 5) -> NDArray[np.bool_]:
    """Which of (n, 4, 2) quads differ in size from the surely found ones around them, as no tile on the same table does."""
    areas = np.array([abs(cv2.contourArea(quad)) for quad in quads])
    odd = np.zeros(len(quads), bool)
    for i in range(len(quads)):
        near = nearest(quads, i, models)[:neighbours]
        if len(near) >= 3:
            odd[i] = not USUAL_AREA[0] < areas[i] / max(float(np.median(areas[near])), 1.0) < USUAL_AREA[1]
    return odd


def nearest(quads: NDArray[np.float32], i: int, among: NDArray[np.intp]) -> list[int]:
    """Indices of `among` but i itself, by distance of the centres."""
    away = np.linalg.norm(quads[among].mean(axis=1) - quads[i].mean(axis=0), axis=1)
    return [int(j) for j in among[np.argsort(away)] if j != i]


def moved_to(quad: Quad, centre: NDArray[np.float32]) -> Quad:
    return np.asarray(quad - quad.mean(axis=0) + centre, np.float32)


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
