"""The inks of one's own set, and what the lamp over a table does to them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.tiles import COLOURS
from vision.colour import (
    DIRECTION_SCALE,
    INKS,
    ColourConfig,
    Inks,
    colour_given_inks,
    evidence,
    ink_absorbances,
    unit_vectors,
)
from vision.crops import RGB
from vision.own_set.discriminant import Discriminant
from vision.own_set.prototypes import Taught
from vision.reader import JOKER, FaceScores, log_softmax

DRIFT = 0.3  # of the variance of all sets from table to table: that of one set
# The inks of one set, measured, tell more than the inks of all sets together do.
COLOUR = ColourConfig(weights=(0.35, 1.5))
# Share of the taught faces whose ink the network's own answer must tell from the other inks of the
# set. Below it the reader's features tell the colours.
KEPT_APART = 0.97
# Standard deviation of a tile's strength of ink around that of its ink and number, natural
# logarithm. Found on three sets rendered with unevenly bleached digits.
STRENGTH_SPREAD = 0.25
FEW_EXAMPLES = 2  # of a number: as many without a difference are added before the mean is taken
ROUNDS = 8  # of expectation maximisation
TILE_SPREAD = 0.25  # standard deviation of a tile's absorbance around its ink, natural logarithm
LAMP_SPREAD = 0.3  # standard deviation of what a lamp adds to all absorbances, natural logarithm


@dataclass(frozen=True, eq=False)
class AnswerByInk:
    """What the network answers to each ink of a set, whatever it takes the ink for.

    `average` (4, 4) is the evidence of red, blue, black, yellow, as in `vision.colour.Inks`, and
    `within` (4,) its variance. To a purple that its owner calls red the network may answer "red or
    blue"; what counts is that it answers so to every purple tile.
    """

    average: NDArray[np.float64]
    within: NDArray[np.float64]

    @classmethod
    def of(cls, scores: NDArray[np.float32], colour: NDArray[np.intp]) -> AnswerByInk:
        """Measure the answers (n, 4), log-probabilities; `colour` (n,) tells the ink of each."""
        seen = _answers(scores)
        average, spreads = INKS.average[:, :4].copy(), []
        for k in np.unique(colour):
            average[k] = np.median(seen[colour == k], axis=0)
            spreads.append(seen[colour == k].var(axis=0))
        return cls(average, np.maximum(np.mean(spreads, axis=0), INKS.within[:4]))

    def log_probabilities(self, scores: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return log-probabilities of the set's inks, (n, 4), given the network's (n, 4).

        The likelihood of an ink is Student's t about its average answer: a burnt-out tile may be
        answered anything.
        """
        spread = self.within + DRIFT * INKS.between[:4]
        squared = ((_answers(scores)[:, None] - self.average) ** 2 / spread).sum(axis=2)
        freedom = COLOUR.degrees_of_freedom
        tails = (freedom + 4) * np.log1p(squared / freedom)
        return log_softmax((-tails / 2).astype(np.float32))


