"""Light on the table: one key light and the light of the room, their colours, pools of light,
shadows of people, glare.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, radians, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.pixels import resized
from datasets.scene.camera import Array, Camera

GAMMA = 1 / 2.2
GRID = 48  # light maps are computed on a coarse grid and enlarged


@dataclass(frozen=True)
class Light:
    """The light on a table: a key light, such as a lamp or a window, and light from everywhere."""

    direction: Array  # (3,), unit, towards the key light
    ambient: float  # share of light that comes from everywhere, 0..1
    softness: float  # penumbra: mm of blur per mm of height
    lamp: Array  # (3,): where the key light's reflection comes from, mm
    lamp_axes: Array  # (2, 3): half sides of the lamp or window as vectors, mm
    glare: float  # how strongly the lamp is mirrored, 0..1

    def shade(self, normal: Array) -> float:
        """Return the brightness of a matt surface with this normal, a unit vector (3,), as a factor
        of the table's brightness in gamma space.
        """
        return float(self.shades(normal[None])[0])

    def shades(self, normals: Array) -> Array:
        """Return the brightness of matt surfaces, (n,), as factors of the table's brightness in
        gamma space. Their normals are unit vectors, (n, 3).
        """
        return np.asarray((self._lit(normals) / self._lit(np.array([0.0, 0, 1]))) ** GAMMA)

    def _lit(self, normals: Array) -> Array:
        sky = self.ambient * (0.7 + 0.3 * normals[..., 2])
        return np.asarray(sky + (1 - self.ambient) * np.maximum(0.0, normals @ self.direction))

    def slope_gain(self, axes: Array) -> tuple[float, float]:
        """Return two shares: by what share a slope of 1 along u changes the brightness of a surface
        in gamma space, and by what share a slope of 1 along v does.

        `axes`, (3, 3), are unit vectors: along u and v, to the right and down as one reads the
        surface, and the surface's normal.
        """
        key = (1 - self.ambient) / max(float(self._lit(axes[2])), 0.25) * GAMMA
        key = max(key, 0.25)  # more of the diffuse light, too, comes from one side
        return -key * float(axes[0] @ self.direction), -key * float(axes[1] @ self.direction)

    def reflection(
        self, points: Array, normal: Array, eye: Array, rough: float
    ) -> NDArray[np.float32]:
        """Return the share of the lamp, 0..1, that is seen mirrored at each point of a glossy
        surface, (...). `points` are (..., 3) mm. `normal` is the surface's, a unit vector (3,), and
        `eye` the camera's position, (3,) mm.

        `rough` is how wide the lamp's edges are blurred, in mm for each mm between surface and
        lamp.
        """
        view = points - eye
        ray = view - 2 * (view @ normal)[..., None] * normal
        ray /= np.linalg.norm(ray, axis=-1, keepdims=True)
        facing = np.cross(*self.lamp_axes)
        facing /= np.linalg.norm(facing)
        reach = ((self.lamp - points) @ facing) / _away_from_zero(ray @ facing)
        hit = points + ray * reach[..., None] - self.lamp
        blur = rough * np.abs(reach) + 1.0
        seen = (reach > 0).astype(np.float32)
        for side in self.lamp_axes:
            half = float(np.linalg.norm(side))
            offset = np.abs(hit @ (side / half)) - half
            seen = seen * _smooth_step(-offset / blur)
        return np.asarray(seen, np.float32)


def random_light(rng: np.random.Generator, easy: bool) -> Light:
    azimuth, elevation = rng.uniform(-pi, pi), radians(rng.uniform(28, 80))
    direction = np.array(
        [cos(azimuth) * cos(elevation), sin(azimuth) * cos(elevation), sin(elevation)]
    )
    lamp = direction * rng.uniform(700, 2500)
    across = np.cross(direction, [0.0, 0, 1]) / max(cos(elevation), 0.1)
    up = np.cross(across, direction)
    size = rng.uniform(60, 500, 2)
    glare = 0.0 if rng.random() < (0.6 if easy else 0.3) else float(rng.uniform(0.15, 0.9))
    return Light(
        direction,
        ambient=float(rng.uniform(0.35, 0.9)),
        softness=float(np.exp(rng.uniform(np.log(0.08), np.log(1.5)))),
        lamp=lamp,
        lamp_axes=np.stack([across * size[0], up * size[1]]),
        glare=glare,
    )


def temperature_gain(kelvin: float) -> NDArray[np.float32]:
    """Return the RGB factors (gamma space, green 1) by which light of a black body of `kelvin`
    differs from that of 5,500 K, by a fit of the Planckian locus in camera colours.
    """
    x = np.log(kelvin / 5500.0)
    return np.array([np.exp(-0.36 * x), 1.0, np.exp(0.62 * x)], np.float32)


def light_map(rng: np.random.Generator, camera: Camera, easy: bool) -> NDArray[np.float32]:
    """Make at random the RGB factors by which the light changes each pixel of the picture, (h, w,
    3).

    They combine white balance, mixed light, a pool of light, shadows of people and vignette; an
    `easy` picture has weaker ones.
    """
    y, x = np.mgrid[-1 : 1 : GRID * 1j, -1 : 1 : GRID * 1j].astype(np.float32)
    level = _pool(rng, x, y, easy)
    if rng.random() < (0.1 if easy else 0.35):
        level = level * _big_shadow(rng, x, y)
    colour = _colour_field(rng, x, y, easy)
    vignette = 1 - rng.uniform(0, 0.08 if easy else 0.25) * (x * x + y * y) / 2
    coarse = colour * (level * vignette)[..., None]
    return resized(coarse.astype(np.float32), (camera.width, camera.height), cv2.INTER_LINEAR)


def _pool(
    rng: np.random.Generator, x: NDArray[np.float32], y: NDArray[np.float32], easy: bool
) -> NDArray[np.float32]:
    cx, cy = rng.uniform(-1, 1, 2)
    fall = rng.uniform(0, 0.12 if easy else 0.45)
    return np.asarray(
        1 + fall * (0.4 - np.minimum(np.hypot(x - cx, y - cy), 1.8) ** 1.5 / 1.5), np.float32
    )


def _big_shadow(
    rng: np.random.Generator, x: NDArray[np.float32], y: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Make the factors by which a random shadow darkens each pixel, (h, w). `x` and `y`, (h, w),
    are the coordinates of pixels, -1 to 1 across the picture.

    The shadow is like that of somebody who leans over the table, or of the telephone that takes the
    picture. Its edge is straight or wavy, soft or crisp.
    """
    angle = rng.uniform(-pi, pi)
    offset = rng.uniform(-0.7, 0.7)
    width = np.exp(rng.uniform(np.log(0.03), np.log(0.5)))
    along = (
        x * cos(angle)
        + y * sin(angle)
        + rng.uniform(0, 0.6) * np.sin(2.5 * (y * cos(angle) - x * sin(angle)) + angle)
    )
    depth = rng.uniform(0.1, 0.4)
    return np.asarray(1 - depth * _smooth_step((along - offset) / width), np.float32)


