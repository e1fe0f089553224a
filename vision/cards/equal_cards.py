"""Two equal cards of a meld whose marks were joined as those of one card.

Marks that show the same face are joined where they may be corners of one card, as those of equal
cards beside each other in a fan often may. Then a card seems to be missed where one of these marks
stands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.cards.card import Card, Points
from vision.cards.filling import Missed
from vision.cards.places import card_frames
from vision.grouping import Indices

# Widths and heights of a mark between the middles of a mark and of the place of a missed one, at
# most.
NEAR = 1.0
RATHER = 0.5  # probability of a jolly above which a missed card is no equal card


@dataclass(frozen=True)
class EqualCards:
    """A card that was taken for two: one of its marks, with the index `mark`, is that of an equal
    card, which was missed. `missed` is the index of that card among those that were missed.
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
    makes a meld of the column. A missed card that is rather a jolly is none.

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
            taken = {(one.card, one.mark) for one in found}
            near = [
                (away, card, mark)
                for card in row
                if card < len(cards) and len(cards[card].marks) > 1
                for mark, away in enumerate(_away(cards[card].marks, lacking.mark, lacking.places))
                if away <= NEAR and (card, mark) not in taken
            ]
            for _, card, mark in sorted(near):
                as_equal = [card if one == missing else min(one, len(cards)) for one in row]
                if would_be_meld(tuple(as_equal)):
                    found.append(EqualCards(missing - len(cards), card, mark))
                    break
    return found


def _away(marks: Points, quad: NDArray[np.float32], places: Points) -> list[float]:
    """Return for each of the `marks` (n, 2) how far it stands from the nearest of the `places`
    (k, 2), in widths and heights of a mark such as `quad` (4, 2).
    """
    frame = np.linalg.inv(card_frames(quad[None])[0])
    away = np.abs((marks[:, None] - places) @ frame.T)
    return [*map(float, away.max(axis=2).min(axis=1))]
