"""Paints the table top in perspective, the room beyond its edge, and the shadows that lie on it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.pixels import resized
from datasets.scene.blocks import Group
from datasets.scene.camera import NEAR, Array, Camera
from datasets.scene.light import Light
from datasets.scene.paint import fixed, hull
from datasets.scene.prints import PRINT_SHARE, table_top
from datasets.scene.surfaces import SIDE, any_colour, photo_crop, photographs

HALF = 2  # shadows are drawn at half the picture's size: they are soft anyway


def paint_ground(
    rng: np.random.Generator, camera: Camera, things: Array, prints: float = PRINT_SHARE
) -> NDArray[np.uint8]:
    """Paint an empty table with a random pattern and colours, and the room beyond its edge: (h, w,
    3) RGB. The table reaches beyond all the points `things`, (n, 2) mm. `prints` is the probability
    of a table top that a reader may take for tiles.
    """
    size = (camera.width, camera.height)
    texture = _recoloured(rng, table_top(rng, prints))
    # In mm per pixel of the texture.
    scale = np.exp(rng.uniform(np.log(0.5), np.log(1.6))) * SIDE / texture.shape[0]
    centre = camera.frame_on_table().mean(axis=0).clip(-800, 800)
    angle = rng.uniform(-np.pi, np.pi)
    image = laid_texture(camera, texture, scale, centre, angle)
    edge = _table_edge(rng, camera, things)
    if edge is None:
        return image
    room = _room(rng, size)
    mask = np.zeros(size[::-1], np.uint8)
    cv2.fillConvexPoly(mask, fixed(edge), 255, cv2.LINE_AA, 4)
    keep = cv2.cvtColor(mask, cv2.COLOR_GRAY2RGB)
    table = cv2.multiply(image, keep, scale=1 / 255)
    beyond = cv2.multiply(room, 255 - keep, scale=1 / 255)
    return np.asarray(cv2.add(table, beyond), np.uint8)


def laid_texture(
    camera: Camera, texture: NDArray[np.uint8], scale: float, centre: Array, angle: float
) -> NDArray[np.uint8]:
    """Return a table top that is covered with a square texture, (n, n, 3) RGB, as the camera sees
    it: (h, w, 3) RGB. Beyond the texture's edges the table shows the texture again, mirrored.

    The texture's middle lies at `centre`, (2,) mm, and the texture is turned by `angle` in radians;
    `scale` is in mm per texture pixel.
    """
    c, s, half = scale * np.cos(angle), scale * np.sin(angle), texture.shape[0] / 2
    to_table = np.array(
        [[c, -s, centre[0] - (c - s) * half], [s, c, centre[1] - (s + c) * half], [0, 0, 1.0]]
    )
    return _warped(texture, camera.table_to_image() @ to_table, (camera.width, camera.height))


def _warped(texture: NDArray[np.uint8], matrix: Array, size: tuple[int, int]) -> NDArray[np.uint8]:
    """Warp a texture into a picture of `size`, (width, height), by `matrix`, the homography from
    texture to picture pixels.

    The sampling is trilinear: where the texture is far away it is shrunk first, so that fine
    patterns do not shimmer.
    """
    level = _mip_level(np.asarray(np.linalg.inv(matrix), np.float64), size)
    first = max(0, int(np.floor(level.min())))
    last = min(max(first, int(np.ceil(level.max()))), first + 3, 5)
    image = _warp_level(texture, matrix, size, first)
    for k in range(first + 1, last + 1):
        share = resized(np.clip(level - (k - 1), 0, 1).astype(np.float32), size, cv2.INTER_LINEAR)
        if share.max() > 0.15:
            image = np.asarray(
                cv2.blendLinear(_warp_level(texture, matrix, size, k), image, share, 1 - share),
                np.uint8,
            )
    return image


def _warp_level(
    texture: NDArray[np.uint8], matrix: Array, size: tuple[int, int], level: int
) -> NDArray[np.uint8]:
    factor = 0.5**level
    if level:
        texture = np.asarray(
            cv2.resize(texture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8
        )
    matrix = matrix @ np.diag([1 / factor, 1 / factor, 1.0])
    seen = cv2.warpPerspective(
        texture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101
    )
    return np.asarray(seen, np.uint8)


def _mip_level(inverse: Array, size: tuple[int, int]) -> Array:
    """Return log2 of the number of texture pixels along one picture pixel, at 12 x 12 points of the
    picture of `size`, (width, height): (12, 12).

    `inverse` is the homography from picture to texture pixels. Where a picture pixel covers more
    texture in one direction than in the other, the value lies between both.
    """
    y, x = np.mgrid[0 : size[1] - 1 : 12j, 0 : size[0] - 1 : 12j]
    points = np.stack([x, y, np.ones_like(x)], axis=-1) @ inverse.T
    depth = np.where(np.abs(points[..., 2:]) < 1e-9, 1e-9, points[..., 2:])
    flat = points[..., :2] / depth
    steps = [(inverse[:2, k] - flat * inverse[2, k]) / depth for k in (0, 1)]
    worst = np.maximum(*(np.linalg.norm(step, axis=-1) for step in steps))
    area = np.sqrt(
        np.abs(steps[0][..., 0] * steps[1][..., 1] - steps[0][..., 1] * steps[1][..., 0])
    )
    return np.asarray(np.log2(np.clip(np.sqrt(worst * area), 1, 64)) - 0.2)


def _recoloured(rng: np.random.Generator, texture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    gain = np.exp(rng.normal(0, 0.12, 3) + rng.normal(0, 0.12))
    mix = np.diag(gain) + rng.normal(0, 0.03, (3, 3))
    return np.asarray(cv2.transform(texture, mix.astype(np.float32)), np.uint8)


def _table_edge(rng: np.random.Generator, camera: Camera, things: Array) -> Array | None:
    """Choose at random the outline of the table in the picture, (n, 2) px. The m points `things`,
    (m, 2) mm on the table, all lie inside the outline. Return None where the table fills the
    picture, or where none of it can be seen.
    """
    horizon = camera.frame_on_table()
    far = float(np.linalg.norm(horizon, axis=1).max())
    middle = horizon.mean(axis=0)
    if far < 1400 and rng.random() < 0.8:
        return None
    angle = rng.normal(0, 0.15)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    reach = rng.uniform(0.6, 1.3, (2, 2)) * np.maximum(min(far, 1600) * 0.8, 300)
    laid = things @ turn
    low = np.minimum(middle - reach[0], laid.min(axis=0) - 15)
    high = np.maximum(middle + reach[1], laid.max(axis=0) + 15)
    corners = np.array([low, [high[0], low[1]], high, [low[0], high[1]]]) @ turn.T
    polygon = _in_front(camera, np.column_stack([corners, np.zeros(4)]))
    return hull(camera.project(polygon)) if len(polygon) >= 3 else None


def _in_front(camera: Camera, polygon: Array) -> Array:
    """Return the part of a polygon, (n, 3) mm, that lies at least NEAR before the lens: (m, 3) mm,
    empty where no part of it does.
    """
    depths = camera.depths(polygon) - NEAR
    kept: list[Array] = []
    for i in range(len(polygon)):
        j = (i + 1) % len(polygon)
        if depths[i] > 0:
            kept.append(polygon[i])
        if depths[i] * depths[j] < 0:
            kept.append(
                polygon[i] + (polygon[j] - polygon[i]) * depths[i] / (depths[i] - depths[j])
            )
    return np.array(kept).reshape(-1, 3)


def _room(rng: np.random.Generator, size: tuple[int, int]) -> NDArray[np.uint8]:
    """Paint what lies beyond the table, floor and wall out of focus, as a picture of `size`,
    (width, height). It is a blurred photograph or two plain colours.
    """
    if photographs() and rng.random() < 0.5:
        picture = photo_crop(rng)
        if picture is not None:
            return resized(resized(picture, (32, 32)), size, cv2.INTER_CUBIC)
    colours = np.stack([any_colour(rng, (0, 0.3), (0.15, 0.9)) for _ in range(2)])
    share = np.clip((np.linspace(0, 1, 64) - rng.uniform(0, 0.5)) * rng.uniform(1, 30), 0, 1)[
        :, None, None
    ]
    column = colours[0] * (1 - share) + colours[1] * share
    return resized(column.astype(np.uint8), size, cv2.INTER_LINEAR)


def add_table_glare(
    image: NDArray[np.uint8], camera: Camera, light: Light, strength: float, rough: float
) -> None:
    """Add the lamp's reflection in a varnished or glass table top to `image`, in place. A
    `strength` of 1 mirrors the lamp fully. `rough` is how wide the lamp's edges are blurred, in mm
    for each mm between table and lamp.
    """
    y, x = np.mgrid[0 : camera.height - 1 : 24j, 0 : camera.width - 1 : 24j]
    points = camera.table_points(np.column_stack([x.ravel(), y.ravel()]))
    places = np.column_stack([points, np.zeros(len(points))]).reshape(24, 24, 3)
    seen = light.reflection(places, np.array([0.0, 0, 1]), camera.position, rough)
    if seen.max() > 0.02:
        white = cv2.resize(
            seen * (255 * strength), image.shape[1::-1], interpolation=cv2.INTER_CUBIC
        )
        cv2.add(image, cv2.merge([np.clip(white, 0, 255).astype(np.uint8)] * 3), dst=image)


def shadow_on_table(
    image: NDArray[np.uint8], camera: Camera, light: Light, groups: list[Group]
) -> None:
    """Darken the table in `image`, in place: where blocks, that is tiles and other solids, hide the
    key light, and along the lower edges of blocks, where they hide the light from everywhere.
    """
    cast, contact = np.zeros((2, camera.height // HALF, camera.width // HALF), np.uint8)
    heights = []
    for group in groups:
        for block in group.blocks:
            points = block.vertices() if block.radius < 8 else block.rings().reshape(-1, 3)
            if camera.depths(points).min() < NEAR:
                continue
            heights.append(points[:, 2].max())
            shadow = points - light.direction * (points[:, 2:] / light.direction[2])
            shadow[:, 2] = 0
            if camera.depths(shadow).min() > NEAR:
                cv2.fillConvexPoly(
                    cast, fixed(hull(camera.project(shadow)) / HALF), 255, cv2.LINE_AA, 4
                )
            if block.rest < 1:
                foot = points * [1, 1, 0]
                cv2.fillConvexPoly(
                    contact, fixed(hull(camera.project(foot)) / HALF), 255, cv2.LINE_AA, 4
                )
    if heights:
        scale = camera.focal / float(np.linalg.norm(camera.position)) / HALF  # px per mm
        soft = light.softness * float(np.median(heights)) * scale
        _darken(image, cast, max(soft, 0.5), 0.85 * (1 - _gamma(light.ambient)))
        _darken(image, contact, max(3.0 * scale, 0.6), 0.35)


def _gamma(share: float) -> float:
    return float(share ** (1 / 2.2))


def _darken(
    image: NDArray[np.uint8], mask: NDArray[np.uint8], sigma: float, strength: float
) -> None:
    sigma = min(sigma, 40.0)
    while sigma > 6:
        mask = np.asarray(
            cv2.resize(mask, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8
        )
        sigma = sigma / 2
    dark = cv2.convertScaleAbs(cv2.GaussianBlur(mask, (0, 0), sigma), alpha=strength)
    keep = cv2.resize(255 - dark, image.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    cv2.multiply(image, cv2.cvtColor(keep, cv2.COLOR_GRAY2RGB), dst=image, scale=1 / 255)


def shadow_below(
    image: NDArray[np.uint8], camera: Camera, light: Light, points: Array, rest: float
) -> None:
    """Paint into `image`, (h, w, 3) RGB, the shadow that a block, a solid such as a tile, throws on
    what lies under it. `points` are the block's vertices, (8, 3) mm; the shadow falls `rest` mm
    above the table.

    Call this just before the block itself is painted.
    """
    drop = np.maximum(points[:, 2:] - rest, 0)
    shadow = np.concatenate([points - light.direction * (drop / light.direction[2]), points])
    shadow[:, 2] = rest
    if camera.depths(shadow).min() > NEAR:
        darken_shape(image, hull(camera.project(shadow)), sigma=2.0, strength=0.3)


def darken_shape(image: NDArray[np.uint8], shape: Array, sigma: float, strength: float) -> None:
    """Darken `image` in place by a soft shadow. `shape` (n, 2), in px, is the convex polygon that
    the shadow fills, and `sigma` is the width of its blur in px, 40 at most. A `strength` of 1
    makes the shadow black.
    """
    size, border = np.array(image.shape[1::-1]), 3 * sigma
    low = np.clip(np.floor(shape.min(axis=0)) - border, 0, size).astype(int)
    high = np.clip(np.ceil(shape.max(axis=0)) + border, 0, size).astype(int)
    if np.any(high - low < 2):
        return
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    cv2.fillConvexPoly(mask, fixed(shape - low), 255, cv2.LINE_AA, 4)
    _darken(image[low[1] : high[1], low[0] : high[0]], mask, sigma, strength)
