"""Tells tiles that lie apart from a rack and turned against it, as pictures on a game's box do.

All tiles on a rack read along its shelves. Where most of what is surely seen reads in one
direction, what lies far from it in another one is hardly in the same hand.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.company import components
from vision.quads import across


@dataclass(frozen=True)
class OffRackConfig:
    """When a tile lies off the rack. Lengths are in widths of the wider of two tiles.

    On 616 rendered racks these limits tell 11 of the 35 printed tiles that were surely read, and
    none of 4,416 tiles.
    """

    apart: float = 4.0  # from middle to middle: as much is a gap between tiles on a rack
    turn_degrees: float = 22.0  # within these, two tiles read in one direction, or in opposite ones
    fewest: int = 3  # tiles that make a rack


def off_rack(
    quads: NDArray[np.float32],
    sure: NDArray[np.bool_],
    config: OffRackConfig = OffRackConfig(),
) -> NDArray[np.bool_]:
    """Return a mask (n,) of the tiles that lie off the rack: those apart from it that are turned
    against it, and those apart from it that lie near one of these.

    `quads` (n, 4, 2) are the tiles, in pixels, and `sure` (n,) tells which of them surely are.
    """
    along = across(quads).astype(np.float64)
    width = np.maximum(np.linalg.norm(along, axis=1), 1e-6)
    direction = along / width[:, None]
    middles = quads.mean(axis=1, dtype=np.float64)
    apart = np.linalg.norm(middles[:, None] - middles, axis=2) / np.maximum(width[:, None], width)
    near = apart <= config.apart
    least = np.cos(np.radians(config.turn_degrees))
    alike = np.abs(direction @ direction.T) >= least
    groups = components(near & alike & sure[:, None] & sure)
    rack = max(groups, key=len, default=np.zeros(0, np.intp))
    if len(rack) < config.fewest:
        return np.zeros(len(quads), bool)
    same_way = direction[rack] * np.sign(direction[rack] @ direction[rack[0]])[:, None]
    shelf = np.median(same_way, axis=0)
    turned = np.abs(direction @ shelf) < least * np.linalg.norm(shelf)
    away = ~near[:, rack].any(axis=1)
    off = away & turned
    while (more := off | (away & near[:, off].any(axis=1))).sum() > off.sum():
        off = more
    return np.asarray(off)
