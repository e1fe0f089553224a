"""On what rows of tiles lie. Tiles printed on the lid of the game's box have its colour all
around, edge and shadow nowhere, and nothing else lies on that colour.

Of 1,042 rows of `rummikub_ivory`, `other_sets` and four versions of `burako_renders` only the
18 that show a box pass the limits, all of them with at least 0.72 around and at most 0.01
elsewhere; no other has more than 0.6 around and less than 0.1 elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops import LUMINANCE, to_linear
from vision.quads import scaled

AROUND, COVERED = 1.25, 1.12  # of a face's size: where its ground is looked at, and what tiles hide
A_SIDE = 6  # points
LIT = 0.25  # luminance, linear, that colours are compared at
ALIKE = 15.0  # in the plane of a* and b*, within which two colours are one
MOST_ELSEWHERE, LEAST_AROUND = 0.04, 0.65  # shares of points alike
FEWEST = 8, 40  # points of the row, and of all others


def are_printed(
    picture: NDArray[np.uint8], quads: NDArray[np.float32], rows: Sequence[tuple[int, ...]]
) -> list[bool]:
    """Whether each of `rows` (indices of the (n, 4, 2) `quads`) lies on a ground of its own in the
    (h, w, 3) RGB picture.
    """
    if not rows:
        return []
    points, owner = _around(quads, picture.shape[1], picture.shape[0])
    colours = _colours(picture, points)
    return [_is_apart(colours, np.isin(owner, row)) for row in rows]


def _is_apart(colours: NDArray[np.float32], own: NDArray[np.bool_]) -> bool:
    if own.sum() < FEWEST[0] or (~own).sum() < FEWEST[1]:
        return False
    alike = np.linalg.norm(colours - np.median(colours[own], axis=0), axis=1) < ALIKE
    return bool(alike[own].mean() >= LEAST_AROUND and alike[~own].mean() <= MOST_ELSEWHERE)


def _around(
    quads: NDArray[np.float32], width: int, height: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Points (m, 2) x, y in the picture around the faces and on none, and the face that each
    belongs to (m,).
    """
    steps = (np.arange(A_SIDE) / A_SIDE)[:, None]
    ring = scaled(quads, AROUND)[:, :, None]
    points = (
        np.round(ring + (np.roll(ring, -1, axis=1) - ring) * steps).reshape(-1, 2).astype(np.intp)
    )
    owner = np.repeat(np.arange(len(quads)), 4 * A_SIDE)
    inside = ((points >= 1) & (points < (width - 1, height - 1))).all(axis=1)
    points, owner = points[inside], owner[inside]
    covered = np.zeros((height, width), np.uint8)
    for quad in np.round(scaled(quads, COVERED)).astype(np.int32):
        cv2.fillConvexPoly(covered, quad, 1)
    bare = covered[points[:, 1], points[:, 0]] == 0
    return points[bare], owner[bare]


def _colours(picture: NDArray[np.uint8], points: NDArray[np.intp]) -> NDArray[np.float32]:
    """(m, 2) a*, b* of the mean of 3x3 pixels at each point, all brought to one luminance: a
    shadow is no other ground.
    """
    x, y = points.T
    near = [to_linear(picture[y + dy, x + dx]) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
    light = np.mean(near, axis=0)
    alike_lit = light * (LIT / np.maximum(light @ LUMINANCE, 1e-4))[:, None]
    lab = np.asarray(
        cv2.cvtColor(alike_lit[None].astype(np.float32), cv2.COLOR_LRGB2Lab), np.float32
    )
    return np.asarray(lab[0, :, 1:])
