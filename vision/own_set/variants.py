"""Changed copies of taught faces: as another photograph might show them.

A set is taught from one or two photographs and read under other lamps, from other sides, sharper or
softer. The copies tell how much a face's features vary while it stays the same face.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from vision.crops import CROP_HEIGHT, CROP_WIDTH, FACE_IN_CROP, white_balance
from vision.pyramid import RGB

CORNER_ERROR = 0.035  # standard deviation of a corner, in widths and heights of the face
TINT = 0.08  # standard deviation of a channel's gain, natural logarithm
GAMMA = 0.15  # standard deviation of the exponent's natural logarithm
SOFTEST = 2.4  # factor by which a crop is made smaller and larger again at most
NOISE = (0.0, 7.0)  # standard deviation, grey levels
# Of copies as a photograph out of focus or a moved one shows them, half and half: the factors by
# which a crop is made smaller and larger again, and the lengths of a movement, in pixels of a crop.
# A softest factor of 5 or 10 reads rendered tables of ordinary sets a little worse.
OUT_OF_FOCUS, MOVED = (1.5, 7.0), (5, 12)
Softening = Callable[[RGB, np.random.Generator], RGB]


def varied(crops: RGB, count: int, rng: np.random.Generator) -> RGB:
    """Return `count` changed copies of each of n crops, (n, 64, 48, 3), as one array (n * count,
    64, 48, 3): first all copies of the first crop. The copies are white-balanced again.
    """
    return _copies(crops, count, rng, _a_little_softer)


def soft_copies(crops: RGB, count: int, rng: np.random.Generator) -> RGB:
    """Return `count` changed copies of each of n crops, as `varied` does, but out of focus or
    moved.
    """
    return _copies(crops, count, rng, _out_of_focus_or_moved)


def _copies(crops: RGB, count: int, rng: np.random.Generator, soften: Softening) -> RGB:
    copies = [_changed(crop, rng, soften) for crop in crops for _ in range(count)]
    return white_balance(np.stack(copies)) if copies else crops


def turned_by(crops: RGB, quarters: int) -> RGB:
    """Return n crops, (n, 64, 48, 3), with their faces turned clockwise by `quarters` quarter
    turns: 1, 2 or 3.
    """
    matrix = cv2.getPerspectiveTransform(FACE_IN_CROP, np.roll(FACE_IN_CROP, -quarters, axis=0))
    size = (CROP_WIDTH, CROP_HEIGHT)
    if not len(crops):
        return crops
    return np.stack(
        [
            np.asarray(
                cv2.warpPerspective(crop, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.uint8
            )
            for crop in crops
        ]
    )


def bare_bodies(crops: RGB) -> RGB:
    """Return pictures that show no whole face, (3 n, 64, 48, 3), made of n crops, (n, 64, 48, 3).

    The pictures look like finds in wrong places: first n tiles whose figures are painted over with
    the colour of their body, then n pictures of the halves of two tiles side by side, then n of the
    halves of two tiles one above the other.
    """
    bodies = np.percentile(crops, 80, axis=(1, 2)).astype(np.uint8)
    bare = crops.copy()
    down, across = CROP_HEIGHT // 8, CROP_WIDTH // 8
    bare[:, down:-down, across:-across] = bodies[:, None, None]
    beside = np.roll(crops, CROP_WIDTH // 2, axis=2)
    beneath = np.roll(crops, CROP_HEIGHT // 2, axis=1)
    return np.concatenate([bare, beside, beneath])


def _changed(crop: RGB, rng: np.random.Generator, soften: Softening) -> RGB:
    size = FACE_IN_CROP[2] - FACE_IN_CROP[0]
    corners = FACE_IN_CROP + rng.normal(0, CORNER_ERROR, (4, 2)).astype(np.float32) * size
    moved = cv2.warpPerspective(
        crop,
        cv2.getPerspectiveTransform(corners.astype(np.float32), FACE_IN_CROP),
        (CROP_WIDTH, CROP_HEIGHT),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    soft = soften(np.asarray(moved, np.uint8), rng)
    share = np.maximum(soft.astype(np.float32), 1) / 255
    share = share ** np.exp(rng.normal(0, GAMMA)) * np.exp(rng.normal(0, TINT, 3))
    noisy = 255 * share + rng.uniform(*NOISE) * rng.standard_normal(share.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


def _a_little_softer(crop: RGB, rng: np.random.Generator) -> RGB:
    return _softened(crop, rng.uniform(1.0, SOFTEST))


def _out_of_focus_or_moved(crop: RGB, rng: np.random.Generator) -> RGB:
    if rng.random() < 0.5:
        return _softened(crop, rng.uniform(*OUT_OF_FOCUS))
    length, angle = int(rng.integers(*MOVED, endpoint=True)), rng.uniform(0, np.pi)
    middle = (length - 1) / 2
    reach = middle * np.array([np.cos(angle), np.sin(angle)])
    trace = np.zeros((length, length), np.float32)
    ends = np.round(middle + np.stack([-reach, reach])).astype(int).tolist()
    cv2.line(trace, ends[0], ends[1], 1.0)
    blurred = cv2.filter2D(crop, -1, trace / trace.sum(), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(blurred, np.uint8)


def _softened(crop: RGB, factor: float) -> RGB:
    small = cv2.resize(
        crop,
        (round(CROP_WIDTH / factor), round(CROP_HEIGHT / factor)),
        interpolation=cv2.INTER_AREA,
    )
    return np.asarray(cv2.resize(small, (CROP_WIDTH, CROP_HEIGHT)), np.uint8)
