"""Colours of the tiles, decided for the whole table at once.

A set is printed in four inks, and all tiles of one ink look nearly the same. Two things tell the
ink of a tile: the colour log-probabilities of the reader network, and the direction, in red, green
and blue absorbance, of what is darker than the tile's own white. Blur and small size weaken the
absorbance but do not turn its direction. The log-probabilities and the direction depend on the set
and the lamp, but in the same way for all tiles of an ink, so tiles are clustered by both over the
whole table. Teal ink in dim light, for instance, looks black to the network tile by tile, and is
still a cluster of its own beside the real black.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.crops import WHITE, to_linear

DARKEST = 0.004  # linear light, 0-1, below which noise decides the absorbance
# Absorbance of each sRGB value, 0-255, on a white-balanced crop, natural logarithm.
_ABSORBANCE = np.maximum(
    -np.log(np.maximum(to_linear(np.arange(256, dtype=np.uint8)), DARKEST) / WHITE), 0.0
)


@dataclass(frozen=True)
class ColourConfig:
    """How inks are measured and clustered."""

    min_tiles: int = 3  # fewer tiles say nothing of each other
    ink_share: float = 0.06  # of the crop's pixels taken for ink: digits fill 6 % at least
    border: tuple[int, int] = (10, 7)  # pixels of the crop left out above and below, at the sides
    rounds: int = 10  # of expectation maximisation
    # Weights of the network's evidence and of the ink's direction. They add up to less than 2
    # because the two are not independent of each other.
    weights: tuple[float, float] = (0.35, 0.5)
    # Degrees of freedom of Student's t distribution: heavy tails, since a burnt-out tile may lie
    # anywhere.
    degrees_of_freedom: float = 4.0
    # Least log-probability of a colour, less that of the likeliest one, that is told apart: lower
    # values of the network count as this one.
    faintest: float = -10.0
    min_probability: float = 3e-4  # left to each colour, whatever the evidence
    # Where the network is at least `sure` of a colour to which the comparison leaves at least
    # `possible`, its answer stands. It was right about all 23,710 tiles of ordinary sets, on 19
    # seeds of rendered scenes, of whose colour it was so sure; about inks that are not for sale it
    # is not (experiment 170 of models/EXPERIMENTS.md).
    sure: float = 0.999
    possible: float = 0.25
    trusted_count: float = 4.0  # tiles of an ink from which its place on this table is known


CONFIG = ColourConfig()


@dataclass(frozen=True)
class Inks:
    """The evidence of each ink on an average table, and the variance of the evidence: `between`
    from table to table, `within` from tile to tile of one table.

    Evidence has 7 values: the network's log-probabilities of red, blue, black and yellow less their
    mean, then the direction of the ink's absorbance in red, green and blue times DIRECTION_SCALE.
    """

    average: NDArray[np.float64]  # (4, 7), of red, blue, black, yellow
    between: NDArray[np.float64]  # (7,) variance from table to table
    within: NDArray[np.float64]  # (7,) variance from tile to tile of one table


DIRECTION_SCALE = 10.0
# Measured on 800 rendered tables that the networks were not trained on, read by the networks that
# are shipped: `python -m models.recipes.inks` prints these figures.
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


def ink_directions(crops: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return in which proportion the ink on each of n crops absorbs red, green and blue light, (n,
    3), as vectors of length 1. `crops` is (n, 64, 48, 3) RGB, white-balanced.
    """
    return unit_vectors(ink_absorbances(crops))


def ink_absorbances(crops: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return how much red, green and blue light the ink on each of n crops absorbs, (n, 3), natural
    logarithms.

    `crops` is (n, 64, 48, 3) RGB, white-balanced. Pixels at the border of a crop are left
    out. Of the others the darkest are taken for ink: the share `ColourConfig.ink_share`.
    """
    down, across = CONFIG.border
    inner = crops[:, down:-down, across:-across]
    pixel_count = inner.shape[1] * inner.shape[2]
    absorbance = _ABSORBANCE[inner].reshape(len(crops), pixel_count, 3)
    strength = np.einsum("npc,npc->np", absorbance, absorbance)
    ink_count = max(1, int(CONFIG.ink_share * pixel_count))
    darkest = np.argpartition(-strength, ink_count - 1, axis=1)[:, :ink_count]
    ink = np.take_along_axis(absorbance, darkest[:, :, None], axis=1)
    return np.asarray(ink.mean(axis=1, dtype=np.float64))


def unit_vectors(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return n vectors of m numbers, (n, m), each divided by its length; vectors of length 0 stay
    as they are.
    """
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6))


