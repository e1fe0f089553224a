"""How the picture of the table moved: estimated from pairs of quads, refined on whole pictures.

A motion is a homography, a (3, 3) matrix that takes pixels (x, y, 1) of the old picture to those of
the new one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.live.pictures import RGB, Mask
from vision.quads import Quad

Homography: TypeAlias = NDArray[np.float64]  # (3, 3), maps old pixels (x, y, 1) to new ones

FEWEST_FOR_HOMOGRAPHY = 4  # quads; fewer determine no more than rotation, translation and scale
# In tile widths: where a similarity leaves at most this error, a homography would only fit noise.
SIMILARITY_ERROR = 0.1
ERROR_QUANTILE = 0.8  # one tile in five may lie further away than the error reported
RANSAC_PIXELS = 3.0  # reprojection error up to which a corner supports a homography
PLAUSIBLE_SCALES = (0.6, 1.6)  # a nudged camera changes lengths by no more than these factors
PLACE = 8  # pixels each way of a place in which two pictures are compared
# The camera stands where so many times as many places look as before as fit a motion. On rendered
# tables it was 6 times as many where a meld was slid, and 0.7 times at most where the camera moved.
AT_REST = 2.0
GAIN_NOTICED = 1.0  # grey levels of a place's mean difference, above its noise
PROBE_PIXELS = 100  # length of the two axes on which the plausibility of a homography is measured

# Termination, Gaussian blur and downward step of cv2.findTransformECC.
ECC_CRITERIA = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 30, 1e-4)
ECC_BLUR_PIXELS = 5


def estimate_motion(old: Sequence[Quad], new: Sequence[Quad]) -> Homography | None:
    """The motion that takes each quad in `old` to the quad with the same index in `new`. Quads are
    (4, 2) pixels. None where no motion can be estimated.

    A similarity (rotation, translation, scale) is preferred, since it stays right far away from the
    quads. A homography is returned only if three conditions hold: there are FEWEST_FOR_HOMOGRAPHY
    quads or more, the similarity misses their centres by more than SIMILARITY_ERROR tile widths,
    and the homography changes lengths no more than a nudged camera does.
    """
    source = np.concatenate(old).astype(np.float32)
    target = np.concatenate(new).astype(np.float32)
    similarity = _similarity(source, target)
    enough = len(old) >= FEWEST_FOR_HOMOGRAPHY
    if similarity is not None:
        allowed = SIMILARITY_ERROR * _median_width(new)
        if not enough or _centre_error(similarity, old, new) <= allowed:
            return similarity
    if not enough:
        return None
    found, _ = cv2.findHomography(source, target, cv2.RANSAC, RANSAC_PIXELS)
    if found is None:
        return similarity
    homography = np.asarray(found, np.float64)
    return homography if _is_plausible(homography, source) else similarity


def refine_motion(old: RGB, new: RGB, start: Homography) -> Homography:
    """Return the motion, (3, 3), from picture `old` to picture `new`, after which the two correlate
    best. Both are (h, w, 3) RGB of one size. The search begins at the motion `start`.

    Uses the enhanced correlation coefficient (ECC, Evangelidis & Psarakis 2008). Returns `start`
    where the search does not converge or does not bring the pictures closer to each other.
    """
    before = cv2.cvtColor(old, cv2.COLOR_RGB2GRAY)
    after = cv2.cvtColor(new, cv2.COLOR_RGB2GRAY)
    backwards = np.linalg.inv(start)
    everywhere = np.full(before.shape, 255, np.uint8)
    try:
        _, found = cv2.findTransformECC(
            after,
            before,
            (backwards / backwards[2, 2]).astype(np.float32),
            cv2.MOTION_HOMOGRAPHY,
            ECC_CRITERIA,
            everywhere,
            ECC_BLUR_PIXELS,
        )
    except cv2.error:  # raised where the pictures hold next to no pattern
        return start
    refined = np.linalg.inv(found.astype(np.float64))
    return min(refined, start, key=lambda motion: _picture_error(before, after, motion))


def fits_better_at_rest(old: RGB, new: RGB, motion: Homography) -> bool:
    """Whether AT_REST times as many places of the picture `new` look like `old` without any motion
    as after the `motion`, (3, 3), which is never known quite exactly. Both pictures are (h, w, 3)
    RGB of one size. Places of which the motion shows nothing have no say.
    """
    before = cv2.cvtColor(old, cv2.COLOR_RGB2GRAY)
    after = cv2.cvtColor(new, cv2.COLOR_RGB2GRAY)
    size = before.shape[1::-1]
    moved = cv2.warpPerspective(before, motion, size)
    shown = cv2.warpPerspective(np.full_like(before, 255), motion, size, flags=cv2.INTER_NEAREST)
    gained = cv2.subtract(
        _mean_in_places(cv2.absdiff(moved, after)), _mean_in_places(cv2.absdiff(before, after))
    )
    gained[_mean_in_places(shown) < 255] = 0
    at_rest, as_moved = (gained > GAIN_NOTICED).sum(), (gained < -GAIN_NOTICED).sum()
    return bool(at_rest > AT_REST * as_moved)


def at_scale(motion: Homography, scale: float) -> Homography:
    """Convert a (3, 3) motion between pixels to one between pixels that are `scale` times as wide.

    Coordinate 0 is the middle of the first pixel, so the middle of the first converted pixel lies
    at (scale - 1) / 2.
    """
    enlarge = enlargement(scale)
    return np.asarray(np.linalg.inv(enlarge) @ motion @ enlarge)


def enlargement(scale: float) -> Homography:
    """The homography, (3, 3), from pixels `scale` times as wide to those of a picture."""
    half = (scale - 1) / 2
    return np.array([[scale, 0, half], [0, scale, half], [0, 0, 1.0]])


def transform_points(points: NDArray[np.float32], motion: Homography) -> NDArray[np.float32]:
    """Return `points` (..., 2), x, y in pixels, moved by the (3, 3) `motion`, in an array of the
    same shape.
    """
    if not points.size:
        return points
    flat = points.reshape(1, -1, 2).astype(np.float32)
    return cv2.perspectiveTransform(flat, motion).reshape(points.shape).astype(np.float32)


def _similarity(source: NDArray[np.float32], target: NDArray[np.float32]) -> Homography | None:
    """Return the similarity, (3, 3), that takes the corners `source` to `target`, (n, 2) in pixels
    each, with the least median of squared distances; None where no similarity can be found.
    """
    found, _ = cv2.estimateAffinePartial2D(source, target, method=cv2.LMEDS)
    if found is None:
        return None
    return np.vstack([found, [0, 0, 1]]).astype(np.float64)


def _centre_error(motion: Homography, old: Sequence[Quad], new: Sequence[Quad]) -> float:
    """Return how far, in pixels, the quads in `old`, moved by `motion`, lie from those in `new`
    with the same indices: the quantile ERROR_QUANTILE of the distances between their centres.
    """
    moved = transform_points(np.mean(old, axis=1), motion)
    apart = np.linalg.norm(moved - np.mean(new, axis=1), axis=1)
    return float(np.quantile(apart, ERROR_QUANTILE))


def _median_width(quads: Sequence[Quad]) -> float:
    """Median length in pixels of the top edges of the quads, (4, 2) each."""
    return float(np.median([np.linalg.norm(quad[1] - quad[0]) for quad in quads]))


def _is_plausible(homography: Homography, points: NDArray[np.float32]) -> bool:
    """Whether the homography changes lengths around the (n, 2) points by no more than a nudged
    camera does.

    A homography estimated from a single row of tiles may be far wrong away from that row.
    """
    middle = points.mean(axis=0)
    probe = np.array([middle, middle + [PROBE_PIXELS, 0], middle + [0, PROBE_PIXELS]], np.float32)
    moved = transform_points(probe, homography)
    scales = np.linalg.norm(moved[1:] - moved[0], axis=1) / PROBE_PIXELS
    least, most = PLAUSIBLE_SCALES
    return bool((scales > least).all() and (scales < most).all())


def _mean_in_places(difference: Mask) -> NDArray[np.float32]:
    """Return the mean of `difference`, (h, w), in squares of PLACE pixels each way."""
    height, width = difference.shape
    places = max(width // PLACE, 1), max(height // PLACE, 1)
    means = cv2.resize(difference.astype(np.float32), places, interpolation=cv2.INTER_AREA)
    return np.asarray(means, np.float32)


def _picture_error(before: Mask, after: Mask, motion: Homography) -> float:
    """Mean difference in grey levels between `before`, moved by `motion`, and `after`, over the
    pixels that the moved picture covers. Both pictures are (h, w) uint8.
    """
    size = before.shape[1::-1]
    moved = cv2.warpPerspective(before, motion, size)
    covered = cv2.warpPerspective(np.full_like(before, 255), motion, size, flags=cv2.INTER_NEAREST)
    return float(cv2.mean(cv2.absdiff(moved, after), covered)[0])
