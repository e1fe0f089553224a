"""The plane of the table, told by the tiles that lie on it.

Tiles are all of one size. So how large and how flat they look in different parts of the picture
tells from where the camera looks at the table, and then how a tile looks anywhere else on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.quads import drawn

FEWEST_TILES = 4  # from which a plane is told
# What a camera is likely to be like: focal length in units of the picture's longer side. Main
# cameras of telephones have about 0.75, webcams and cut pictures more.
USUAL_FOCAL, FOCAL_SPREAD = 0.85, 0.25  # the second is a standard deviation of the logarithm
SIZE_ERROR = 0.1  # usual error of a tile's width or height, as a share of it
OUTLIER = 8.0  # squared error of a tile, in units of SIZE_ERROR, from which it hardly counts more
ASPECTS = (1.25, 1.55)  # least and greatest height of a tile in widths
TILTS, DIRECTIONS = (0, 25, 45, 58, 68, 76), tuple(range(0, 360, 30))  # degrees tried at first
STARTS = 4  # the best of the views tried at first, from each of which the search goes on
FIRST_STEP, LAST_STEP = 0.2, 0.003  # of each of the three values of a view
MOST_STEPS = 80
NEIGHBOURS = np.array(list(product((-1, 0, 1), repeat=3)), float)
HORIZON = 0.02  # nearness, where that of the picture's middle is 1, below which nothing is seen

# (3,): how much the nearness of the table, one over its distance, grows to the right and down the
# picture, over the picture's longer side and in units of the nearness in the middle; and the
# logarithm of the focal length, in longer sides.
View = NDArray[np.float64]


@dataclass(frozen=True)
class Plane:
    """The plane of the table.

    `from_picture` (3, 3) is the homography that leads from pixels to the plane, in which a tile is
    1 wide and `aspect` high; `to_picture` (3, 3) leads back.
    """

    from_picture: NDArray[np.float64]
    to_picture: NDArray[np.float64]
    aspect: float

    def places(self, points: NDArray[np.floating]) -> NDArray[np.float64]:
        """Map points, (..., 2) in pixels, to the plane, in widths of a tile."""
        return _mapped(points, self.from_picture)

    def tiles(
        self,
        places: NDArray[np.float64],
        directions: NDArray[np.float64],
        sizes: NDArray[np.float64],
    ) -> NDArray[np.float32]:
        """Return the quads, (n, 4, 2) in pixels, of tiles whose middles lie at n `places`, (n, 2)
        in the plane. Their upper edges lead in the `directions` (n,), in radians from the first
        axis to the second; `sizes` (n,) are their widths, where 1 is usual.
        """
        upper = np.stack([np.cos(directions), np.sin(directions)], axis=1) * sizes[:, None]
        left = np.stack([-upper[:, 1], upper[:, 0]], axis=1) * self.aspect
        return _mapped(drawn(places, upper, left), self.to_picture).astype(np.float32)


def fit_plane(quads: NDArray[np.float32], size: tuple[int, int]) -> Plane | None:
    """Return the plane on which the tiles at n quads, (n, 4, 2), lie; None where there are fewer
    than FEWEST_TILES. Some tiles may lie elsewhere. `size` are the picture's width and height.

    The camera's place is searched for in which the tiles are most alike in size and most
    rectangular; first roughly, then in ever smaller steps. Every tile counts less the worse it
    fits, as under the loss of Geman and McClure.
    """
    if len(quads) < FEWEST_TILES:
        return None
    longer = max(size)
    points = (quads.astype(np.float64) - (np.array(size) - 1) / 2) / longer
    views = _first_views()
    starts = views[np.argsort(_misfits(views, points))[:STARTS]]
    ends = np.stack([_descended(start, points) for start in starts])
    view = ends[_misfits(ends, points).argmin()]
    return _plane(view, points, size)


def _first_views() -> NDArray[np.float64]:
    tilts, directions = np.radians(TILTS)[:, None], np.radians(DIRECTIONS)[None]
    slopes = np.tan(tilts) / USUAL_FOCAL
    right, down = slopes * np.cos(directions), slopes * np.sin(directions)
    focal = np.full(right.shape, np.log(USUAL_FOCAL))
    return np.stack([right, down, focal], axis=2).reshape(-1, 3)


def _descended(view: View, points: NDArray[np.float64]) -> View:
    """Return the best view that is reached from `view` by steps that each explain the tiles at
    `points`, (n, 4, 2), better. Where no step does, the steps are halved.
    """
    step = FIRST_STEP
    for _ in range(MOST_STEPS):
        views = view + NEIGHBOURS * step
        best = views[_misfits(views, points).argmin()]
        if (best == view).all():
            step /= 2
            if step < LAST_STEP:
                break
        view = best
    return view


def _sizes(
    views: NDArray[np.float64], points: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]:
    """Measure n quads on the plane that each of v `views`, (v, 3), tells. `points` (n, 4, 2) are
    their corners, from the picture's middle on, in units of its longer side.

    Returns the logarithms of the widths and of the heights in units of the distance of the
    picture's middle, the cosines of the angles between upper and left edges, and whether all
    corners lie before the camera, each (v, n).
    """
    focal = np.exp(views[:, 2])[:, None, None]
    nearness = 1 + np.einsum("vk,nck->vnc", views[:, :2], points)
    seen = (nearness > HORIZON).all(axis=2)
    nearness = np.maximum(nearness, HORIZON)
    space = np.empty((*nearness.shape, 3))
    space[..., :2] = points / (focal * nearness)[..., None]
    space[..., 2] = 1 / nearness
    across = (space[:, :, 1] + space[:, :, 2] - space[:, :, 0] - space[:, :, 3]) / 2
    down = (space[:, :, 2] + space[:, :, 3] - space[:, :, 0] - space[:, :, 1]) / 2
    widths = np.linalg.norm(across, axis=2) + 1e-9
    heights = np.linalg.norm(down, axis=2) + 1e-9
    cosines = (across * down).sum(axis=2) / (widths * heights)
    return np.log(widths), np.log(heights), cosines, seen


def _misfits(views: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how badly each of v `views`, (v, 3), explains the tiles at `points`, (n, 4, 2): (v,),
    the sum over all tiles.
    """
    widths, heights, cosines, seen = _sizes(views, points)
    width, aspect = _usual(widths, heights)
    squares = (
        (widths - width[:, None]) ** 2 + (heights - (width + aspect)[:, None]) ** 2 + cosines**2
    ) / SIZE_ERROR**2
    loss = np.where(seen, squares / (1 + squares / OUTLIER), OUTLIER).sum(axis=1)
    unusual = (views[:, 2] - np.log(USUAL_FOCAL)) / FOCAL_SPREAD
    return np.asarray(loss + unusual**2)


