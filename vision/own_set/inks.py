"""The inks of one's own set, and what the lamp over a table does to them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.tiles import COLOURS
from vision.colour import (
    DIRECTION_SCALE,
    INKS,
    Inks,
    colour_given_inks,
    evidence,
    ink_absorbances,
    unit_vectors,
)
from vision.own_set.ink_space import (
    MIN_PROBABILITY,
    InkLooks,
    InkSpace,
    strengths,
)
from vision.own_set.prototypes import Taught
from vision.pyramid import RGB
from vision.reader import JOKER, FaceScores, log_softmax

# Spread of the strength of ink of single tiles around the mean of their ink and number: standard
# deviation of its natural logarithm, and the degrees of freedom of a Student's t. Found on rendered
# sets with unevenly bleached digits.
STRENGTH_SPREAD, STRENGTH_FREEDOM = 0.25, 8.0
DRIFT = 0.3  # variance of one set from table to table, as a share of that of all sets
FEW_EXAMPLES = 2  # without any difference, added to the examples of each number before their mean
ROUNDS = 8  # of expectation maximisation
TILE_SPREAD = 0.25  # standard deviation of a tile's absorbance around its ink, natural logarithm
LAMP_SPREAD = 0.3  # standard deviation of what a lamp adds to all absorbances, natural logarithm


@dataclass(frozen=True, eq=False)
class SetInks:
    """How the four inks of one set look.

    `absorbances` (4, 3) are how much red, green and blue light the red, blue, black and yellow ink
    absorb, natural logarithms. `thinness` (13,) is what each number adds to the strength of its
    ink, a natural logarithm: the stroke of a 1 is thin. `space` tells the inks apart. `usual` is
    the evidence of each ink on an average table. In this evidence the log-probabilities are not the
    network's, but those that `space` gives each tile by itself. `familiar` tells that the network
    sees all taught examples in the colours by which the owner calls them.
    """

    absorbances: NDArray[np.float64]
    thinness: NDArray[np.float64]
    usual: Inks
    space: InkSpace
    familiar: bool

    @classmethod
    def of(cls, taught: Taught) -> SetInks:
        """Measure the inks of the taught crops. An ink without examples is taken to look as on an
        average set.
        """
        inked = np.flatnonzero(taught.colour >= 0)
        colour, own = taught.colour[inked], taught.own[inked]
        looks = InkLooks.of(
            taught.crops[inked], taught.colour_scores[inked], taught.features[inked]
        )
        averages = _average_inks(looks.absorbances[own], colour[own])
        space = InkSpace.of(looks, colour, averages)
        seen = evidence(unit_vectors(looks.absorbances), space.told_alone(looks))
        apart = looks.strengths[own] - strengths(averages)[colour[own]]
        thinness = _average_of_numbers(apart, taught.number[inked][own])
        told = taught.colour_scores[inked][own].argmax(axis=1)
        familiar = bool((told == colour[own]).all())
        return cls(averages, thinness, _usual_inks(seen, colour), space, familiar)

    def tile_colours(self, scores: FaceScores) -> NDArray[np.float32]:
        """Return log-probabilities of red, blue, black and yellow, (n, 4), for n tiles, each
        judged by itself. The colours are those by which the owner of the set calls its inks.
        `scores` are what the reader sees on the tiles.
        """
        return self.space.told_alone(InkLooks.of(scores.crops, scores.colour, scores.features))

    def table_colours(self, scores: FaceScores, numbered: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Return log-probabilities of red, blue, black and yellow, (n, 4), for tiles that lie on
        one table. The colours are those by which the owner of the set calls its inks.

        `scores` are what the reader sees on the n tiles. `numbered` (n,) tells which of them bear a
        number: these are judged together, and each other tile by itself.
        """
        tiles, others = np.flatnonzero(numbered), np.flatnonzero(~numbered)
        colours = np.empty_like(scores.colour)
        colours[others] = self.tile_colours(scores.take(others))
        if not len(tiles):
            return colours
        looks = InkLooks.of(scores.crops[tiles], scores.colour[tiles], scores.features[tiles])
        number = scores.number[tiles].argmax(axis=1)
        together = self.space.told_together(looks)
        colours[tiles] = self._by_strength(together, looks.strengths, number)
        if self.familiar:
            colours[tiles] = _doubted(colours[tiles], looks, scores.colour[tiles])
        return colours

    def _by_strength(
        self,
        colours: NDArray[np.float32],
        strength: NDArray[np.float64],
        number: NDArray[np.intp],
    ) -> NDArray[np.float32]:
        """Return `colours`, log-probabilities of red, blue, black and yellow, (n, 4), corrected by
        how strong the ink of each tile is. `strength` (n,) is the natural logarithm of the length
        of the ink's absorbances. `number` (n,) is an index: 0 for a tile that shows a 1, 12 for a
        13.

        Blur and haze weaken the inks of all tiles alike; the median over the tiles tells by how
        much.
        """
        expected = strengths(self.absorbances) + self.thinness[number][:, None]
        likeliest = np.take_along_axis(expected, colours.argmax(axis=1)[:, None], axis=1)[:, 0]
        apart = (strength - np.median(strength - likeliest))[:, None] - expected
        freedom = STRENGTH_FREEDOM
        tails = (freedom + 1) * np.log1p((apart / STRENGTH_SPREAD) ** 2 / freedom)
        probabilities = np.exp(log_softmax(colours - (tails / 2).astype(np.float32)))
        return np.log((probabilities + MIN_PROBABILITY) / (1 + 4 * MIN_PROBABILITY))

    def strangeness(self, crops: RGB) -> float:
        """Return how far the inks on n crops, (n, 64, 48, 3), lie from those of the set, after a
        lamp's effect has been taken out. For each crop this is the distance of its absorbances,
        natural logarithms, from the nearest ink of the set; the median over the crops is returned.
        """
        measured = ink_absorbances(crops)
        apart = self.absorbances - self._lamp_shift(measured) - measured[:, None]
        return float(np.median(np.linalg.norm(apart, axis=2).min(axis=1)))

    def _lamp_shift(self, measured: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what to add to the absorbances measured on a table to take out the lamp's effect,
        in red, green and blue, (3,). `measured` (n, 3) are the absorbances of its n tiles.

        A warm lamp, or a white that is burnt out, changes all inks of a table nearly alike. The
        tiles are modelled as a mixture of the set's inks moved by one shift, which is fitted by
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


def _doubted(
    colours: NDArray[np.float32], looks: InkLooks, network: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return `colours`, the log-probabilities of red, blue, black and yellow, (n, 4), that the inks
    of a set give the tiles of one table, made doubtful where the inks on this table, compared with
    each other alone, tell another colour: a lamp may make the blue of a set look like its black.

    `looks` are the inks on the n tiles, and `network` (n, 4) the network's log-probabilities.
    """
    inks = unit_vectors(looks.absorbances)
    alone = colour_given_inks(inks, network, np.ones(len(inks), bool))
    other = alone.argmax(axis=1) != colours.argmax(axis=1)
    either = np.logaddexp(colours, alone) - np.float32(np.log(2))
    return np.where(other[:, None], either, colours)


def _average_inks(
    absorbances: NDArray[np.float64], colour: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Return the mean absorbances of each ink, (4, 3). `absorbances` (n, 3) are those of n
    examples, whose inks are `colour` (n,), indices into COLOURS.

    An ink without examples gets the direction of an average set, and is as strong as the other
    inks.
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
    """Return the mean of n values for each of the numbers 1 to 13, (13,). `number` (n,) tells which
    number each value belongs to, as an index: 0 for a 1, 12 for a 13. The mean is drawn to 0 where
    a number has few values.
    """
    sums = np.bincount(number, values, minlength=JOKER)
    return np.asarray(sums / (np.bincount(number, minlength=JOKER) + FEW_EXAMPLES))


def _usual_inks(seen: NDArray[np.float64], colour: NDArray[np.intp]) -> Inks:
    """Return the average evidence of each ink, and how much it varies from table to table and from
    tile to tile. `seen` (n, 7) is the evidence on n taught tiles, in the form that
    `vision.colour.Inks` explains; `colour` (n,) are their inks, indices into COLOURS.
    """
    average, spreads = INKS.average.copy(), []
    for k in np.unique(colour):
        average[k] = np.median(seen[colour == k], axis=0)
        spreads.append(seen[colour == k].var(axis=0))
    within = np.maximum(np.mean(spreads, axis=0), INKS.within)
    return Inks(average, DRIFT * INKS.between, within)
