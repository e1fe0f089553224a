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

from vision.company import components
from vision.grouping import Indices
from vision.quads import across, areas, down


@dataclass(frozen=True)
class BehindRackConfig:
    """When tiles lie behind a rack. On three rendered photographs of racks with melds behind them,
    all 35 tiles of the melds and no others are told; on 26 other photographs of racks and on 175
    rendered ones of eight seeds, none is.
    """

    apart: float = 4.0  # widths, from middle to middle: what is as near may be of one group
    turn_degrees: float = 22.0  # within these, two tiles read in one direction, or in opposite ones
    alike: float = 1.5  # largest ratio of the areas of two tiles near each other in one group
    smaller: float = 0.67  # greatest area of a tile behind, in those of the nearest on the rack
    fewest: int = 3  # tiles of a group


def behind_rack(
    quads: NDArray[np.float32],
    sure: NDArray[np.bool_],
    melds: Sequence[Indices],
    config: BehindRackConfig = BehindRackConfig(),
) -> NDArray[np.bool_]:
    """Return a mask (n,) of the tiles at `quads`, (n, 4, 2) in pixels, that lie behind the rack.

    `sure` (n,) tells which surely are tiles; the others lie where the nearest sure one does.
    `melds` are the rows that are legal melds: a group without any may be another rack.
    """
    along = across(quads).astype(np.float64)
    width = np.maximum(np.linalg.norm(along, axis=1), 1e-6)
    direction = along / width[:, None]
    middles, area = quads.mean(axis=1, dtype=np.float64), np.maximum(areas(quads), 1.0)
    away = np.linalg.norm(middles[:, None] - middles, axis=2)
    near = away / np.maximum(width[:, None], width) <= config.apart
    near &= np.abs(direction @ direction.T) >= np.cos(np.radians(config.turn_degrees))
    near &= np.abs(np.log(area[:, None] / area)) < np.log(config.alike)
    groups = [
        group for group in components(near & sure[:, None] & sure) if len(group) >= config.fewest
    ]
    behind = np.zeros(len(quads), bool)
    if len(groups) < 2:
        return behind
    rack = max(groups, key=lambda group: float(area[group].sum()))
    same_way = direction[rack] * np.sign(direction[rack] @ direction[rack[0]])[:, None]
    shelf = np.median(same_way, axis=0)
    towards = np.array([-shelf[1], shelf[0]])  # the camera, where the tiles stand upright
    towards *= np.sign(np.median(down(quads[rack]) @ towards)) or 1.0
    place = middles @ towards
    for group in groups:
        nearest = rack[away[np.ix_(group, rack)].argmin(axis=1)]
        is_smaller = np.median(area[group] / area[nearest]) < config.smaller
        has_meld = any(np.isin(meld, group).all() for meld in melds)
        if is_smaller and has_meld and place[group].max() < place[rack].min():
            behind[group] = True
    known = np.flatnonzero(sure)
    nearest = known[away[:, known].argmin(axis=1)]
    return np.asarray(behind[nearest] & (sure | (place < place[rack].min())))
