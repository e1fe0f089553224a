"""Whether a photograph shows the tiles that a set was taught with, or those of another set.

The digits of one set have one typeface and lie at one place of the face, in any light; so the ink
of its tiles covers the same pixels of their crops. Photographs that should teach a set are compared
face by face, and one that is to be read by what was taught, number by number.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.tiles import Tile
from vision.crops import CROP_HEIGHT, CROP_WIDTH
from vision.own_set.examples import FaceExample
from vision.pyramid import RGB
from vision.reader import JOKER, FaceScores

FEWEST_FACES = 6  # that both have, and that can tell
BODY = 75  # percentile of a crop's pixels, of each channel, that is the tile's body
SMOOTH = 1.2  # standard deviation in pixels: the crops of two photographs differ in sharpness
EDGE = 6  # pixels by which one crop may be shifted against the other
# Median correlation of two photographs' faces below which they show two sets. Of 35 sets that
# were rendered twice in different light, and of a bleached one, none has less than 0.88; of 1,200
# pairs of different sets, all drawn with one typeface, 90 in 100 have less than 0.85.
ALIKE = 0.86
# Quantile of the correlations of a photograph's tiles with those taught that tells how alike they
# are: some tiles are half covered, misread or lie under a lamp.
AMONG_TILES = 0.75
MOST_TILES = 24  # of a photograph that are compared: one takes half a millisecond
Inked = NDArray[np.float32]  # (64, 48): how much darker than the body each pixel of a crop is


def shows_other_set(examples: Iterable[FaceExample], known: Iterable[FaceExample]) -> bool:
    """Tell whether the `examples` of one photograph show other tiles than those `known` of a set.
    With few faces that both have, the answer is False.
    """
    inked = defaultdict[str, list[Inked]](list)
    for one in known:
        inked[one.face].append(_inked(one.crop))
    found = [
        max(_correlation(_inked(one.crop), other) for other in inked[one.face])
        for one in examples
        if one.face in inked and one.face != "J"  # a comodín may lie in any direction
    ]
    return len(found) >= FEWEST_FACES and float(np.median(found)) < ALIKE


@dataclass(frozen=True, eq=False)
class Typeface:
    """What the numbers of a set look like, whatever their inks.

    `inked` (n, 64, 48) uint8 tells how much darker than the body each pixel of a taught crop is,
    and `number` (n,) are indices into NUMBER_CLASSES: of each face with a number its oldest
    example.
    """

    inked: NDArray[np.uint8]
    number: NDArray[np.intp]

    @classmethod
    def of(cls, examples: Sequence[FaceExample]) -> Typeface:
        crops = {one.face: one.crop for one in reversed(examples) if one.face != "J"}
        inked = np.array([np.rint(_inked(crop)) for crop in crops.values()], np.uint8)
        numbers = [(Tile.parse(face).number or 0) - 1 for face in crops]
        return cls(inked.reshape(-1, CROP_HEIGHT, CROP_WIDTH), np.array(numbers, np.intp))

    def unlike(self, scores: FaceScores) -> float | None:
        """Return how unlike the taught numbers those of n tiles look, from 0 for the same to 1 and
        more: 1 less the quantile AMONG_TILES of their correlations. `scores` are what the
        network sees on them. None where fewer than FEWEST_FACES bear a number that was taught.
        """
        found = []
        numbers = scores.number.argmax(axis=1)
        known = np.flatnonzero((numbers < JOKER) & np.isin(numbers, self.number))
        for tile in known[:: max(1, -(-len(known) // MOST_TILES))]:
            taught = self.inked[self.number == numbers[tile]].astype(np.float32)
            seen = _inked(scores.crops[tile])
            found.append(max(_correlation(seen, other) for other in taught))
        return 1 - float(np.quantile(found, AMONG_TILES)) if len(found) >= FEWEST_FACES else None


def _inked(crop: RGB) -> Inked:
    pixels = crop.astype(np.float32)
    body = np.percentile(pixels.reshape(-1, 3), BODY, axis=0)
    darker = np.clip(body - pixels, 0, None).max(axis=2).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(darker, (0, 0), SMOOTH))


def _correlation(one: Inked, other: Inked) -> float:
    """Return the correlation of two faces where they fit best, -1 to 1."""
    middle = one[EDGE:-EDGE, EDGE:-EDGE]
    return float(cv2.matchTemplate(other, middle, cv2.TM_CCOEFF_NORMED).max())
