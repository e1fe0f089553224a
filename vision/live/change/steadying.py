"""Where the camera stands. A telephone on a stand trembles, sags and is knocked. So each frame is
first brought to where the known table lies, the table as last understood; only then is anything
compared.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.live.change.alignment import (
    Homography,
    at_scale,
    fits_better_at_rest,
    transform_points,
)
from vision.live.pictures import RGB, Mask

# Corners of the known small picture (Shi & Tomasi 1994) that are looked for in each frame.
MOST_CORNERS = 200
CORNER_QUALITY = 0.002  # of the strongest corner: the cloth's own grain serves too
CORNER_DISTANCE = 3  # small pixels between two of them
# Window and pyramid levels of the search (Lucas & Kanade 1981, Bouguet 2000), in small pixels: a
# knock of some 20 small pixels is still followed.
SEARCH_WINDOW = (13, 13)
SEARCH_LEVELS = 3
SEARCH_CRITERIA = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 20, 0.01)

FEWEST_CORNERS = 8  # that have to agree on one motion
LEAST_AGREEING = 0.4  # share of all corners: hands, and tiles that came and went, hide the others
AGREEMENT = 0.35  # small pixels up to which a corner agrees
# Where at least the share LEAST_STANDING of all corners lies within STANDING small pixels of where
# it lay, the camera stands, and things were moved that hold most of the other corners. A corner is
# the same where its surroundings differ by no more than SAME_DETAIL of their contrast.
LEAST_STANDING, STANDING, SAME_DETAIL = 0.2, 1.0, 0.4
RANSAC_CONFIDENCE = 0.995
# The camera counts as moved where most corners are off by this, in pixels of the small picture. A
# fixed camera's noise is under a third of it, and a smaller motion shows nowhere.
NOTICED = 0.07
NOTICED_QUANTILE = 0.7
EDGE_SHIFT = 0.15  # small pixels by which an edge may be off, and as much by resampling
LARGEST_TURN = 0.06  # radians, and share of the size: more is no stand that gives way

EYE: Homography = np.eye(3)  # the motion of a camera that stands where it stood
EYE.setflags(write=False)


class Steadier:
    """Follows the camera by corners found in the picture of the known table. Mutable; owned by the
    gate.
    """

    def __init__(self) -> None:
        self._moved: Homography | None = None  # `motion`, once the camera has moved
        self._corners: NDArray[np.float32] | None = None  # (n, 1, 2) small pixels
        self._known: Mask | None = None  # (h, w) grey, as the corners were found
        self._tolerance: Mask | None = None  # (h, w) levels, of that picture

    @property
    def motion(self) -> Homography:
        """The homography (3, 3) from pixels of the known table to those of the latest frame."""
        return EYE if self._moved is None else self._moved

    @property
    def is_steady(self) -> bool:
        """Whether the camera stands where the known table was seen from."""
        return self._moved is None

    def begin(self) -> None:
        """Start anew: from now on the known table lies where the latest frame shows it."""
        self._moved = None
        self.forget_corners()

    def forget_corners(self) -> None:
        """Forget the corners found in the picture of the known table, because this picture changes;
        `follow` finds them anew.
        """
        self._corners = self._known = self._tolerance = None

    def shrunk(self, frame: RGB, factor: int) -> RGB:
        """Return the (h, w, 3) frame moved to where the known table lies, and made `factor` times
        smaller; `factor` is a power of two.

        The motion is undone at twice the small size. At the small size, moving the picture by half
        a pixel would blur all ink; at a larger size, it would take longer.
        """
        if self.is_steady:
            return shrink(frame, factor)
        first = max(factor // 2, 1)
        half = shrink(frame, first)
        steadied = cv2.warpPerspective(
            half,
            at_scale(self.motion, first),
            half.shape[1::-1],
            flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return shrink(steadied, factor // first)

    def tolerance(self, known: RGB, now: RGB) -> Mask | None:
        """Return by how many levels, (h, w) uint8, each pixel may seem to change because the
        camera's motion is never known quite exactly; None while the camera has not moved.

        `known` and `now` are the (h, w, 3) small pictures of the known table and of the latest
        frame.
        """
        if self.is_steady:
            return None
        if self._tolerance is None:
            self._tolerance = _edges(known)
        return cv2.max(self._tolerance, _edges(now))

    def follow(self, known: RGB, now: RGB, factor: int) -> float:
        """Update the camera's motion from two (h, w, 3) small pictures: `known`, of the known
        table, and `now`, the latest frame as `shrunk` returns it with the motion known so far.

        Returns how far off `now` still was, in small pixels; 0 where the motion is not updated. Of
        the points of detail that agree on one motion, the share NOTICED_QUANTILE is off by no more
        than that. `factor` frame pixels make one small pixel, each way.
        """
        if self._corners is None:
            self._find_corners(known)
        step = self._step(cv2.cvtColor(now, cv2.COLOR_RGB2GRAY))
        if step is None:
            return 0.0
        motion, off = step
        if off > STANDING and fits_better_at_rest(known, now, motion):
            return 0.0
        moved = self.motion @ at_scale(motion, 1 / factor)
        if not _is_plausible(moved):
            return 0.0
        self._moved = moved
        return off

    def _find_corners(self, known: RGB) -> None:
        self._known = cv2.cvtColor(known, cv2.COLOR_RGB2GRAY)
        found = cv2.goodFeaturesToTrack(self._known, MOST_CORNERS, CORNER_QUALITY, CORNER_DISTANCE)
        none = np.zeros((0, 1, 2), np.float32)
        self._corners = none if found is None else np.asarray(found, np.float32).reshape(-1, 1, 2)

    def _step(self, now: Mask) -> tuple[Homography, float] | None:
        """Return a similarity, (3, 3), and a distance in small pixels. The similarity takes most
        image corners found in the known table's picture to their places in `now`, (h, w) grey. Most
        of these corners, the share NOTICED_QUANTILE, move by at most that distance. None where too
        few corners agree, or where they hardly moved.
        """
        known, corners = self._known, self._corners
        if known is None or corners is None or len(corners) < FEWEST_CORNERS:
            return None
        least = max(FEWEST_CORNERS, LEAST_AGREEING * len(corners))
        step = _agreed_step(*_found_again(known, now, corners), least)
        if step is not None and step[1] > STANDING:
            source, target = _at_rest(known, now, corners)
            if len(source) >= max(FEWEST_CORNERS, LEAST_STANDING * len(corners)):
                step = _agreed_step(source, target, FEWEST_CORNERS)
        return step if step is not None and step[1] > NOTICED else None


def _agreed_step(
    source: NDArray[np.float32], target: NDArray[np.float32], least: float
) -> tuple[Homography, float] | None:
    """Return the similarity, (3, 3), that takes most of the (m, 2) points `source` to those in
    `target`, and the distance that most of these points, the share NOTICED_QUANTILE, move by at
    most. None where fewer than `least` points agree.
    """
    if len(source) < least:
        return None
    motion, agreeing = _common_motion(source, target)
    if motion is None or len(agreeing) < least:
        return None
    moved = np.linalg.norm(transform_points(agreeing, motion) - agreeing, axis=1)
    return motion, float(np.quantile(moved, NOTICED_QUANTILE))


def _found_again(
    known: Mask, now: Mask, corners: NDArray[np.float32], levels: int = SEARCH_LEVELS
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Look in `now` for the image corners of `known` that lie at `corners` (n, 1, 2); both pictures
    are (h, w) grey. Return two arrays (m, 2), x, y in pixels: the corners that are found, in their
    places in `known`, and their places in `now`. Each level of `levels` doubles how far away they
    are found; with 0 levels only those that moved by a few pixels are.
    """
    found, status, _ = cv2.calcOpticalFlowPyrLK(
        known,
        now,
        corners,
        corners.copy(),
        winSize=SEARCH_WINDOW,
        maxLevel=levels,
        criteria=SEARCH_CRITERIA,
    )
    seen = status.ravel() > 0
    return corners[seen].reshape(-1, 2), np.asarray(found[seen], np.float32).reshape(-1, 2)


