"""Two equal cards of a meld whose marks were joined as those of one card.

Marks that show the same face are joined where they may be corners of one card, as those of equal
cards beside each other in a fan often may. Then a card seems to be missed where one of these marks
stands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.cards.card import Card, Points
from vision.cards.filling import Missed
from vision.cards.places import card_frames
from vision.grouping import Indices
from vision.seen import Seen

# Widths and heights of a mark between the middles of a mark and of the place of a missed one, at
# most.
NEAR = 1.0
RATHER = 0.5  # probability of a jolly above which a missed card is no equal card


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
