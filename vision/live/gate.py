"""The gate before all looking: where the picture moves, and where it differs from the table as it
was last understood.

Works on a small picture, with the light of the whole evened out, so that an unchanged frame
costs a millisecond.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.live.light import in_light_of
from vision.live.plates import RGB, Mask, Plate
from vision.live.refind import registered
from vision.live.settings import LiveConfig

MOST_NOISE = 4.0  # levels: a picture that differs more has moved
DARKNESS = (
    32  # levels between the darkest and the brightest place, below which a picture shows nothing
)
# levels a pixel may go up and down by at rest: edges do where a frame's compression decides now so,
# now so
MOST_FLICKER = 40.0
FLICKER_MARGIN, FLICKER_KEPT = (
    1.25,
    5.0,
)  # of the most seen lately; seconds in which that is forgotten but for a third
THING_CELLS = 3  # side by side that move together: a thing, no flicker
SAMPLING = 6  # every so many pixels of the small picture give the noise


@dataclass(frozen=True)
class Glance:
    """What one frame shows against the memory. Masks are of the small picture, (h, w), 0 or 255."""

    changed: Mask
    ready: bool  # some changed place has been still long enough to be looked at
    moving: bool  # something moves somewhere
    scale: float  # pixels of the frame a small pixel


class Gate:
    """Keeps two pictures: `clear`, the table as understood, and `scenery`, the same with what has
    come to rest on it since.
    """

    def __init__(self, config: LiveConfig) -> None:
        self._config = config
        self._clear: Plate | None = None
        self._scenery: Plate | None = None
        self._anchor: Plate | None = None
        self._now: Plate | None = None  # the latest small picture in the light of `clear`
        self._raw: RGB | None = None
        self._grey = False
        self._anchor_time = 0.0
        self._noise = 1.0
        self._flicker: NDArray[np.float32] = np.zeros((0, 0), np.float32)  # levels, a small pixel
        self._time = 0.0  # of the latest frame
        self._resting_hands: Mask = np.zeros((0, 0), np.uint8)
        self._busy: NDArray[np.float64] = np.zeros((0, 0))
        self.last_motion = float("-inf")

    def see(self, frame: RGB, time: float) -> Glance:
        """Takes one (h, w, 3) RGB frame at `time` seconds."""
        factor = shrink_factor(frame, self._config.small_side)
        small = _shrunk(frame, factor)
        grey = _is_grey(small)  # a camera that sees by infrared from now on, or no longer
        if self._clear is None or self._clear.low.shape != small.shape or grey != self._grey:
            self._begin(small, time)
            self._grey = grey
        assert self._clear is not None
        self._raw, self._now = small, in_light_of(self._clear, small)
        moving = self._watch_motion(time)
        changed = cv2.min(self._difference(self._clear), self._difference(self._scenery))
        mask = self._mask(changed)
        cells = self._cells(mask)
        ready = bool(cells.any()) and bool((cells & self._calm(time)).any())
        return Glance(mask, ready, moving, factor)

    def is_calm(self, time: float) -> bool:
        """Whether no place has moved for a while."""
        return time - self.last_motion >= self._config.calm

    def busy(self, time: float, within: float | None = None) -> Mask:
        """Where something has moved lately, as a mask of the small picture."""
        recent = (time - self._busy < (self._config.calm if within is None else within)).astype(
            np.uint8
        ) * 255
        height, width = self._now_shape()
        return cv2.resize(recent, (width, height), interpolation=cv2.INTER_NEAREST)

    def accept(self, foreign: Mask, time: float) -> None:
        """What is seen now is the table, except under `foreign`, under hands that rest, and where
        something came to rest only lately: there the memory stays as it was.
        """
        assert (
            self._clear is not None
            and self._scenery is not None
            and self._now is not None
            and self._raw is not None
        )
        other = self._mask(self._difference(self._clear))
        resting = cv2.bitwise_and(other, _inverse(self._mask(self._difference(self._scenery))))
        self._resting_hands = cv2.bitwise_and(self._resting_hands, other)
        lately = cv2.bitwise_or(self.busy(time, self._config.hold), self._resting_hands)
        keep = cv2.bitwise_or(foreign, cv2.bitwise_and(resting, lately))
        if not keep.any():
            self._remember(self._raw)
            return
        self._clear.paste(self._now, _inverse(keep))
        self._scenery.paste(self._now, _inverse(keep))

    def absorb(self, mask: Mask, hand: bool) -> None:
        """What has come to rest under `mask` is no longer a change; the table below it is not
        forgotten: a `hand` leaves again.
        """
        assert self._scenery is not None and self._now is not None
        self._scenery.paste(self._now, mask)
        if hand:
            self._resting_hands = cv2.bitwise_or(self._resting_hands, mask)

    def move(self, homography: NDArray[np.float64], scale: float) -> None:
        """The camera moved: the memory moves with it, `homography` (3, 3) mapping old frame pixels
        to new ones, and made to fit the whole picture: a patterned cloth shows half a pixel.
        What differs no more than resampling does is taken as it is now.
        """
        assert self._clear is not None and self._scenery is not None and self._now is not None
        to_frame = np.array([[scale, 0, (scale - 1) / 2], [0, scale, (scale - 1) / 2], [0, 0, 1.0]])
        small = registered(
            self._clear.low, self._now.low, np.linalg.inv(to_frame) @ homography @ to_frame
        )
        shape = self._now.low.shape[:2]
        seen = cv2.warpPerspective(
            np.full(shape, 255, np.uint8), small, shape[::-1], flags=cv2.INTER_NEAREST
        )
        self._resting_hands = cv2.warpPerspective(
            self._resting_hands, small, shape[::-1], flags=cv2.INTER_NEAREST
        )
        for memory in (self._clear, self._scenery):
            warped = memory.warped(small)
            other = self._mask(self._now.softened().difference(warped.softened()))
            other = cv2.dilate(
                cv2.morphologyEx(other, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)),
                np.ones((7, 7), np.uint8),
            )
            memory.paste(self._now, np.full_like(seen, 255))
            memory.paste(warped, cv2.bitwise_and(seen, other))

    def lighting(self) -> tuple[RGB, RGB]:
        """The memory and the present, both small RGB, for whoever tells shadows from things."""
        assert self._clear is not None and self._now is not None
        return self._clear.low, self._now.low

    def changed(self) -> Mask:
        """Where the present differs from the memory, after `accept`, `absorb` or `move`."""
        return self._mask(cv2.min(self._difference(self._clear), self._difference(self._scenery)))

    def _begin(self, small: RGB, time: float) -> None:
        self._remember(small)
        self._anchor_time = self._time = time
        self._flicker = np.zeros(small.shape[:2], np.float32)
        self._resting_hands = np.zeros(small.shape[:2], np.uint8)
        rows, columns = (-(-size // self._config.cell) for size in small.shape[:2])
        self._busy = np.full((rows, columns), float("-inf"))

    def _remember(self, small: RGB) -> None:
        plate = Plate.of(small, np.ones(3))
        self._clear, self._scenery, self._anchor = plate, plate.copy(), plate.copy()

    def _now_shape(self) -> tuple[int, int]:
        assert self._now is not None
        return self._now.low.shape[0], self._now.low.shape[1]

    def _watch_motion(self, time: float) -> bool:
        difference = self._difference(self._anchor)
        sample = difference[::SAMPLING, ::SAMPLING]
        self._noise = 0.9 * self._noise + 0.1 * min(float(np.median(sample)), MOST_NOISE)
        cells = self._cells(self._mask(difference))
        things = _in_company(cells)
        self._learn_flicker(difference, things, time)
        self._busy[things] = time
        moving = bool(cells.any())
        if moving:
            self.last_motion = time
        if time - self._anchor_time >= self._config.anchor or time < self._anchor_time:
            assert self._now is not None
            self._anchor, self._anchor_time = self._now.copy(), time
        return moving

    def _learn_flicker(self, difference: Mask, things: NDArray[np.bool_], time: float) -> None:
        """Where nothing of any size moves, the most that each pixel changes by is what it does at
        rest.
        """
        kept = np.exp(-max(time - self._time, 0.0) / FLICKER_KEPT)
        self._time = time
        seen = np.minimum(difference, MOST_FLICKER, dtype=np.float32)
        if things.any():
            height, width = difference.shape
            around = cv2.dilate(things.astype(np.uint8), np.ones((5, 5), np.uint8))
            seen[cv2.resize(around, (width, height), interpolation=cv2.INTER_NEAREST) > 0] = 0
        self._flicker = np.maximum(kept * self._flicker, seen, dtype=np.float32)

    def _difference(self, memory: Plate | None) -> Mask:
        assert memory is not None and self._now is not None
        return self._now.difference(memory)

    def _mask(self, difference: Mask) -> Mask:
        level = max(self._config.difference, self._config.noise_factor * self._noise)
        return cv2.compare(
            difference,
            np.maximum(FLICKER_MARGIN * self._flicker, level).astype(np.uint8),
            cv2.CMP_GT,
        )

    def _cells(self, mask: Mask) -> NDArray[np.bool_]:
        """Cells of which enough pixels are set."""
        cell = self._config.cell
        rows, columns = self._busy.shape
        padded = cv2.copyMakeBorder(
            mask,
            0,
            rows * cell - mask.shape[0],
            0,
            columns * cell - mask.shape[1],
            cv2.BORDER_CONSTANT,
            value=0,
        )
        share = cv2.resize(padded, (columns, rows), interpolation=cv2.INTER_AREA)
        return np.asarray(share >= self._config.cell_share * 255, bool)

    def _calm(self, time: float) -> NDArray[np.bool_]:
        """Cells that have been still, and their neighbours too."""
        busy = (time - self._busy < self._config.calm).astype(np.uint8)
        return np.asarray(cv2.dilate(busy, np.ones((3, 3), np.uint8)) == 0, bool)


def _in_company(moving: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Those cells that move together with enough others beside them, and their neighbours that
    move.
    """
    company = cv2.boxFilter(moving.astype(np.uint8), -1, (3, 3), normalize=False)
    things = ((company >= THING_CELLS) & moving).astype(np.uint8)
    return np.asarray(moving & (cv2.dilate(things, np.ones((3, 3), np.uint8)) > 0), bool)


def _is_grey(small: RGB) -> bool:
    """Not so of a lens that is covered."""
    some = small[::SAMPLING, ::SAMPLING]
    return int(np.ptp(some)) > DARKNESS and bool((some == some[..., :1]).all())


def shrink_factor(frame: RGB, small_side: int) -> int:
    """A power of two: only those shrink at once."""
    factor = 1
    while max(frame.shape[:2]) / factor > small_side:
        factor *= 2
    return factor


def _shrunk(frame: RGB, factor: int) -> RGB:
    height, width = (size // factor for size in frame.shape[:2])
    return cv2.resize(
        frame[: height * factor, : width * factor], (width, height), interpolation=cv2.INTER_AREA
    )


def _inverse(mask: Mask) -> Mask:
    return cv2.bitwise_not(mask)
