"""Tells the inks of one set apart, by all that is measured of them at once.

What the network answers, and the hues of the darkest and of the most colourful pixels, are each
brought to the three directions in which the taught inks differ most in relation to their scatter:
Fisher's linear discriminant (Hastie, Tibshirani, Friedman, The Elements of Statistical Learning,
section 4.3). Where digits are black and a mark tells the colour, the darkest pixels say nothing and
the most colourful ones do; where inks are bleached, it is the other way round.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.tiles import COLOURS
from vision.colour import (
    DARKEST,
    DIRECTION_SCALE,
    INKS,
    ColourConfig,
    evidence,
    ink_absorbances,
    unit_vectors,
)
from vision.crops import RGB, WHITE, to_linear
from vision.own_set.discriminant import Discriminant
from vision.own_set.lamp import lamp_shift
from vision.reader import log_softmax

COLOURFUL = 0.04  # of the crop's pixels: a mark below the digits fills more
CHROMA_SCALE = 10.0
# How far the inks of one set lie from the usual ones: for the network's answers and the inks'
# directions as a share of the variance between tables of all sets, for the colourful pixels as a
# variance.
DRIFT, CHROMA_DRIFT = 0.075, 0.05
# In units of the scatter of taught tiles: how far a table's inks move, all alike and each alone.
ANSWERS_MOVE, HUES_MOVE = 1.0, 2.0
ROUNDS = 8  # of expectation maximisation
DEGREES_OF_FREEDOM = 4.0  # of Student's t: heavy tails, since a burnt-out tile may lie anywhere
# Weights of the three kinds of evidence, which depend on each other. Like the variances above they
# were found on eighteen rendered odd sets and six ordinary ones (`datasets.benchmark`); with half
# or twice of each about as many tiles are right.
ANSWERS_WEIGHT, HUES_WEIGHT, FEATURES_WEIGHT = 0.35, 0.9, 0.2
# An ink weaker than usual varies more: its variance grows with this power of how much weaker it is.
# Noise alone would give 2; bleaching also changes the hue.
LOOSER = 2.5
LAMP_HEARS = 0.3  # weight of the network's answers where the lamp's effect is estimated
MIN_PROBABILITY = 3e-4  # left to each colour, whatever the evidence
# How much of the light of a body's white each sRGB value of a balanced crop lacks.
_LACKING = np.clip(1 - to_linear(np.arange(256, dtype=np.uint8)) / WHITE, -0.2, 1.0)

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class InkLooks:
    """What is measured of the inks of n tiles.

    `answers` (n, 4) are the network's log-probabilities of the four colours less their mean, the
    first part of the evidence of `vision.colour.Inks`. `absorbances` (n, 3) come from
    `ink_absorbances`. `chroma` (n, 3) is the white's R, G, B in linear light less that of the most
    colourful pixels, less the mean of these three differences. `features` (n, 1536) are the
    reader's.
    """

    answers: Array
    absorbances: Array
    chroma: Array
    features: NDArray[np.float32]

    @classmethod
    def of(
        cls, crops: RGB, answers: NDArray[np.float32], features: NDArray[np.float32]
    ) -> InkLooks:
        """Measure the inks on (n, 64, 48, 3) crops. `answers` (n, 4) are the network's
        log-probabilities of their colours, `features` (n, 1536) the reader's features of them.
        """
        seen = evidence(np.zeros((len(crops), 3)), answers)
        return cls(seen[:, : len(COLOURS)], ink_absorbances(crops), _chroma(crops), features)

    @property
    def strengths(self) -> Array:
        """How strong the inks are, (n,): natural logarithms, as the function `strengths` gives
        them.
        """
        return strengths(self.absorbances)

    def hues(self, lamp: Array | float = 0.0) -> Array:
        """Return the directions of the inks and their chroma, (n, 6); `lamp` (3,) is added to the
        absorbances.
        """
        directions = unit_vectors(np.maximum(self.absorbances + lamp, 0.0))
        return np.concatenate([DIRECTION_SCALE * directions, CHROMA_SCALE * self.chroma], axis=1)


@dataclass(frozen=True, eq=False)
class Axes:
    """Directions in which four inks differ most in relation to their scatter.

    `projection` (m, 3) brings m measured values to a space in which the tiles of one ink scatter by
    1 in all directions; `centres` (4, 3) are those of red, blue, black, yellow.
    """

    projection: Array
    centres: Array

    @classmethod
    def fit(cls, values: Array, colour: NDArray[np.intp], centres: Array, drift: Array) -> Axes:
        """Fit taught tiles' values (n, m), whose inks are `colour` (n,).

        `centres` (4, m) are those of inks without examples; `drift` (m,) is the variance that no
        example shows, from table to table.
        """
        centres = centres.copy()
        for k in np.unique(colour):
            centres[k] = values[colour == k].mean(axis=0)
        apart = values - centres[colour]
        scatter = apart.T @ apart / len(apart) + np.diag(drift)
        whiten = np.linalg.inv(np.linalg.cholesky(scatter)).T
        _, _, directions = np.linalg.svd((centres - centres.mean(axis=0)) @ whiten)
        projection = whiten @ directions[: len(COLOURS) - 1].T
        return cls(projection, centres @ projection)

    def apart(self, values: Array) -> Array:
        """Return the differences between values (n, m) and each ink, (n, 4, 3), in the space of the
        axes.
        """
        return np.asarray((values @ self.projection)[:, None] - self.centres)


class _OnTable:
    """The tiles of one table in the space of some axes, and how far the table's inks have moved
    there.
    """

    def __init__(self, apart: Array, spread: float) -> None:
        """Begin where no ink has moved. `apart` is what `Axes.apart` returns; `spread` is the
        standard deviation of how far an ink moves.
        """
        self._apart, self._spread = apart, spread
        self._own = np.zeros(apart.shape[1:])
        self._moved = np.zeros_like(apart)

    def squared(self) -> Array:
        """Return squared distances from the moved inks, (n, 4)."""
        return np.asarray(((self._apart - self._moved) ** 2).sum(axis=2))

    def move(self, weight: Array) -> None:
        """Find where the inks have moved to, all alike and each a little by itself.

        `weight` (n, 4) is how much each tile counts as one of each ink. A tile is judged by what
        the others show, or it would confirm whatever it was taken for.
        """
        each = weight[..., None]
        together = (each * (self._apart - self._own)).sum(axis=1, keepdims=True)
        lamp, lamp_of_others = _means(together, each.sum(axis=1, keepdims=True), self._spread)
        self._own, own_of_others = _means(each * (self._apart - lamp), each, self._spread)
        self._moved = lamp_of_others + own_of_others


@dataclass(frozen=True, eq=False)
class InkSpace:
    """Where the four inks of a set lie: in the network's answers, in what is measured of their hue,
    and in the reader's features. `inks` (4, 3) are their absorbances.
    """

    answers: Axes
    hues: Axes
    features: Discriminant
    inks: Array

    @classmethod
    def of(cls, looks: InkLooks, colour: NDArray[np.intp], inks: Array) -> InkSpace:
        """Fit taught tiles whose inks are `colour` (n,); `inks` (4, 3) are the absorbances of the
        four inks.

        An ink without examples gets its usual place in any set.
        """
        drift = np.concatenate([DRIFT * INKS.between, np.full(3, CHROMA_DRIFT)])
        number = len(COLOURS)
        return cls(
            Axes.fit(looks.answers, colour, INKS.average[:, :number], drift[:number]),
            Axes.fit(looks.hues(), colour, _hues_in_any_set(inks), drift[number:]),
            Discriminant.fit(looks.features, colour, number),
            inks,
        )

    def told_alone(self, looks: InkLooks) -> NDArray[np.float32]:
        """Return log-probabilities of the colours, (n, 4), each tile by itself."""
        loose = _looseness(looks, self._weakest)
        answers = (self.answers.apart(looks.answers) ** 2).sum(axis=2) / loose
        hues = (self.hues.apart(looks.hues()) ** 2).sum(axis=2) / loose
        return self._log_probabilities(looks, answers, hues).astype(np.float32)

    def told_together(self, looks: InkLooks) -> NDArray[np.float32]:
        """Return log-probabilities of the colours, (n, 4), of tiles that lie on one table.

        The lamp's effect on all inks is taken out first; expectation maximisation then finds how
        far each ink is still moved.
        """
        answers = _OnTable(self.answers.apart(looks.answers), ANSWERS_MOVE)
        likely = _tails(answers.squared())
        likely = log_softmax(-likely.astype(np.float32)).astype(np.float64)
        lamp = lamp_shift(looks.absorbances, self.inks, LAMP_HEARS * likely)
        hues = _OnTable(self.hues.apart(looks.hues(lamp)), HUES_MOVE)
        loose = _looseness(looks, max(self._weakest, float(np.median(looks.strengths))))
        for _ in range(ROUNDS):
            squared = answers.squared() / loose, hues.squared() / loose
            log = self._log_probabilities(looks, *squared)
            for evidence_of, distance in zip((answers, hues), squared, strict=True):
                heard = (DEGREES_OF_FREEDOM + 3) / (DEGREES_OF_FREEDOM + distance)
                evidence_of.move(np.exp(log) * heard / loose)
        return log.astype(np.float32)

    @property
    def _weakest(self) -> float:
        return float(strengths(self.inks).min())

    def _log_probabilities(self, looks: InkLooks, answers: Array, hues: Array) -> Array:
        """Return log-probabilities (n, 4) of the colours, given squared distances (n, 4) from each
        ink: those of the network's answers and those of the hues.
        """
        likely = FEATURES_WEIGHT * self.features.log_likelihoods(looks.features)
        likely = likely - ANSWERS_WEIGHT * _tails(answers) - HUES_WEIGHT * _tails(hues)
        probabilities = np.exp(log_softmax(likely.astype(np.float32)).astype(np.float64))
        total = 1 + len(COLOURS) * MIN_PROBABILITY
        return np.asarray(np.log((probabilities + MIN_PROBABILITY) / total))


def strengths(absorbances: Array) -> Array:
    """Return how strong inks are, (n,): the logarithm of the length of absorbances (n, 3)."""
    return np.asarray(np.log(np.linalg.norm(absorbances, axis=1) + 1e-6))


def _chroma(crops: RGB) -> Array:
    """Return how much less of the white's R, G, B the most colourful pixels of (n, 64, 48, 3) crops
    reflect, (n, 3), in linear light; the mean of the three channels is subtracted.
    """
    lacking = _lacking_where_colourful(crops)
    chroma = lacking - lacking.mean(axis=2, keepdims=True)
    return np.asarray(chroma.mean(axis=1, dtype=np.float64))


def colourful_absorbances(crops: RGB) -> Array:
    """Return how much light the most colourful pixels absorb, R, G, B, (n, 3), natural logarithm.

    `crops` is (n, 64, 48, 3) RGB, white-balanced.
    """
    light = np.clip(1 - _lacking_where_colourful(crops), DARKEST / WHITE, 1.0)
    return np.asarray(-np.log(light).mean(axis=1, dtype=np.float64))


def _lacking_where_colourful(crops: RGB) -> NDArray[np.float32]:
    """Return what the m most colourful pixels of each crop lack of the white's light, (n, m, 3)."""
    down, across = ColourConfig().border
    inner = _LACKING[crops[:, down:-down, across:-across]]
    inner = inner.reshape(len(crops), inner.shape[1] * inner.shape[2], 3)
    chroma = inner - inner.mean(axis=2, keepdims=True)
    strong = np.einsum("npc,npc->np", chroma, chroma)
    count = int(COLOURFUL * strong.shape[1])
    most = np.argpartition(-strong, count - 1, axis=1)[:, :count]
    return np.asarray(np.take_along_axis(inner, most[:, :, None], axis=1))


