"""Changed copies of taught faces: as another photograph might show them.

A set is taught from one or two photographs and read under other lamps, from other sides, sharper or
softer. The copies tell how much a face's features vary while it stays the same face.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.crops import CROP_HEIGHT, CROP_WIDTH, FACE_IN_CROP, RGB, white_balance

CORNER_ERROR = 0.035  # standard deviation of a corner, in widths and heights of the face
TINT = 0.08  # standard deviation of a channel's gain, natural logarithm
GAMMA = 0.15  # standard deviation of the exponent's natural logarithm
SOFTEST = 2.4  # factor by which a crop is made smaller and larger again at most
NOISE = (0.0, 7.0)  # standard deviation, grey levels


def varied(crops: RGB, count: int, rng: np.random.Generator) -> RGB:
    """Return `count` changed copies of each of n crops, (n, 64, 48, 3), as one array (n * count,
    64, 48, 3): first all copies of the first crop. The copies are white-balanced again.
    """
    copies = [_changed(crop, rng) for crop in crops for _ in range(count)]
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


def _changed(crop: RGB, rng: np.random.Generator) -> RGB:
    size = FACE_IN_CROP[2] - FACE_IN_CROP[0]
    corners = FACE_IN_CROP + rng.normal(0, CORNER_ERROR, (4, 2)).astype(np.float32) * size
    moved = cv2.warpPerspective(
        crop,
        cv2.getPerspectiveTransform(corners.astype(np.float32), FACE_IN_CROP),
        (CROP_WIDTH, CROP_HEIGHT),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    soft = _softened(np.asarray(moved, np.uint8), rng.uniform(1.0, SOFTEST))
    share = np.maximum(soft.astype(np.float32), 1) / 255
    share = share ** np.exp(rng.normal(0, GAMMA)) * np.exp(rng.normal(0, TINT, 3))
    noisy = 255 * share + rng.uniform(*NOISE) * rng.standard_normal(share.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


def _softened(crop: RGB, factor: float) -> RGB:
    small = cv2.resize(
        crop,
        (round(CROP_WIDTH / factor), round(CROP_HEIGHT / factor)),
        interpolation=cv2.INTER_AREA,
    )
    return np.asarray(cv2.resize(small, (CROP_WIDTH, CROP_HEIGHT)), np.uint8)
