"""Geometry of quads, the four corners of faces in a picture.

A quad is a (4, 2) float32 array of x, y in pixels, x to the right and y down. Its corners stand
in the order top-left, top-right, bottom-right, bottom-left of the face as one reads it.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Quad = NDArray[np.float32]  # (4, 2): x, y in pixels
Quads = NDArray[np.float32]  # (n, 4, 2): x, y in pixels

# Height of a face in widths. Distances are measured in widths, so the spread among makers, 1.3 to
# 1.5, matters little.
ASPECT = 1.4
# Area of a face divided by the median area of its neighbours; outside this range the face is a
# size outlier. Of 1,700 real and rendered faces 99 % lie between 0.78 and 1.44; the others stand on
# racks, nearer to the camera.
USUAL_AREA_RATIO = (0.5, 2.1)
MIN_NEIGHBOURS = 3  # faces from which the usual area can be told
MOST_NEIGHBOURS = 5  # faces that count as the nearest ones
SURE_SCORE = 0.4  # of the detector: above it a quad may lend its shape to a degenerate one
# Degrees by which a neighbour's quad is turned to look for a face that lies askew. In steps of 45
# degrees one turn comes within 22.5 degrees of any direction, and the reader corrects the rest.
TURNS_TRIED = (45, 90, 135)
NEIGHBOURS_TRIED = 2  # nearest faces whose quads are tried in the place of another one
# Distance of two centres, in radii of the quad, below which two quads are taken for one face.
# OpenCV 5.0 reports no intersection for quads whose corners coincide.
SAME_CENTRE = 0.2


def sides(quads: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the widths and the heights of (n, 4, 2) quads, each (n,) in pixels.

    The width is the mean of the top and the bottom edge, the height that of the left and the
    right edge.
    """
    edges = np.linalg.norm(quads - np.roll(quads, -1, axis=1), axis=2)
    return (edges[:, 0] + edges[:, 2]) / 2, (edges[:, 1] + edges[:, 3]) / 2


