"""Tells which tiles of a rack stand in line with a tile, however wide the gaps between them.

`vision.grouping` finds the rows in which tiles touch. On a rack people leave gaps, but its shelf
keeps all tiles in line; nothing beside the rack lies so except by chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.grouping import Indices
from vision.quads import across, down


@dataclass(frozen=True)
class LineConfig:
    """When a tile stands in line with two others. Lengths are in widths of these two."""

    # Only so many sure tiles, the nearest, are looked at: a rack holds no more, and a printed cloth
    # may have hundreds.
    neighbours: int = 32
    least_apart: float = 0.6  # of the two others, from middle to middle
    max_apart: float = 5.0  # of the tile from the nearer of the two, along the line
    max_shift: float = 0.3  # of a tile up or down from the line, in heights of a tile
    # Least cosine of the angle between the line and the upper side of each of the three.
    along: float = 0.93
    max_ratio: float = 1.33  # of the tile's width and that of the others


def lines_through(
    quads: NDArray[np.float32],
    tiles: Sequence[int],
    sure: NDArray[np.intp],
    config: LineConfig = LineConfig(),
) -> list[Indices]:
    """Return for each of the `tiles`, indices of quads, the line of most tiles in which it stands:
    its own index and those of sure tiles, in no order. A tile in line with fewer than two sure
    tiles has no line.

    `quads` (n, 4, 2) are all tiles, in pixels, and `sure` the indices of those that surely are.
    """
    middles = quads.mean(axis=1, dtype=np.float64)
    lines = list[Indices]()
    for tile in tiles:
        others = sure[sure != tile]
        away = np.linalg.norm(middles[others] - middles[tile], axis=1)
        nearest = others[np.argsort(away)[: config.neighbours]]
        line = _line_of_first(quads[[tile, *nearest]], config)
        if line:
            members = [tile, *nearest.tolist()]
            lines.append(tuple(members[at] for at in line))
    return lines


def _line_of_first(quads: NDArray[np.float32], config: LineConfig) -> Indices:
    """Return the line of most tiles in which the first of the tiles at `quads` (n, 4, 2) stands, as
    indices of quads in no order; an empty one where it has none.
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
    moves = middles[None] - middles[one, None]
    from_one = np.einsum("knc,kc->kn", moves, ways)
    off_line = np.abs(np.einsum("knc,kc->kn", moves, ways[:, ::-1] * [-1, 1]))
    near = off_line <= config.max_shift * heights[one, None]
    pairs = np.arange(len(one))
    lean = np.minimum(np.minimum(leans[pairs, one], leans[pairs, other]), leans[:, 0])
    beyond = np.maximum(-from_one[:, 0], from_one[:, 0] - lengths)
    ratio = np.maximum(widths[0] / width, width / widths[0])
    fits = near[:, 0] & (lean >= config.along) & (lengths >= config.least_apart * width)
    fits &= (beyond <= config.max_apart * width) & (ratio <= config.max_ratio)
    if not fits.any():
        return ()
    best = int(np.flatnonzero(fits)[near[fits].sum(axis=1).argmax()])
    return tuple(np.flatnonzero(near[best]).tolist())
