"""Adds to each frame what a camera would: flicker of the mains, an exposure that follows the
brightness, noise, compression.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.scene.photo import decoded, encoded

NOISES = 6  # precomputed pictures of sensor noise
# seconds from the first row of a frame to the last: a rolling shutter shows the mains as bands
READOUT = 0.022
Picture = NDArray[np.uint8]


@dataclass(frozen=True)
class LensConfig:
    """How a camera errs. `noise` is the standard deviation of a pixel's noise, in levels of 0 to
    255; `flicker`, `banding` and `tint` are shares of the brightness.

    `flicker` is the size of random steps from frame to frame. `mains` is the frequency of the mains
    in Hz. Lamps flicker twice as fast, which leaves bands in a frame; `banding` is how strong these
    are. `hunting` is how strongly automatic exposure answers to the brightness: 0 not at all, 1
    until the picture is as bright as at first. `tint` is how far automatic white balance wanders.
    `quality` is that of each frame's JPEG, 0 to 100; None for frames without compression.
    """

    noise: float = 2.0
    flicker: float = 0.012
    mains: float | None = None  # None: no bands
    banding: float = 0.05
    hunting: float = 0.0
    tint: float = 0.0
    quality: int | None = None
    grey: bool = False  # the camera sees no colours


class Lens:
    """A camera whose exposure and white balance follow what it sees, for frames of `shape`,
    (height, width), at `fps` frames a second. Pictures are (h, w, 3) RGB.
    """

    def __init__(
        self, config: LensConfig, rng: np.random.Generator, fps: float, shape: tuple[int, int]
    ) -> None:
        self.config = config
        self._rng, self._fps = rng, fps
        self._noises = [
            (rng.standard_normal((*shape, 3)) * config.noise).astype(np.int16)
            for _ in range(NOISES)
        ]
        self._level, self._exposure, self._tint = 1.0, 1.0, np.zeros(3)
        self._usual: float | None = None
        self._phase = float(rng.uniform(0, 2 * pi))
        self._number = 0

    def take(self, picture: Picture) -> Picture:
        self._number += 1
        config = self.config
        self._level += 0.1 * (1 - self._level) + float(self._rng.normal(0, config.flicker))
        self._tint += 0.02 * -self._tint + self._rng.normal(0, config.tint / 10, 3)
        gain = self._level * self._metered(picture) * (1 + self._tint)
        picture = np.asarray(cv2.multiply(picture, np.array([*gain, 1.0])), np.uint8)
        if config.mains is not None:
            picture = self._banded(picture, config.mains)
        noise = self._noises[int(self._rng.integers(NOISES))]
        picture = np.asarray(cv2.add(picture, noise, dtype=cv2.CV_8U), np.uint8)
        if config.grey:
            picture = np.asarray(
                cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB),
                np.uint8,
            )
        return picture if config.quality is None else decoded(encoded(picture, config.quality))

    def _metered(self, picture: Picture) -> float:
        """Return the factor by which automatic exposure brightens the picture. The factor sinks
        soon after the picture gets brighter, and rises soon after it gets darker.
        """
        seen = float(picture[::24, ::24].mean())
        self._usual = seen if self._usual is None else self._usual
        wanted = (self._usual / max(seen, 1.0)) ** self.config.hunting
        self._exposure += (wanted - self._exposure) * min(1.0, 3.0 / self._fps)
        return self._exposure

    def _banded(self, picture: Picture, mains: float) -> Picture:
        """Darken and brighten bands of the picture. A rolling shutter makes such bands: it reads
        one row after another while the lamp flickers with the mains, whose frequency is `mains` in
        Hz.
        """
        rows = np.linspace(0, READOUT, picture.shape[0])
        wave = 1 + self.config.banding * np.sin(
            self._phase + 4 * pi * mains * (self._number / self._fps * 1.0003 + rows)
        )
        bands = np.repeat(wave[:, None, None], 3, axis=2) * np.ones((1, picture.shape[1], 1))
        return np.asarray(cv2.multiply(picture, bands, dtype=cv2.CV_8U), np.uint8)
