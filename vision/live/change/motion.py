"""Where the picture moves, and how far a pixel may change without anything having happened."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.live.change.reference import ReferenceImage
from vision.live.pictures import Mask
from vision.live.settings import LiveConfig

Cells = NDArray[np.bool_]  # (rows, columns): one value for each cell of `LiveConfig.cell` pixels

NOISE_LIMIT = 4.0  # levels: a picture that differs more everywhere has moved, it is not noisier
NOISE_KEPT, NOISE_TAKEN = 0.9, 0.1  # shares of the former estimate and of a new frame's noise
# Levels by which a pixel may go up and down at rest. Edges do where the compression of the video
# decides from frame to frame how to draw them.
FLICKER_LIMIT = 40.0
FLICKER_MARGIN = 1.25  # times the largest flicker seen lately is still flicker
FLICKER_SECONDS = 5.0  # in which the flicker seen fades to a third
THING_CELLS = 3  # neighbouring cells that move together: a thing, not flicker
SAMPLING = 6  # every 6th small pixel each way is enough to measure the noise


class MotionMonitor:
    """Watches the small pictures for motion, and learns noise and flicker from those at rest.
    Mutable; owned by the gate.

    Motion is measured against an anchor, a picture some tenths of a second old. The monitor
    remembers when each cell last moved: a cell is a square of `LiveConfig.cell` small pixels each
    way, and masks of cells are (rows, columns).
    """

    def __init__(self, config: LiveConfig) -> None:
        self._config = config
        self._anchor: ReferenceImage | None = None
        self._anchor_time = 0.0
        self._time = 0.0  # of the latest picture
        self._noise = 1.0  # levels
        self._flicker: NDArray[np.float32] = np.zeros((0, 0), np.float32)  # (h, w) levels
        self._tolerance: Mask | None = None  # (h, w) levels
        self._moved_at: NDArray[np.float64] = np.zeros((0, 0))  # (rows, columns) seconds
        self._last_motion = float("-inf")
        self._is_moving = False

    @property
    def is_moving(self) -> bool:
        """Whether anything moves in the latest picture."""
        return self._is_moving

    @property
    def last_motion(self) -> float:
        """When anything last moved, in seconds; minus infinity before the first motion."""
        return self._last_motion

    def begin(self, picture: ReferenceImage, time: float) -> None:
        """Measure motion against this small picture, taken at `time` in seconds; its size may
        differ from the last one's. What is known of each cell and pixel is forgotten. The estimate
        of the noise is kept, and so are `last_motion` and `is_moving`.
        """
        height, width = picture.shape
        cell = self._config.cell
        rows, columns = -(-height // cell), -(-width // cell)
        self.set_anchor(picture)
        self._anchor_time = self._time = time
        self._flicker = np.zeros((height, width), np.float32)
        self._tolerance = None
        self._moved_at = np.full((rows, columns), float("-inf"))

    def set_anchor(self, picture: ReferenceImage) -> None:
        """Measure motion against this small picture from now on."""
        self._anchor = picture.copy()

    def tolerate(self, levels: Mask | None) -> None:
        """Raise the least change that counts as motion by `levels`, (h, w), at each pixel; None
        raises it nowhere.
        """
        self._tolerance = levels

    def watch(self, now: ReferenceImage, time: float) -> None:
        """Take in the latest small picture, `now`, taken at `time` in seconds."""
        assert self._anchor is not None, "begin() comes first"
        difference = now.difference(self._anchor)
        self._learn_noise(difference)
        moving = self.cells(self.significant(difference))
        things = _things_among(moving)
        self._learn_flicker(difference, things, time)
        self._moved_at[things] = time
        self._is_moving = bool(moving.any())
        if self._is_moving:
            self._last_motion = time
        age = time - self._anchor_time
        if age >= self._config.anchor or age < 0:
            self.set_anchor(now)
            self._anchor_time = time

    def note_moved(self, changed: Mask, time: float) -> None:
        """Count what `changed`, (h, w), sets as having moved at `time`, in seconds."""
        self._moved_at[self.cells(changed)] = time

    def significant(self, difference: Mask) -> Mask:
        """Mask (h, w), 255 where `difference`, (h, w) in levels, is more than noise and flicker
        explain, otherwise 0. The levels that `tolerate` was last called with are allowed in
        addition.
        """
        noise = max(self._config.difference, self._config.noise_factor * self._noise)
        limits = np.maximum(FLICKER_MARGIN * self._flicker, noise).astype(np.uint8)
        if self._tolerance is not None:
            limits = cv2.add(limits, self._tolerance)
        return cv2.compare(difference, limits, cv2.CMP_GT)

    def cells(self, mask: Mask) -> Cells:
        """Return a mask (rows, columns) of the cells, squares of `LiveConfig.cell` small pixels. It
        is True for each cell of which `mask`, (h, w), sets at least the share
        `LiveConfig.cell_share`.
        """
        cell = self._config.cell
        rows, columns = self._moved_at.shape
        below, right = -mask.shape[0] % cell, -mask.shape[1] % cell
        padded = cv2.copyMakeBorder(mask, 0, below, 0, right, cv2.BORDER_CONSTANT, value=0)
        share = cv2.resize(padded, (columns, rows), interpolation=cv2.INTER_AREA)
        return np.asarray(share >= self._config.cell_share * 255, bool)

    def moved_lately(self, time: float, within: float) -> Mask:
        """Mask (h, w), in small pixels, of where a thing has moved less than `within` seconds
        before `time`.
        """
        height, width = self._flicker.shape
        recent = (time - self._moved_at < within).astype(np.uint8) * 255
        return cv2.resize(recent, (width, height), interpolation=cv2.INTER_NEAREST)

    def still_cells(self, time: float) -> Cells:
        """Mask (rows, columns) of the cells that have been still, together with their neighbours,
        for `LiveConfig.calm` seconds before `time`.
        """
        busy = (time - self._moved_at < self._config.calm).astype(np.uint8)
        return np.asarray(cv2.dilate(busy, np.ones((3, 3), np.uint8)) == 0, bool)

    def _learn_noise(self, difference: Mask) -> None:
        sample = difference[::SAMPLING, ::SAMPLING]
        median = min(float(np.median(sample)), NOISE_LIMIT)
        self._noise = NOISE_KEPT * self._noise + NOISE_TAKEN * median

    def _learn_flicker(self, difference: Mask, things: Cells, time: float) -> None:
        """Learn how much each pixel flickers: the largest recent change in it while no thing moved
        around it.

        `difference` (h, w) tells by how many levels the picture taken at `time` differs from the
        anchor, a picture some tenths of a second older. `things` (rows, columns) are the cells in
        which a thing moves.
        """
        fading = np.exp(-max(time - self._time, 0.0) / FLICKER_SECONDS)
        self._time = time
        seen = np.minimum(difference, FLICKER_LIMIT, dtype=np.float32)
        if things.any():
            height, width = difference.shape
            around = cv2.dilate(things.astype(np.uint8), np.ones((5, 5), np.uint8))
            around = cv2.resize(around, (width, height), interpolation=cv2.INTER_NEAREST)
            seen[around > 0] = 0
        self._flicker = np.maximum(fading * self._flicker, seen, dtype=np.float32)


def _things_among(moving: Cells) -> Cells:
    """Mask (rows, columns) of the `moving` cells that belong to a thing: they move together with
    enough neighbours, or are next to a cell that does.
    """
    together = cv2.boxFilter(moving.astype(np.uint8), -1, (3, 3), normalize=False)
    cores = ((together >= THING_CELLS) & moving).astype(np.uint8)
    near_cores = cv2.dilate(cores, np.ones((3, 3), np.uint8)) > 0
    return np.asarray(moving & near_cores, bool)
