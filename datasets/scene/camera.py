"""A pinhole camera over a table: the table is the plane z = 0 in millimetres, x to the right, y
away from the viewer, z up.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, radians, sin, tan

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
ELEVATION = (25.0, 90.0)  # degrees: how high telephones are held over a table
NEAR = 40.0  # mm: nothing closer to the lens than this is drawn


@dataclass(frozen=True)
class Camera:
    """A pinhole camera. The rows of `rotation` are unit vectors on the table's axes: to the right
    and down in the picture, and in the viewing direction.

    Pixels follow OpenCV: the centre of the top-left pixel is (0, 0), so the picture spans -0.5 ..
    width - 0.5.
    """

    position: Array  # (3,) mm
    rotation: Array  # (3, 3)
    focal: float  # px
    centre: tuple[float, float]  # principal point, px
    distortion: float  # k1 of the Brown model
    width: int  # of the picture, px
    height: int

    def depths(self, points: Array) -> Array:
        """Return how far (..., 3) points in mm lie from the camera along its viewing direction,
        (...) mm.
        """
        return np.asarray((points - self.position) @ self.rotation[2])

    def project(self, points: Array) -> Array:
        """Return where the picture shows points in space: (..., 3) mm to (..., 2) pixels, with the
        lens's distortion.
        """
        seen = (points - self.position) @ self.rotation.T
        xy = seen[..., :2] / np.maximum(seen[..., 2:], NEAR / 4)
        radius = np.minimum(np.sum(xy * xy, axis=-1, keepdims=True), 1.0)
        return np.asarray(
            xy * (self.focal * (1 + self.distortion * radius)) + np.asarray(self.centre)
        )

    def table_to_image(self) -> Array:
        """Return the homography (3, 3) from table millimetres to pixels, without the lens's
        distortion.
        """
        k = np.array(
            [[self.focal, 0, self.centre[0]], [0, self.focal, self.centre[1]], [0, 0, 1.0]]
        )
        r = self.rotation
        return k @ np.column_stack([r[:, 0], r[:, 1], -r @ self.position])

    def table_points(self, pixels: Array) -> Array:
        """Return where the rays through (n, 2) pixels meet the table, (n, 2) mm. The lens's
        distortion is ignored.

        A ray near or above the horizon is bent down, so that it meets the table far away.
        """
        xy = (pixels - np.asarray(self.centre)) / self.focal
        rays = np.column_stack([xy, np.ones(len(xy))]) @ self.rotation
        reach = self.position[2] / np.maximum(-rays[:, 2], 0.12)
        return np.asarray(self.position[:2] + rays[:, :2] * reach[:, None])

    def frame_on_table(self) -> Array:
        """Return where the picture's corners TL, TR, BR, BL lie on the table, (4, 2) mm."""
        w, h = self.width - 1.0, self.height - 1.0
        return self.table_points(np.array([[0, 0], [w, 0], [w, h], [0, h]]))


def looking_down(elevation: float, roll: float) -> Array:
    """Return the rotation, (3, 3), of a camera that looks down onto the table. Its rows are unit
    vectors: to the right and down in the picture, and in the viewing direction. `elevation` is the
    angle between the viewing direction and the table's plane, `roll` the camera's turn about that
    direction; both are in radians.
    """
    forward = np.array([0.0, cos(elevation), -sin(elevation)])
    up = np.array([0.0, sin(elevation), cos(elevation)])
    right, down = np.array([1.0, 0, 0]), -up
    right, down = cos(roll) * right + sin(roll) * down, cos(roll) * down - sin(roll) * right
    return np.stack([right, down, forward])


def aimed_camera(
    width: int,
    height: int,
    *,
    elevation: float,
    roll: float,
    fov: float,
    tile_px: float,
    tile_mm: float,
    shift: tuple[float, float] = (0.0, 0.0),
    distortion: float = 0.0,
) -> Camera:
    """Make a camera that looks at the table's origin. A tile `tile_mm` wide that lies there is
    `tile_px` pixels wide in the picture.

    Angles are in radians: `elevation` above the table, `roll`, and `fov`, the angle of view along
    the picture's longer side. `shift` is how far the principal point lies right of and below the
    picture's middle, in px. `distortion` is `k1` of the Brown model.
    """
    focal = 0.5 * max(width, height) / tan(fov / 2)
    rotation = looking_down(elevation, roll)
    return Camera(
        position=-rotation[2] * (focal * tile_mm / tile_px),
        rotation=rotation,
        focal=focal,
        centre=((width - 1) / 2 + shift[0], (height - 1) / 2 + shift[1]),
        distortion=distortion,
        width=width,
        height=height,
    )


def random_camera(
    rng: np.random.Generator,
    width: int,
    height: int,
    tile_px: float,
    tile_mm: float,
    elevations: tuple[float, float] = ELEVATION,
) -> Camera:
    """Choose at random a camera that looks at the table's origin. A tile `tile_mm` wide that lies
    there is `tile_px` pixels wide in the picture.

    The elevation lies within `elevations`, in degrees (90 looks straight down); in one of five
    cameras it is the upper end of this range. The roll can be any angle; most cameras are nearly
    level.
    """
    low, high = elevations
    elevation = radians(high if rng.random() < 0.2 else low + (high - low) * rng.beta(1.7, 1.3))
    fov = radians(rng.uniform(35, 75))
    roll = _random_roll(rng)
    shift = rng.normal(0, 0.02, 2) * (width, height)
    distortion = float(rng.uniform(-0.06, 0.04)) * min(1.0, tan(fov / 2))
    return aimed_camera(
        width,
        height,
        elevation=elevation,
        roll=roll,
        fov=fov,
        tile_px=tile_px,
        tile_mm=tile_mm,
        shift=(float(shift[0]), float(shift[1])),
        distortion=distortion,
    )


def _random_roll(rng: np.random.Generator) -> float:
    kind = rng.random()
    if kind < 0.65:
        return float(rng.normal(0, radians(6)))
    if kind < 0.8:
        return float(rng.choice([pi / 2, -pi / 2, pi]) + rng.normal(0, radians(5)))
    return float(rng.uniform(-pi, pi))
