"""Tells where a meld plainly lacks a tile that nobody saw: in the hole between two rows that lie in
one line, where with any tile in between both are one legal meld.

A lamp may burn the ink of a single tile out, or the detector may miss one; then what is left of the
meld looks like two rows that the players never laid.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.tiles import FACES
from vision.faint import light_on
from vision.grouping import Indices
from vision.pyramid import RGB
from vision.quads import Quad
from vision.tiles.holes import between

# How far the light of the hole may differ from that of the tiles beside it, in natural logarithms,
# at two percentiles of it: ink covers less than a quarter of a tile, and the dark half of a cloth's
# pattern more of a hole. On 2,112 rendered tables three holes in which any tile would complete a
# meld held a tile, and were as light but for 0.20. A fourth and one on a photograph held none, and
# differed by 0.68 and 0.40.
AS_LIGHT, PERCENTILES = 0.25, (50, 75)

Judge = Callable[[NDArray[np.float32]], Callable[[Indices], bool]]


def lacking_tiles(
    pixels: RGB,
    quads: NDArray[np.float32],
    faces: NDArray[np.float32],
    surely_read: NDArray[np.bool_],
    rows: Sequence[Indices],
    judge: Judge,
) -> NDArray[np.float32]:
    """Return the quads, (k, 4, 2), of the holes that surely hold a tile, since one of unknown face
    makes one meld of the two rows beside it, which are not melds both.

    `pixels` is (h, w, 3) RGB, `quads` (n, 4, 2) are the tiles in it, `faces` (n, 53) the
    log-probabilities of their faces, and `rows` the indices of the tiles that lie side by side.
    `surely_read` (n,) tells which of them surely are, as both beside the hole have to be. `judge`
    takes such log-probabilities, and returns a function that tells whether a row of indices is
    likely a meld.
    """
    unknown = len(quads)
    is_meld = judge(np.concatenate([faces, np.zeros((1, len(FACES)), np.float32)]))
    found = list[Quad]()
    for one, other, place in between(quads):
        before, after = _part_ending_with(one, rows), _part_ending_with(other, rows)[::-1]
        if not before or not after or set(before) & set(after):
            continue
        if not surely_read[[one, other]].all():
            continue
        lacks_one = is_meld((*before, unknown, *after))
        lacks_one &= not (is_meld(before) and is_meld(after))
        if lacks_one and _is_as_light(pixels, place, quads[[one, other]]):
            found.append(place)
    return np.array(found, np.float32).reshape(-1, 4, 2)


def _is_as_light(pixels: RGB, place: Quad, beside: NDArray[np.float32]) -> bool:
    """Tell whether a `place` (4, 2) in the picture, (h, w, 3) RGB, is as light as the tiles that
    lie `beside` it, (2, 4, 2).
    """
    there = [light_on(pixels, place[None], share) for share in PERCENTILES]
    usual = [light_on(pixels, beside, share).mean(axis=0) for share in PERCENTILES]
    return bool(np.abs(np.subtract(there, usual)).max() < AS_LIGHT)


def _part_ending_with(tile: int, rows: Sequence[Indices]) -> Indices:
    """Return the row that ends with the `tile`, from its other end on, or the tile alone where it
    is in none of the `rows`. Empty where it lies inside a row.
    """
    row = next((row for row in rows if tile in row), (tile,))
    if row[-1] == tile:
        return row
    return row[::-1] if row[0] == tile else ()
