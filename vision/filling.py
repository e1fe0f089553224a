"""Reads the tiles that lie in the holes of rows and beyond their ends; `vision.holes` finds these
places.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.company import number_given_direction
from vision.detector import Detections
from vision.doubts import DoubtConfig
from vision.holes import are_filled, holes
from vision.own_set.knowledge import OwnSet
from vision.pyramid import RGB
from vision.reader import JOKER, FaceScores, Reader

# Probability of the likeliest number from which there is a tile in the hole of a row; of a comodín,
# whose figure other things resemble, more.
IN_A_HOLE, COMODIN_IN_A_HOLE = 0.8, 0.95
LOOKS = 3  # at most; each begins with the tiles found at the look before


def with_holes_filled(
    picture: RGB,
    reader: Reader,
    own_set: OwnSet | None,
    doubts: DoubtConfig,
    *,
    finds: Detections,
    found: Detections,
    scores: FaceScores,
) -> tuple[Detections, FaceScores]:
    """Return the tiles `found` and their `scores` with further tiles in holes of rows and beyond
    their ends: those that the reader sees there, and those that are among the detector's `finds`
    but did not look like tiles by themselves. These tiles get scores so low that they count
    as doubtful, whatever their rows show.

    `picture` is (h, w, 3) RGB; `own_set` is the set that lies there, if it is known.
    """
    perhaps = finds.quads[finds.scores > doubts.in_line]
    size = picture.shape[1], picture.shape[0]
    for _ in range(LOOKS):
        places = holes(scores.quads, size)
        if not len(places):
            break
        sure = found.scores > doubts.odd_tile
        filled = are_filled(places, sure, scores.quads, perhaps)
        there = _seen_at(picture, reader, own_set, places, filled)
        if not len(there):
            break
        faint = (doubts.tile * there.legible).astype(np.float32)
        found = Detections(
            np.concatenate([found.quads, there.quads]), np.concatenate([found.scores, faint])
        )
        scores = scores.joined(there)
    return found, scores


def _seen_at(
    picture: RGB,
    reader: Reader,
    own_set: OwnSet | None,
    places: NDArray[np.float32],
    filled: NDArray[np.bool_],
) -> FaceScores:
    """Look at the `places` (n, 4, 2), and return what the reader sees at those of them where it
    surely sees a tile, and at those that are `filled` (n,) in any case.
    """
    there = reader.read(picture, places)
    if own_set:
        there = own_set.compared(reader, picture, there)
    as_beside = np.zeros(len(there))
    number = number_given_direction(there.number, there.turn, as_beside)
    comodin = number.argmax(axis=1) == JOKER
    there = replace(there, number=number)
    sure = there.legible > np.where(comodin, COMODIN_IN_A_HOLE, IN_A_HOLE)
    return there.take(np.flatnonzero(sure | filled))
