"""What lies beyond the ends of columns, by a network that sees an end and the table around it.

A card whose mark was not found shows all the same: whole where it lies over a column, and as a
strip of paper and print where it lies beneath. Most of such cards are jollies, whose marks differ
from pack to pack. The network is trained on columns as they are read on rendered hands, and on
columns without their last card, by `models.recipes.column_ends`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from vision.around import Around
from vision.cards.card import Card
from vision.cards.known_marks import KnownMarks, LooksAtColumns
from vision.cards.offsets import step_between
from vision.cards.places import ASPECT, card_frames
from vision.cards.seen_after_all import SAME_MARK
from vision.grouping import Indices
from vision.pyramid import Picture, pyramid_of
from vision.quads import drawn, overlap

# What is seen around the middle of the edge at which a column ends, in heights of a card.
AROUND = Around(across=1.5, down=1.75)
CLASSES = ["nothing", "card", "jolly"]
NOTHING, CARD, JOLLY = range(3)
# Probability that nothing lies beyond an end, up to which a card was missed there: of a column that
# is no meld, and of one that is. The former was chosen for the network before its last rounds of
# training, on 300 rendered hands that this had not seen (seeds 20500 to 20900). It gave so little
# at one of 3,111 ends beyond which nothing lies, and at 13 of 17 beyond which a card was missed. Of
# the cards told beyond melds with 0.01 to 0.1 on 480 hands in fans two had been missed and 20 had
# not, on hands in columns and rows four and five (experiment 235 of models/EXPERIMENTS.md). With
# 0.01 for the latter, three more of 360 hands in fans would be exact, but the true score of two
# more sides would lie outside of what is told.
LIKELY, LIKELY_LONGER = 0.2, 0.02
# The same beneath the covered end of a meld, where the network sees a jolly rather than another
# card, as SURELY_JOLLY says. On 720 rendered hands seven had been missed where nothing shows with
# up to this, and two had not; where it shows with up to 0.2, none and one.
LIKELY_JOLLY = 0.05
# The same, up to which another column that begins there, and makes a meld with this one, is its
# second part.
PERHAPS = 0.7
# A card was seen after all whose middle lies within this share of a step from where it should be.
# Of cards in no column one may lie farther away: outlines tell fans poorly.
NEAR, NEAR_ALONE = 0.5, 1.25
# Of another column, all of which makes a meld with this one, the first card may lie farther still:
# the steps of a fan are uneven. On 100 rendered hands nine columns begin between these two limits,
# all of them the other part of a meld but for two in a photograph that was wholly misread.
NEAR_COLUMN = 2.0
# A card that was missed beyond a free end, where it would lie over all others and show both of its
# marks, is one that is a jolly with this probability at least: there the network sees a jolly
# rather than another card. On 420 rendered hands, at free ends beyond which it sees another card,
# five had been missed and 37 not, and where it sees a jolly with `nothing` to 0.03, four and two.
SURELY_JOLLY = 0.93
# The same beyond any end of a column of loose cards, and how probably nothing lies there, at most.
# On 660 rendered hands in fans two such jollies had been missed, and no other one was told.
SURELY_JOLLY_LOOSE, LIKELY_LOOSE = 0.993, 0.01
# How many times likelier than the network says a jolly is where no mark was found: of the marks of
# jollies in melds one in eleven is missed, of others one in some hundreds, so 60 times as many; and
# ends with a jolly beyond, and places with one between cards, were drawn five times as often when
# the networks were trained.
RATHER_JOLLY = 12.0


@dataclass(frozen=True, eq=False)
class End:
    """An end of a column: its last card, the card before that one, and the quad of the last card's
    surest mark, (4, 2) in pixels. `column` is the number of the column, and `free` tells whether
    its last card lies over the others.
    """

    column: int
    free: bool
    before: Card
    last: Card
    mark: NDArray[np.float32]

    def longer(self) -> End:
        """Return the end that the column has with one card more, a step further on."""
        step = step_between(self.before, self.last)
        further = Card(self.last.outline + step, self.last.marks + step)
        return End(self.column, self.free, self.last, further, self.mark + step)


@dataclass(frozen=True, eq=False)
class Beyond:
    """A card that may lie beyond an end of a column: the `end` that the column has with this card,
    how probably it is a `jolly`, and how probably `nothing` lies there.
    """

    end: End
    jolly: float
    nothing: float


class ColumnEnds(LooksAtColumns):
    """The network that tells what lies beyond the ends of columns."""

    network, around, classes = "card_column_ends", AROUND, CLASSES

    def beyond(
        self, picture: Picture, ends: Sequence[End], known: KnownMarks
    ) -> NDArray[np.float32]:
        """Return the probabilities of CLASSES, (n, 3), of what lies beyond each of n `ends`.
        `picture` is (h, w, 3) RGB or its pyramid, and `known` the marks of its columns.
        """
        squares = np.array([at_end(end.before, end.last) for end in ends], np.float32)
        squares = squares.reshape(-1, 4, 2)
        windows = zip(ends, self.around.windows(squares), strict=True)
        marks = [known.near(window, [end.last]) for end, window in windows]
        return np.asarray(np.exp(self.look(picture, squares, marks)), np.float32)

    def perhaps_missed(
        self, picture: Picture, ends: Sequence[End], known: KnownMarks
    ) -> list[Beyond]:
        """Return the cards that perhaps lie beyond the `ends` of columns, with their marks in the
        picture. `picture` is (h, w, 3) RGB or its pyramid, and `known` the marks of its columns.
        """
        levels = pyramid_of(picture)
        found, size = list[Beyond](), np.array(levels.picture.shape[1::-1])
        for end, told in zip(ends, self.beyond(levels, ends, known), strict=True):
            longer = end.longer()
            place = longer.mark.mean(axis=0)
            inside = bool((place >= 0).all() and (place < size).all())
            nothing = float(told[NOTHING])
            if nothing <= PERHAPS and inside:
                found.append(Beyond(longer, share_of_jolly(told), nothing))
        return found


def surely_a_jolly(beyond: Beyond) -> bool:
    """Tell whether a card beyond an end of a column of loose cards surely is a jolly."""
    return beyond.jolly >= SURELY_JOLLY_LOOSE and beyond.nothing <= LIKELY_LOOSE


def share_of_jolly(shown: NDArray[np.float32]) -> float:
    """Return how probably a card that was missed is a jolly, given the probabilities of CLASSES,
    (3,), of what lies there.
    """
    jolly = RATHER_JOLLY * float(shown[JOLLY])
    return jolly / (jolly + float(shown[CARD]))


def ends_of(
    columns: Sequence[Indices],
    filled: Sequence[Sequence[int]],
    cards: Sequence[Card],
    marks: NDArray[np.float32],
    jollies: NDArray[np.bool_],
) -> list[End]:
    """Return the ends of `columns`, as indices of `cards`, beyond which cards may have been missed.
    `filled` are the columns with their gaps filled, `marks` (n, 4, 2) the quads of the cards'
    surest marks, and `jollies` (n,) tells which cards are jollies.

    Left out are jollies, whose outlines are not told well enough to know what lies beyond, and ends
    where a card was put in beside the last one, since these two, as they were found, lie two steps
    apart.
    """
    ends = list[End]()
    for number, (column, row) in enumerate(zip(columns, filled, strict=True)):
        for free in (False, True):
            last, before = column[:-3:-1] if free else column[:2]
            as_found = [*(row[:-3:-1] if free else row[:2])] == [last, before]
            if as_found and not jollies[last]:
                ends.append(End(number, free, cards[before], cards[last], marks[last]))
    return ends


def with_columns_there(
    beyond: Sequence[Beyond],
    filled: list[list[int]],
    cards: Sequence[Card],
    marks: NDArray[np.float32],
    would_be_meld: Callable[[Indices], bool],
) -> tuple[list[Beyond], set[int]]:
    """Join two columns where one perhaps goes on beyond an end, the other begins there, and both
    together make a meld. Return those of the cards `beyond` ends of columns that likely lie where
    no columns were joined, and the indices of the cards at which a column was joined.

    Of two such columns in `filled`, the columns with their gaps filled, one is empty afterwards.
    The other arguments are those of `with_cards_there`.
    """
    into, inside, joined = dict[int, int](), set[tuple[int, bool]](), set[int]()
    for end in (one.end for one in beyond):
        if end.column in {*into, *into.values()}:
            continue
        begins = {
            row[0 if end.free else -1]: number
            for number, row in enumerate(filled)
            if row and number not in {end.column, *into.values()}
        }
        seen = [card for card in begins if card < len(cards)]
        there = card_at(end, [cards[card] for card in seen], marks[seen], NEAR_COLUMN)
        if there is None:
            continue
        other = begins[seen[there]]
        both = [filled[end.column], filled[other]]
        row = [*chain(*(both if end.free else reversed(both)))]
        if would_be_meld(tuple(min(card, len(cards)) for card in row)):
            filled[end.column], filled[other] = row, []
            into[other] = end.column
            inside |= {(end.column, end.free), (other, not end.free)}
            joined.add(seen[there])
    left = list[Beyond]()
    for one in beyond:
        end, number = one.end, one.end.column
        column = tuple(min(card, len(cards)) for card in filled[into.get(number, number)])
        likely = LIKELY
        if would_be_meld(column):
            beneath = not end.free and one.jolly >= SURELY_JOLLY
            likely = LIKELY_JOLLY if beneath else LIKELY_LONGER
        if one.nothing <= likely and (number, end.free) not in inside:
            moved = replace(one, end=replace(end, column=into[number])) if number in into else one
            left.append(moved)
    return left, joined


def with_cards_there(
    beyond: Sequence[Beyond],
    filled: list[list[int]],
    cards: Sequence[Card],
    marks: NDArray[np.float32],
    missed: Sequence[NDArray[np.float32]],
    would_be_meld: Callable[[Indices], bool],
) -> tuple[list[Beyond], set[int]]:
    """Return those of the cards `beyond` ends of columns that were not seen, and the indices of
    cards that are in doubt. These are cards that were seen there, belong to no column and make a
    meld with it, as far as its cards were seen; they are put into `filled`, the columns with their
    gaps filled. A card that lies beyond the ends of two columns counts once, and one beyond a free
    end only if it surely is a jolly: else the last card is in doubt.

    `marks` (n, 4, 2) are the quads of the surest marks of the n `cards`, and `missed` those of the
    cards that were missed in gaps, (4, 2) each; their indices follow those of the cards.
    `would_be_meld` tells whether a column is a meld where the index n stands for a card of any
    face.
    """
    unseen, doubtful = list[Beyond](), set[int]()

    def makes_meld(end: End, card: int) -> bool:
        row = filled[end.column]
        longer = [*row, card] if end.free else [card, *row]
        return would_be_meld(tuple(min(one, len(cards)) for one in longer))

    for one in beyond:
        end = one.end
        there, alone = card_at(end, cards, marks), _alone(cards, filled)
        if there is None:
            nearest = card_at(end, [cards[card] for card in alone], marks[alone], NEAR_ALONE)
            if nearest is not None and makes_meld(end, alone[nearest]):
                there = alone[nearest]
        if there is None:
            told = [*missed, *(other.end.mark for other in unseen)]
            if any(overlap(end.mark, mark) > SAME_MARK for mark in told):
                continue
            if one.jolly >= SURELY_JOLLY or not end.free:
                unseen.append(one)
            elif filled[end.column][-1] < len(cards):
                doubtful.add(filled[end.column][-1])
        elif there in alone and makes_meld(end, there):
            filled[end.column].insert(len(filled[end.column]) if end.free else 0, there)
            doubtful.add(there)
    return unseen, doubtful


def _alone(cards: Sequence[Card], columns: Sequence[Sequence[int]]) -> list[int]:
    """Return the indices of the cards that lie in none of the columns."""
    return sorted({*range(len(cards))}.difference(*columns))


def card_at(
    end: End, cards: Sequence[Card], marks: NDArray[np.float32], near: float = NEAR
) -> int | None:
    """Return the index of that one of the `cards` which is the last card of `end`, though it was
    found elsewhere: the middles of both lie within `near` steps, or their marks overlap. Of several
    it is the nearest. None where none is. `marks` (n, 4, 2) are the quads of the cards' surest
    marks.
    """
    step = np.linalg.norm(end.last.middle - end.before.middle)
    found = dict[int, float]()
    for number, (card, mark) in enumerate(zip(cards, marks, strict=True)):
        away = float(np.linalg.norm(card.middle - end.last.middle))
        if away <= near * step or overlap(mark, end.mark) > SAME_MARK:
            found[number] = away
    return min(found, key=lambda number: found[number], default=None)


def at_end(before: Card, end: Card) -> NDArray[np.float32]:
    """Return the square, (4, 2) in pixels, that tells where to look at an end of a column: each
    side is a height of a card long, its middle is that of the edge of the card `end` beyond which
    the column may go on, and downwards leads there. `before` is the card beside `end`.
    """
    return along_column(before, end, end.middle, 0.5)


def along_column(
    before: Card, after: Card, middle: NDArray[np.floating], share: float
) -> NDArray[np.float32]:
    """Return a square, (4, 2) in pixels, that lies along a column in which `after` follows on
    `before`: each side is a height of the card `after` long, and downwards leads on from it. Its
    middle is this `share` of the card's length along the column away from `middle` (2,).
    """
    frame = card_frames(after.outline[None])[0]
    width, height = frame.T
    across, down = np.linalg.solve(frame, step_between(before, after)) * [1, ASPECT]
    if abs(down) > abs(across):
        onwards, right = np.copysign(1, down) * np.array([height, width * ASPECT])
        outwards = onwards
    else:
        onwards, right = np.copysign(1, across) * np.array([width, -height])
        outwards = onwards * ASPECT
    centre = middle + share * onwards
    return np.asarray(drawn(centre[None], right[None], outwards[None])[0])
