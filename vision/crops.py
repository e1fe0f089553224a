"""Crops of tile faces: cut out of the original pixels in perspective, then white-balanced.

Every crop is CROP_HEIGHT x CROP_WIDTH pixels, RGB, the face upright in it with a margin around.
The reader is trained on crops made here: other values of the constants below need another network.
"""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pyramid import RGB, Picture, Pyramid, pyramid_of
from vision.quads import Quad

CROP_WIDTH, CROP_HEIGHT = 48, 64  # pixels
# Share of the crop left around the face on each side, so that the crop still holds the whole face
# when the quad is imprecise.
MARGIN = 1 / 16
WHITE = 0.8  # linear light, 0-1, that the pale body of each tile is brought to
LUMINANCE = np.array([0.2126, 0.7152, 0.0722], np.float32)  # of linear R, G, B (IEC 61966-2-1)
BODY_PERCENTILES = (60, 90)  # of the luminance: brighter than the ink, darker than glare
BODY_BORDER = (6, 5)  # pixels left out above and below, left and right: they may show the table
MAX_GAIN = 40.0  # of one channel, where a crop is nearly black


_SRGB = np.arange(256) / 255.0
_TO_LINEAR = np.where(_SRGB <= 0.04045, _SRGB / 12.92, ((_SRGB + 0.055) / 1.055) ** 2.4).astype(
    np.float32
)
_LAST_STEP = 4095  # linear light is looked up in 4,096 steps
_STEPS = np.arange(_LAST_STEP + 1) / _LAST_STEP
_FROM_LINEAR = np.round(
    255 * np.where(_STEPS <= 0.0031308, 12.92 * _STEPS, 1.055 * _STEPS ** (1 / 2.4) - 0.055)
).astype(np.uint8)


def _face_in_crop() -> Quad:
    left, top = MARGIN * CROP_WIDTH, MARGIN * CROP_HEIGHT
    right, bottom = CROP_WIDTH - left, CROP_HEIGHT - top
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32) - 0.5


FACE_IN_CROP = _face_in_crop()  # (4, 2): where the corners of the quad come to lie in its crop
FACE_SIZE = FACE_IN_CROP[2] - FACE_IN_CROP[0]  # (2,): width and height of the face in the crop


def corner_offsets_between(quad: Quad, true: Quad) -> NDArray[np.float32]:
    """Return how far the corners of `true` lie from those of `quad`, measured in the crop that is
    cut out at `quad`: (4, 2), x in widths of the face and y in heights. `quad_with_offsets` gives
    `true` back.
    """
    to_crop = cv2.getPerspectiveTransform(quad.astype(np.float32), FACE_IN_CROP)
    there = cv2.perspectiveTransform(true[None].astype(np.float32), to_crop)[0]
    return np.asarray((np.asarray(there, np.float32) - FACE_IN_CROP) / FACE_SIZE)


def quad_with_offsets(quad: Quad, corner_offsets: NDArray[np.float32]) -> Quad:
    """Return the quad whose corners lie `corner_offsets` away from those of `quad`, measured in the
    crop that is cut out at `quad`.

    `corner_offsets` has 8 values, x and y of each corner: x in widths of the face and y in heights.
    """
    from_crop = cv2.getPerspectiveTransform(FACE_IN_CROP, quad.astype(np.float32))
    corners = FACE_IN_CROP + corner_offsets.reshape(4, 2) * FACE_SIZE
    return np.asarray(
        cv2.perspectiveTransform(corners[None].astype(np.float32), from_crop)[0], np.float32
    )


def crop_face(pyramid: Pyramid, quad: Quad) -> RGB:
    """Return one face as a crop, (CROP_HEIGHT, CROP_WIDTH, 3) RGB, with the first corner of `quad`
    at the top left, as `cut_out` takes it from the picture.
    """
    return cut_out(pyramid, quad, FACE_IN_CROP, (CROP_WIDTH, CROP_HEIGHT))