def _usual(
    widths: NDArray[np.float64], heights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the usual logarithm of a width, (v,), and that of a height in widths, (v,)."""
    aspect = np.clip(np.median(heights - widths, axis=1), *np.log(ASPECTS))
    both = np.concatenate([widths, heights - aspect[:, None]], axis=1)
    return np.median(both, axis=1), aspect


def _plane(view: View, points: NDArray[np.float64], size: tuple[int, int]) -> Plane:
    widths, heights, _, _ = _sizes(view[None], points)
    (width,), (aspect,) = _usual(widths, heights)
    focal = np.exp(view[2])
    normal = np.array([view[0] * focal, view[1] * focal, 1.0])
    normal /= np.linalg.norm(normal)
    # Two directions in the plane, at right angles, near those to the right and down the picture.
    first = np.array([1.0, 0.0, 0.0]) - normal[0] * normal
    first /= np.linalg.norm(first)
    second = np.cross(normal, first)
    middle, longer = (np.array(size) - 1) / 2, max(size)
    to_rays = np.array(
        [
            [1 / (longer * focal), 0, -middle[0] / (longer * focal)],
            [0, 1 / (longer * focal), -middle[1] / (longer * focal)],
            [0, 0, 1],
        ]
    )
    nearness = normal / normal[2]  # of what a ray meets: 1 in the picture's middle, as in `_sizes`
    to_plane = np.stack([first, second, nearness * np.exp(width)]) @ to_rays
    return Plane(to_plane, np.linalg.inv(to_plane), float(np.exp(aspect)))


def _mapped(points: NDArray[np.floating], homography: NDArray[np.float64]) -> NDArray[np.float64]:
    mapped = cv2.perspectiveTransform(points.reshape(1, -1, 2).astype(np.float64), homography)
    return np.asarray(mapped, np.float64).reshape(points.shape)
