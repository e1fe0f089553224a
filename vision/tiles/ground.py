"""What rows of tiles lie on: tells tiles from pictures of tiles printed on a box.

Pictures of tiles on the lid of the game's box have the lid's colour all around them, without edge
or shadow, and nothing else lies on that colour. No tile of the table is laid against the box.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, compress

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops import LUMINANCE, to_linear
from vision.quads import scaled, sides


@dataclass(frozen=True)
class GroundConfig:
    """When a row lies on a ground of its own.

    Of 1,042 rows of `rummikub_ivory`, `other_sets` and four versions of `burako_renders` only the
    18 that show a box passed the limits, while 15 was that of colours elsewhere, too. In all of
    these 18 at least 0.72 of the points around the
    row and at most 0.01 of the points elsewhere have the ground's colour. In no other row do more
    than 0.6 of the points around it and less than 0.1 of the points elsewhere have that colour.

    On tops of many colours a row may lie on a colour that is met nowhere else, though such as are
    like it are: so on four of 1,034 rendered tables, whose illegal melds counted nothing. At least
    0.21 of the points elsewhere have a colour within 30 of these rows' ground; at most 0.02 do in
    the five photographs of `burako_renders` that show a box (experiment 194 of
    models/EXPERIMENTS.md).
    """

    ring: float = 1.25  # size, in sizes of a face, of the outline whose ground is looked at
    covered: float = 1.12  # size, in sizes of a face, of what a tile hides
    points_per_side: int = 6  # of the ring
    luminance: float = 0.25  # linear, 0-1, that colours are brought to before they are compared
    same_colour: float = 15.0  # distance in a*, b* (CIELAB) within which two colours are one
    like_colour: float = 30.0  # such a distance within which two colours are alike
    min_around: float = 0.65  # share of the row's own points that have the ground's colour
    max_elsewhere: float = 0.04  # share of all other points that have one like it
    # From middle to middle of a tile in the row and one outside, in the longer side of either. Of
    # the rows told to be pictures on 912 rendered tables and those of `other_sets` and
    # `burako_renders`, the eight that are lie 1.76 apart and farther; one that was none, on a large
    # patch of the cloth, 0.95.
    apart: float = 1.3
    min_own_points: int = 8  # with fewer points nothing is said
    min_other_points: int = 40


def are_printed(
    picture: NDArray[np.uint8],
    quads: NDArray[np.float32],
    rows: Sequence[tuple[int, ...]],
    config: GroundConfig = GroundConfig(),
) -> list[bool]:
    """Tell for each row whether it lies on a ground of its own, as pictures printed on a box do,
    and apart from all tiles but those of other such rows, which may be on the same box.

    `picture` is (h, w, 3) RGB, `quads` (n, 4, 2) are all faces in it; a row is a tuple of indices
    into `quads`.
    """
    if not rows:
        return []
    points, owners = _points_around(quads, picture.shape[1], picture.shape[0], config)
    colours = _colours(picture, points, config.luminance)
    own = [_has_own_ground(colours, np.isin(owners, row), config) for row in rows]
    others = np.setdiff1d(np.arange(len(quads)), [*chain.from_iterable(compress(rows, own))])
    return [
        has_own and _lies_apart(quads[list(row)], quads[others], config)
        for row, has_own in zip(rows, own, strict=True)
    ]


def _lies_apart(
    row: NDArray[np.float32], others: NDArray[np.float32], config: GroundConfig
) -> bool:
    """Tell whether the tiles at the quads `row`, (n, 4, 2), lie apart from the `others`,
    (m, 4, 2).
    """
    away = np.linalg.norm(row.mean(axis=1)[:, None] - others.mean(axis=1), axis=2)
    longer = np.maximum(np.maximum(*sides(row))[:, None], np.maximum(*sides(others)))
    return bool((away >= config.apart * longer).all())


def _has_own_ground(
    colours: NDArray[np.float32], own: NDArray[np.bool_], config: GroundConfig
) -> bool:
    """Tell whether a row lies on a ground of its own: most points around its tiles have one colour,
    and hardly any point elsewhere has one like it.

    `colours` (m, 2) are those at points around all tiles, a* and b* of CIELAB; `own` (m,) tells
    which points are around the row's tiles. The result is False where there are too few points of
    either kind.
    """
    if own.sum() < config.min_own_points or (~own).sum() < config.min_other_points:
        return False
    ground = np.median(colours[own], axis=0)
    apart = np.linalg.norm(colours - ground, axis=1)
    around = (apart[own] < config.same_colour).mean()
    elsewhere = (apart[~own] < config.like_colour).mean()
    return bool(around >= config.min_around and elsewhere <= config.max_elsewhere)


def _points_around(
    quads: NDArray[np.float32], width: int, height: int, config: GroundConfig
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return m points on the table around the faces, and the index of the face to which each
    belongs.

    Points are (m, 2) x, y in pixels, inside the picture of `width` by `height` pixels and on no
    face; the indices are (m,).
    """
    steps = (np.arange(config.points_per_side) / config.points_per_side)[:, None]
    corners = scaled(quads, config.ring)[:, :, None]
    edges = np.roll(corners, -1, axis=1) - corners
    points = np.round(corners + edges * steps).reshape(-1, 2).astype(np.intp)
    owners = np.repeat(np.arange(len(quads)), 4 * config.points_per_side)
    inside = ((points >= 1) & (points < (width - 1, height - 1))).all(axis=1)
    points, owners = points[inside], owners[inside]
    covered = np.zeros((height, width), np.uint8)
    for quad in np.round(scaled(quads, config.covered)).astype(np.int32):
        cv2.fillConvexPoly(covered, quad, 1)
    bare = covered[points[:, 1], points[:, 0]] == 0
    return points[bare], owners[bare]


def _colours(
    picture: NDArray[np.uint8], points: NDArray[np.intp], luminance: float
) -> NDArray[np.float32]:
    """Return the colours at m points, (m, 2): a* and b* of CIELAB, of the mean of 3 x 3 pixels.
    `points` (m, 2) are x, y in pixels of the picture.

    All colours are brought to one `luminance` first, 0-1, so that a shadow does not make another
    ground.
    """
    if not len(points):  # the tiles fill the picture, and OpenCV refuses an empty one
        return np.zeros((0, 2), np.float32)
    x, y = points.T
    neighbours = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
    light = np.mean([to_linear(picture[y + dy, x + dx]) for dx, dy in neighbours], axis=0)
    gains = luminance / np.maximum(light @ LUMINANCE, 1e-4)
    evenly_lit = (light * gains[:, None]).astype(np.float32)
    lab = np.asarray(cv2.cvtColor(evenly_lit[None], cv2.COLOR_LRGB2Lab), np.float32)
    return np.asarray(lab[0, :, 1:])