def _hues_in_any_set(inks: Array) -> Array:
    """Return the hues (4, 6) that are expected of inks without examples: the usual directions in
    any set, and the chroma that follows from `inks`, (4, 3) absorbances.
    """
    lacking = 1 - np.exp(-inks)
    chroma = lacking - lacking.mean(axis=1, keepdims=True)
    return np.concatenate([INKS.average[:, len(COLOURS) :], CHROMA_SCALE * chroma], axis=1)


def _looseness(looks: InkLooks, usual: float) -> Array:
    """Return how many times larger than usual the variance of each tile's measured ink is, (n, 1).
    It is larger for tiles whose ink is weaker than `usual`, since every disturbance changes a weak
    ink more.
    """
    weakness = np.maximum(usual - looks.strengths, 0.0)
    return np.asarray(np.exp(LOOSER * weakness)[:, None])


def _tails(squared: Array) -> Array:
    """Return the negative log-likelihood under Student's t of squared distances, of any shape, up
    to a constant.
    """
    half = (DEGREES_OF_FREEDOM + 3) / 2
    return np.asarray(half * np.log1p(squared / DEGREES_OF_FREEDOM))


def _means(sums: Array, weights: Array, spread: float) -> tuple[Array, Array]:
    """Return the weighted mean over all n tiles, (m, 3), and for each tile the weighted mean over
    the others, (n, m, 3).

    `sums` (n, m, 3) are weighted values, `weights` (n, m, 1) their weights. The means are drawn
    towards 0: `spread` is the standard deviation with which they are expected to differ from it
    before any tile is seen.
    """
    total, weight, drawn = sums.sum(axis=0), weights.sum(axis=0), 1 / spread**2
    return total / (weight + drawn), (total - sums) / (weight - weights + drawn)
