"""Tells tiles that lie apart from a rack, as pictures on a game's box do.

All tiles on a rack read along its shelves, and each shelf begins where the one before it ends.
Where most of what is surely seen reads in one direction, what lies far from it in another one is
hardly in the same hand; nor, mostly, are a few tiles well in front of the shelves or behind them,
or what lies askew beside them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.quads import across, down
from vision.tiles.company import components

# When a tile lies off the rack. Lengths are in widths of the wider of two tiles, where no other
# unit is given. On 456 rendered racks of 19 seeds, 3,937 tiles, no tile of a rack is told as turned
# against it, and five are told as beyond its shelves, four of them in doubt anyway. Found by the
# network for racks, none is told as beyond on 665 racks. All these racks have two shelves.

# From middle to middle: as much is a gap between tiles on a rack, and what is nearer may be of one
# rack or one group of melds.
APART = 4.0
# Within these, two tiles read in one direction, or in opposite ones. A shelf holds no tile askew:
# of 17,424 on rendered racks none that is surely read is turned by 22 to 68 degrees.
TURN_DEGREES = 22.0
FEWEST = 3  # tiles that make a rack
MOST_ASKEW = 0.3  # of the tiles that make a rack: where more lie askew, it is a heap
# How far beyond the outermost tiles of the rack, across its shelves, in heights of a tile. Of the
# tiles on these racks a single one on the end of a shelf lies up to 1.3 beyond.
BEYOND = 1.75
# So many tiles, and fewer, are no shelf where such a gap parts them from others, in heights of the
# taller of both tiles beside it: near shelves look larger.
STRAY = 2
# A group with more sure tiles than this share of those on the rack may be a rack itself.
MOST = 0.5


@dataclass(frozen=True)
class OffRack:
    """Which of n tiles lie off the rack: masks (n,)."""

    turned: NDArray[np.bool_]  # read, apart from it and turned against it, or near such tiles
    askew: NDArray[np.bool_]  # surely read beside it, but askew, or near such tiles
    beyond: NDArray[np.bool_]  # in a group of a few in front of its shelves or behind them


def off_rack(
    quads: NDArray[np.float32],
    sure: NDArray[np.bool_],
    read: NDArray[np.bool_],
) -> OffRack:
    """Return which of the tiles at `quads`, (n, 4, 2) in pixels, lie off the rack; none where no
    rack is seen. `sure` (n,) tells which of them surely are tiles, and `read` (n,) which show a
    face: of the others it is not known in which direction they read.
    """
    along = across(quads).astype(np.float64)
    width = np.maximum(np.linalg.norm(along, axis=1), 1e-6)
    direction = along / width[:, None]
    middles = quads.mean(axis=1, dtype=np.float64)
    apart = np.linalg.norm(middles[:, None] - middles, axis=2) / np.maximum(width[:, None], width)
    near = apart <= APART
    least = np.cos(np.radians(TURN_DEGREES))
    together = near & (np.abs(direction @ direction.T) >= least)
    nothing = OffRack(*np.zeros((3, len(quads)), bool))
    rack = _largest_group(together, sure)
    if len(rack) < FEWEST:
        return nothing
    along_shelf = np.abs(direction @ _shelf(direction[rack]))
    askew = sure & read & (along_shelf < least) & (along_shelf > np.sin(np.radians(TURN_DEGREES)))
    # What lies askew is no part of the rack, nor what hangs together only by it.
    askew &= askew.sum() <= MOST_ASKEW * len(rack)
    if askew.any():
        rack = _largest_group(together, sure & ~askew)
        if len(rack) < FEWEST:
            return nothing
    shelf = _shelf(direction[rack])

    turned = ~near[:, rack].any(axis=1) & (np.abs(direction @ shelf) < least) & read
    turned = _with_neighbours(turned, near, rack)
    askew = _with_neighbours(askew, near, rack) & ~turned

    heights = np.maximum(np.linalg.norm(down(quads[rack]), axis=1), 1e-6)
    height = np.median(heights)
    place = middles @ [-shelf[1], shelf[0]] / height  # across the shelves
    # What reads in the rack's direction was taken for a part of it, though a gap may lie between.
    order = np.argsort(place[rack])
    places, heights = place[rack][order], heights[order]
    gaps = height * np.diff(places) / np.maximum(heights[:-1], heights[1:])
    parts = np.split(places, np.flatnonzero(gaps > BEYOND) + 1)
    shelves = np.concatenate([part for part in parts if len(part) > STRAY] or parts)
    first, last = shelves[0], shelves[-1]
    beyond = np.maximum(first - place, place - last) > BEYOND
    groups = _groups(beyond & ~turned, near)
    few = [group for group in groups if sure[group].sum() <= MOST * len(rack)]
    told = np.concatenate([*few, np.zeros(0, np.intp)])
    return OffRack(turned, askew, np.isin(np.arange(len(quads)), told))


def _largest_group(together: NDArray[np.bool_], asked: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the indices of the largest group of those n tiles that are `asked` about, (n,), in
    which each is `together` (n, n) with another; empty where there is none.
    """
    groups = components(together & asked[:, None] & asked)
    return max(groups, key=len, default=np.zeros(0, np.intp))


def _shelf(directions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the direction, (2,) of length 1, in which n tiles of a rack read, whose own directions
    are (n, 2); some may stand upside down.
    """
    same_way = directions * np.sign(directions @ directions[0])[:, None]
    shelf = np.median(same_way, axis=0)
    return np.asarray(shelf / np.linalg.norm(shelf))


def _with_neighbours(
    off: NDArray[np.bool_], near: NDArray[np.bool_], rack: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Return the mask `off` (n,) with the tiles that are near one of it, and so on, and apart from
    the `rack`, which are indices of tiles. `near` (n, n) tells which tiles are near each other.
    """
    away = ~near[:, rack].any(axis=1)
    while (more := off | (away & near[:, off].any(axis=1))).sum() > off.sum():
        off = more
    return np.asarray(off)


def _groups(mask: NDArray[np.bool_], near: NDArray[np.bool_]) -> list[NDArray[np.intp]]:
    """Return the groups of near tiles among those of the `mask` (n,), as arrays of indices; a tile
    with none near it is a group. `near` (n, n) tells which tiles are near each other.
    """
    groups = components(near & mask[:, None] & mask)
    grouped = np.concatenate([*groups, np.zeros(0, np.intp)])
    alone = np.setdiff1d(np.flatnonzero(mask), grouped)
    return [*groups, *alone[:, None]]
