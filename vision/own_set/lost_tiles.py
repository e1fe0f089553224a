"""Which numbers a row lacks that was laid without a gap for its lost tiles.

A row in which a gap shows the lost tile is told by its places. Where the tiles were pushed together
instead, the places alone would name all tiles after the lost one wrongly.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from vision.own_set.certainty import LEGIBLE, LOWEST_LOG
from vision.own_set.lattice import ROW_LENGTH

# Digits are believed against the places only if, with them, the mean log-probability of the tiles
# is above LEGIBLE, and the sum of them greater by PLAINLY than with the places. A digit that is
# surely read outweighs PLAINLY by itself.
PLAINLY = 2.0


def places_by_digits(number: NDArray[np.float32], present: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return for each of the thirteen places of a row, from 1 to 13, the index of what was seen
    there: 0 to 12 in this order, unless the digits plainly show that other numbers are missing.

    `number` (13, n) are log-probabilities of the printed numbers at the places where the tiles lie,
    beginning with those of 1 to 13. `present` (13,) tells at which of these places there is a tile.
    """
    log = np.maximum(number[:, :ROW_LENGTH], LOWEST_LOG)
    tiles, empty = np.flatnonzero(present), np.flatnonzero(~present)
    at_places = float(log[tiles, tiles].sum())
    choices = [_without(missing) for missing in combinations(range(ROW_LENGTH), len(empty))]
    best = max(choices, key=lambda numbers: float(log[tiles, numbers].sum()))
    fit = float(log[tiles, best].sum())
    order = np.arange(ROW_LENGTH)
    if fit > at_places + PLAINLY and fit / len(tiles) > LEGIBLE:
        order[best] = tiles
        order[np.setdiff1d(np.arange(ROW_LENGTH), best)] = empty
    return order


def _without(missing: Iterable[int]) -> NDArray[np.intp]:
    return np.setdiff1d(np.arange(ROW_LENGTH), list(missing))
