"""Ink colours of the whole table together: a set has four inks, and every tile of one ink shows
nearly the same of it.

Two things tell of a tile's ink: the network's log-probabilities, and the direction in
absorbance that the ink has on the tile's own white, which blur and small size dilute but do not
turn. Both lie elsewhere from set to set and lamp to lamp, but together for all tiles of one
ink: teal in dim light, tile by tile all but black to the network, is a cluster of its own
beside the real black.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.crops import WHITE, to_linear

DARKEST = 0.004  # linear light below which absorbance says nothing more
_ABSORBANCE = np.maximum(
    -np.log(np.maximum(to_linear(np.arange(256, dtype=np.uint8)), DARKEST) / WHITE), 0.0
)
FEWEST = 3  # tiles: fewer say nothing of each other


@dataclass(frozen=True)
class ColourConfig:
    ink_share: float = 0.06  # of the crop's pixels: digits fill 6 % at least
    border: tuple[int, int] = (10, 7)  # pixels of the crop left out above and below, left and right
    rounds: int = 10
    weights: tuple[float, float] = (
        0.35,
        0.5,
    )  # of the network's evidence and of the ink's: they are not independent
    tails: float = 4.0  # degrees of freedom (Student's t): a burnt-out tile may lie anywhere
    faintest: float = (
        -10.0
    )  # log-probability, beside the likeliest, below which the network says nothing more
    doubt: float = 3e-4  # left to each colour, whatever the evidence
    settled: float = 4.0  # tiles of an ink from which on it is known where it lies on the table


@dataclass(frozen=True)
class Inks:
    """Where the evidence of each ink lies: four log-probabilities (less their mean), then ten
    times the direction R, G, B.
    """

    average: NDArray[np.float64]  # (4, 7), of R B K Y on an average table
    between: NDArray[np.float64]  # (7,) variance from table to table
    within: NDArray[np.float64]  # (7,) variance from tile to tile of one table


DIRECTION_SCALE = 10.0
# Of 800 rendered tables never trained on, read by the shipped networks: `python -m
# models.recipes.inks`.
INKS = Inks(
    np.array([
        [7.22, -2.59, -2.35, -2.28, 1.64, 7.14, 6.68],
        [-2.76, 7.21, -1.68, -2.77, 8.20, 4.85, 2.13],
        [-2.50, -1.28, 6.64, -2.86, 5.50, 5.73, 6.02],
        [-2.38, -2.65, -2.02, 7.05, 0.73, 2.86, 9.40],
    ]),
    np.array([0.37, 0.55, 0.94, 0.40, 0.67, 1.05, 0.64]),
    np.array([0.25, 0.27, 0.41, 0.27, 0.11, 0.10, 0.10]),
)  # fmt: skip


def ink_directions(
    crops: NDArray[np.uint8], config: ColourConfig = ColourConfig()
) -> NDArray[np.float64]:
    """(n, 3) unit vectors R, G, B: what the ink on each balanced (n, 64, 48, 3) crop absorbs."""
    down, across = config.border
    absorbance = _ABSORBANCE[crops[:, down:-down, across:-across]]
    absorbance = absorbance.reshape(
        len(crops), absorbance.shape[1] * absorbance.shape[2], 3
    )  # of no crops, too
    strength = np.einsum("npc,npc->np", absorbance, absorbance)
    count = max(1, int(config.ink_share * strength.shape[1]))
    darkest = np.argpartition(-strength, count - 1, axis=1)[:, :count]
    ink = np.take_along_axis(absorbance, darkest[:, :, None], axis=1).mean(axis=1, dtype=np.float64)
    return np.asarray(ink / np.maximum(np.linalg.norm(ink, axis=1, keepdims=True), 1e-6))


def cluster_inks(
    crops: NDArray[np.uint8], colour: NDArray[np.float32], numbered: NDArray[np.bool_]
) -> NDArray[np.float32]:
    """Log-probabilities of colour (n, 4), after looking at all inks of the table on balanced (n,
    64, 48, 3) crops.

    `colour`: the network's own; `numbered`: tiles that bear a number (a comodín's figure may be
    of any colour).
    """
    inks = np.zeros((len(crops), 3))
    inks[numbered] = ink_directions(crops[numbered])
    return weighed_by_inks(inks, colour, numbered)


def weighed_by_inks(
    inks: NDArray[np.float64],
    colour: NDArray[np.float32],
    numbered: NDArray[np.bool_],
    config: ColourConfig = ColourConfig(),
) -> NDArray[np.float32]:
    """The same where the directions of the inks, (n, 3), are known already."""
    chosen = np.flatnonzero(numbered)
    if len(chosen) < FEWEST:
        return colour.copy()
    adjusted = colour.copy()
    adjusted[chosen] = np.log(
        _shares(evidence(inks[chosen], colour[chosen], config), colour[chosen], config)
    )
    return adjusted


def evidence(
    inks: NDArray[np.float64], colour: NDArray[np.float32], config: ColourConfig = ColourConfig()
) -> NDArray[np.float64]:
    """(n, 7) as `Inks` has it, of directions (n, 3) and log-probabilities (n, 4)."""
    said = np.maximum(colour - colour.max(axis=1, keepdims=True), config.faintest).astype(
        np.float64
    )
    return np.concatenate([said - said.mean(axis=1, keepdims=True), DIRECTION_SCALE * inks], axis=1)


def _shares(
    shown: NDArray[np.float64], colour: NDArray[np.float32], config: ColourConfig
) -> NDArray[np.float64]:
    """(n, 4) probabilities: expectation maximisation of a mixture whose centres are drawn to where
    they lie on average. A tile is judged by the others, or it would bear out whatever it was
    taken for; and the table is believed as far as its inks are known: a few tiles, or many of
    one ink, say little of where the others lie.
    """
    own = share = _shared(np.log(np.exp(colour.astype(np.float64)) + config.doubt), 0.0)
    for _ in range(config.rounds):
        count = share.sum(axis=0)
        others = (count - share)[:, :, None]
        precision = 1 / INKS.between + others / INKS.within
        sums = share.T @ shown - share[:, :, None] * shown[:, None]
        centres = (INKS.average / INKS.between + sums / INKS.within) / precision
        likely = np.log(count + 1) + _likelihood(
            shown, centres, INKS.within + 1 / precision, config
        )
        known = np.minimum(count, config.settled).mean() / config.settled
        share = _shared(
            (1 - known) * np.log(own) + known * np.log(_shared(likely, 0.0) + 1e-30), config.doubt
        )
    return share


def _shared(likely: NDArray[np.float64], doubt: float) -> NDArray[np.float64]:
    """Probabilities (n, 4) of log-likelihoods, each at least about `doubt`."""
    share = np.exp(likely - likely.max(axis=1, keepdims=True)) + doubt
    return np.asarray(share / share.sum(axis=1, keepdims=True))


def _likelihood(
    shown: NDArray[np.float64],
    centres: NDArray[np.float64],
    spread: NDArray[np.float64],
    config: ColourConfig,
) -> NDArray[np.float64]:
    """(n, 4) weighed log-likelihoods of both kinds of evidence, `centres` and `spread` (n, 4,
    7).
    """
    away = (shown[:, None] - centres) ** 2 / spread
    total = np.zeros(away.shape[:2])
    for part, weight in zip((slice(0, 4), slice(4, 7)), config.weights, strict=True):
        size = part.stop - part.start
        tails = (config.tails + size) * np.log1p(away[..., part].sum(axis=2) / config.tails)
        total -= weight * (np.log(spread[..., part]).sum(axis=2) + tails) / 2
    return total