def _at_rest(
    known: Mask, now: Mask, corners: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return those of the image corners (n, 1, 2) of `known` that lie in `now` where they lay, or
    next to it: (m, 2) in `known`, and (m, 2) in `now`. Both pictures are (h, w) grey.
    """
    source, target = _found_again(known, now, corners, 0)
    near = np.linalg.norm(target - source, axis=1) <= STANDING
    source, target = source[near], target[near]
    alike = [_looks_alike(known, now, *pair) for pair in zip(source, target, strict=True)]
    return source[alike], target[alike]


def _looks_alike(
    known: Mask, now: Mask, source: NDArray[np.float32], target: NDArray[np.float32]
) -> bool:
    """Whether the surroundings of the point `source` in `known`, x, y, look like those of `target`
    in `now`: they differ by much less than they hold of contrast.
    """
    before, after = (
        cv2.getRectSubPix(picture, SEARCH_WINDOW, point.tolist()).astype(np.float32)
        for picture, point in ((known, source), (now, target))
    )
    contrast = float(np.abs(before - before.mean()).mean())
    return float(np.abs(after - before).mean()) <= SAME_DETAIL * contrast


def _common_motion(
    source: NDArray[np.float32], target: NDArray[np.float32]
) -> tuple[Homography | None, NDArray[np.float32]]:
    """Return the similarity, (3, 3), that takes most of the (n, 2) points `source` to those in
    `target`, and the points of `source` that agree with it, (m, 2). Where there is no such
    similarity, return None and no points.
    """
    cv2.setRNGSeed(0)
    fit, agreeing = cv2.estimateAffinePartial2D(
        source,
        target,
        method=cv2.RANSAC,
        ransacReprojThreshold=AGREEMENT,
        confidence=RANSAC_CONFIDENCE,
    )
    if fit is None:
        return None, source[:0]
    return np.vstack([fit, [0, 0, 1]]).astype(np.float64), source[agreeing.ravel() > 0]


def _edges(picture: RGB) -> Mask:
    """By how many levels, (h, w) uint8 from 0 to 255, a shift of EDGE_SHIFT pixels changes each
    pixel of a (h, w, 3) picture.
    """
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    edges = cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    return cv2.convertScaleAbs(edges, alpha=EDGE_SHIFT)


def shrink(frame: RGB, factor: int) -> RGB:
    """The (h, w, 3) frame `factor` times smaller. Columns at the right and rows at the bottom that
    do not fill a whole small pixel are cut off.
    """
    height, width = frame.shape[0] // factor, frame.shape[1] // factor
    whole_blocks = frame[: height * factor, : width * factor]
    return cv2.resize(whole_blocks, (width, height), interpolation=cv2.INTER_AREA)


def _is_plausible(motion: Homography) -> bool:
    """Whether `motion` turns and scales the picture no more than a stand that gives way does."""
    return bool(np.abs(motion[:2, :2] - np.eye(2)).max() < LARGEST_TURN)
