"""Stands in for the networks: answers with the truth of a sequence, and with errors as often as
asked for.

In this way the live referee's logic is tested apart from the networks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.tiles import COLOURS, Tile
from vision import colour
from vision.detector import Detections
from vision.reader import FEATURE_COUNT, JOKER, NUMBER_CLASSES, FaceScores

INKS = ((200, 30, 30), (30, 60, 200), (30, 30, 30), (220, 160, 20))  # R, B, K, Y


@dataclass(frozen=True)
class Faults:
    """How often and how far the answers of TruthEyes are wrong.

    `missed` is the share of tiles that a look does not find, `misread` the share of tiles that a
    look reads as another number or colour, and `jitter` the standard deviation of errors of
    corners, in px along x and along y.
    """

    missed: float = 0.0
    misread: float = 0.0
    jitter: float = 0.3
    confidence: float = 0.995  # probability given to the number and colour that are read


class Truthful(Protocol):
    """Anything that knows the true tiles of each frame. `table_at` returns all tiles that lie on
    the table, also those under a hand, and their corners, (n, 4, 2) px.
    """

    def table_at(self, frame: int) -> tuple[list[str], NDArray[np.float32]]: ...


class TruthEyes:
    """Finds and reads tiles by the truth of a film.

    Two attributes must be set before each look: `frame` to the number of the frame, from 0, and
    `covered` to a mask (h, w) that is True where a hand hides the table, or to None without a hand.
    Tiles that a hand covers are not found.
    """

    def __init__(self, truth: Truthful, faults: Faults = Faults(), seed: int = 0) -> None:
        self.frame, self.inks, self.other_set = 0, colour.INKS, False
        self.covered: NDArray[np.bool_] | None = None
        self._truth, self._faults, self._rng = truth, faults, np.random.default_rng(seed)

    def detect(self, picture: NDArray[np.uint8]) -> Detections:
        _, quads = self._table()
        kept = [quad for quad in quads if self._is_found(quad)]
        found = np.array(kept, np.float32).reshape(-1, 4, 2)
        found = found + self._rng.normal(0, self._faults.jitter, found.shape).astype(np.float32)
        return Detections(found, np.full(len(found), 0.9, np.float32))

    def read(self, picture: NDArray[np.uint8], quads: NDArray[np.float32]) -> FaceScores:
        tiles, true = self._table()
        number = np.full((len(quads), len(NUMBER_CLASSES)), 1e-6, np.float32)
        colour = np.full((len(quads), len(COLOURS)), 1e-6, np.float32)
        for i, quad in enumerate(quads):
            nearest = int(np.linalg.norm(true.mean(axis=1) - quad.mean(axis=0), axis=1).argmin())
            self._answer(Tile.parse(tiles[nearest]), number[i], colour[i])
        turn = np.log(np.tile([0.997, 0.001, 0.001, 0.001], (len(quads), 1)).astype(np.float32))
        number, colour = (
            np.log(part / part.sum(axis=1, keepdims=True)) for part in (number, colour)
        )
        return FaceScores(
            number,
            colour,
            turn,
            quads.copy(),
            _crops(colour),
            np.zeros((len(quads), 8), np.float32),
            np.zeros((len(quads), FEATURE_COUNT), np.float32),
        )

    def _table(self) -> tuple[list[str], NDArray[np.float32]]:
        return self._truth.table_at(self.frame)

    def _is_found(self, quad: NDArray[np.float32]) -> bool:
        return self._rng.random() >= self._faults.missed and not self._is_covered(quad)

    def _is_covered(self, quad: NDArray[np.float32]) -> bool:
        if self.covered is None:
            return False
        t = np.linspace(0.1, 0.9, 5)[:, None]
        top, bottom = quad[0] * (1 - t) + quad[1] * t, quad[3] * (1 - t) + quad[2] * t
        points = (
            (top[None] * (1 - t[:, None]) + bottom[None] * t[:, None])
            .reshape(-1, 2)
            .round()
            .astype(int)
        )
        height, width = self.covered.shape
        points = points[((points >= 0) & (points < [width, height])).all(axis=1)]
        return len(points) < 20 or float(self.covered[points[:, 1], points[:, 0]].mean()) > 0.35

    def _answer(self, tile: Tile, number: NDArray[np.float32], colour: NDArray[np.float32]) -> None:
        """Fill in what is read on one tile, in place: `number` (15,) and `colour` (4,), shares of
        probability that need not add up to 1. The greatest ones are at the true number and colour.
        Where this look misreads the tile, one of the two is at another number or colour. A comodín
        is never misread, and its colours are all equal.
        """
        wrong = self._rng.random() < self._faults.misread
        if tile.joker:
            number[JOKER] = self._faults.confidence
            number[int(self._rng.integers(13))] += 1 - self._faults.confidence
            colour[:] = 0.25
            return
        assert tile.number is not None and tile.colour is not None
        n, c = tile.number - 1, COLOURS.index(tile.colour)
        if wrong and self._rng.random() < 0.5:
            n = (n + int(self._rng.integers(1, 13))) % 13
        elif wrong:
            c = (c + int(self._rng.integers(1, 4))) % 4
        number[n] = colour[c] = self._faults.confidence
        number[(n + 5) % 13] += 1 - self._faults.confidence
        colour[(c + 1) % 4] += 1 - self._faults.confidence


def _crops(colour: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Make white-balanced crops of tiles, (n, 64, 48, 3) RGB, with a patch of ink in the likeliest
    colour of each. `colour`, (n, 4), are log-probabilities of the colours in the order of COLOURS.
    """
    crops = np.full((len(colour), 64, 48, 3), 225, np.uint8)
    crops[:, 16:40, 16:32] = np.array(INKS, np.uint8)[colour.argmax(axis=1)][:, None, None]
    return crops