def foreshortening(
    quads: NDArray[np.float32],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return how flat the faces at n quads, (n, 4, 2), look, and in which direction, both (n,).

    A circle on a face is seen as an ellipse. How flat the face looks is the ellipse's shorter axis
    divided by the longer one: the sine of the camera's elevation where the face lies on the table,
    1 where it is seen from straight above. The direction is the share of the shorter axis that runs
    up or down the picture, 0-1.
    """
    across = (quads[:, 1] + quads[:, 2] - quads[:, 0] - quads[:, 3]) / 2
    down = (quads[:, 2] + quads[:, 3] - quads[:, 0] - quads[:, 1]) / (2 * ASPECT)
    axes, lengths, _ = np.linalg.svd(np.stack([across, down], axis=2).astype(np.float64))
    return lengths[:, 1] / np.maximum(lengths[:, 0], 1e-6), np.abs(axes[:, 1, 1])


def across(quads: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a vector for each of n quads, (n, 4, 2), from left to right: the mean of its upper and
    lower edge, (n, 2).
    """
    return np.asarray((quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2)


def down(quads: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a vector for each of n quads, (n, 4, 2), from top to bottom: the mean of its left and
    right edge, (n, 2).
    """
    return np.asarray((quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 2)


def drawn(
    middles: NDArray[np.floating], upper: NDArray[np.floating], left: NDArray[np.floating]
) -> NDArray[np.float32]:
    """Return n parallelograms, (n, 4, 2), with the given `middles`, (n, 2). Their upper edges are
    the vectors `upper`, (n, 2), which lead to the right, and their left edges the vectors `left`,
    (n, 2), which lead downwards.
    """
    right, low = upper / 2, left / 2
    corners = np.stack([-right - low, right - low, right + low, low - right], axis=1)
    return np.asarray(middles[:, None] + corners, np.float32)


def in_planes(planes: NDArray[np.float64], points: NDArray[np.floating]) -> NDArray[np.float64]:
    """Map n groups of k points, (n, k, 2), each group by the homography of the same index in
    `planes`, (n, 3, 3).
    """
    homogeneous = np.concatenate([points, np.ones((*points.shape[:2], 1))], axis=2)
    mapped = homogeneous @ planes.transpose(0, 2, 1)
    depth = mapped[..., 2:]
    return np.asarray(mapped[..., :2] / np.where(depth == 0, 1e-9, depth))


def areas(quads: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the areas of (n, 4, 2) quads, (n,) in square pixels."""
    return np.array([abs(cv2.contourArea(quad)) for quad in quads])


def are_convex(quads: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return a mask (n,) of the quads, (n, 4, 2), that are convex and run clockwise in the picture.
    This is always so of a face that is seen from its front, and never of a quad without any area.
    """
    edges = np.roll(quads, -1, axis=1) - quads
    next_edges = np.roll(edges, -1, axis=1)
    cross = edges[..., 0] * next_edges[..., 1] - edges[..., 1] * next_edges[..., 0]
    return np.asarray((cross > 1.0).all(axis=1))


def scaled(quads: NDArray[np.float32], factor: float) -> NDArray[np.float32]:
    """Return the quads, (..., 4, 2), enlarged by `factor` about the mean of their corners."""
    centres = quads.mean(axis=-2, keepdims=True)
    return np.asarray((quads - centres) * np.float32(factor) + centres, np.float32)


def centred_at(quad: Quad, centre: NDArray[np.float32]) -> Quad:
    """Return the quad moved so that the mean of its corners is `centre`, x, y in pixels."""
    return np.asarray(quad - quad.mean(axis=0) + centre, np.float32)


def overlap(a: Quad, b: Quad) -> float:
    """Return the area in which two quads overlap, divided by the area of the smaller one, 0 to 1.

    It is not divided by the area of their union, so that a part of a face that was found beside the
    whole face overlaps it fully. A quad without area overlaps nothing.
    """
    smaller = min(abs(cv2.contourArea(a)), abs(cv2.contourArea(b)))
    if smaller <= 0:
        return 0.0
    return float(cv2.intersectConvexConvex(a, b)[0]) / smaller


def nearest(quads: NDArray[np.float32], i: int, among: NDArray[np.intp]) -> list[int]:
    """Return those of the indices `among` that differ from `i`, sorted by the distance of their
    quads' centres from the centre of quad `i`, the nearest first.

    `quads` is (n, 4, 2); `i` and `among` are indices into it.
    """
    away = np.linalg.norm(quads[among].mean(axis=1) - quads[i].mean(axis=0), axis=1)
    return [int(j) for j in among[np.argsort(away)] if j != i]


def repair_degenerate_quads(
    quads: NDArray[np.float32], scores: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return the quads, (n, 4, 2), where each degenerate one has got the shape of the neighbour
    whose centre is nearest.

    A quad is degenerate if `are_convex` denies it: its corners crossed or fell together. That
    happens where the detector cannot tell a face's direction and averages the corners of two
    directions; the centre is still right, and is kept. Neighbours are convex quads whose detector
    score, of `scores` (n,), is above SURE_SCORE. Where there is no neighbour, degenerate quads stay
    as they are.
    """
    convex = are_convex(quads)
    neighbours = np.flatnonzero(convex & (scores > SURE_SCORE))
    repaired = quads.copy()
    for i in np.flatnonzero(~convex):
        near = nearest(quads, int(i), neighbours)
        if near:
            repaired[i] = centred_at(quads[near[0]], quads[i].mean(axis=0))
    return repaired


def alternative_quads(
    quads: NDArray[np.float32], i: int, neighbours: NDArray[np.intp]
) -> list[Quad]:
    """Return other quads, (4, 2) each, to try in place of quad `i`, in which the reader sees no
    face.

    Tiles near each other look alike in size and often in direction, so the list holds, in this
    order:

    1. quad `i` itself at its neighbours' size: the detector easily takes the figure of a comodín
       for the whole face;
    2. the quads of the nearest neighbours, NEIGHBOURS_TRIED at most, moved to the place of quad
       `i`;
    3. the first of these moved quads, turned by each of TURNS_TRIED, since a single tile may lie in
       any direction.

    `quads` is (n, 4, 2); `neighbours` are indices into it of quads that show a face. Without
    neighbours the list is empty.
    """
    near = nearest(quads, i, neighbours)[: NEIGHBOURS_TRIED + 1]
    if not near:
        return []
    centre = quads[i].mean(axis=0)
    usual_area = float(np.median([abs(cv2.contourArea(quads[j])) for j in near]))
    ratio = np.sqrt(usual_area / max(abs(cv2.contourArea(quads[i])), 1.0))
    moved = [centred_at(quads[j], centre) for j in near[:NEIGHBOURS_TRIED]]
    turned = [_turned(moved[0], degrees) for degrees in TURNS_TRIED]
    return [scaled(quads[i], ratio), *moved, *turned]


def _turned(quad: Quad, degrees: float) -> Quad:
    """Return the quad turned about its centre by `degrees`, counter-clockwise in the picture."""
    centre = quad.mean(axis=0)
    rotation = cv2.getRotationMatrix2D((0.0, 0.0), degrees, 1.0)[:, :2]
    return np.asarray((quad - centre) @ rotation.T + centre, np.float32)


def size_outliers(quads: NDArray[np.float32], sure: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return a mask (n,) of the quads, (n, 4, 2), that are much larger or smaller than the sure
    ones around them.

    `sure` are the indices of the quads that certainly show a tile. The area of each quad is divided
    by the median area of the other sure quads whose centres are nearest, as `nearest_sure` finds
    them; USUAL_AREA_RATIO has the limits. Where fewer than MIN_NEIGHBOURS such quads exist, no quad
    is an outlier.
    """
    near = nearest_sure(quads, sure)
    if near.shape[1] < MIN_NEIGHBOURS:
        return np.zeros(len(quads), bool)
    area = areas(quads)
    ratios = area / np.maximum(np.median(area[near], axis=1), 1.0)
    low, high = USUAL_AREA_RATIO
    return np.asarray((ratios <= low) | (ratios >= high))


def nearest_sure(quads: NDArray[np.float32], sure: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return for each of n quads, (n, 4, 2), the k sure quads whose centres are nearest to the
    centre of that quad: indices (n, k) into `quads`, the nearest first.

    `sure` holds the indices of the sure quads. No quad is among its own nearest. k is
    MOST_NEIGHBOURS, but at most one less than the number of sure quads.
    """
    centres = quads.mean(axis=1)
    away = np.linalg.norm(centres[:, None] - centres[sure], axis=2)
    away[sure, np.arange(len(sure))] = np.inf  # no quad is its own neighbour
    count = min(MOST_NEIGHBOURS, max(len(sure) - 1, 0))
    return np.asarray(sure[np.argsort(away, axis=1)[:, :count]], np.intp)


def non_max_suppression(
    quads: NDArray[np.float32], scores: NDArray[np.float32], max_overlap: float
) -> list[int]:
    """Return the indices of the quads that are kept, one for each face, the best first.

    `quads` is (n, 4, 2), `scores` (n,). From the best score downwards, a quad is dropped if its
    `overlap` with a kept one is above `max_overlap`, or if the centres of the two nearly coincide.
    """
    centres = quads.mean(axis=1)
    radii = np.linalg.norm(quads - centres[:, None], axis=2).max(axis=1)
    kept: list[int] = []
    for i in np.argsort(-scores):
        away = np.linalg.norm(centres[kept] - centres[i], axis=1)
        if any(distance < SAME_CENTRE * radii[i] for distance in away):
            continue
        touching = [
            j for j, distance in zip(kept, away, strict=True) if distance < radii[i] + radii[j]
        ]
        if all(overlap(quads[i], quads[j]) <= max_overlap for j in touching):
            kept.append(int(i))
    return kept
