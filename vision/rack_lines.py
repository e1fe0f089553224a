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
    its own index and those of sure tiles, from one end of the line to the other. A tile in line
    with fewer than two sure tiles has no line.

    `quads` (n, 4, 2) are all tiles, in pixels, and `sure` the indices of those that surely are.
    """
    if len(sure) < 2 or not len(tiles):
        return []
    middles = quads.mean(axis=1, dtype=np.float64)
    sides, heights = across(quads).astype(np.float64), np.linalg.norm(down(quads), axis=1)
    widths = np.maximum(np.linalg.norm(sides, axis=1), 1e-6)
    sides /= widths[:, None]
    # All pairs of sure tiles, k of them, each with the way from its first tile to its second.
    one, other = (sure[half] for half in np.triu_indices(len(sure), k=1))
    ways = middles[other] - middles[one]
    lengths = np.maximum(np.linalg.norm(ways, axis=1), 1e-6)
    ways /= lengths[:, None]
    width = (widths[one] + widths[other]) / 2
    leans = np.abs(ways @ sides.T)  # (k, n): cosine between the way and the side of each tile
    from_one = np.einsum("knc,kc->kn", middles[None] - middles[one, None], ways)
    normals = np.stack([-ways[:, 1], ways[:, 0]], axis=1)
    off_line = np.abs(np.einsum("knc,kc->kn", middles[None] - middles[one, None], normals))
    near = off_line <= config.max_shift * heights[one, None]
    pairs = np.arange(len(one))
    in_one_row = (leans[pairs, one] >= config.along) & (leans[pairs, other] >= config.along)
    in_one_row &= lengths >= config.least_apart * width
    lines = list[Indices]()
    for tile in tiles:
        at = from_one[:, tile]
        beyond = np.maximum(-at, at - lengths)
        ratio = np.maximum(widths[tile] / width, width / widths[tile])
        fits = in_one_row & near[:, tile] & (leans[:, tile] >= config.along)
        fits &= (one != tile) & (other != tile)
        fits &= (beyond <= config.max_apart * width) & (ratio <= config.max_ratio)
        if not fits.any():
            continue
        others = sure[sure != tile]
        best = int(np.flatnonzero(fits)[near[np.ix_(fits, others)].sum(axis=1).argmax()])
        members = [tile, *others[near[best, others]].tolist()]
        lines.append(tuple(sorted(members, key=lambda member: float(from_one[best, member]))))
    return lines
