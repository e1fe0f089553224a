"""Which colour each taught row has, and whether that is sure.

The network knows the colours of sets on sale. Where digits are black and a mark shows the colour,
the network is undecided or says black, and the hue of the most colourful pixels decides among four
rows of four colours. Rows that are fewer or more tell less of each other: among these a row is
unsure that is taken for black and has a coloured mark. The network takes inks of other hues, such
as purple or green, for one of its four colours, often with certainty; so rows whose hues are far
from those of all inks on sale are unsure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from engine.tiles import COLOURS, Colour
from vision.colour import DIRECTION_SCALE, INKS, ink_absorbances, unit_vectors
from vision.own_set.certainty import LOWEST_LOG
from vision.own_set.ink_space import chroma_of, colourful_absorbances
from vision.pyramid import RGB

# Mean of a row's log-probabilities by which the inks prefer one colour of the rows to another.
SURE_COLOUR = 0.5
# A hue's squared distance from the average ink, in variances of all inks on sale, is subtracted
# from a log-probability with this weight, and no farther than FARTHEST.
HUE_WEIGHT, FARTHEST = 0.1, 50.0
# Mean of the rows' distances above which their inks are unlike those on sale. Of 86 rendered
# photographs of ordinary, old and marked sets the largest mean is 6.8 by the nearer of both hues;
# of 38 photographs of odd inks 36 lie above.
OTHER_INKS = 7.0
# Where a mark shows the colour, the rows' most colourful pixels are nearer to the inks than their
# darkest ones by more than this.
MARKED = 2.0
# Chroma of the most colourful pixels above which a row that is taken for black has a coloured mark.
# Of the black rows of 32 rendered sets, ordinary and old, none has more than 0.11; of 29 rows in
# other colours with black digits and marks, which are taken for black, 26 have more than 0.16.
COLOURED = 0.14
BLACK = COLOURS.index("K")
Array = NDArray[np.float64]


@dataclass(frozen=True)
class TaughtRow:
    """A row from 1 to 13. If its colour is not `sure`, a person should name the colour."""

    colour: Colour
    sure: bool


@dataclass(frozen=True, eq=False)
class RowInks:
    """What is measured of the inks of n rows. Three arrays (n, 4) compare each row with red, blue,
    black and yellow: `log` are means of the network's log-probabilities over the tiles of each row,
    `dark` and `colourful` are squared distances from the hues of inks on sale, for the darkest and
    for the most colourful pixels. `chroma` (n,) is how colourful the latter are, 0 for grey.
    """

    log: Array
    dark: Array
    colourful: Array
    chroma: Array

    @classmethod
    def of(cls, rows: Sequence[tuple[NDArray[np.float32], RGB]]) -> RowInks:
        """Measure the inks of n rows. Each row is given by the network's colour log-probabilities
        for its m tiles, (m, 4), and by their crops, (m, 64, 48, 3).
        """
        return cls(
            np.array([np.maximum(colour, LOWEST_LOG).mean(axis=0) for colour, _ in rows]),
            np.array([_distances(ink_absorbances(crops)) for _, crops in rows]),
            np.array([_distances(colourful_absorbances(crops)) for _, crops in rows]),
            np.array([np.linalg.norm(np.median(chroma_of(crops), axis=0)) for _, crops in rows]),
        )

    @property
    def with_hues(self) -> Array:
        """The rows' log-probabilities of red, blue, black and yellow, (n, 4): those of the network,
        less a penalty for how far the hues of a row are from those of inks on sale.
        """
        hues = np.minimum(self.dark, FARTHEST) + np.minimum(self.colourful, FARTHEST)
        return np.asarray(self.log - HUE_WEIGHT * hues / 2)


def row_colours(inks: RowInks) -> tuple[TaughtRow, ...]:
    """Return for each of n rows its colour and whether the colour is sure. `inks` is what was
    measured of the rows. If there are four rows or fewer, no two get the same colour.
    """
    chosen, sure = _assigned(inks.with_hues)
    _, sure_by_network = _assigned(inks.log)
    each = np.arange(len(chosen))
    dark, colourful = inks.dark[each, chosen], inks.colourful[each, chosen]
    nearer = np.minimum(dark, colourful)
    if nearer.mean() > OTHER_INKS:
        sure[:] = False
    elif (dark - nearer).mean() <= MARKED:
        sure &= sure_by_network
    if len(chosen) != len(COLOURS):
        sure &= (chosen != BLACK) | (inks.chroma <= COLOURED)
    return tuple(TaughtRow(COLOURS[k], bool(s)) for k, s in zip(chosen, sure, strict=True))


def _assigned(log: Array) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Return the likeliest colour of each of n rows, an index into COLOURS, and whether it is sure,
    both (n,). `log` (n, 4) are log-probabilities. Of four rows or fewer, no two get the same
    colour.
    """
    if len(log) > len(COLOURS):
        ordered = np.sort(log, axis=1)
        return log.argmax(axis=1), ordered[:, -1] - ordered[:, -2] > SURE_COLOUR
    each = np.arange(len(log))
    choices = np.array(list(permutations(range(len(COLOURS)), len(log))))
    totals = log[each, choices].sum(axis=1)
    best = choices[totals.argmax()]
    others = [totals[choices[:, row] != best[row]].max() for row in each]
    return best, totals.max() - np.array(others) > SURE_COLOUR


def _distances(absorbances: Array) -> Array:
    """Return how far a row's hue lies from that of each of the four inks on sale, (4,), given the
    absorbances (m, 3) of the row's m tiles.

    Each distance is squared and divided by the variance of the ink. This is the sum of its variance
    from table to table and its variance from tile to tile.
    """
    number = len(COLOURS)
    hue = DIRECTION_SCALE * unit_vectors(np.median(absorbances, axis=0)[None])
    variance = INKS.between[number:] + INKS.within[number:]
    return np.asarray(((hue - INKS.average[:, number:]) ** 2 / variance).sum(axis=1))
