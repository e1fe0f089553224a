"""The colours of all tiles of a table, decided together: by the inks of the whole table, and then
along each row, where the light alone may make one ink look like another.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.colour import colour_given_inks, ink_absorbances, unit_vectors
from vision.grouping import Indices
from vision.own_set.knowledge import OwnSet
from vision.reader import JOKER, FaceScores
from vision.reading import Layout
from vision.tiles.drift import told_by_light
from vision.tiles.mixed_inks import told_by_other_tiles


def table_colours(
    scores: FaceScores, own_set: OwnSet | None, layout: Layout
) -> NDArray[np.float32]:
    """Return log-probabilities of red, blue, black and yellow, (n, 4), decided for the whole table:
    by the own set's inks, or without a set by those of the table alone.
    """
    if own_set:
        return own_set.table_colours(scores)
    numbered = scores.number.argmax(axis=1) < JOKER
    absorbances = np.zeros((len(scores), 3))
    absorbances[numbered] = ink_absorbances(scores.crops[numbered])
    colour = colour_given_inks(unit_vectors(absorbances), scores.colour, numbered)
    # On a rack, whose tiles cover one another, the darkest of a face may be a shadow.
    if layout is Layout.MELDS:
        colour[numbered] = told_by_other_tiles(absorbances[numbered], colour[numbered])
    return colour


def lit_colours(
    scores: FaceScores, colour: NDArray[np.float32], rows: list[Indices]
) -> NDArray[np.float32]:
    """Return `colour`, the (n, 4) log-probabilities of the colours of n tiles, after undoing
    changes along a row that come from the light alone. `scores` is what the network says of the
    tiles, and `rows` holds the indices of the tiles of each row, in the order in which they lie.
    """
    mixed = [row for row in rows if len(set(colour[list(row)].argmax(axis=1).tolist())) > 1]
    if not mixed:
        return colour
    tiles = [tile for row in mixed for tile in row]
    absorbances = np.zeros((len(scores), 3))
    absorbances[tiles] = ink_absorbances(scores.crops[tiles])
    likeliest = scores.number.argmax(axis=1)
    number = np.where(likeliest < JOKER, likeliest + 1, 0)
    return told_by_light(absorbances, colour, number, mixed)
