"""Two equal cards of a meld whose marks were joined as those of one card.

Marks that show the same face are joined where they may be corners of one card, as those of equal
cards beside each other in a fan often may. Then a card seems to be missed where one of these marks
stands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vision.cards.card import Card, Points
from vision.cards.column_gaps import Between
from vision.cards.filling import Missed
from vision.cards.places import card_frames
from vision.grouping import Indices
from vision.seen import Seen

# Widths and heights of a mark between the middles of a mark and of the place of a missed one, at
# most.
NEAR = 1.0
RATHER = 0.5  # probability of a jolly above which a missed card is no equal card
# Where a mark stands between two neighbours: shares of the way from a mark of the one to a mark of
# the other, and aside of it.
FROM, TO, ASIDE = 0.25, 0.75, 0.25
# Probability that nothing lies at such a place up to which a card was missed there. On 1,500
# rendered hands one had been at 25 of the 28 such places where nothing shows with up to this, and
# at two of the seven where it shows with more, up to 0.1.
LIKELY_EQUAL = 0.01


@dataclass(frozen=True)
class EqualCards:
    """Two equal cards that were taken for one, with the index `card`: one of its marks, with the
    index `mark`, is that of the other, which has the index `missed` among those that were missed.
    """

    missed: int
    card: int
    mark: int


def equal_cards(
    rows: Sequence[Sequence[int]],
    cards: Sequence[Card],
    missed: Sequence[Missed],
    would_be_meld: Callable[[Indices], bool],
) -> list[EqualCards]:
    """Return the cards of which one mark stands where an equal card of their column was missed, and
    makes a meld of the column. A missed card that is rather a jolly is none, and each card is
    parted once at most.

    `rows` are the columns with their gaps filled: indices of `cards`, followed by those of the
    `missed` cards. `would_be_meld` tells whether a column is a meld, where the index after those of
    the cards stands for a card of any face.
    """
    found = list[EqualCards]()
    for row in rows:
        for missing in (card for card in row if card >= len(cards)):
            lacking = missed[missing - len(cards)]
            if (lacking.jolly or 0.0) > RATHER:
                continue
            taken = {pair.card for pair in found}
            near = [
                (away, card, mark)
                for card in row
                if card < len(cards) and card not in taken and len(cards[card].marks) > 1
                for mark, away in enumerate(_away(cards[card].marks, lacking.mark, lacking.places))
                if away <= NEAR
            ]
            for _, card, mark in sorted(near):
                as_equal = [card if one == missing else min(one, len(cards)) for one in row]
                if would_be_meld(tuple(as_equal)):
                    found.append(EqualCards(missing - len(cards), card, mark))
                    break
    return found


def places_of_equal(
    columns: Sequence[Indices], cards: Sequence[Card], is_meld: Callable[[Indices], bool]
) -> list[Between]:
    """Return the places between neighbours of `columns` in which another card of the column shows a
    mark, where the column is a meld with an equal card there. `columns` hold indices of the
    `cards`, and `is_meld` tells of such a column whether it is one.
    """
    found = list[Between]()
    for number, column in enumerate(columns):
        several = [card for card in column if len(cards[card].marks) > 1]
        for before, (one, other) in enumerate(pairwise(column), 1):
            shown = [
                card
                for card in several
                if any(_lies_between(mark, cards[one], cards[other]) for mark in cards[card].marks)
            ]
            if any(is_meld((*column[:before], card, *column[before:])) for card in shown):
                found.append((number, before))
    return found


def _lies_between(mark: Points, one: Card, other: Card) -> bool:
    """Tell whether a mark, (2,), stands on the way from the nearest other mark of the card `one` to
    the nearest other one of `other`.
    """
    ends = list[Points]()
    for card in (one, other):
        away = np.linalg.norm(card.marks - mark, axis=1)
        away[away == 0] = np.inf
        ends.append(card.marks[away.argmin()])
    way, there = ends[1] - ends[0], mark - ends[0]
    length = float(way @ way)
    along, aside = float(there @ way), float(way[0] * there[1] - way[1] * there[0])
    return FROM * length <= along <= TO * length and abs(aside) <= ASIDE * length


def with_equal_cards_parted(
    seen: Seen, cards: Sequence[Card], marks: NDArray[np.float32], equal: Sequence[EqualCards]
) -> tuple[Seen, list[Card], NDArray[np.float32]]:
    """Return what is `seen`, the cards, and the quads `marks` (k, 4, 2) of the cards that were
    missed, after each of these that is `equal` to a card has got its mark from that card. Such a
    card counts as doubtful.
    """
    quads, marks, fewer = seen.quads.copy(), marks.copy(), [*cards]
    for pair in equal:
        card = fewer[pair.card]
        moved = quads[pair.card] + (card.marks - card.marks[0])[:, None]
        marks[pair.missed] = moved[pair.mark]
        quads[pair.card] = np.delete(moved, pair.mark, axis=0)[0]
        fewer[pair.card] = replace(card, marks=np.delete(card.marks, pair.mark, axis=0))
    parted = replace(seen, quads=quads).with_in_doubt({pair.card for pair in equal})
    return parted, fewer, marks


def _away(marks: Points, quad: NDArray[np.float32], places: Points) -> list[float]:
    """Return for each of the `marks` (n, 2) how far it stands from the nearest of the `places`
    (k, 2), in widths and heights of a mark such as `quad` (4, 2).
    """
    frame = np.linalg.inv(card_frames(quad[None])[0])
    away = np.abs((marks[:, None] - places) @ frame.T)
    return [*map(float, away.max(axis=2).min(axis=1))]
