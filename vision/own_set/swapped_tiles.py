"""Which tiles of a row were laid in each other's places, such as the 6 and the 9.

The places tell what the tiles show, whatever the digits look like. But where a few tiles show
plainly each other's numbers, somebody has mistaken one for the other.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.own_set.certainty import SURE
from vision.own_set.lattice import ROW_LENGTH
from vision.reader import NINE, SIX, UPRIGHT

# Tiles of one row that are put back. More of them are no mistake: the row has another order.
MOST_SWAPPED = 4


def places_of_swapped(
    number: NDArray[np.float32], turn: NDArray[np.float32], present: NDArray[np.bool_]
) -> NDArray[np.intp]:
    """Return for each of the thirteen places of a row, from 1 to 13, the index of the tile that
    belongs there: 0 to 12 in this order, unless a few tiles plainly show each other's numbers.

    `number` (13, n) and `turn` (13, 4) are log-probabilities of the printed numbers, beginning with
    those of 1 to 13, and of the directions of the tiles. A 6 or a 9 is believed only on a tile that
    is surely upright: a 6 whose digit stands at its lower edge may be read as a 9 that lies upside
    down. `present` (13,) tells at which places there is a tile.
    """
    read = number[:, :ROW_LENGTH].argmax(axis=1)
    sure = present & (number[:, :ROW_LENGTH].max(axis=1) > SURE)
    sure &= (turn[:, UPRIGHT] > SURE) | ~np.isin(read, (SIX, NINE))
    order = np.arange(ROW_LENGTH)
    odd = np.flatnonzero(sure & (read != order))
    if len(odd) <= MOST_SWAPPED and np.array_equal(np.sort(read[odd]), odd):
        order[read[odd]] = odd
    return order
