"""Tells by the height of its digit whether a 6 or a 9 on a rack stands on its head.

Digits stand in the upper half of a face, so along a shelf all of them lie on one line. The digit of
a tile that stands on its head lies below it. The network sees where the digit lies in the face
alone, and takes it to lie too low where the upper side of the tile is seen and its quad reaches up
there; the tiles beside it tell more. Where their quads reach up too far as well, so that their
digits lie no higher than the middle, nothing is told.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colour import ink_middles
from vision.crops import FACE_IN_CROP
from vision.quads import across, down, sides
from vision.reader import JOKER, FaceScores


@dataclass(frozen=True)
class HeightConfig:
    """Which tiles stand beside a tile on its shelf, and how much the height of its digit tells.

    Found on 616 rendered racks (experiment 156 of models/EXPERIMENTS.md).
    """

    # Of another tile's middle, in widths and heights of the tile: along the shelf, and up or down.
    max_apart: float = 8.0
    max_shift: float = 0.45
    max_apart_of_one: float = 1.6  # where only one tile stands there
    max_ratio: float = 1.5  # of the two widths
    nearest: int = 6  # so many of the tiles beside it are looked at
    # Of a tile that is covered from below only a part is seen: one less high, over its width, than
    # so many times the usual ratio on its rack. The usual one is this percentile.
    whole: float = 0.9
    usual_height: float = 85.0
    scatter: float = 0.12  # standard deviation of a digit's height, in heights of a tile
    most: float = 1.5  # log-odds told, in nats


def height_evidence(
    rack: FaceScores,
    upright: NDArray[np.bool_],
    which: NDArray[np.intp],
    config: HeightConfig = HeightConfig(),
) -> NDArray[np.float64]:
    """Return what the heights of the digits tell of n tiles of one rack: the log-odds, (n,), that a
    tile stands upright in its quad and not upside down.

    `rack` are the network's scores of the tiles, and `upright` (n,) tells which of them it takes to
    stand upright in their quads. The log-odds are 0 of all tiles but those with the indices
    `which`, (m,), and of these where nothing is told.
    """
    told = np.zeros(len(rack))
    width, height = sides(rack.quads)
    usual = np.percentile(height / width, config.usual_height)
    whole = height / width >= config.whole * usual
    numbered = rack.number[:, : JOKER + 1].argmax(axis=1) < JOKER
    asked = which[whole[which]]
    if not len(asked):
        return told
    shelves, along = _Shelves(rack, numbered, config), across(rack.quads)
    for tile in map(int, asked):
        beside = shelves.beside(tile)
        if not len(beside):
            continue
        usual_digit, digit = shelves.heights(tile, beside)
        # 1 where most of the others stand upright when read as the tile's quad is, -1 where most
        # stand upside down.
        same_way = (along[beside] @ along[tile] > 0) == upright[beside]
        order = np.sign(2 * np.count_nonzero(same_way) - len(beside))
        told[tile] = 2 * digit * max(float(order * usual_digit), 0.0)
    return np.clip(told / config.scatter**2, -config.most, config.most)


class _Shelves:
    """The tiles of a rack, and where their digits lie in the picture."""

    def __init__(self, rack: FaceScores, numbered: NDArray[np.bool_], config: HeightConfig) -> None:
        """`numbered` (n,) tells which of the n tiles bear a number."""
        self._numbered, self._config = numbered, config
        self._middles = rack.quads.mean(axis=1)
        self._along, self._down = across(rack.quads), down(rack.quads)
        self._digits = np.stack(
            [
                cv2.perspectiveTransform(
                    middle[None, None],
                    cv2.getPerspectiveTransform(FACE_IN_CROP, quad.astype(np.float32)),
                )[0, 0]
                for middle, quad in zip(ink_middles(rack.crops), rack.quads, strict=True)
            ]
        )

    def beside(self, tile: int) -> NDArray[np.intp]:
        """Return the indices of the nearest tiles that stand beside a tile on its shelf."""
        config = self._config
        to_own = np.linalg.pinv(np.stack([self._along[tile], self._down[tile]], axis=1))
        along, shift = np.abs((self._middles - self._middles[tile]) @ to_own.T).T
        ratio = np.linalg.norm(self._along, axis=1) / np.linalg.norm(self._along[tile])
        near = (along < config.max_apart) & (shift < config.max_shift) & self._numbered
        near &= np.maximum(ratio, 1 / ratio) < config.max_ratio
        near[tile] = False
        found = np.flatnonzero(near)
        found = found[np.argsort(along[found])][: config.nearest]
        return found if len(found) > 1 else found[along[found] < config.max_apart_of_one]

    def heights(self, tile: int, beside: NDArray[np.intp]) -> tuple[float, float]:
        """Return how high digits lie above the middle of the shelf, in heights of a tile: most of
        those of the tiles `beside`, and that of `tile`. Up is where the top of the quad of `tile`
        is.
        """
        same_way = np.sign(self._along[beside] @ self._along[tile])
        tall = np.linalg.norm(self._down[beside], axis=1)
        up = -(self._down[beside] * (same_way / tall)[:, None]).mean(axis=0)
        up = up / max(np.linalg.norm(up), 1e-6)
        right = np.array([-up[1], up[0]])
        middles = self._middles[beside] - self._middles[tile]
        x, y = middles @ right, middles @ up
        if np.ptp(x) > np.linalg.norm(self._along[tile]):
            slope = float(np.polyfit(x, y, 1)[0])
        else:
            along = self._along[beside]
            slope = float(np.mean((along @ up) / (along @ right)))
        axis = (up - slope * right) / np.median(tall)
        digits = (self._digits - self._middles[tile]) @ axis
        usual = float(np.median(digits[beside] - middles @ axis))
        return usual, float(digits[tile] - np.median(digits[beside])) + usual
