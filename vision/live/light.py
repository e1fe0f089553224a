"""The light of a whole picture, evened out: flicker of the mains, automatic exposure, the sun that
goes down.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.live.plates import BURNT_OUT, RGB, Plate

MOST_GAIN = (0.4, 2.5)
SAME_LIGHT = (
    0.2  # parts of the median ratio to the memory, within which another ratio is of the same light
)
BANDING, MOST_BANDING = 0.015, (0.8, 1.25)  # of a row's brightness: what is noticed, and taken out
SAMPLING = 6  # every so many pixels give the light


def in_light_of(memory: Plate, small: RGB) -> Plate:
    """Flicker and slow drift taken out of a picture as large as the memory: a channel's ratio to
    it is what changed for everything; that of a row shows the bands that a lamp on the mains
    leaves where rows are read one after the other, and is taken out before.
    """
    samples = (memory.low, memory.high, small)
    known, most, now = (each[::SAMPLING, ::SAMPLING].astype(np.float32) + 1 for each in samples)
    brightness = known.sum(axis=2) / now.sum(axis=2)
    rows = _medians_within(brightness / np.median(brightness), MOST_BANDING)
    gain = np.clip(
        _common_ratio(known, now * rows[:, None, None], cv2.max(most, now) <= BURNT_OUT), *MOST_GAIN
    )
    if np.abs(rows - 1).max() <= BANDING:
        return Plate.of(small, gain)
    return Plate.of(
        small, gain, np.interp(np.arange(small.shape[0]), SAMPLING * np.arange(len(rows)), rows)
    )


def _common_ratio(
    known: NDArray[np.float32], now: NDArray[np.float32], certain: NDArray[np.bool_]
) -> NDArray[np.float32]:
    """(3,) of (h, w, 3) values, a channel: what `known` is to `now` where that is near the median
    and `certain`. A whole level is much of a dark table, little of a tile: what is bright
    counts for more.
    """
    ratio = known / now
    middle = np.median(ratio, axis=(0, 1))
    near = certain & (np.abs(ratio - middle) < SAME_LIGHT * middle)
    return np.asarray(
        (np.sum(known, axis=(0, 1), where=near) + middle)
        / (np.sum(now, axis=(0, 1), where=near) + 1)
    )


def _medians_within(
    values: NDArray[np.float32], limits: tuple[float, float]
) -> NDArray[np.float32]:
    """(n,) of each row of (n, m) the median of what lies within the limits, 1 where nothing
    does.
    """
    inside = (values > limits[0]) & (values < limits[1])
    ordered = np.sort(np.where(inside, values, np.inf), axis=1)
    counts = inside.sum(axis=1)
    medians = ordered[np.arange(len(ordered)), np.minimum(counts // 2, values.shape[1] - 1)]
    return np.asarray(np.where(counts > 0, medians, 1.0), np.float32)
