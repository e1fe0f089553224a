"""Faint cards that lie by themselves, in photographs of loose cards.

An unsure mark counts where it lies in line with sure ones. A card apart from all others is in line
with none. What is no card either stands in the corner of a card that was seen otherwise, or looks
unlike the marks of the others: figures on a score sheet and patterns of a cloth are small.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.cards.card import UNIT_CARD, Card, plane_of, seen_from
from vision.cards.marks import are_jollies
from vision.quads import sides

# Size of a mark, in those of the median mark of a sure card, from which it may be a card's. On 648
# rendered hands eight faint finds of that size lay alone, six of them marks of cards; three others
# were smaller, none of them a mark.
AS_LARGE = 0.6
# Widths of a card: a mark no farther than that from its corner is the card's own. On 318 rendered
# hands other marks of cards that were told stand up to 0.25 away (ten faint finds) or 0.34 (one),
# and those of cards that were missed 0.19 (one) or 0.29 and more (four).
FROM_CORNER = 0.28
# Heights of a card within which a second mark of a face is rather one of the same card.
ONE_CARD = 1.5


def lying_alone(
    cards: Sequence[Card], quads: NDArray[np.float32], faces: NDArray[np.float32]
) -> NDArray[np.bool_]:
    """Return a mask (n,) of the n `cards` that are not sure and may lie by themselves: no jolly,
    whose mark is AS_LARGE as the others, in no corner of a sure card, and no second mark of one.
    `quads` (n, 4, 2) are the surest marks, and `faces` (n, 53) log-probabilities.
    """
    sure = np.array([card.sure for card in cards], np.bool_)
    if sure.all() or not sure.any():
        return np.zeros(len(cards), np.bool_)
    sizes = np.sqrt(np.prod(sides(quads), axis=0))
    found = np.asarray(~sure & ~are_jollies(faces))
    found &= sizes >= AS_LARGE * np.median(sizes[sure])
    likeliest = faces.argmax(axis=1)
    for card in np.flatnonzero(found).tolist():
        found[card] = not any(
            _in_corner(cards[card], cards[other])
            or (likeliest[card] == likeliest[other] and _may_be_one(cards[card], cards[other]))
            for other in np.flatnonzero(sure).tolist()
        )
    return found


def _in_corner(card: Card, other: Card) -> bool:
    """Tell whether a mark of a card stands in a corner of the other one."""
    places = np.abs(seen_from(plane_of(other.outline), card.marks))
    away = np.linalg.norm(places - np.abs(UNIT_CARD[0]), axis=1)
    return bool((away <= FROM_CORNER).any())


def _may_be_one(card: Card, other: Card) -> bool:
    """Tell whether marks of two cards stand so near to each other that one card may show both."""
    away = np.linalg.norm(card.marks[:, None] - other.marks, axis=2)
    return bool(away.min() <= ONE_CARD * max(other.size))
