"""Tells the melds that lie on the table behind a rack.

Whoever photographs a rack has the table in view, and on it the melds. They read as the tiles on the
rack do, but are farther away, and lie where those stand: they look smaller, from one tile to the
next and not little by little as along a rack.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.rulesets import MINIMUM_MELD
from vision.grouping import Indices
from vision.quads import across, areas, down
from vision.tiles.company import components
from vision.tiles.off_rack import APART, TURN_DEGREES

# When tiles lie behind a rack. On three rendered photographs of racks with melds behind them, all
# 35 tiles of the melds and no others lie there, 25 of them in groups with illegal melds; on 26
# other photographs of racks and on 314 rendered ones of 14 seeds, none does.

ALIKE = 1.5  # largest ratio of the areas of two tiles near each other in one group
SMALLER = 0.67  # greatest area of a tile behind, in those of the nearest on the rack
FEWEST = 3  # tiles of a group that lies behind
IN_MELDS = 0.75  # least share of the tiles of a group of melds that lie in legal ones


@dataclass(frozen=True)
class BehindRack:
    """Which of n tiles lie behind the rack: masks (n,)."""

    melds: NDArray[np.bool_]  # in a group of melds, as they lie on the table
    others: NDArray[np.bool_]  # in another group, which may be a second rack


def behind_rack(
    quads: NDArray[np.float32],
    sure: NDArray[np.bool_],
    rows: Sequence[Indices],
    legal: Sequence[bool],
) -> BehindRack:
    """Return which of the tiles at `quads`, (n, 4, 2) in pixels, lie behind the rack. The rack is
    the group of tiles that look largest, however few they are.

    `sure` (n,) tells which surely are tiles; of the others, those lie behind the rack that are as
    far away and as small and whose nearest sure tile does. `rows` are the tiles that lie side by
    side, and `legal` tells of each row whether it is a legal meld.
    """
    along = across(quads).astype(np.float64)
    width = np.maximum(np.linalg.norm(along, axis=1), 1e-6)
    direction = along / width[:, None]
    middles, area = quads.mean(axis=1, dtype=np.float64), np.maximum(areas(quads), 1.0)
    away = np.linalg.norm(middles[:, None] - middles, axis=2)
    near = away / np.maximum(width[:, None], width) <= APART
    near &= np.abs(direction @ direction.T) >= np.cos(np.radians(TURN_DEGREES))
    near &= np.abs(np.log(area[:, None] / area)) < np.log(ALIKE)
    groups = components(near & sure[:, None] & sure)
    behind = BehindRack(*np.zeros((2, len(quads)), bool))
    if len(groups) < 2:
        return behind
    rack = max(groups, key=lambda group: float(np.median(area[group])))
    same_way = direction[rack] * np.sign(direction[rack] @ direction[rack[0]])[:, None]
    shelf = np.median(same_way, axis=0)
    towards = np.array([-shelf[1], shelf[0]])  # the camera, where the tiles stand upright
    towards *= np.sign(np.median(down(quads[rack]) @ towards)) or 1.0
    place = middles @ towards
    for group in groups:
        nearest = rack[away[np.ix_(group, rack)].argmin(axis=1)]
        is_smaller = np.median(area[group] / area[nearest]) < SMALLER
        is_beyond = place[group].max() < place[rack].min()
        if len(group) >= FEWEST and is_smaller and is_beyond:
            are_melds = _are_melds(group, rows, legal)
            (behind.melds if are_melds else behind.others)[group] = True
    known = np.flatnonzero(sure)
    beside = known[away[:, known].argmin(axis=1)]
    is_small = area < SMALLER * area[rack[away[:, rack].argmin(axis=1)]]
    there = sure | (is_small & (place < place[rack].min()))
    return BehindRack(behind.melds[beside] & there, behind.others[beside] & there)


def _are_melds(
    group: NDArray[np.intp],
    rows: Sequence[Indices],
    legal: Sequence[bool],
) -> bool:
    """Tell whether the tiles of a group lie as melds do: most of them in legal melds, and none in
    another row as long. People sort what is left on a rack, but few lay nothing else there.
    """
    inside = [(row, ok) for row, ok in zip(rows, legal, strict=True) if np.isin(row, group).all()]
    in_melds = sum(len(row) for row, ok in inside if ok)
    long = [ok for row, ok in inside if len(row) >= MINIMUM_MELD]
    return in_melds >= IN_MELDS * len(group) and all(long)
