"""Finds the four corners of a tile's face from a hand-drawn outline."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float32]  # (n, 2): x, y in pixels

SAMPLES = 240  # points spread evenly along the outline for the line fits
CORNER_SHARE = 0.15  # of a side, at either end: rounded corners and sloppy clicks lie there
DRAWN_SIDE = 300  # pixels: side of the canvas on which overlaps are measured
ROUNDS = 3  # alternations of assigning points to sides and fitting the sides


def outline_quad(outline: Points) -> Points:
    """Return the four corners, (4, 2) float32 px, of the quadrilateral that fits an outline,
    clockwise as seen in the picture.

    Greedy edge removal on the hull (`cv2.approxPolyN`) finds four sides. A robust line is then
    fitted to the drawn points along each side, corners left out, and neighbouring lines are
    intersected, so that perspective and rounded corners do no harm.

    The side from corner 0 to corner 1 is one of the two shorter sides. Which end of the tile is up
    is not known. Where foreshortening is strong, because the camera stands lower than some 45
    degrees above the table, the shorter sides may be the tile's long ones.

    Raises ValueError for fewer than four points or an outline without area.
    """
    points = np.asarray(outline, dtype=np.float32).reshape(-1, 2)
    if len(points) < 4 or cv2.contourArea(points) < 1:
        raise ValueError(
            f"expected an outline of at least 4 points around an area, got {points.tolist()!r}"
        )
    quad = _clockwise(
        cv2.approxPolyN(points[None], 4, ensure_convex=True).reshape(4, 2).astype(np.float32)
    )
    line, fitted = _along(points), quad
    for _ in range(ROUNDS):
        fitted = _refit(fitted, line)
    # The fit has failed: keep the quad of the hull.
    if quad_iou(fitted, points) < quad_iou(quad, points) - 0.05:
        fitted = quad
    return _short_side_first(fitted)


def quad_iou(quad: Points, outline: Points) -> float:
    """Return the intersection over union of a quad and the convex hull of an outline, 0..1, to
    about 0.005.

    Both shapes are drawn and their pixels counted, since `cv2.intersectConvexConvex` loses area
    where corners coincide (OpenCV 5.0).
    """
    shapes = [
        np.asarray(quad, dtype=np.float32),
        cv2.convexHull(np.asarray(outline, dtype=np.float32)).reshape(-1, 2),
    ]
    everything = np.vstack(shapes)
    low, size = everything.min(axis=0), np.ptp(everything, axis=0).max()
    drawn = [_filled((shape - low) * ((DRAWN_SIDE - 1) / size)) for shape in shapes]
    return float((drawn[0] & drawn[1]).sum() / (drawn[0] | drawn[1]).sum())


def _filled(shape: Points) -> NDArray[np.bool_]:
    canvas = np.zeros((DRAWN_SIDE, DRAWN_SIDE), dtype=np.uint8)
    cv2.fillPoly(canvas, [np.rint(shape).astype(np.int32)], 1)
    return canvas.astype(bool)


def _clockwise(quad: Points) -> Points:
    """Return the corners clockwise on the screen, in reverse order if need be.

    Their oriented area is then positive, since y points down.
    """
    return quad if cv2.contourArea(quad, oriented=True) > 0 else np.ascontiguousarray(quad[::-1])


def _along(points: Points) -> Points:
    """Return SAMPLES points at equal steps along an outline, (SAMPLES, 2) px. `points` (n, 2) are
    the outline's corners; a line from the last to the first closes it.
    """
    closed = np.vstack([points, points[:1]])
    travelled = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(closed, axis=0), axis=1))])
    steps = np.linspace(0.0, travelled[-1], SAMPLES, endpoint=False)
    return np.stack(
        [np.interp(steps, travelled, closed[:, axis]) for axis in (0, 1)], axis=1
    ).astype(np.float32)


def _refit(quad: Points, line: Points) -> Points:
    """Fit a line to the drawn points nearest to the middle part of each side of `quad`, and return
    the quad that these four lines make.

    `line` holds the drawn points, (n, 2) px. Where the lines make no convex quad, `quad` itself is
    returned.
    """
    along, away = _side_coordinates(quad, line)
    nearest = away.argmin(axis=1)
    sides = []
    for side in range(4):
        middle = (
            (nearest == side)
            & (along[:, side] > CORNER_SHARE)
            & (along[:, side] < 1 - CORNER_SHARE)
        )
        ends = quad[[side, (side + 1) % 4]]
        sides.append(_line_through(line[middle] if middle.sum() >= 3 else ends))
    fitted = _corners(np.array(sides))
    return fitted if np.isfinite(fitted).all() and cv2.isContourConvex(fitted) else quad


def _side_coordinates(
    quad: Points, line: Points
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return, for each point of `line` (n, 2) and each side of the quad, the point's position along
    the side (0 to 1 between the side's ends) and its distance from the side in pixels, both (n, 4).
    """
    ways = np.roll(quad, -1, axis=0) - quad
    offsets = line[:, None, :] - quad[None]
    lengths = np.maximum(np.linalg.norm(ways, axis=1), 1e-6)
    along = (offsets * ways).sum(axis=2) / lengths**2
    nearest = offsets - np.clip(along, 0, 1)[..., None] * ways
    return along, np.linalg.norm(nearest, axis=2)


def _line_through(points: Points) -> NDArray[np.float64]:
    """Fit a line to points robustly (Huber). Returns its homogeneous coordinates (a, b, c), with a
    x + b y + c = 0 on the line.
    """
    vx, vy, x, y = cv2.fitLine(points, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel().astype(float)
    return np.array([vy, -vx, vx * y - vy * x])


def _corners(sides: NDArray[np.float64]) -> Points:
    """Return the points where each of (4, 3) homogeneous lines meets the line before it, the first
    line the last one, (4, 2). A point is infinite where its two lines are parallel.
    """
    crossings = np.cross(np.roll(sides, 1, axis=0), sides)
    meets = np.abs(crossings[:, 2]) > 1e-9
    corners = np.full((4, 2), np.inf)
    corners[meets] = crossings[meets, :2] / crossings[meets, 2:]
    return corners.astype(np.float32)


def _short_side_first(quad: Points) -> Points:
    lengths = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return quad if lengths[0] + lengths[2] <= lengths[1] + lengths[3] else np.roll(quad, -1, axis=0)
