"""Reads the tiles that lie in the holes of rows and beyond their ends; `vision.tiles.holes` finds
these places.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.detector import Detections
from vision.doubts import DoubtConfig
from vision.faint import are_as_light, body_light
from vision.own_set.knowledge import OwnSet
from vision.pyramid import RGB, Pyramid
from vision.reader import JOKER, FaceScores, Reader
from vision.tiles.company import number_given_direction
from vision.tiles.holes import are_filled, holes

# Probability of the likeliest number from which there is a tile in the hole of a row. Of a comodín,
# whose figure other things resemble, more, and its body has to be as light as that of the nearest
# tile but for AS_LIGHT, a difference of natural logarithms.
IN_A_HOLE, COMODIN_IN_A_HOLE = 0.8, 0.95
AS_LIGHT = 0.2
# The detector's score from which a find fills a place beside two tiles that are not faint, though
# no face is seen there, as on a comodín that its picture fills. On 1,152 rendered tables three
# tiles of which nobody had heard are told so, and nothing else (experiment 248).
LOOKS_THERE = 0.5
# A place less legible than this at a first look is not read, which takes several looks. Of 1,091
# places beyond the ends of rows without a tile 22 are as legible; of those where the reader surely
# sees a tile then, none is less legible than 0.40.
WORTH_READING = 0.2
LOOKS = 3  # at most; each begins with the tiles found at the look before


def with_holes_filled(
    picture: RGB,
    reader: Reader,
    own_set: OwnSet | None,
    doubts: DoubtConfig,
    *,
    finds: Detections,
    joint_scores: NDArray[np.float32],
    scores: FaceScores,
) -> tuple[NDArray[np.float32], FaceScores]:
    """Return the `joint_scores` (n,) of the tiles that were found, and what the reader sees on
    them, `scores`, with further tiles in holes of rows and beyond their ends: those that the reader
    sees there, and those that are among the detector's `finds` but did not look like tiles by
    themselves. Their joint scores are so low that they count as doubtful, whatever their rows show.

    `picture` is (h, w, 3) RGB; `own_set` is the set that lies there, if it is known.
    """
    perhaps = finds.quads[finds.scores > LOOKS_THERE]
    size = picture.shape[1], picture.shape[0]
    for _ in range(LOOKS):
        places = holes(scores.quads, size)
        if not len(places):
            break
        sure = joint_scores > doubts.faint
        filled = are_filled(places, sure, scores.quads, perhaps)
        there = _seen_at(picture, reader, own_set, scores.quads, places, filled)
        if not len(there):
            break
        faint = (doubts.tile * there.legible).astype(np.float32)
        joint_scores = np.concatenate([joint_scores, faint])
        scores = scores.joined(there)
    return joint_scores, scores


def _seen_at(
    picture: RGB,
    reader: Reader,
    own_set: OwnSet | None,
    tiles: NDArray[np.float32],
    places: NDArray[np.float32],
    filled: NDArray[np.bool_],
) -> FaceScores:
    """Look at the `places` (n, 4, 2) beside the `tiles` (m, 4, 2), and return what the reader sees
    at those of them where it surely sees a tile, and at those that are `filled` (n,) in any case.
    """
    if own_set:
        there = own_set.compared(reader, picture, reader.read(picture, places))
    else:
        legible = reader.look(Pyramid(picture), places).legible
        worth_reading = (legible > WORTH_READING) | filled
        places, filled = places[worth_reading], filled[worth_reading]
        there = reader.read(picture, places)
    as_beside = np.zeros(len(there))
    number = number_given_direction(there.number, there.turn, as_beside)
    comodin = number.argmax(axis=1) == JOKER
    there = replace(there, number=number)
    apart = np.linalg.norm(places.mean(axis=1)[:, None] - tiles.mean(axis=1), axis=2)
    usual_light = body_light(picture, tiles[apart.argmin(axis=1)])
    light = are_as_light(picture, places, usual_light, AS_LIGHT)
    may_be_comodin = light & (there.legible > COMODIN_IN_A_HOLE)
    sure = np.where(comodin, may_be_comodin, there.legible > IN_A_HOLE)
    return there.take(np.flatnonzero(sure | filled))
