"""Tells whether a tile of a rack stands in line with others, however wide the gaps between them.

`vision.grouping` finds the rows in which tiles touch. On a rack people leave gaps, but its shelf
keeps all tiles in line; nothing beside the rack lies so except by chance.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.quads import across, down

# Only so many sure tiles, the nearest, are looked at: a rack holds no more, and a printed cloth may
# have hundreds.
NEIGHBOURS = 32
# When a tile stands in line with two others. Lengths are in widths of these two.
LEAST_APART = 0.6  # of the two others, from middle to middle
MOST_APART = 5.0  # of the tile from the nearer of the two, along the line
MOST_SHIFT = 0.3  # of a tile up or down from the line, in heights of a tile
# Least cosine of the angle between the line and the upper side of each of the three.
ALONG = 0.93
MOST_RATIO = 1.33  # of the tile's width and that of the others


def is_in_line(
    quads: NDArray[np.float32],
    tile: int,
    sure: NDArray[np.intp],
) -> bool:
    """Tell whether a `tile`, an index of quads, stands in line with two others of a rack. `quads`
    (n, 4, 2) are all tiles, in pixels, and `sure` (k,) the indices of those that surely are.
    """
    middles = quads.mean(axis=1, dtype=np.float64)
    others = sure[sure != tile]
    away = np.linalg.norm(middles[others] - middles[tile], axis=1)
    nearest = others[np.argsort(away)[:NEIGHBOURS]]
    return _is_first_in_line(quads[[tile, *nearest]])


def _is_first_in_line(quads: NDArray[np.float32]) -> bool:
    """Tell whether the first of the tiles at `quads`, (n, 4, 2) in pixels, stands in line with two
    others.
    """
    middles = quads.mean(axis=1, dtype=np.float64)
    sides, heights = across(quads).astype(np.float64), np.linalg.norm(down(quads), axis=1)
    widths = np.maximum(np.linalg.norm(sides, axis=1), 1e-6)
    sides /= widths[:, None]
    # All pairs of the other tiles, k of them, each with the way from its first tile to its second.
    one, other = (half + 1 for half in np.triu_indices(len(quads) - 1, k=1))
    ways = middles[other] - middles[one]
    lengths = np.maximum(np.linalg.norm(ways, axis=1), 1e-6)
    ways /= lengths[:, None]
    width = (widths[one] + widths[other]) / 2
    leans = np.abs(ways @ sides.T)  # (k, n): cosine between the way and the side of each tile
    pairs = np.arange(len(one))
    lean = np.minimum(np.minimum(leans[pairs, one], leans[pairs, other]), leans[:, 0])
    move = middles[0] - middles[one]
    from_one = np.einsum("kc,kc->k", move, ways)
    off_line = np.abs(np.einsum("kc,kc->k", move, ways[:, ::-1] * [-1, 1]))
    beyond = np.maximum(-from_one, from_one - lengths)
    ratio = np.maximum(widths[0] / width, width / widths[0])
    fits = (off_line <= MOST_SHIFT * heights[one]) & (lean >= ALONG)
    fits &= (lengths >= LEAST_APART * width) & (beyond <= MOST_APART * width)
    return bool((fits & (ratio <= MOST_RATIO)).any())
