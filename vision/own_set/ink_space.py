"""Tells the inks of one set apart, by all that is measured of them at once.

Two kinds of measurements are used: the network's answers, and the hues of the darkest and of the
most colourful pixels. Each kind is brought to the three directions in which the taught inks differ
most in relation to their scatter. This is Fisher's linear discriminant (Hastie, Tibshirani,
Friedman, The Elements of Statistical Learning, section 4.3). Where digits are black and a mark
tells the colour, the darkest pixels say nothing and the most colourful ones do; where inks are
bleached, it is the other way round.
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
from vision.crops import WHITE, to_linear
from vision.own_set.discriminant import Discriminant
from vision.own_set.lamp import lamp_shift
from vision.pyramid import RGB
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

    `answers` (n, 4) are the network's log-probabilities of red, blue, black and yellow, less the
    mean of the four. `absorbances` (n, 3) are how much red, green and blue light the darkest pixels
    absorb, natural logarithms. `chroma` (n, 3) are the shares of white's red, green and blue light
    that the most colourful pixels lack; the mean of the three shares is subtracted from each.
    `features` (n, 1536) are the reader's.
    """

    answers: Array
    absorbances: Array
    chroma: Array
    features: NDArray[np.float32]

    @classmethod
    def of(
        cls, crops: RGB, answers: NDArray[np.float32], features: NDArray[np.float32]
    ) -> InkLooks:
        """Measure the inks on n white-balanced crops, (n, 64, 48, 3). `answers` (n, 4) are the
        network's log-probabilities of their colours, `features` (n, 1536) the reader's features of
        them.
        """
        seen = evidence(np.zeros((len(crops), 3)), answers)
        return cls(seen[:, : len(COLOURS)], ink_absorbances(crops), chroma_of(crops), features)

    @property
    def strengths(self) -> Array:
        """How strong the inks of the n tiles are, (n,): for each tile, the natural logarithm of the
        length of its vector in `absorbances`.
        """
        return strengths(self.absorbances)

    def hues(self, lamp: Array | float = 0.0) -> Array:
        """Return the hues of n tiles, (n, 6): three values for the darkest pixels, the direction of
        `absorbances`, and three for the most colourful ones, `chroma`. Directions and chroma are
        each scaled by a constant of their own. `lamp` (3,) is added to the absorbances first.
        """
        directions = unit_vectors(np.maximum(self.absorbances + lamp, 0.0))
        return np.concatenate([DIRECTION_SCALE * directions, CHROMA_SCALE * self.chroma], axis=1)


