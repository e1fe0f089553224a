"""Perspective crops of tile faces from the original pixels, each white-balanced on its own pale
body.
"""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pyramid import Pyramid
from vision.quads import Quad

CROP_WIDTH, CROP_HEIGHT = 48, 64
MARGIN = (
    1 / 16
)  # of the crop on each side: the face fills the rest, so that an imprecise quad still holds it all
WHITE = 0.8  # linear light the tile's body is brought to
LUMINANCE = np.array([0.2126, 0.7152, 0.0722], np.float32)  # of linear R, G, B (IEC 61966-2-1)
BODY_PERCENTILES = (60, 90)  # of luminance: above the ink, below the glare
MAX_GAIN = 40.0

RGB = NDArray[np.uint8]

_SRGB = np.arange(256) / 255.0
_TO_LINEAR = np.where(_SRGB <= 0.04045, _SRGB / 12.92, ((_SRGB + 0.055) / 1.055) ** 2.4).astype(
    np.float32
)
_STEPS = np.arange(4096) / 4095.0
_FROM_LINEAR = np.round(
    255 * np.where(_STEPS <= 0.0031308, 12.92 * _STEPS, 1.055 * _STEPS ** (1 / 2.4) - 0.055)
).astype(np.uint8)  # IEC 61966-2-1


def _destination() -> Quad:
    left, top = MARGIN * CROP_WIDTH, MARGIN * CROP_HEIGHT
    right, bottom = CROP_WIDTH - left, CROP_HEIGHT - top
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32) - 0.5


_TARGET = _destination()
FACE_SIZE = _TARGET[2] - _TARGET[0]  # width, height of the face in pixels of the crop


def shift_between(quad: Quad, true: Quad) -> NDArray[np.float32]:
    """How far each corner of `true` lies from where a crop at `quad` expects it: (4, 2) in shares
    of the face's width, height.
    """
    homography = cv2.getPerspectiveTransform(quad.astype(np.float32), _TARGET)
    there = np.asarray(
        cv2.perspectiveTransform(true[None].astype(np.float32), homography)[0], np.float32
    )
    return np.asarray((there - _TARGET) / FACE_SIZE)


def shifted(quad: Quad, shift: NDArray[np.float32]) -> Quad:
    """The quad whose corners lie `shift` (4, 2) from those of `quad`, as seen in its crop: undoes
    `shift_between`.
    """
    homography = cv2.getPerspectiveTransform(_TARGET, quad.astype(np.float32))
    corners = _TARGET + shift.reshape(4, 2) * FACE_SIZE
    return np.asarray(
        cv2.perspectiveTransform(corners[None].astype(np.float32), homography)[0], np.float32
    )


def crop_face(pyramid: Pyramid, quad: Quad) -> RGB:
    """(CROP_HEIGHT, CROP_WIDTH, 3) RGB of one face, upright as `quad` tells. Large tiles are taken
    from a smaller level, so that nothing aliases; what lies outside the picture repeats its
    edge.
    """
    top, right, bottom, left = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    level, shrunk = pyramid.shrunk(
        float(min((top + bottom) / 2 / CROP_WIDTH, (right + left) / 2 / CROP_HEIGHT))
    )
    homography = cv2.getPerspectiveTransform(
        ((quad + 0.5) / shrunk - 0.5).astype(np.float32), _TARGET
    )
    return cv2.warpPerspective(  # type: ignore[return-value]
        level,
        homography,
        (CROP_WIDTH, CROP_HEIGHT),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )


def crop_faces(picture: RGB | Pyramid, quads: Iterable[Quad]) -> RGB:
    """(n, CROP_HEIGHT, CROP_WIDTH, 3) RGB, not yet balanced."""
    pyramid = picture if isinstance(picture, Pyramid) else Pyramid(picture)
    crops = [crop_face(pyramid, quad) for quad in quads]
    return np.stack(crops) if crops else np.zeros((0, CROP_HEIGHT, CROP_WIDTH, 3), np.uint8)


def to_linear(crops: RGB) -> NDArray[np.float32]:
    """sRGB values 0-255 as linear light 0-1 (IEC 61966-2-1)."""
    return np.asarray(_TO_LINEAR[crops])


def balance(crops: RGB) -> RGB:
    """Brings each crop's body to the same neutral white: gains a channel, in linear light, from
    the pixels between the 60th and 90th percentile of luminance. (n, h, w, 3) RGB in and out.
    """
    if not len(crops):
        return crops
    flat = to_linear(crops[:, 6:-6, 5:-5]).reshape(len(crops), -1, 3)
    luminance = flat @ LUMINANCE
    count = luminance.shape[1]
    low, high = (int(count * share / 100) for share in BODY_PERCENTILES)
    order = np.argpartition(luminance, (low, high), axis=1)[:, low:high]
    body = np.take_along_axis(flat, order[:, :, None], axis=1).mean(axis=1)
    gains = np.minimum(WHITE / np.maximum(body, 1e-4), MAX_GAIN)
    # What becomes of each of the 256 values, a channel of a crop: far fewer than there are pixels.
    become = _FROM_LINEAR[
        np.clip(_TO_LINEAR[:, None] * gains[:, None] * 4095, 0, 4095).astype(np.int16)
    ]
    return np.stack(
        [
            np.asarray(cv2.LUT(crop, table), np.uint8)
            for crop, table in zip(crops, become[:, None], strict=True)
        ]
    )
