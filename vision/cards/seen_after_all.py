"""Tells which of the cards that seemed to be missed were seen after all, as cards of another
column.

What stands in the corner of a jolly is of any size, so the network often places a jolly's card a
little aside. There the card may seem to be the end of the next column. The jolly's own column then
has a gap, as if a card had been missed there.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.cards.card import Card
from vision.cards.places import card_frames
from vision.quads import overlap

# Two marks that overlap by more than this share of the smaller one are one mark. On 480 rendered
# hands nine pairs of cards told had marks that overlap by 0.67 or more, each of them one mark told
# twice; the marks of all other pairs overlap by 0.52 or less.
SAME_MARK = 0.6
# Widths and heights of a mark between the middles of two that lie in one place, at most. On 646
# real photographs read as melds three cards seemed to be missed where a mark lies so, and none was.
SAME_PLACE = 0.6
# Probability from which a missed card is a jolly though another card's mark lies in its place. On
# 2,040 rendered hands there were six such places, and jollies had been missed at five: one mark had
# been joined to another card, most often the jolly of another column.
A_JOLLY_ANYWAY = 0.999


def seen_after_all(missed: NDArray[np.float32], seen: NDArray[np.float32]) -> dict[int, int]:
    """Return which of the k marks `missed` (k, 4, 2), read where cards seemed to be missed, are
    marks of cards that were seen: a map from the index of a missed mark to that of the seen one,
    which it overlaps most. `seen` (n, 4, 2) are the marks of the cards that were seen.
    """
    found = dict[int, int]()
    for number, mark in enumerate(missed):
        shares = [overlap(mark, other) for other in seen]
        if shares and max(shares) > SAME_MARK:
            found[number] = int(np.argmax(shares))
    return found


def on_other_marks(missed: NDArray[np.float32], cards: Sequence[Card]) -> set[int]:
    """Return the indices of those of the k marks `missed` (k, 4, 2), read where cards seemed to be
    missed, that lie where a card shows another of its marks than the surest one. A further card
    would cover that mark. `cards` are those that were seen.
    """
    seen = np.concatenate([np.zeros((0, 2)), *(card.marks[1:] for card in cards)])
    found = set[int]()
    for number, mark in enumerate(missed):
        away = np.linalg.solve(card_frames(mark[None])[0], (seen - mark.mean(axis=0)).T)
        if (np.abs(away) <= SAME_PLACE).all(axis=0).any():
            found.add(number)
    return found


def with_seen_cards(rows: list[list[int]], same: dict[int, int]) -> list[list[int]]:
    """Return the columns `rows`, lists of indices of cards, after putting cards that were seen in
    the place of cards that seemed to be missed. `same` maps the index of each such missed card to
    the index of the seen card.

    A seen card is moved to the missed card's place if it lies in no column or at an end of another
    column. Otherwise the missed card stays, since a seen card inside another column belongs to that
    column. A column of which a single card is left is dropped.
    """
    told = [[*row] for row in rows]
    for missed, card in same.items():
        row = next(row for row in told if missed in row)
        its = next((other for other in told if card in other), None)
        if its is None or (its is not row and card in (its[0], its[-1])):
            row[row.index(missed)] = card
            if its is not None:
                its.remove(card)
    return [row for row in told if len(row) > 1]
