"""How a phone on a stand moves: it trembles, sags, and is knocked. The picture moves by whole
pixels and by fractions of a pixel.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, exp, pi, radians, sin, sqrt

import numpy as np
from numpy.typing import NDArray

Motion = NDArray[np.float64]  # (3, 3), maps pixels at rest to those of a frame
STEPS = 10.0  # per second of the random walks; at another frame rate steps are longer or shorter
SWING_SECONDS, SWING_HZ = 0.25, 4.0  # the swing of a knocked stand: its decay and frequency
KNOCKED_PX = 14.0  # how far knocks may carry the picture in all


@dataclass(frozen=True)
class SwayConfig:
    """How far a camera on a stand moves, in pixels of the frame, degrees and seconds. By default it
    does not move at all.
    """

    drift_px: float = 0.0  # greatest offset, in x and in y, by a random walk
    step_px: float = 0.3  # standard deviation of the steps of that walk
    turn: float = 0.0  # degrees, greatest angle by a random walk
    zoom: float = 0.0  # share of the size, greatest change by a random walk
    sag_px: float = 0.0  # downwards, per minute
    knock_seconds: float = 0.0  # between two knocks on the stand, on average; 0: none
    knock_px: tuple[float, float] = (5.0, 20.0)  # how far a knock moves it: least and most

    @property
    def is_still(self) -> bool:
        return not (self.drift_px or self.turn or self.zoom or self.sag_px or self.knock_seconds)


class Sway:
    """The motion of a camera on a stand that drifts, sags and is knocked.

    Each call of `next` moves it by one frame and returns the homography, (3, 3), from pixels of the
    camera at rest to pixels of this frame. `size` is the width and height of the frames in pixels.
    """

    def __init__(self, config: SwayConfig, seed: int, fps: float, size: tuple[int, int]) -> None:
        self._config, self._fps, self._size = config, fps, size
        self._rng = np.random.default_rng([83, seed])
        self._walk = np.zeros(4)  # x, y, degrees, share; each within its limit
        # Offsets in pixels by the last knock and by the one before it.
        self._place, self._before = np.zeros(2), np.zeros(2)
        self._since_knock = 1e9  # seconds
        self._number = 0

    def next(self) -> Motion:
        config = self._config
        self._number += 1
        seconds = self._number / self._fps
        limits = np.array([config.drift_px, config.drift_px, config.turn, config.zoom])
        steps = np.array([config.step_px, config.step_px, config.turn / 8, config.zoom / 8])
        steps *= sqrt(STEPS / self._fps) * (limits > 0)
        self._walk = np.clip(self._walk + self._rng.normal(0, 1, 4) * steps, -limits, limits)
        x, y = self._walk[:2] + self._knocked()
        y += config.sag_px * seconds / 60
        return self._about_middle(float(x), float(y), radians(self._walk[2]), 1 + self._walk[3])

    def _knocked(self) -> NDArray[np.float64]:
        """Advance one frame; return by how much knocks have moved the picture until now, as x, y in
        pixels. This includes the swinging of the stand after the last knock.
        """
        config = self._config
        self._since_knock += 1 / self._fps
        wanted = config.knock_seconds
        if wanted and self._rng.random() < 1 / (wanted * self._fps):
            self._before, self._place = self._place, self._knock()
            self._since_knock = 0.0
        swing = exp(-self._since_knock / SWING_SECONDS) * cos(2 * pi * SWING_HZ * self._since_knock)
        return np.asarray(self._place + (self._before - self._place) * swing)

    def _knock(self) -> NDArray[np.float64]:
        """Choose at random where the next knock leaves the picture: its offset from its first
        place, x, y in pixels.

        The new offset is at most KNOCKED_PX in each direction, and its distance from the present
        offset lies within `knock_px`.
        """
        least, most = self._config.knock_px
        while True:
            place = self._rng.uniform(-KNOCKED_PX, KNOCKED_PX, 2)
            if least <= float(np.linalg.norm(place - self._place)) <= most:
                return np.asarray(place)

    def _about_middle(self, x: float, y: float, turn: float, zoom: float) -> Motion:
        c, s = zoom * cos(turn), zoom * sin(turn)
        middle = np.array(self._size) / 2
        shift = middle - np.array([[c, -s], [s, c]]) @ middle + np.array([x, y])
        return np.array([[c, -s, shift[0]], [s, c, shift[1]], [0, 0, 1.0]])
