"""Ink colours of the whole table together: a set has four inks, and they differ from each other more than one ink does.

Colour is relative: every tile carries its own white. What an ink takes out of that white is a direction in absorbance, which blur
and small size dilute but do not turn. The network's probabilities say which ink is which; the table says where they lie.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.crops import WHITE, to_linear

DARKEST = 0.004  # linear light below which absorbance says nothing more


@dataclass(frozen=True)
class ColourConfig:
    ink_share: float = 0.06  # of the crop's pixels: digits fill 6 % at least
    border: tuple[int, int] = (10, 7)  # pixels of the crop left out above and below, left and right
    rounds: int = 4
    spread: float = 0.10  # of one ink's direction, at least: noise and JPEG
    prior_weight: float = 1.0  # tiles' worth of trust in the inks of an average set
    weight: float = 0.5  # of the table's evidence: it is not independent of the network's
    sure: float = 0.6  # probability above which a tile helps to place its ink


# Directions of an average set's inks (R, B, K, Y), from the renderer's styles; the table's own soon outweigh them.
AVERAGE_INKS = np.array([[0.10, 0.72, 0.69], [0.84, 0.50, 0.19], [0.58, 0.58, 0.57], [0.06, 0.33, 0.94]], np.float64)


def ink_directions(crops: NDArray[np.uint8], config: ColourConfig = ColourConfig()) -> NDArray[np.float64]:
    """(n, 3) unit vectors R, G, B: what the ink on each balanced (n, 64, 48, 3) crop absorbs."""
    down, across = config.border
    light = to_linear(crops[:, down:-down, across:-across]).astype(np.float64)
    light = light.reshape(len(crops), light.shape[1] * light.shape[2], 3)  # of no crops, too
    absorbance = np.maximum(-np.log(np.maximum(light, DARKEST) / WHITE), 0.0)
    strength = np.linalg.norm(absorbance, axis=2)
    count = max(1, int(config.ink_share * strength.shape[1]))
    darkest = np.argpartition(-strength, count - 1, axis=1)[:, :count]
    ink = np.take_along_axis(absorbance, darkest[:, :, None], axis=1).mean(axis=1)
    return np.asarray(ink / np.maximum(np.linalg.norm(ink, axis=1, keepdims=True), 1e-6))


def cluster_inks(
    crops: NDArray[np.uint8], colour: NDArray[np.float32], numbered: NDArray[np.bool_]
) -> NDArray[np.float32]:
    """Log-probabilities of colour (n, 4), after looking at all inks of the table on balanced (n, 64, 48, 3) crops.

    `colour`: the network's own, as priors; `numbered`: tiles that bear a number (a comodín's figure may be of any colour).
    """
    inks = np.zeros((len(crops), 3))
    inks[numbered] = ink_directions(crops[numbered])
    return weighed_by_inks(inks, colour, numbered)


def weighed_by_inks(
    inks: NDArray[np.float64], colour: NDArray[np.float32], numbered: NDArray[np.bool_], config: ColourConfig = ColourConfig()
) -> NDArray[np.float32]:
    """The same where the directions of the inks, (n, 3), are known already.

    Expectation maximisation of a mixture with one common spread.
    """
    adjusted = colour.copy()
    chosen = np.flatnonzero(numbered)
    if len(chosen) < 3:
        return adjusted
    inks, prior = inks[chosen], np.exp(colour[chosen].astype(np.float64))
    share = prior
    for _ in range(config.rounds):
        trusted = np.where(share > config.sure, share, 0.0)
        centres = trusted.T @ inks + config.prior_weight * AVERAGE_INKS
        centres /= np.linalg.norm(centres, axis=1, keepdims=True)
        away = ((inks[:, None] - centres[None]) ** 2).sum(axis=2)
        spread = max(config.spread**2, float((trusted * away).sum() / max(2 * trusted.sum(), 1e-6)))
        share = prior * np.exp(-config.weight * away / (2 * spread)) + 1e-12
        share /= share.sum(axis=1, keepdims=True)
    adjusted[chosen] = np.log(share)
    return adjusted
