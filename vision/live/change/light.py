"""Removes changes of the light over a whole picture (flicker of the mains, automatic exposure, the
sun that goes down), and finds shadows in a part of it.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.live.change.reference import BURNT_OUT, ReferenceImage
from vision.live.pictures import RGB, Mask

GAIN_LIMITS = (0.4, 2.5)  # of one channel over the whole picture
# A pixel's ratio to the reference counts where it lies within this part of the median ratio:
# others belong to things that came or went.
SAME_LIGHT = 0.2
BANDING_NOTICED = 0.015  # of a row's brightness: smaller differences between rows are left alone
BANDING_LIMITS = (0.8, 1.25)  # of a row's brightness: a lamp on the mains does no more
SAMPLING = 6  # every 6th pixel each way is enough to measure the light

SHADOW_RATIOS = (0.4, 1.6)  # of brightness: what a shadow that comes or goes does to a place
SHADOW_SPREAD = 0.12  # between the channels' ratios: a shadow hardly changes the colour
SHADOW_DETAIL = 0.10  # of the ratio's level: a shadow leaves the pattern below it as it was
SHADOW_BLUR = 7  # pixels over which the ratio's level is averaged
SHADOW_OFFSET = 4  # levels added before dividing, so that noise of dark pixels does not count


def in_light_of(reference: ReferenceImage, small: RGB) -> ReferenceImage:
    """Bring the picture `small`, (h, w, 3), to the light of `reference`, a picture of the same
    size; return it as a reference image.

    One gain for each channel removes what changed for the whole picture. Where rows of pixels
    differ in brightness, one factor for each row is removed first: a lamp on the mains leaves such
    bands in cameras that read their rows one after the other.
    """
    known = _sampled(reference.low)
    most = _sampled(reference.high)
    now = _sampled(small)
    brightness = known.sum(axis=2) / now.sum(axis=2)
    rows = _row_medians(brightness / np.median(brightness), BANDING_LIMITS)
    certain = cv2.max(most, now) <= BURNT_OUT
    gain = np.clip(_common_ratio(known, now * rows[:, None, None], certain), *GAIN_LIMITS)
    if np.abs(rows - 1).max() <= BANDING_NOTICED:
        return ReferenceImage.of(small, gain)
    sampled_at = SAMPLING * np.arange(len(rows))
    row_factors = np.interp(np.arange(small.shape[0]), sampled_at, rows)
    return ReferenceImage.of(small, gain, row_factors)


def gain_between(known: RGB, now: RGB, where: Mask) -> NDArray[np.float32]:
    """The gain of each channel, (3,), that brings the picture `known` to the light of the picture
    `now`, both (h, w, 3), measured on the pixels that `where`, (h, w), sets. It is 1 where the mask
    sets none.
    """
    rows, columns = np.nonzero(where[::SAMPLING, ::SAMPLING])
    if not len(rows):
        return np.ones(3, np.float32)
    before, after = (_sampled(picture)[rows, columns][None] for picture in (known, now))
    certain = cv2.max(before, after) <= BURNT_OUT
    return np.clip(_common_ratio(after, before, certain), *GAIN_LIMITS)


def find_shadows(known: RGB, now: RGB) -> Mask:
    """Mask (h, w) of where two (h, w, 3) pictures differ only as much as a shadow that comes or
    goes explains: all channels changed by one ratio, and the pattern beneath is still there. Places
    where nothing changed are set too.
    """
    before = known.astype(np.float32) + SHADOW_OFFSET
    after = now.astype(np.float32) + SHADOW_OFFSET
    red, green, blue = cv2.split(after / before)
    spread = cv2.max(cv2.max(red, green), blue) - cv2.min(cv2.min(red, green), blue)
    level = (red + green + blue) / 3
    detail = np.abs(level - cv2.blur(level, (SHADOW_BLUR, SHADOW_BLUR)))
    darkest, brightest = SHADOW_RATIOS
    shadow = (level > darkest) & (level < brightest)
    shadow &= spread < SHADOW_SPREAD * level
    shadow &= detail < SHADOW_DETAIL * level
    return np.where(shadow, 255, 0).astype(np.uint8)


def _sampled(picture: RGB) -> NDArray[np.float32]:
    """Every SAMPLING-th pixel of the picture each way, (h, w, 3) float32. 1 is added to each value,
    so that one can divide by it.
    """
    return picture[::SAMPLING, ::SAMPLING].astype(np.float32) + 1


def _common_ratio(
    known: NDArray[np.float32], now: NDArray[np.float32], certain: NDArray[np.bool_]
) -> NDArray[np.float32]:
    """The ratio of `known` to `now`, (3,), one for each channel of these (h, w, 3) values. Values
    count only where the (h, w, 3) mask `certain` is set and their ratio is near the median.

    Sums are divided rather than ratios averaged: one level is a large part of a dark table's value
    and a small part of a bright tile's, so bright pixels tell the ratio better.
    """
    ratio = known / now
    median = np.median(ratio, axis=(0, 1))
    near = certain & (np.abs(ratio - median) < SAME_LIGHT * median)
    known_sum = np.sum(known, axis=(0, 1), where=near)
    now_sum = np.sum(now, axis=(0, 1), where=near)
    return np.asarray((known_sum + median) / (now_sum + 1))


def _row_medians(values: NDArray[np.float32], limits: tuple[float, float]) -> NDArray[np.float32]:
    """The median of each row of the (n, m) values, (n,). Only values between the two `limits`
    count; the median is 1 where no value of a row counts.
    """
    least, most = limits
    inside = (values > least) & (values < most)
    ordered = np.sort(np.where(inside, values, np.inf), axis=1)
    counts = inside.sum(axis=1)
    middles = np.minimum(counts // 2, values.shape[1] - 1)
    medians = ordered[np.arange(len(ordered)), middles]
    return np.asarray(np.where(counts > 0, medians, 1.0), np.float32)
