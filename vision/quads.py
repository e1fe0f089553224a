"""Geometry of quads: (4, 2) x, y in pixels; top-left, top-right, bottom-right, bottom-left as the
tile reads.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Quad = NDArray[np.float32]  # (4, 2), as above
# Of a face against its neighbours': 99 % of 1,700 real and rendered faces lie within 0.78 and 1.44;
# the others stand on racks.
USUAL_AREA = (0.5, 2.1)
FEWEST_NEIGHBOURS = 3  # by which the usual size is known
BETWEEN_QUARTERS = (
    45,
    90,
    135,
)  # degrees: what a face may be turned by is known up to 22 then, and the reader corrects that


def sides(quads: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Mean width (top, bottom edge) and mean height (left, right edge) in pixels of each of (n, 4,
    2) quads.
    """
    edges = np.linalg.norm(quads - np.roll(quads, -1, axis=1), axis=2)
    return (edges[:, 0] + edges[:, 2]) / 2, (edges[:, 1] + edges[:, 3]) / 2


def are_sound(quads: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which of (n, 4, 2) quads are convex, wound clockwise in the picture, and have an area: what
    a face seen from its front must be.
    """
    following = np.roll(quads, -1, axis=1) - quads
    after = np.roll(following, -1, axis=1)
    turns = following[..., 0] * after[..., 1] - following[..., 1] * after[..., 0]
    return np.asarray((turns > 1.0).all(axis=1))


def scaled(quads: NDArray[np.float32], factor: float) -> NDArray[np.float32]:
    """(..., 4, 2) quads, each `factor` as large about its centre."""
    centres = quads.mean(axis=-2, keepdims=True)
    return np.asarray((quads - centres) * np.float32(factor) + centres, np.float32)


def overlap(a: Quad, b: Quad) -> float:
    """Intersection over the smaller area, 0..1: a part found twice counts as the whole."""
    smaller = min(abs(cv2.contourArea(a)), abs(cv2.contourArea(b)))
    return float(cv2.intersectConvexConvex(a, b)[0]) / smaller if smaller > 0 else 0.0


def with_collapsed_mended(
    quads: NDArray[np.float32], scores: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Quads (n, 4, 2) whose corners crossed or fell together take the shape of the nearest sound
    one, the better one first: a face whose direction the detector cannot tell has its corners
    averaged over both, but its centre is right.
    """
    sound = are_sound(quads)
    result = quads.copy()
    for i in np.flatnonzero(~sound):
        near = nearest(quads, int(i), np.flatnonzero(sound & (scores > 0.4)))
        if len(near):
            result[i] = moved_to(quads[near[0]], quads[i].mean(axis=0))
    return result


def rivals(
    quads: NDArray[np.float32], i: int, models: NDArray[np.intp], most: int = 2
) -> list[Quad]:
    """Other quads that tile i may have, given the ones found well: tiles lying near each other
    look alike in size and often in direction. Its own quad at its neighbours' size (a figure on
    a comodín is easily taken for the face), then their shapes; and the nearest one's turned,
    for a tile lying by itself may have any direction.
    """
    near = nearest(quads, i, models)[: most + 1]
    if not len(near):
        return []
    centre = quads[i].mean(axis=0)
    areas = [abs(cv2.contourArea(quads[j])) for j in near]
    ratio = np.sqrt(float(np.median(areas)) / max(abs(cv2.contourArea(quads[i])), 1.0))
    alike = [moved_to(quads[j], centre) for j in near[:most]]
    return [
        scaled(quads[i], ratio),
        *alike,
        *(_turned(alike[0], angle) for angle in BETWEEN_QUARTERS),
    ]


def _turned(quad: Quad, angle: float) -> Quad:
    """By degrees about its centre."""
    centre = quad.mean(axis=0)
    turn = cv2.getRotationMatrix2D((0.0, 0.0), angle, 1.0)[:, :2]
    return np.asarray((quad - centre) @ turn.T + centre, np.float32)


def odd_sizes(
    quads: NDArray[np.float32], models: NDArray[np.intp], neighbours: int = 5
) -> NDArray[np.bool_]:
    """Which of (n, 4, 2) quads differ in size from the surely found ones around them, as no tile
    on the same table does.
    """
    areas = np.array([abs(cv2.contourArea(quad)) for quad in quads])
    centres = quads.mean(axis=1)
    away = np.linalg.norm(centres[:, None] - centres[models], axis=2)
    away[models, np.arange(len(models))] = np.inf  # nothing is its own neighbour
    near = models[np.argsort(away, axis=1)[:, : min(neighbours, len(models) - 1)]]
    if near.shape[1] < FEWEST_NEIGHBOURS:
        return np.zeros(len(quads), bool)
    ratios = areas / np.maximum(np.median(areas[near], axis=1), 1.0)
    return np.asarray((ratios <= USUAL_AREA[0]) | (ratios >= USUAL_AREA[1]))


def nearest(quads: NDArray[np.float32], i: int, among: NDArray[np.intp]) -> list[int]:
    """Indices of `among` but i itself, by distance of the centres."""
    away = np.linalg.norm(quads[among].mean(axis=1) - quads[i].mean(axis=0), axis=1)
    return [int(j) for j in among[np.argsort(away)] if j != i]


def moved_to(quad: Quad, centre: NDArray[np.float32]) -> Quad:
    return np.asarray(quad - quad.mean(axis=0) + centre, np.float32)


def keep_best(quads: NDArray[np.float32], scores: NDArray[np.float32], most: float) -> list[int]:
    """Indices left, best first, after dropping every quad that overlaps a better one by more than
    `most`, or nearly shares its centre (OpenCV 5.0 loses the intersection of quads whose
    corners coincide).
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
