"""What lies between two neighbours of a column, by a network that sees the strip between their
edges.

A card whose mark was not found shows all the same, as one strip of paper and print more. The steps
from card to card tell of it only where cards lie at even distances. The network is trained on
columns as they are read on rendered hands, and on columns without one of their cards, by
`models.recipes.column_gaps`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vision.around import Around
from vision.cards.card import Card
from vision.cards.column_ends import CLASSES, JOLLY, NOTHING, along_column, share_of_jolly
from vision.cards.known_marks import KnownMarks, LooksAtColumns
from vision.cards.marks import are_jollies
from vision.cards.offsets import step_between
from vision.cards.runs import numbers_between
from vision.cards.steps import Gap
from vision.grouping import Indices
from vision.pyramid import Picture
from vision.quads import drawn

# What is seen around the middle of the strip: 0.9 heights of a card across the column, and along it
# 1.7 steps from the one card to the other. So the edges of both lie in the same places of each
# view, and a card between them shows in the middle.
AROUND = Around(across=1.8, down=1.7)
LEAST_STEP = 0.12  # heights of a card: a shorter step counts as one of this length
# Probability that nothing lies between two neighbours, up to which a card was missed there. It was
# chosen for the network before its last rounds of training, on 240 rendered hands that this had not
# seen (seeds 21500 to 21800).
LIKELY = 0.3
# The same for neighbours that no run tells of. On 420 rendered hands (360 in fans) a card had been
# missed at 55 of 73 places where nothing shows with so little probability, and at three of ten
# where it shows with more, up to LIKELY. Beside jollies, whose outlines and pictures differ, it had
# been missed at two of 24 such places, so that the network is not asked about any.
LIKELY_ANYWHERE = 0.1
# The same for neighbours in an escalera that is no meld, whose numbers lack one. On 720 rendered
# hands a card had been missed at 132 of 138 such places, and at 16 of the 17 where nothing shows
# with a probability of LIKELY to this limit.
LIKELY_LACKING = 0.995
# The same for neighbours two numbers apart in a meld, where a 2 is wild or the numbers are of a
# pierna. On 480 rendered hands a card had been missed at the four such places where nothing shows
# with up to 0.8, and at two of the 18 others, where nothing shows with 0.98 or more.
LIKELY_IN_MELD = 0.9
# But a step of such neighbours that is LONGER times the median of at least two others is as likely
# as in an escalera that is no meld. On 438 rendered hands a card had been missed in each of seven
# steps that are so long, six of them seen with 0.013 at most, and in none of 25 others.
LONGER = 1.5
# In heights of a card: neighbours farther apart are not asked about unless their step is a long one
# of their column. On 92 of 450 real photographs of loose cards, read as melds, the network saw a
# card too many, most of them between cards farther apart than this: it was trained on the melds of
# rendered hands, which lie closer.
MOST_STEP = 0.6
# In a photograph of loose cards, neighbours are asked about where their column has LEAST_OTHERS
# other steps. LIKELY counts for a step of WIDE_STEP times the median of these, LIKELY_LOOSE for
# others. In racks of 420 rendered hands, of which 360 lay in fans, a card had been missed at ten of
# the eleven such places where it shows in the column alone. With one step less, two of 646 real
# photographs of loose cards would show a card too many.
LEAST_OTHERS, WIDE_STEP, LIKELY_LOOSE = 3, 1.7, 0.02
# In columns with fewer steps only a jolly is told there, with SURELY_A_JOLLY, however unlikely it
# is that nothing lies there. On 660 rendered hands in fans three had been missed at the three such
# places. Of 646 real photographs, which show none, the surest told one with 0.96.
SURELY_A_JOLLY, A_JOLLY_ALONE = 0.99, -1.0
# Unless the step is one of SHORT_STEPS, in heights of a card, and the column has three cards or
# four: then any card is told where nothing shows with LIKELY_IN_SHORT, and in a step WIDE_STEP
# times the median of two others with LIKELY. On 438 rendered hands a card had been missed at each
# of the three such places, and at the only one of wide steps; 646 real photographs show neither. In
# steps of other lengths they do, and in columns of two cards.
SHORT_STEPS, LIKELY_IN_SHORT = (0.2, 0.42), 0.002
# Neighbours in photographs of melds that are more than MOST_STEP apart are asked about with this
# probability in a step WIDE_STEP times the median of LEAST_OTHERS others, where they are not next
# to each other in a run. On those hands a card had been missed at each of 14 such places, and on
# real photographs there is none.
LIKELY_FAR = 0.001
# A place in a column: the number of the column, and how many of its cards lie before the place.
Between = tuple[int, int]


class ColumnGaps(LooksAtColumns):
    """The network that tells what lies between neighbours of a column."""

    network, around, classes = "card_column_gaps", AROUND, CLASSES

    def judged(
        self,
        picture: Picture,
        columns: Sequence[Indices],
        cards: Sequence[Card],
        gaps: Sequence[Gap],
        asked: Mapping[Between, float],
        lacking: Sequence[Between],
        known: KnownMarks,
    ) -> list[Gap]:
        """Return the gaps of columns, in the order of columns and of their cards: those in which
        the network sees a card, with their `jolly`, and the other ones of `gaps`, which steps tell.
        It looks there and between the neighbours that are `asked` about, up to which probability
        that nothing lies there, or whose numbers are `lacking` one; there a card lies in the
        middle. Where steps tell of two cards and it sees any, both count.

        `picture` is (h, w, 3) RGB or its pyramid; `columns` hold indices of the `cards`, and their
        marks are `known`.
        """
        by_place = {place: list[Gap]() for place in (*asked, *lacking)}
        for gap in gaps:
            by_place.setdefault((gap.column, gap.before), []).append(gap)
        places = sorted(by_place)
        beside = [
            (cards[columns[number][before - 1]], cards[columns[number][before]])
            for number, before in places
        ]
        squares = np.array([between(*pair) for pair in beside], np.float32).reshape(-1, 4, 2)
        windows = self.around.windows(squares)
        marks = [known.near(*shown) for shown in zip(windows, beside, strict=True)]
        shown = np.exp(self.look(picture, squares, marks))
        found = list[Gap]()
        for place, told in zip(places, shown, strict=True):
            by_steps = by_place[place]
            likely = LIKELY_LACKING if place in lacking else asked.get(place, LIKELY)
            if told[NOTHING] <= likely or told[JOLLY] >= SURELY_A_JOLLY:
                jolly = share_of_jolly(told)
                middle = Gap(*place, 0.5, incomplete=place in lacking)
                by_steps = [replace(gap, jolly=jolly) for gap in by_steps or [middle]]
            found += by_steps
        return found


def not_in_order(
    columns: Sequence[Indices],
    cards: Sequence[Card],
    faces: NDArray[np.float32],
    incomplete: Collection[int],
) -> dict[Between, float]:
    """Return the places between neighbours of columns that lie at most MOST_STEP apart and are not
    next to each other in a run, each with the probability LIKELY_ANYWHERE; with LIKELY_IN_MELD
    where the numbers of two neighbours lack one though their column is a meld, or LIKELY_LACKING if
    their step is much longer than others. Left out are places beside a jolly. `columns` hold
    indices of the n `cards`, `faces` (n, 53) are log-probabilities, and `incomplete` holds the
    indices of the columns that are no melds.
    """
    jollies, found = are_jollies(faces), dict[Between, float]()
    for number, column in enumerate(columns):
        steps = _steps(column, cards)
        for before, (one, other) in enumerate(pairwise(column), 1):
            lack = numbers_between(faces[one], faces[other])
            if (
                lack != 0
                and not jollies[[one, other]].any()
                and _are_near(cards[one], cards[other])
            ):
                likely = LIKELY_ANYWHERE
                if lack == 1 and number not in incomplete:
                    longer = _times_others(steps, before - 1, 2) >= LONGER
                    likely = LIKELY_LACKING if longer else LIKELY_IN_MELD
                found[number, before] = likely
    return found


def in_wide_steps(
    columns: Sequence[Indices], cards: Sequence[Card], faces: NDArray[np.float32]
) -> dict[Between, float]:
    """Return the places in wide steps, each with the probability LIKELY_FAR, between neighbours of
    columns that are farther than MOST_STEP apart and not next to each other in a run: steps of
    WIDE_STEP times the median of at least LEAST_OTHERS others. Left out are places beside a jolly.
    `columns` hold indices of the n `cards`, and `faces` (n, 53) are log-probabilities.
    """
    jollies, found = are_jollies(faces), dict[Between, float]()
    for number, column in enumerate(columns):
        steps = _steps(column, cards)
        for at, (one, other) in enumerate(pairwise(column)):
            if _times_others(steps, at, LEAST_OTHERS) < WIDE_STEP:
                continue
            next_to = numbers_between(faces[one], faces[other]) == 0
            if not (next_to or jollies[[one, other]].any() or _are_near(cards[one], cards[other])):
                found[number, at + 1] = LIKELY_FAR
    return found


def beside_jollies(
    gaps: Sequence[Gap], columns: Sequence[Indices], jollies: NDArray[np.bool_]
) -> list[Gap]:
    """Return those of the `gaps` in `columns` that lie beside a jolly. `jollies` (n,) tells which
    of the cards are some.
    """
    return [
        gap
        for gap in gaps
        if jollies[list(columns[gap.column][gap.before - 1 : gap.before + 1])].any()
    ]


def in_loose_columns(columns: Sequence[Indices], cards: Sequence[Card]) -> dict[Between, float]:
    """Return the places between neighbours of columns that lie at most MOST_STEP apart, in a
    photograph of loose cards. Where a column has LEAST_OTHERS other steps, each has the probability
    LIKELY if its step is WIDE_STEP times the others' median, else LIKELY_LOOSE. In shorter columns
    it has A_JOLLY_ALONE, or what SHORT_STEPS tell. `columns` hold indices of the `cards`.
    """
    found = dict[Between, float]()
    for number, column in enumerate(columns):
        steps = _steps(column, cards)
        for at, (one, other) in enumerate(pairwise(column)):
            if not _are_near(cards[one], cards[other]):
                continue
            wide = _times_others(steps, at, 2) >= WIDE_STEP
            if len(steps) > LEAST_OTHERS:
                likely = LIKELY if wide else LIKELY_LOOSE
            elif len(steps) > 1 and _is_short_step(cards[one], cards[other]):
                likely = LIKELY if wide else LIKELY_IN_SHORT
            else:
                likely = A_JOLLY_ALONE
            found[number, at + 1] = likely
    return found


def lacking_one(
    columns: Sequence[Indices], faces: NDArray[np.float32], incomplete: Collection[int]
) -> list[Between]:
    """Return the places between neighbours whose numbers lack one, in the columns that are
    `incomplete`: both are of one suit, and their numbers differ by two. `columns` hold indices of
    the n cards whose log-probabilities `faces` (n, 53) are; `incomplete` holds indices of columns.
    """
    return [
        (number, before)
        for number in sorted(incomplete)
        for before, (one, other) in enumerate(pairwise(columns[number]), 1)
        if numbers_between(faces[one], faces[other]) == 1
    ]


def _steps(column: Indices, cards: Sequence[Card]) -> NDArray[np.float64]:
    """Return the lengths of the n steps of a column of n + 1 cards, (n,) in pixels."""
    pairs = [(cards[one], cards[other]) for one, other in pairwise(column)]
    return np.array([np.linalg.norm(step_between(*pair)) for pair in pairs])


def _times_others(steps: NDArray[np.float64], at: int, least: int) -> float:
    """Return how many times as long as the median of a column's other steps the step with the index
    `at` is; 0 where these are fewer than `least`.
    """
    others = np.delete(steps, at)
    if len(others) < least:
        return 0.0
    return float(steps[at] / max(float(np.median(others)), 1e-6))


def _are_near(one: Card, other: Card) -> bool:
    return _heights_apart(one, other) <= MOST_STEP


def _is_short_step(one: Card, other: Card) -> bool:
    least, most = SHORT_STEPS
    return least <= _heights_apart(one, other) <= most


def _heights_apart(one: Card, other: Card) -> float:
    """Return the length of the step between two neighbours, in heights of the larger card."""
    return float(np.linalg.norm(step_between(one, other))) / max(*one.size, *other.size)


def between(before: Card, after: Card) -> NDArray[np.float32]:
    """Return the rectangle, (4, 2) in pixels, that tells where to look between the card `before`
    and the card `after`, which lies over it: half a height of `after` wide, and as high as the step
    along the column, but LEAST_STEP heights at least. Its middle is that of the strip of `before`
    that shows, and downwards leads to `after`.
    """
    square = along_column(before, after, (before.middle + after.middle) / 2, -0.5)
    right, onwards = square[1] - square[0], square[3] - square[0]
    heights = float(step_between(before, after) @ onwards) / float(onwards @ onwards)
    down = onwards * max(heights, LEAST_STEP)
    return np.asarray(drawn(square.mean(axis=0)[None], right[None] / 2, down[None])[0])
