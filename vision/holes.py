"""Places where a row has room for just one tile between two that lie in line.

The detector misses tiles among others where they are small or seen from low above the table; the
reader, asked to look there, reads most of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class HoleConfig:
    """When there is a hole between two tiles.

    On 496 rendered tables of eight seeds, ordinary and hard ones, there were 64 such holes: 48 with
    a tile, of which the reader is sure enough for `vision.pipeline` of 37, and 16 without, of which
    it is so sure of one.
    """

    room: tuple[float, float] = (1.7, 2.4)  # from middle to middle, in widths of a tile
    # Least cosine of the angle between the upper sides of both, and between either and the line
    # that joins them.
    in_line: float = 0.97
    taken: float = 0.6  # widths of a tile: another one as near to the hole's middle fills it


def holes(quads: NDArray[np.float32], config: HoleConfig = HoleConfig()) -> NDArray[np.float32]:
    """Return a quad (4, 2) for the tile in each hole, (k, 4, 2), turned as the first of its two
    neighbours. `quads` (n, 4, 2) are tiles, in pixels.
    """
    middles = quads.mean(axis=1, dtype=np.float64)
    across = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]).astype(np.float64) / 2
    widths = np.maximum(np.linalg.norm(across, axis=1), 1e-6)
    across /= widths[:, None]
    moves = middles[None] - middles[:, None]
    apart = np.maximum(np.linalg.norm(moves, axis=2), 1e-6)
    along = np.abs(np.einsum("ijx,ix->ij", moves, across)) / apart
    room = 2 * apart / (widths[:, None] + widths)
    is_hole = (room >= config.room[0]) & (room <= config.room[1])
    is_hole &= np.minimum(along, along.T) >= config.in_line
    is_hole &= np.abs(across @ across.T) >= config.in_line
    found = list[NDArray[np.float32]]()
    for one, other in np.argwhere(np.triu(is_hole)):
        middle = (middles[one] + middles[other]) / 2
        places = [*middles, *(quad.mean(axis=0) for quad in found)]
        if np.linalg.norm(places - middle, axis=1).min() >= config.taken * widths[one]:
            upside_down = across[one] @ across[other] < 0
            beyond = np.roll(quads[other], 2, axis=0) if upside_down else quads[other]
            found.append((quads[one] + beyond) / 2)
    return np.array(found, np.float32).reshape(-1, 4, 2)
