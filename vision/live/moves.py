"""Which of the tiles that came are those that went: a tile that only moved keeps its identity."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.live.tracks import Track

SAME_TILE = 0.05  # probability that both readings are of one face, above which a tile has moved
REARRANGED = 0.002  # ... where as many tiles came as went, close by: a row was laid anew
EXCHANGED = 0.3  # ... where one lies exactly in the other's place, which was read as exchanged
IN_PLACE, CLOSE = 0.35, 15.0  # widths


def pair_moved(gone: Sequence[Track], come: Sequence[Track]) -> dict[int, Track]:
    """Index in `come` -> the track in `gone` that it was; the likeliest first, the nearest among
    equals.
    """
    if not gone or not come:
        return {}
    old, new = (
        np.exp(np.stack([track.read_scores() for track in tracks])) for tracks in (gone, come)
    )
    alike = new @ old.T
    apart = np.array([[_distance(a, b) for b in gone] for a in come])
    least = np.full(alike.shape, SAME_TILE)
    if len(gone) == len(come):
        least[apart < CLOSE] = REARRANGED
    least[apart < IN_PLACE] = EXCHANGED
    order = sorted(
        np.ndindex(alike.shape),
        key=lambda at: (-round(float(np.log10(alike[at] + 1e-9)), 1), apart[at]),
    )
    pairs: dict[int, Track] = {}
    taken: set[int] = set()
    for i, j in order:
        if alike[i, j] >= least[i, j] and i not in pairs and j not in taken:
            pairs[i] = gone[j]
            taken.add(j)
    return pairs


def _distance(a: Track, b: Track) -> float:
    """In widths of the tile."""
    return float(np.linalg.norm(a.quad.mean(axis=0) - b.quad.mean(axis=0))) / b.width
