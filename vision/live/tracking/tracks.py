"""One tile on the table, followed over many frames, and what single looks say of it.

All classes are frozen: a track that changes is replaced by whoever keeps it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from math import dist

import numpy as np
from numpy.typing import NDArray

from engine.tiles import COLOURS, Tile
from vision.live.change.alignment import Homography, transform_points
from vision.quads import Quad
from vision.reader import NUMBER_CLASSES, face_scores, log_softmax

FLOOR = -9.0  # least log-probability that counts: no single look can rule a face out


@dataclass(frozen=True)
class FaceReading:
    """One look at one face: log-probabilities `number` (15,), of 1 to 13, the comodín and "not
    readable", and `colour` (4,), of red, blue, black and yellow. `ink` (3,) is the direction of the
    ink's colour in red, green and blue absorbance.
    """

    number: NDArray[np.float32]
    colour: NDArray[np.float32]
    ink: NDArray[np.float64]

    @cached_property
    def scores(self) -> NDArray[np.float32]:
        """(53,) log-probabilities of the faces, in the order of `engine.tiles.FACES`."""
        return np.asarray(face_scores(self.number[None], self.colour[None])[0])


@dataclass(frozen=True)
class Observation:
    """A face found in one look. `quad` is (4, 2) frame pixels; `reading` is None where the face was
    not read again because the picture did not change.
    """

    quad: Quad
    reading: FaceReading | None

    @property
    def scores(self) -> NDArray[np.float32] | None:
        """(53,) log-probabilities of the faces, None where the face was not read."""
        return None if self.reading is None else self.reading.scores

    def moved(self, motion: Homography) -> Observation:
        """The observation with its quad moved by `motion`, (3, 3)."""
        return replace(self, quad=transform_points(self.quad, motion))


def _no_numbers() -> NDArray[np.float32]:
    return np.zeros(len(NUMBER_CLASSES), np.float32)


def _no_colours() -> NDArray[np.float32]:
    return np.zeros(len(COLOURS), np.float32)


def _no_ink() -> NDArray[np.float64]:
    return np.zeros(3)


@dataclass(frozen=True, eq=False)
class Track:
    """A tile on the table, followed over many frames in one place.

    The tile was read `looks` times. `number` (15,) and `colour` (4,) are the sums of the
    log-probabilities of these readings, and `ink` (3,) is the sum of their directions of the ink,
    all as in `FaceReading`. `mean_reading` divides the sums by `looks`.
    """

    id: int
    quad: Quad  # (4, 2) frame pixels, in the tile's reading direction
    number: NDArray[np.float32] = field(default_factory=_no_numbers)
    colour: NDArray[np.float32] = field(default_factory=_no_colours)
    ink: NDArray[np.float64] = field(default_factory=_no_ink)
    looks: int = 0
    user_label: Tile | None = None  # what a person said the tile is

    @cached_property
    def mean_reading(self) -> FaceReading:
        """The reading averaged over all looks. Looks are not added up as independent evidence,
        because looks at one tile tend to make the same mistakes.
        """
        looks = np.float32(max(self.looks, 1))
        return FaceReading(
            log_softmax(self.number / looks), log_softmax(self.colour / looks), self.ink / looks
        )

    @property
    def scores(self) -> NDArray[np.float32]:
        """(53,) log-probabilities of the faces, by the readings alone, in the order of
        `engine.tiles.FACES`. Their probabilities add up to less than 1: the rest is that of "not
        readable".
        """
        return self.mean_reading.scores

    @cached_property
    def face(self) -> int:
        """Index into `engine.tiles.FACES` of the likeliest face by the readings alone."""
        return int(self.scores.argmax())

    @cached_property
    def width(self) -> float:
        """Mean length of the top and the bottom edge of the quad, in frame pixels."""
        top_left, top_right, bottom_right, bottom_left = self.quad.tolist()
        return (dist(top_left, top_right) + dist(bottom_right, bottom_left)) / 2

    @property
    def centre(self) -> NDArray[np.float32]:
        """The middle of the quad, (2,) x, y in frame pixels."""
        return np.asarray(self.quad.mean(axis=0))

    def with_reading(self, reading: FaceReading | None) -> Track:
        """The track after one more look, with that look's reading added; the same track where
        `reading` is None, since the look did not read the face.
        """
        if reading is None:
            return self
        return replace(
            self,
            number=self.number + np.maximum(reading.number, FLOOR),
            colour=self.colour + np.maximum(reading.colour, FLOOR),
            ink=self.ink + reading.ink,
            looks=self.looks + 1,
        )

    def at(self, quad: Quad) -> Track:
        """The track with its tile at another `quad`, (4, 2) frame pixels."""
        return replace(self, quad=quad)

    def as_moved_from(self, origin: Track) -> Track:
        """Return this track joined with `origin`, the track of the same tile in its former place.
        The id and the user's label are those of `origin`. The readings are the sums of those of
        both tracks, and the rest is as in this track.
        """
        return replace(
            self,
            id=origin.id,
            user_label=origin.user_label,
            number=self.number + origin.number,
            colour=self.colour + origin.colour,
            ink=self.ink + origin.ink,
            looks=self.looks + origin.looks,
        )
