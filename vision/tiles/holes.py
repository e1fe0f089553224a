"""Places where a tile may lie that the detector missed: between two tiles of a row with room for
just one more, and beyond the ends of rows.

The detector misses some tiles, most of them small or seen from low above the table; the reader,
asked to look there, reads many of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.quads import Quad, across


@dataclass(frozen=True)
class HoleConfig:
    """Where a row may have one more tile.

    On 496 rendered tables of eight seeds, ordinary and hard ones, there were 64 holes between two
    tiles. The reader was sure enough of a tile for `vision.tiles.filling` in 37 of the 48 holes
    that hold a tile, and in 1 of the 16 that hold none. On 543 tables of nine seeds there were 439
    places beyond the ends of rows of tiles that are narrower than 18 pixels or whose height is less
    than 0.75 of their width. The reader was as sure in 21 of the 53 of these places that hold a
    tile, and in none of the others. On 1,034 tables of 21 seeds there were 10,217 places beyond the
    ends of other rows; it is as sure in 4 of the 26 that hold a tile, and in none of the others
    (experiment 196 of models/EXPERIMENTS.md).
    """

    room: tuple[float, float] = (1.7, 2.4)  # from middle to middle, in widths of a tile
    beside: tuple[float, float] = (0.7, 1.4)  # such a distance of two tiles side by side
    # Least cosine of the angle between the upper sides of both, and between either and the line
    # that joins them.
    in_line: float = 0.97
    taken: float = 0.6  # widths of a tile: a find this near to the place's middle already fills it
    # widths of a tile: a find whose middle is this near to the place's may be what fills the hole,
    # whatever its size
    found_there: float = 0.35


@dataclass(frozen=True)
class _Pairs:
    """How n tiles lie to each other.

    `middles` (n, 2) are in pixels, and `across` (n, 2) are vectors of length 1 along the upper
    sides. `widths` (n,) are in pixels. `room` (n, n) is the distance from middle to middle, in
    units of the mean of both widths. `ahead` (n, n) is the cosine of the angle between the upper
    side of the first tile of a pair, by its row, and the way from its middle to that of the second
    tile. `in_line` (n, n) tells whether two tiles lie side by side in one row, near or far.
    """

    middles: NDArray[np.float64]
    across: NDArray[np.float64]
    widths: NDArray[np.float64]
    room: NDArray[np.float64]
    ahead: NDArray[np.float64]
    in_line: NDArray[np.bool_]


def holes(
    quads: NDArray[np.float32], size: tuple[int, int], config: HoleConfig = HoleConfig()
) -> NDArray[np.float32]:
    """Return a quad for each of the k places where the detector may have missed a tile, (k, 4, 2):
    between two tiles of a row or beyond its end.

    A quad between two tiles is turned as the first of them, one beyond an end as the last tile of
    the row. `quads` (n, 4, 2) are the tiles found, in pixels of a picture of `size`, its width and
    height.
    """
    pairs = _pairs(quads, config)
    middles, found = list(pairs.middles), list[Quad]()
    inside = [place for _one, _other, place in _between(quads, pairs, config)]
    for place in [*inside, *_beyond(quads, pairs, size, config)]:
        middle = place.mean(axis=0)
        width = np.linalg.norm(place[1] - place[0])
        if np.linalg.norm(middles - middle, axis=1).min() >= config.taken * width:
            middles.append(middle)
            found.append(place)
    return np.array(found, np.float32).reshape(-1, 4, 2)


def between(
    quads: NDArray[np.float32], config: HoleConfig = HoleConfig()
) -> Iterator[tuple[int, int, Quad]]:
    """Yield the two tiles, indices of `quads` (n, 4, 2), beside each hole in which no find lies
    that is between two tiles of a row, and the quad of the hole, (4, 2), turned as the first tile.
    """
    pairs = _pairs(quads, config)
    for one, other, place in _between(quads, pairs, config):
        away = np.linalg.norm(pairs.middles - place.mean(axis=0), axis=1).min()
        if away >= config.taken * np.linalg.norm(place[1] - place[0]):
            yield one, other, place


def are_filled(
    places: NDArray[np.float32],
    sure_tiles: NDArray[np.bool_],
    tiles: NDArray[np.float32],
    finds: NDArray[np.float32],
    config: HoleConfig = HoleConfig(),
) -> NDArray[np.bool_]:
    """Return a mask (k,) of the `places` (k, 4, 2) that surely hold a tile, though nobody may be
    able to read it: one of the `finds` (m, 4, 2) of the detector lies there, and the two tiles
    beside the place are sure. `sure_tiles` (n,) tells which of the `tiles` (n, 4, 2) are.
    """
    if not len(places) or not len(finds) or len(tiles) < 2:
        return np.zeros(len(places), bool)
    middles = places.mean(axis=1)
    widths = np.linalg.norm(across(places), axis=1)
    to_finds = np.linalg.norm(middles[:, None] - finds.mean(axis=1), axis=2).min(axis=1)
    to_tiles = np.linalg.norm(middles[:, None] - tiles.mean(axis=1), axis=2)
    beside = np.argsort(to_tiles, axis=1)[:, :2]
    return np.asarray((to_finds < config.found_there * widths) & sure_tiles[beside].all(axis=1))


def _pairs(quads: NDArray[np.float32], config: HoleConfig) -> _Pairs:
    middles = quads.mean(axis=1, dtype=np.float64)
    ways = across(quads).astype(np.float64)
    widths = np.maximum(np.linalg.norm(ways, axis=1), 1e-6)
    ways /= widths[:, None]
    moves = middles[None] - middles[:, None]
    apart = np.maximum(np.linalg.norm(moves, axis=2), 1e-6)
    ahead = np.einsum("ijx,ix->ij", moves, ways) / apart
    in_line = np.minimum(abs(ahead), abs(ahead.T)) >= config.in_line
    in_line &= np.abs(ways @ ways.T) >= config.in_line
    room = 2 * apart / (widths[:, None] + widths)
    return _Pairs(middles, ways, widths, room, ahead, in_line)


def _between(
    quads: NDArray[np.float32], pairs: _Pairs, config: HoleConfig
) -> Iterator[tuple[int, int, Quad]]:
    """Yield both tiles beside each hole between two tiles of a row, and its quad. `quads` (n, 4, 2)
    are the tiles, and `pairs` tells how any two of them lie to each other.
    """
    least, most = config.room
    is_hole = pairs.in_line & (pairs.room >= least) & (pairs.room <= most)
    for one, other in np.argwhere(np.triu(is_hole)).tolist():
        upside_down = pairs.across[one] @ pairs.across[other] < 0
        beyond = np.roll(quads[other], 2, axis=0) if upside_down else quads[other]
        yield one, other, (quads[one] + beyond) / 2


def _beyond(
    quads: NDArray[np.float32], pairs: _Pairs, size: tuple[int, int], config: HoleConfig
) -> Iterator[Quad]:
    """Yield a quad one step beyond the last tile of a row, at either end. A quad that does not lie
    inside the picture, whose width and height are `size`, is left out. `pairs` tells how the tiles
    at `quads` lie to each other.
    """
    least, most = config.beside
    is_beside = pairs.in_line & (pairs.room >= least) & (pairs.room <= most)
    for last in range(len(quads)):
        beside = np.flatnonzero(is_beside[last])
        if len(set(np.sign(pairs.ahead[last, beside]))) != 1:
            continue
        before = beside[np.argmin(pairs.room[last, beside])]
        place = quads[last] + (quads[last] - quads[before]).mean(axis=0)
        if (place >= 0).all() and (place <= size).all():
            yield place
