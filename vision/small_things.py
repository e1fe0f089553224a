"""Figures and marks far smaller than the tiles of the table: keys, what is written on paper, the
pattern of a cloth.

All tiles of a set are equally large, and on one plane the size at which a thing is seen changes
linearly over the picture. Where several doubtful finds are much smaller than the sure ones would be
in their place, they are no tiles, however many they are and however neatly they lie in rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.quads import longest_axes

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SmallThingsConfig:
    """When finds are too small for tiles, and how the size of tiles is told.

    Of some 9,000 tiles on 480 ordinary rendered photographs none is dropped, of 270 finds that are
    none 56; the same for a `share` of 0.5-0.7 and a `steady` of 0.1-0.2. Seen from low above the
    table, tiles themselves are found in part: fourteen of 120 such photographs would lose three
    tiles or more, on all of which at most a third of the other finds are sure.
    """

    smaller: float = 0.68  # of a tile's size in the same place; of tiles one in 1,000 is below 0.75
    sure: float = 0.85  # joint score of both networks from which a find is a tile whatever its size
    fewest: int = 3  # such finds: a tile by itself may be outlined wrongly
    sure_share: float = 0.45  # of the other finds are surely tiles: the photograph is clear
    fewest_finds: int = 6  # in all, with which sizes can be compared
    share: float = 0.6  # of the finds, by weight, that are smaller than what is taken for usual
    least_weight: float = 0.02  # joint score as which a lower one counts
    steady: float = 0.15  # weight, in finds, of the belief that size is the same everywhere
    rounds: int = 30  # of reweighting
    nearest: float = 0.03  # distance from the usual size, in it, below which all finds weigh alike
    least_size: float = 0.15  # of the median size, as which a smaller usual one counts


def too_small(
    quads: NDArray[np.float32],
    joint_scores: NDArray[np.float32],
    config: SmallThingsConfig = SmallThingsConfig(),
) -> NDArray[np.bool_]:
    """Tell which of (n, 4, 2) quads are too small for tiles of the same table, (n,).

    `joint_scores` (n,) are those of both networks, 0-1.
    """
    if len(quads) < config.fewest_finds:
        return np.zeros(len(quads), bool)
    sizes = longest_axes(quads)
    usual = _usual_sizes(quads.mean(axis=1).astype(np.float64), sizes, joint_scores, config)
    sure = joint_scores >= config.sure
    small = (sizes < config.smaller * usual) & ~sure
    if small.sum() < config.fewest or sure[~small].mean() < config.sure_share:
        return np.zeros(len(quads), bool)
    return np.asarray(small)


def _usual_sizes(
    middles: Array, sizes: Array, joint_scores: NDArray[np.float32], config: SmallThingsConfig
) -> Array:
    """Return how large a tile is usually seen at each of (n, 2) middles, (n,) pixels.

    It is the quantile `share` of the sizes (n,), linear in x and y, by least squares reweighted
    again and again.
    """
    middle_size = float(np.median(sizes))
    away = middles - middles.mean(axis=0)
    away /= max(float(np.ptp(middles, axis=0).max()), config.fewest_finds * middle_size, 1.0)
    terms = np.concatenate([np.ones((len(sizes), 1)), away], axis=1)
    relative = sizes / max(middle_size, 1e-6)
    belief = np.diag([0.0, config.steady, config.steady])
    sureness = np.maximum(joint_scores.astype(np.float64), config.least_weight) ** 2
    weight = sureness
    for _ in range(config.rounds):
        weighed = terms * weight[:, None]
        usual = terms @ np.linalg.solve(weighed.T @ terms + belief, weighed.T @ relative)
        over = relative - usual
        side = np.where(over > 0, config.share, 1 - config.share)
        weight = sureness * 2 * side * config.nearest / np.maximum(np.abs(over), config.nearest)
    return np.asarray(middle_size * np.maximum(usual, config.least_size))