@dataclass(frozen=True, eq=False)
class Axes:
    """Directions in which four inks differ most in relation to their scatter.

    `projection` (m, 3) brings m measured values to a space in which the tiles of one ink scatter by
    1 in all directions; `centres` (4, 3) are the places of red, blue, black and yellow in that
    space.
    """

    projection: Array
    centres: Array

    @classmethod
    def fit(cls, values: Array, colour: NDArray[np.intp], centres: Array, drift: Array) -> Axes:
        """Fit the m values measured on each of n taught tiles, (n, m), whose inks are `colour`
        (n,), indices into COLOURS.

        `centres` (4, m) are the values expected of an ink without examples; `drift` (m,) is the
        variance from table to table, which no example shows.
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
        """Return the vectors from each of the four inks to each of n tiles, (n, 4, 3), in the space
        of the axes. `values` (n, m) are the m values measured on each tile.
        """
        return np.asarray((values @ self.projection)[:, None] - self.centres)


class _OnTable:
    """The tiles of one table in the space of an `Axes`, and how far the table's inks have moved in
    that space from where the taught inks lie.
    """

    def __init__(self, apart: Array, spread: float) -> None:
        """Begin with inks that have not moved. `apart` (n, 4, 3) are vectors in the space of the
        `Axes`, from each of the four taught inks to each of n tiles. `spread` is the standard
        deviation of how far an ink moves along each axis, in units in which the tiles of one ink
        scatter by 1.
        """
        self._apart, self._spread = apart, spread
        self._own = np.zeros(apart.shape[1:])
        self._moved = np.zeros_like(apart)

    def squared(self) -> Array:
        """Return the squared distances of the n tiles from the four inks of this table, (n, 4). The
        inks of the table are the taught ones, each moved as last estimated by `move`.
        """
        return np.asarray(((self._apart - self._moved) ** 2).sum(axis=2))

    def move(self, weight: Array) -> None:
        """Estimate anew how far this table's inks lie from the taught ones. The lamp moves all four
        inks together, and each ink a little further by itself. There is one estimate for each
        tile, which leaves that tile itself out; otherwise each tile would confirm whatever ink it
        was taken for.

        `weight` (n, 4) is how much each tile counts as one of each ink.
        """
        each = weight[..., None]
        together = (each * (self._apart - self._own)).sum(axis=1, keepdims=True)
        lamp, lamp_of_others = _means(together, each.sum(axis=1, keepdims=True), self._spread)
        self._own, own_of_others = _means(each * (self._apart - lamp), each, self._spread)
        self._moved = lamp_of_others + own_of_others


@dataclass(frozen=True, eq=False)
class InkSpace:
    """How the four inks of a set look: in the network's answers, in the measured hues and in the
    reader's features. `inks` (4, 3) are the absorbances of red, blue, black and yellow.
    """

    answers: Axes
    hues: Axes
    features: Discriminant
    inks: Array

    @classmethod
    def of(cls, looks: InkLooks, colour: NDArray[np.intp], inks: Array) -> InkSpace:
        """Fit n taught tiles. `looks` holds what is measured of their inks, and `colour` (n,) are
        the colours of these inks, indices into COLOURS. `inks` (4, 3) are the absorbances of the
        four inks.

        An ink without examples is taken to look as on an average set.
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
        """Return log-probabilities of red, blue, black and yellow, (n, 4), for n tiles, each
        judged by itself. `looks` holds what is measured of the ink of each tile.
        """
        loose = _looseness(looks, self._weakest)
        answers = (self.answers.apart(looks.answers) ** 2).sum(axis=2) / loose
        hues = (self.hues.apart(looks.hues()) ** 2).sum(axis=2) / loose
        return self._log_probabilities(looks, answers, hues).astype(np.float32)

    def told_together(self, looks: InkLooks) -> NDArray[np.float32]:
        """Return log-probabilities of red, blue, black and yellow, (n, 4), for n tiles that lie on
        one table. `looks` holds what is measured of the ink of each tile.

        The lamp's effect on all inks is taken out first. Expectation maximisation then estimates
        how far each ink of this table lies from the taught one.
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
        """Return log-probabilities of red, blue, black and yellow, (n, 4), for n tiles. `answers`
        (n, 4) are the squared distances of the tiles from each ink in the network's answers, `hues`
        (n, 4) those in the hues. Of `looks` only the reader's features are used.
        """
        likely = FEATURES_WEIGHT * self.features.log_likelihoods(looks.features)
        likely = likely - ANSWERS_WEIGHT * _tails(answers) - HUES_WEIGHT * _tails(hues)
        probabilities = np.exp(log_softmax(likely.astype(np.float32)).astype(np.float64))
        total = 1 + len(COLOURS) * MIN_PROBABILITY
        return np.asarray(np.log((probabilities + MIN_PROBABILITY) / total))


def strengths(absorbances: Array) -> Array:
    """Return how strong n inks are, (n,): for each ink, the natural logarithm of the length of its
    vector in `absorbances`, (n, 3).
    """
    return np.asarray(np.log(np.linalg.norm(absorbances, axis=1) + 1e-6))


def chroma_of(crops: RGB) -> Array:
    """Return which colours of light the most colourful pixels of n crops lack, (n, 3). The values
    are shares of white's red, green and blue light, less the mean of the three shares.

    `crops` is (n, 64, 48, 3) RGB, white-balanced.
    """
    lacking = _lacking_where_colourful(crops)
    chroma = lacking - lacking.mean(axis=2, keepdims=True)
    return np.asarray(chroma.mean(axis=1, dtype=np.float64))


def colourful_absorbances(crops: RGB) -> Array:
    """Return how much light the most colourful pixels of n crops absorb in red, green and blue, (n,
    3), natural logarithms.

    `crops` is (n, 64, 48, 3) RGB, white-balanced.
    """
    light = np.clip(1 - _lacking_where_colourful(crops), DARKEST / WHITE, 1.0)
    return np.asarray(-np.log(light).mean(axis=1, dtype=np.float64))


def _lacking_where_colourful(crops: RGB) -> NDArray[np.float32]:
    """Return how much of the light of the body's white is missing in the m most colourful pixels of
    each of n crops: shares of its red, green and blue light, (n, m, 3). The share COLOURFUL of the
    pixels within a crop's border makes m. `crops` is (n, 64, 48, 3) RGB, white-balanced.
    """
    down, across = ColourConfig().border
    inner = _LACKING[crops[:, down:-down, across:-across]]
    inner = inner.reshape(len(crops), inner.shape[1] * inner.shape[2], 3)
    chroma = inner - inner.mean(axis=2, keepdims=True)
    strong = np.einsum("npc,npc->np", chroma, chroma)
    count = int(COLOURFUL * strong.shape[1])
    most = np.argpartition(-strong, count - 1, axis=1)[:, :count]
    return np.asarray(np.take_along_axis(inner, most[:, :, None], axis=1))


def _hues_in_any_set(inks: Array) -> Array:
    """Return the hues that are expected of inks without examples, (4, 6), as `InkLooks.hues`
    returns them: directions as on an average set, and the chroma that follows from the absorbances
    `inks` (4, 3).
    """
    lacking = 1 - np.exp(-inks)
    chroma = lacking - lacking.mean(axis=1, keepdims=True)
    return np.concatenate([INKS.average[:, len(COLOURS) :], CHROMA_SCALE * chroma], axis=1)


def _looseness(looks: InkLooks, usual: float) -> Array:
    """Return how many times larger than usual the variance of each tile's measured ink is, (n, 1).
    The factor is 1 where the ink has the strength `usual` or more. It is larger the weaker the ink
    is, since every disturbance changes a weak ink more than a strong one.
    """
    weakness = np.maximum(usual - looks.strengths, 0.0)
    return np.asarray(np.exp(LOOSER * weakness)[:, None])


def _tails(squared: Array) -> Array:
    """Return the negative log-likelihood of squared distances under Student's t distribution, in an
    array of the same shape; a constant is left out.
    """
    half = (DEGREES_OF_FREEDOM + 3) / 2
    return np.asarray(half * np.log1p(squared / DEGREES_OF_FREEDOM))


def _means(sums: Array, weights: Array, spread: float) -> tuple[Array, Array]:
    """Return the weighted mean of n tiles' values for each of m inks, (m, 3), and for each tile the
    weighted means of the other tiles' values, (n, m, 3). Where one mean is wanted for all inks
    together, m is 1.

    `sums` (n, m, 3) are the values times their weights, `weights` (n, m, 1) the weights. The means
    are drawn towards 0: before any tile is seen they are expected to differ from 0 with the
    standard deviation `spread`.
    """
    total, weight, drawn = sums.sum(axis=0), weights.sum(axis=0), 1 / spread**2
    return total / (weight + drawn), (total - sums) / (weight - weights + drawn)
