"""Which of the tiles that came are tiles that went: a tile that only moved keeps its identity."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.live.tracking.tracks import Track
from vision.matching import pair_off

# Three least probabilities that two readings, of a tile that went and of one that came, are of one
# face; from them on the two count as one tile that moved. SAME_TILE holds anywhere on the table.
SAME_TILE = 0.05
# REARRANGED holds within NEAR_BY where as many tiles came as went: there a row was laid anew.
REARRANGED = 0.002
# EXCHANGED holds where the tile that came lies in the place of the one that went: what lies there
# was just read as another face.
EXCHANGED = 0.3
IN_PLACE = 0.35  # tile widths between two tiles of one place
NEAR_BY = 15.0  # tile widths within which a row is laid anew
TINY = 1e-9  # probability, for its logarithm's sake


def pair_moved(gone: Sequence[Track], come: Sequence[Track]) -> dict[int, Track]:
    """Tell which tiles only moved: return, by index in `come`, the track in `gone` that is the same
    tile. Indices of tiles that did not move are left out.

    The pairs that read most alike are matched first. Of pairs that read about equally alike, the
    one whose two places are nearest to each other comes first.
    """
    if not gone or not come:
        return {}
    likeness = _probabilities(come) @ _probabilities(gone).T
    distances = np.array([[_widths_between(old, new) for old in gone] for new in come])
    least = np.full(likeness.shape, SAME_TILE)
    if len(gone) == len(come):
        least[distances < NEAR_BY] = REARRANGED
    least[distances < IN_PLACE] = EXCHANGED

    def rank(pair: tuple[int, int]) -> tuple[float, float]:
        tenths_of_decades = round(float(np.log10(likeness[pair] + TINY)), 1)
        return -tenths_of_decades, distances[pair]

    likely = [(int(new), int(old)) for new, old in np.argwhere(likeness >= least)]
    return {new: gone[old] for new, old in pair_off(sorted(likely, key=rank)).items()}


def _probabilities(tracks: Sequence[Track]) -> NDArray[np.float32]:
    """Probabilities of the faces of n tracks, (n, 53), by the readings alone, without what people
    said.
    """
    return np.exp(np.stack([track.scores for track in tracks]))


def _widths_between(old: Track, new: Track) -> float:
    """Distance between the centres of two tracks, in widths of the tile of `new`."""
    return float(np.linalg.norm(old.centre - new.centre)) / new.width
