"""Moves hands and shadows over the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import cos, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.pixels import resized
from datasets.scene.hands import Limb, random_hand

OUTSIDE = 800.0  # mm that a hand comes from and goes back to


@dataclass(frozen=True)
class Pass:
    """The way of a hand: from outside to its place, a moment there, and out again.

    `come`, `stay` and `go` say how many frames each part lasts. `limbs` are those of the hand at
    its place, and `ahead` is the direction in which it comes, a unit vector (3,).
    """

    limbs: list[Limb]
    ahead: NDArray[np.float64]
    come: int
    stay: int
    go: int

    @classmethod
    def random(
        cls,
        rng: np.random.Generator,
        place: tuple[float, ...],
        fps: float,
        stay: tuple[float, float],
    ) -> Pass:
        """Choose at random the way of a hand to `place`, x and y in mm, where it rests for a time
        within `stay`, the least and the most in seconds.
        """
        limbs = random_hand(rng, place[0], place[1])
        way = limbs[0].end - limbs[0].start
        way[2] = 0.0
        seconds = rng.uniform([0.3, stay[0], 0.3], [0.8, stay[1], 0.8])
        come, still, go = (max(int(s * fps), 1) for s in seconds)
        return cls(limbs, way / np.linalg.norm(way), come, still, go)

    @property
    def frames(self) -> int:
        return self.come + self.stay + self.go

    def at(self, frame: int) -> list[Limb]:
        """Return the limbs where they are in a frame of the pass, counted from 0. The hand comes
        from outside, rests at its place and goes back the way it came.
        """
        if frame < self.come:
            back = 1 - (frame + 1) / (self.come + 1)
        elif frame < self.come + self.stay:
            back = 0.0
        else:
            back = (frame - self.come - self.stay + 1) / self.go
        shift = -self.ahead * OUTSIDE * back
        return [
            replace(limb, start=limb.start + shift, end=limb.end + shift) for limb in self.limbs
        ]


def crossing_shadow(rng: np.random.Generator, frames: int) -> Iterator[NDArray[np.float32]]:
    """Yield for each of `frames` frames the factors by which a shadow darkens the picture, (45,
    80), to be enlarged to the whole picture.

    The shadow, crisp or soft, comes in on one side and leaves on the other.
    """
    depth, width = float(rng.uniform(0.15, 0.4)), float(rng.uniform(0.1, 0.5))
    angle = float(rng.uniform(-np.pi, np.pi))
    y, x = np.mgrid[-1:1:45j, -1:1:80j].astype(np.float32)
    along = x * cos(angle) + y * sin(angle)
    for frame in range(frames):
        at = -1.6 + 3.2 * frame / frames
        yield np.asarray(1 - depth * np.exp(-(((along - at) / width) ** 4)), np.float32)


def darkened(picture: NDArray[np.uint8], shade: NDArray[np.float32]) -> NDArray[np.uint8]:
    full = resized(shade, picture.shape[1::-1], cv2.INTER_LINEAR)
    return np.asarray(cv2.multiply(picture, cv2.merge([full] * 3), dtype=cv2.CV_8U), np.uint8)