def cut_out(pyramid: Pyramid, quad: Quad, place: Quad, size: tuple[int, int]) -> RGB:
    """Return a picture of `size`, width and height in pixels, in which the corners of `quad` come
    to lie at those of `place`, (4, 2) each: the first in pixels of the pyramid's picture, the
    second in those of the result.

    Large quads are taken from a smaller level of the pyramid, to avoid aliasing. Where the result
    reaches outside the picture, the picture's edge is repeated.
    """
    top, right, bottom, left = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    shrink = min((top + bottom) / 2 / size[0], (right + left) / 2 / size[1])
    level, factor = pyramid.shrunk(float(shrink))
    on_level = ((quad + 0.5) / factor - 0.5).astype(np.float32)
    return cv2.warpPerspective(  # type: ignore[return-value]
        level,
        cv2.getPerspectiveTransform(on_level, place),
        size,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )


def cut_windows(picture: Picture, windows: NDArray[np.float32], size: tuple[int, int]) -> RGB:
    """Return what lies in n windows, (n, 4, 2) in pixels of the picture, each as a picture of
    `size`, width and height in pixels: (n, height, width, 3) RGB.

    `picture` is (h, w, 3) RGB or its pyramid. Where a window reaches outside it, its edge is
    repeated.
    """
    width, height = size
    pyramid = pyramid_of(picture)
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    seen = [cut_out(pyramid, window, corners, size) for window in windows]
    return np.stack(seen) if seen else np.zeros((0, height, width, 3), np.uint8)


def crop_faces(picture: Picture, quads: Iterable[Quad]) -> RGB:
    """Return the faces at n quads, given in pixels of the picture, as crops: (n, CROP_HEIGHT,
    CROP_WIDTH, 3) RGB, not yet white-balanced. `picture` is (h, w, 3) RGB or its pyramid.
    """
    pyramid = pyramid_of(picture)
    crops = [crop_face(pyramid, quad) for quad in quads]
    return np.stack(crops) if crops else np.zeros((0, CROP_HEIGHT, CROP_WIDTH, 3), np.uint8)


def to_linear(values: RGB) -> NDArray[np.float32]:
    """Return sRGB values 0-255, of any shape, as linear light 0-1 (IEC 61966-2-1)."""
    return np.asarray(_TO_LINEAR[values])


def white_balance(crops: RGB, faces: RGB | None = None) -> RGB:
    """Return the n crops, (n, h, w, 3) RGB, in colours that give the pale body of each tile the
    same neutral white. `faces`, (n, h, w, 3) RGB of any other size, are the parts of the crops that
    show the tile; where they are None, the whole crops do.

    The colour of a body is the mean, in linear light, of the pixels whose luminance lies between
    BODY_PERCENTILES; each channel is multiplied by the factor that brings the mean to WHITE,
    MAX_GAIN at most.
    """
    if not len(crops):
        return crops
    bodies = _body_colours(crops if faces is None else faces)
    gains = np.minimum(WHITE / np.maximum(bodies, 1e-4), MAX_GAIN)
    # A table of what becomes of each of the 256 values in each channel of a crop has far fewer
    # entries than a crop has pixels.
    linear = np.clip(_TO_LINEAR[:, None] * gains[:, None] * _LAST_STEP, 0, _LAST_STEP)
    tables = _FROM_LINEAR[linear.astype(np.int16)]  # (n, 256, 3)
    balanced = [
        np.asarray(cv2.LUT(crop, table[None]), np.uint8)
        for crop, table in zip(crops, tables, strict=True)
    ]
    return np.stack(balanced)


def _body_colours(crops: RGB) -> NDArray[np.float32]:
    """Return the colour of the tile's body in each of n crops, (n, 3), red, green and blue in
    linear light, 0-1.
    """
    down, across = BODY_BORDER
    pixels = to_linear(crops[:, down:-down, across:-across]).reshape(len(crops), -1, 3)
    luminance = pixels @ LUMINANCE
    count = luminance.shape[1]
    low, high = (int(count * percentile / 100) for percentile in BODY_PERCENTILES)
    body = np.argpartition(luminance, (low, high), axis=1)[:, low:high]
    return np.asarray(np.take_along_axis(pixels, body[:, :, None], axis=1).mean(axis=1))
