"""All that is known of one's own set, worked out from its examples for the reader at hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.own_set.examples import TileSet
from vision.own_set.inks import SetInks
from vision.own_set.prototypes import Prototypes, Taught
from vision.pyramid import RGB
from vision.reader import JOKER, FaceScores, Reader


@dataclass(frozen=True, eq=False)
class OwnSet:
    """Numbers and inks of one set. Nothing here changes once it is made."""

    prototypes: Prototypes
    inks: SetInks

    @classmethod
    def of(cls, tile_set: TileSet, reader: Reader) -> OwnSet:
        """Work out what `reader` must know of the set; takes a second or two.

        Raises ValueError for a set without an example of at least two numbers.
        """
        if len({example.face.rstrip("RBKY") for example in tile_set.examples}) < 2:
            raise ValueError(
                f"expected examples of at least two numbers, got {list(tile_set.counts())}"
            )
        taught = Taught.of(tile_set, reader)
        return cls(Prototypes.of(taught), SetInks.of(taught))

    def compared(self, reader: Reader, picture: RGB, scores: FaceScores) -> FaceScores:
        """Return the scores, their numbers by the network and the set together."""
        return self.prototypes.compared(reader, picture, scores)

    def table_colours(self, scores: FaceScores) -> NDArray[np.float32]:
        """Return log-probabilities of the colours, (n, 4), given all inks of the table."""
        return self.inks.table_colours(scores, scores.number.argmax(axis=1) < JOKER)
