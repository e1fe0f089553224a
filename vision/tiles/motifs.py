"""Tells comodines from the motif of a cloth, such as a star that is printed on it again and again.

A set has few comodines, so what looks alike more often than it has any, and shows no number, is no
tile.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.rulesets import RuleSet
from engine.tiles import JOKER as COMODIN
from vision.quads import sides
from vision.reader import JOKER, FaceScores
from vision.tiles.company import components

# Cosine between the features of finds that look alike, and between those of a find and of a motif,
# as it is seen the other way round or in another light.
ALIKE, LIKE_MOTIF = 0.8, 0.5
# Finds that look alike and are surely read as comodines: one more than sets have, and more than the
# rules say where this set has gained some. Blurred tiles look alike, too, but of nine such tiles
# that read as comodines one did so with 0.9.
FEWEST, SURE_COMODIN = 5, 0.9
# Widths of a find from its middle to that of a tile with a number, within which it may be a tile
# beside it, unless it is one of too many that look alike.
BESIDE = 2.0


def are_of_motif(
    scores: FaceScores,
    joint_scores: NDArray[np.float32],
    sure: float,
    rules: RuleSet,
) -> NDArray[np.bool_]:
    """Return a mask (n,) of the finds that are of a motif. `scores` are what the reader sees on
    them, `joint_scores` (n,) their joint scores, `sure` that above which a find is a tile, and
    `rules` tell how many comodines the set has.

    What is somewhat like a motif goes with it where no number lies beside it, unless it surely
    reads as a comodín: it may be one.
    """
    motif = np.zeros(len(scores), np.bool_)
    number = scores.number.argmax(axis=1)
    blank = np.flatnonzero(number >= JOKER)
    comodines = np.exp(scores.number[blank, JOKER]) >= SURE_COMODIN
    fewest = max(FEWEST, rules.copies(COMODIN) + 1)
    if comodines.sum() < fewest:
        return motif
    lengths = np.maximum(np.linalg.norm(scores.features[blank], axis=1, keepdims=True), 1e-6)
    directions = scores.features[blank] / lengths
    cosines = directions @ directions.T
    for group in components(cosines >= ALIKE):
        if comodines[group].sum() >= fewest:
            motif[blank[group]] = True
    if motif.any():
        like_motif = cosines[:, motif[blank]].max(axis=1) >= LIKE_MOTIF
        digits = np.flatnonzero((number < JOKER) & (joint_scores > sure))
        middles = scores.quads.mean(axis=1)
        away = np.linalg.norm(middles[blank][:, None] - middles[digits], axis=2)
        width = sides(scores.quads[blank])[0]
        alone = (away > BESIDE * width[:, None]).all(axis=1)
        motif[blank[like_motif & alone & ~comodines]] = True
    return motif