@dataclass(frozen=True, eq=False)
class SetInks:
    """How the four inks of one set look.

    `absorbances` is (4, 3): of red, blue, black, yellow in R, G, B, natural logarithm. `thinness`,
    (13,), is what each number adds to the logarithm of their length: the stroke of a 1 is thin.
    `usual` is where the evidence of each ink lies. `told_by` tells colours one tile at a time: by
    what the network answers to each ink where that keeps the inks apart, else by the reader's
    features.
    """

    absorbances: NDArray[np.float64]
    thinness: NDArray[np.float64]
    usual: Inks
    told_by: AnswerByInk | Discriminant

    @classmethod
    def of(cls, taught: Taught) -> SetInks:
        """Measure the inks of the taught crops. An ink without examples is as in any set."""
        inked = np.flatnonzero(taught.colour >= 0)
        colour, absorbances = taught.colour[inked], ink_absorbances(taught.crops[inked])
        answers, features = taught.colour_scores[inked], taught.features[inked]
        by_answer = AnswerByInk.of(answers, colour)
        right = by_answer.log_probabilities(answers).argmax(axis=1) == colour
        told_by: AnswerByInk | Discriminant = by_answer
        if len(np.unique(colour)) > 1 and right.mean() < KEPT_APART:
            told_by = Discriminant.fit(features, colour, len(COLOURS))
        scores = _tile_colours(told_by, answers, features)
        seen = evidence(unit_vectors(absorbances), scores)
        own = taught.own[inked]
        averages = _average_inks(absorbances[own], colour[own])
        apart = strengths(absorbances[own]) - strengths(averages)[colour[own]]
        thinness = _average_of_numbers(apart, taught.number[inked][own])
        return cls(averages, thinness, _usual_inks(seen, colour), told_by)

    def tile_colours(
        self, answers: NDArray[np.float32], features: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Return log-probabilities of the colours, (n, 4), each tile by itself.

        `answers` (n, 4) and `features` (n, 1536) are the network's, as in `FaceScores`.
        """
        return _tile_colours(self.told_by, answers, features)

    def table_colours(self, scores: FaceScores, numbered: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Return log-probabilities of the colours, (n, 4), given all inks of the table.

        `scores` hold the colours that `tile_colours` returns; `numbered` (n,) tells which tiles
        bear a number, the others keep their colours.
        """
        tiles = np.flatnonzero(numbered)
        if not len(tiles):
            return scores.colour
        measured = ink_absorbances(scores.crops[tiles])
        inks = np.zeros((len(scores), 3))
        inks[tiles] = unit_vectors(np.maximum(measured + self._lamp_shift(measured), 0.0))
        strength, looseness = strengths(measured), np.ones(len(scores))
        # The noise that turns a direction is the same for all, so it turns that of a weak ink more.
        weakness = np.exp(strengths(self.absorbances).mean() - strength)
        looseness[tiles] = np.maximum(weakness, 1.0) ** 2
        colours = colour_given_inks(
            inks, scores.colour, numbered, COLOUR, self.usual, looseness=looseness
        )
        number = scores.number[tiles].argmax(axis=1)
        colours[tiles] = self._by_strength(colours[tiles], strength, number)
        return colours

    def _by_strength(
        self,
        colours: NDArray[np.float32],
        strength: NDArray[np.float64],
        number: NDArray[np.intp],
    ) -> NDArray[np.float32]:
        """Return log-probabilities of the colours, (n, 4), given how strong each tile's ink is.

        Blur and haze weaken all tiles alike, which their median tells. The likelihood is Student's
        t. `number` (n,) are indices from 0.
        """
        expected = strengths(self.absorbances) + self.thinness[number][:, None]
        likeliest = np.take_along_axis(expected, colours.argmax(axis=1)[:, None], axis=1)[:, 0]
        apart = (strength - np.median(strength - likeliest))[:, None] - expected
        freedom = COLOUR.degrees_of_freedom
        tails = (freedom + 1) * np.log1p((apart / STRENGTH_SPREAD) ** 2 / freedom)
        probabilities = np.exp(log_softmax(colours - (tails / 2).astype(np.float32)))
        return np.log((probabilities + COLOUR.min_probability) / (1 + 4 * COLOUR.min_probability))

    def strangeness(self, crops: RGB) -> float:
        """Return how far the inks on (n, 64, 48, 3) crops lie from the set's under any lamp.

        It is the median distance of absorbances R, G, B, natural logarithm.
        """
        measured = ink_absorbances(crops)
        apart = self.absorbances - self._lamp_shift(measured) - measured[:, None]
        return float(np.median(np.linalg.norm(apart, axis=2).min(axis=1)))

    def _lamp_shift(self, measured: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what to add to the absorbances measured on a table, R, G, B, (3,).

        A warm lamp, or a white that is burnt out, changes all inks of a table nearly alike. The
        tiles, (n, 3), are a mixture of the set's inks moved by one shift, which is fitted by
        expectation maximisation.
        """
        shift = np.zeros(3)
        apart = self.absorbances - measured[:, None]  # (n, 4, 3)
        for _ in range(ROUNDS):
            squared = ((apart - shift) ** 2).sum(axis=2) / TILE_SPREAD**2
            responsible = np.exp(log_softmax((-squared / 2).astype(np.float32)))
            total = (responsible[:, :, None] * apart).sum(axis=(0, 1))
            shift = total / (len(measured) + (TILE_SPREAD / LAMP_SPREAD) ** 2)
        return shift


def strengths(absorbances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how strong inks are, (n,): the logarithm of the length of absorbances (n, 3)."""
    return np.asarray(np.log(np.linalg.norm(absorbances, axis=1) + 1e-6))


def _average_inks(
    absorbances: NDArray[np.float64], colour: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Return the mean absorbance of each ink, (4, 3), of examples (n, 3) of inks `colour` (n,).

    An ink without examples has its usual direction, and is as strong as the others.
    """
    taught = np.unique(colour)
    averages = INKS.average[:, 4:] / DIRECTION_SCALE
    for k in taught:
        averages[k] = absorbances[colour == k].mean(axis=0)
    others = np.setdiff1d(np.arange(len(COLOURS)), taught)
    strength = np.exp(strengths(averages[taught]).mean())
    averages[others] = unit_vectors(averages[others]) * strength
    return averages


def _average_of_numbers(
    values: NDArray[np.float64], number: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Return the mean of the values (n,) of each number, (13,), drawn to 0 where there are few."""
    sums = np.bincount(number, values, minlength=JOKER)
    return np.asarray(sums / (np.bincount(number, minlength=JOKER) + FEW_EXAMPLES))


def _answers(scores: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the network's part of the evidence, (n, 4), of its log-probabilities (n, 4)."""
    return evidence(np.zeros((len(scores), 3)), scores)[:, :4]


def _tile_colours(
    told_by: AnswerByInk | Discriminant,
    answers: NDArray[np.float32],
    features: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Return log-probabilities of the colours, (n, 4), each tile by itself."""
    if isinstance(told_by, AnswerByInk):
        return told_by.log_probabilities(answers)
    return log_softmax(told_by.log_likelihoods(features))


def _usual_inks(seen: NDArray[np.float64], colour: NDArray[np.intp]) -> Inks:
    """Return where the evidence (n, 7) of each ink lies; `colour` (n,) tells the ink of each."""
    average, spreads = INKS.average.copy(), []
    for k in np.unique(colour):
        average[k] = np.median(seen[colour == k], axis=0)
        spreads.append(seen[colour == k].var(axis=0))
    within = np.maximum(np.mean(spreads, axis=0), INKS.within)
    return Inks(average, DRIFT * INKS.between, within)
