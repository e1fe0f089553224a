"""Tiles whose ink is told as one colour although the table says that it is another.

Where a lamp burns out one of red, green and blue, the reader surely takes a black digit for a red
or a blue one, and a red one for a yellow one. Beside each other the inks of the table still differ:
such a tile's ink is far from that of other tiles of the colour it is told as, and like that of
tiles of its true colour.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.colour import DIRECTION_SCALE, unit_vectors
from vision.tiles.company import components

RED, BLUE, BLACK, YELLOW = range(4)
# The pairs of colours that a lamp confuses, and how far apart two of their inks may be that are
# taken for one, in the unit of `MixedInksConfig`. Red and yellow are alike on a bleached set, too.
CONFUSED = {
    frozenset({RED, BLACK}): 1.5,
    frozenset({BLUE, BLACK}): 1.5,
    frozenset({RED, YELLOW}): 0.8,
}


@dataclass(frozen=True)
class MixedInksConfig:
    """When an ink counts as that of other tiles. Distances are those between two directions of
    absorbance, of length DIRECTION_SCALE each.
    """

    faintest: float = 0.3  # absorbance, natural logarithm, below which the direction is noise
    alike: float = 1.0  # two inks less far apart than this are linked
    apart: float = 2.0  # an ink at least so far from all others of its colour may be of another
    # Where several tiles seem to be of another ink, at least so many are of the colour told.
    fewest_at_home: int = 2
    # Probability of the other colour, of a single tile and of each of several: these are right or
    # wrong together, and a run of them would make a legal meld in either colour.
    trust: float = 0.75
    trust_of_several: float = 0.55


CONFIG = MixedInksConfig()


def told_by_other_tiles(
    absorbances: NDArray[np.float64], colour: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return the log-probabilities of the colours of n tiles of one table, (n, 4). Those of tiles
    whose ink is that of tiles of another colour tell this other colour, in doubt.

    `absorbances` (n, 3) are how much red, green and blue light the inks absorb, natural logarithms,
    and `colour` (n, 4) the log-probabilities of red, blue, black and yellow before that.

    Inks that are `alike` are linked into groups. A colour is at home in the groups in which no
    other is told. A tile is of another colour if its group holds some of that, and the home of the
    colour it is told as lies apart. Where that holds for two colours of a group, the tiles of the
    one that is told more often there stay what they are.
    """
    clear = np.flatnonzero(np.linalg.norm(absorbances, axis=1) >= CONFIG.faintest)
    inks = DIRECTION_SCALE * unit_vectors(absorbances[clear])
    told = colour[clear].argmax(axis=1)
    away = np.linalg.norm(inks[:, None] - inks, axis=2)
    groups = components(away < CONFIG.alike)
    mixed = [group for group in groups if len(set(told[group].tolist())) > 1]
    at_home = np.ones(len(clear), bool)
    at_home[[tile for group in mixed for tile in group]] = False
    result = colour.copy()
    for group in mixed:
        count = np.bincount(told[group], minlength=4)
        for tile in group:
            home = np.flatnonzero(at_home & (told == told[tile]))
            several = count[told[tile]] > 1
            if len(home) < (CONFIG.fewest_at_home if several else 1):
                continue
            others = group[told[group] != told[tile]]
            nearest = others[away[tile, others].argmin()]
            elsewhere = (at_home & (told == told[nearest])).any()
            if elsewhere and count[told[nearest]] <= count[told[tile]]:
                continue
            pair = frozenset({int(told[tile]), int(told[nearest])})
            if away[tile, nearest] > CONFUSED.get(pair, 0.0):
                continue
            if away[tile, home].min() >= CONFIG.apart:
                trust = CONFIG.trust_of_several if several else CONFIG.trust
                result[clear[tile]] = _rather(colour[clear[tile]], told[nearest], trust)
    return result


def _rather(colour: NDArray[np.float32], other: int, trust: float) -> NDArray[np.float32]:
    """Return log-probabilities of the colours, (4,), of which the colour `other` has the
    probability `trust`, and the others share the rest as they do in `colour`, (4,).
    """
    rest = np.exp(colour.astype(np.float64))
    rest[other] = 0.0
    rest *= (1 - trust) / max(rest.sum(), 1e-12)
    rest[other] = trust
    return np.asarray(np.log(np.maximum(rest, 1e-12)), np.float32)