def _colour_field(
    rng: np.random.Generator, x: NDArray[np.float32], y: NDArray[np.float32], easy: bool
) -> NDArray[np.float32]:
    """Make at random the RGB factors of the light's colour for each pixel, (h, w, 3). The tint of
    the lamp is mostly taken out again by an imperfect white balance. In some pictures a window on
    one side adds a tint of its own. `x` and `y`, (h, w), are the coordinates of pixels, -1 to 1
    across the picture. In an `easy` scene the lamp's tint is weaker and a window rarer.
    """
    main = temperature_gain(np.exp(rng.uniform(np.log(2500), np.log(7500))))
    left = 1 - (rng.uniform(0.7, 1.0) if easy else rng.uniform(0.35, 1.0))
    tint = np.array([1, 1 + rng.normal(0, 0.02), 1], np.float32)
    base = main**left * tint
    if rng.random() > (0.15 if easy else 0.45):
        return np.broadcast_to(base, (*x.shape, 3))
    other = temperature_gain(np.exp(rng.uniform(np.log(2500), np.log(9000)))) ** rng.uniform(
        0.3, 0.8
    )
    angle, width = rng.uniform(-pi, pi), rng.uniform(0.4, 1.5)
    share = _smooth_step((x * cos(angle) + y * sin(angle) + rng.uniform(-0.5, 0.5)) / width)[
        ..., None
    ]
    return np.asarray(base * (1 - share) + other * share, np.float32)


def _smooth_step(t: NDArray[np.float32] | Array) -> NDArray[np.float32]:
    t = np.clip(t * 0.5 + 0.5, 0, 1).astype(np.float32)
    return np.asarray(t * t * (3 - 2 * t), np.float32)


def _away_from_zero(values: Array) -> Array:
    return np.where(np.abs(values) < 1e-6, 1e-6, values)
