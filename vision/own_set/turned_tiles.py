"""Which tiles of a row were laid upside down.

What such a tile looks like is the same as what it would look like upright in a picture turned by
half a turn, so that the reader can look at it both ways.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.tiles import NUMBERS
from vision.own_set.certainty import SURE
from vision.reader import UPRIGHT, UPSIDE_DOWN, FaceScores


def upside_down(seen: FaceScores, turned: FaceScores) -> NDArray[np.bool_]:
    """Return a mask (13,) of the places of a row, from 1 to 13, at which a tile surely lies upside
    down. `seen` is what the reader sees at the places, and `turned` what it sees there, in the same
    order, with the picture turned by half a turn.

    Both times the reader is sure of the direction and reads the number of the place: a direction
    alone, which it may mistake on a set that it does not know, is not believed.
    """
    places = np.arange(len(NUMBERS))
    both_sure = np.minimum(seen.number[places, places], turned.number[places, places]) > SURE
    is_turned = (seen.turn[:, UPSIDE_DOWN] > SURE) & (turned.turn[:, UPRIGHT] > SURE)
    return np.asarray(both_sure & is_turned)
