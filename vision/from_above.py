"""A table that was photographed from low, warped to what a camera right above it would see.

From low, far tiles are small and flat, and with a rolled camera slanted besides, so that the
detector misses whole rows of them. The tiles that it did find tell the plane of the table
(`vision.plane`). From above all tiles are about equally large and look as they are.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plane import Plane, fit_plane
from vision.pyramid import RGB
from vision.quads import Quads, areas


@dataclass(frozen=True)
class AboveConfig:
    """How large the table is shown, and how much of it.

    The values were set on 240 tables rendered from 10-30 degrees (experiment 181 of
    models/EXPERIMENTS.md).
    """

    # The surest share of the faces found tells the plane, `fewest` of them at least: the others may
    # be the figures of a score sheet, which are smaller than tiles.
    surest: float = 0.5
    fewest: int = 8
    tile_width: float = 40.0  # pixels, of a tile seen from above
    margin: float = 12.0  # widths of a tile that are shown around the tiles found
    # Share of the corners of these tiles that may lie outside, at each side: some are wrong.
    outside: float = 0.02
    most_pixels: float = 2.4e6  # of what is shown; the tiles get smaller until it is enough
    # Area of what is found from above, in areas of a tile there, for it to be one. Else the figures
    # of a score sheet are taken for small tiles.
    usual_areas: tuple[float, float] = (0.45, 2.2)


CONFIG = AboveConfig()


@dataclass(frozen=True)
class ViewFromAbove:
    """A table as it looks from above. `homography` (3, 3) leads there from pixels of the picture;
    `size` are the width and the height of the view in pixels, `tile_areas` the least and the
    greatest area of a tile in it, in square pixels.
    """

    homography: NDArray[np.float64]
    size: tuple[int, int]
    tile_areas: tuple[float, float]

    def of(self, picture: RGB) -> RGB:
        """Return this view of an (h, w, 3) picture; it is grey where the picture does not reach."""
        grey = (128, 128, 128)
        return np.asarray(
            cv2.warpPerspective(picture, self.homography, self.size, borderValue=grey), np.uint8
        )

    def are_as_large_as_tiles(self, quads: Quads) -> NDArray[np.bool_]:
        """Return a mask (n,) of those quads of the view, (n, 4, 2), that are about as large as a
        tile is in it.
        """
        least, most = self.tile_areas
        return np.asarray((areas(quads) > least) & (areas(quads) < most))

    def in_picture(self, points: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return where `points` of the view, (..., 2), lie in the picture."""
        if not points.size:
            return points
        to_picture = np.linalg.inv(self.homography)
        lying = cv2.perspectiveTransform(points.reshape(1, -1, 2).astype(np.float64), to_picture)
        return np.asarray(lying, np.float32).reshape(points.shape)


def view_from_above(quads: Quads, size: tuple[int, int]) -> ViewFromAbove | None:
    """Return the view of the part of the table around the tiles at `quads`, (n, 4, 2), the surest
    first, in a picture with the width and height `size`; None where these are too few to tell the
    table's plane.
    """
    surest = max(round(CONFIG.surest * len(quads)), CONFIG.fewest)
    plane = fit_plane(quads[:surest], size)
    if plane is None:
        return None
    corners = plane.places(_as_large_as_tiles(quads, plane)).reshape(-1, 2)
    reach = _reach(plane, size)
    first = np.quantile(corners, CONFIG.outside, axis=0) - CONFIG.margin
    last = np.quantile(corners, 1 - CONFIG.outside, axis=0) + CONFIG.margin
    first, last = np.maximum(first, reach[0]), np.minimum(last, reach[1])
    extent = np.maximum(last - first, 1.0)
    scale = min(CONFIG.tile_width, float(np.sqrt(CONFIG.most_pixels / extent.prod())))
    placed = np.array([[scale, 0, -scale * first[0]], [0, scale, -scale * first[1]], [0, 0, 1]])
    width, height = np.ceil(scale * extent).astype(int)
    tile = scale**2 * plane.aspect
    tile_areas = CONFIG.usual_areas[0] * tile, CONFIG.usual_areas[1] * tile
    return ViewFromAbove(placed @ plane.from_picture, (int(width), int(height)), tile_areas)


def _as_large_as_tiles(quads: Quads, plane: Plane) -> Quads:
    """Return those quads that are about as large as a tile where they lie; all where none is.

    What is found near the horizon lies far away on the plane and would be as large as many tiles
    there. Showing it too would leave few pixels to the tiles.
    """
    in_tiles = areas(plane.places(quads).astype(np.float32)) / plane.aspect
    least, most = CONFIG.usual_areas
    usual = (in_tiles > least) & (in_tiles < most)
    return quads[usual] if usual.any() else quads


def _reach(plane: Plane, size: tuple[int, int]) -> NDArray[np.float64]:
    """Return the least and the greatest place on the plane, (2, 2), that the picture shows."""
    width, height = size
    across, down = np.meshgrid(np.linspace(0, width - 1, 33), np.linspace(0, height - 1, 33))
    points = np.stack([across.ravel(), down.ravel(), np.ones(across.size)], axis=1)
    before_horizon = points @ plane.from_picture[2] > 0
    places = plane.places(points[before_horizon, :2])
    return np.array([places.min(axis=0), places.max(axis=0)])