def colour_given_inks(
    inks: NDArray[np.float64],
    colour: NDArray[np.float32],
    numbered: NDArray[np.bool_],
    usual: Inks = INKS,
) -> NDArray[np.float32]:
    """Return log-probabilities of red, blue, black and yellow, (n, 4), for n tiles of one table,
    judged together. `inks` (n, 3) are the directions of the tiles' inks, already measured.

    `colour` (n, 4) are the network's log-probabilities, and `numbered` (n,) tells which tiles bear
    a number. The network's log-probabilities stay for the other tiles, and for all tiles if fewer
    than `ColourConfig.min_tiles` bear a number. `usual` is the evidence of each ink on an average
    table, by default of any set.
    """
    result = colour.copy()
    tiles = np.flatnonzero(numbered)
    if len(tiles) >= CONFIG.min_tiles:
        seen = evidence(inks[tiles], colour[tiles])
        result[tiles] = np.log(_responsibilities(seen, colour[tiles], usual))
    return result


def evidence(inks: NDArray[np.float64], colour: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the evidence of n tiles for clustering, (n, 7). First come the network's
    log-probabilities of red, blue, black and yellow less their mean, then the direction of the
    ink's absorbance times DIRECTION_SCALE.

    `inks` (n, 3) are the directions of the tiles' inks, `colour` (n, 4) the network's
    log-probabilities.
    """
    relative = np.maximum(colour - colour.max(axis=1, keepdims=True), CONFIG.faintest)
    network = relative.astype(np.float64)
    network = network - network.mean(axis=1, keepdims=True)
    return np.concatenate([network, DIRECTION_SCALE * inks], axis=1)


def _responsibilities(
    seen: NDArray[np.float64],
    colour: NDArray[np.float32],
    usual: Inks,
) -> NDArray[np.float64]:
    """Return how likely each tile's evidence comes from each ink, (n, 4) probabilities.

    The inks are a mixture of four clusters, fitted by expectation maximisation; each cluster's
    centre is drawn towards the evidence of its ink on an average table. A tile is compared with
    centres computed without that tile; otherwise it would confirm whatever ink it was taken for.
    The better the table's inks are known, the more the mixture counts beside the network's own
    colours: few tiles, or many of one ink, say little of the other inks. Where the network is all
    but certain of a colour that the mixture leaves possible, its own probabilities are returned.

    `seen` (n, 7) is the evidence, with the seven values that `Inks` lists. `colour` (n, 4) are the
    network's log-probabilities, and `usual` the inks of an average table.
    """
    network = np.log(np.exp(colour.astype(np.float64)) + CONFIG.min_probability)
    own = responsibilities = _normalised(network, 0.0)
    for _ in range(CONFIG.rounds):
        count = responsibilities.sum(axis=0)
        others = (count - responsibilities)[:, :, None]
        other_sums = responsibilities.T @ seen - responsibilities[:, :, None] * seen[:, None]
        precision = 1 / usual.between + others / usual.within
        centres = (usual.average / usual.between + other_sums / usual.within) / precision
        spread = usual.within + 1 / precision
        likelihood = np.log(count + 1) + _log_likelihood(seen, centres, spread)
        mixture = np.log(_normalised(likelihood, 0.0) + 1e-30)
        known = np.minimum(count, CONFIG.trusted_count).mean() / CONFIG.trusted_count
        combined = (1 - known) * np.log(own) + known * mixture
        responsibilities = _normalised(combined, CONFIG.min_probability)
    likeliest = np.arange(len(seen)), colour.argmax(axis=1)
    surely_seen = np.exp(colour[likeliest]) >= CONFIG.sure
    surely_seen &= responsibilities[likeliest] >= CONFIG.possible
    return np.where(surely_seen[:, None], own, responsibilities)


def _normalised(log_likelihood: NDArray[np.float64], min_probability: float) -> NDArray[np.float64]:
    """Return probabilities (n, 4) in proportion to likelihoods, given their logarithms (n, 4). The
    likelihoods are first divided by the largest in their row, and `min_probability` is added, so
    that no colour is ruled out.
    """
    likelihood = np.exp(log_likelihood - log_likelihood.max(axis=1, keepdims=True))
    likelihood = likelihood + min_probability
    return np.asarray(likelihood / likelihood.sum(axis=1, keepdims=True))


def _log_likelihood(
    seen: NDArray[np.float64],
    centres: NDArray[np.float64],
    spread: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the log-likelihood of each tile's evidence, `seen` (n, 7), under each ink, (n, 4).

    `centres` and `spread`, means and variances, are (n, 4, 7). The network's four values and the
    ink's three each follow a multivariate Student's t distribution with a diagonal covariance;
    their log-likelihoods are added with the weights `ColourConfig.weights`.
    """
    freedom = CONFIG.degrees_of_freedom
    distance = (seen[:, None] - centres) ** 2 / spread
    total = np.zeros(distance.shape[:2])
    for part, weight in zip((slice(0, 4), slice(4, 7)), CONFIG.weights, strict=True):
        size = part.stop - part.start
        tails = (freedom + size) * np.log1p(distance[..., part].sum(axis=2) / freedom)
        total -= weight * (np.log(spread[..., part]).sum(axis=2) + tails) / 2
    return total
