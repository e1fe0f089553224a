"""Tells which marks that look like a jolly's are words printed on other cards.

Makers print their names on aces and court cards, in corners without an index or along an edge. The
networks take such words for the JOLLY or JOKER of a jolly, in doubt or surely. Where they stand
tells them apart: beside the index of a card in a column, where a strip of that card shows, or
anywhere on a card that is seen whole. A jolly in a column has its own strip, with its mark in line
with those of the others.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vision.cards.card import Card, plane_of, seen_from, shows_whole
from vision.cards.columns import find_columns
from vision.cards.offsets import step_between
from vision.cards.places import ASPECT

Points = NDArray[np.float32]  # (n, 2) x, y
# Limits for words on cards. Lengths are in widths of a card, unless a comment says otherwise. They
# were set on 180 rendered hands, 60 of them of packs that all have words (experiment 143 of
# models/EXPERIMENTS.md). Of the jollies there of which one mark was found, none had it level with
# the index of the card on which it lay, and aside from it.

# Shares of a card's width and height, from its middle, within which a mark lies on it.
WITHIN = 0.57
# How far, in steps of the column, a word may be from the level of the card's own index, towards the
# card before and towards the next one: a card between two others has its mark half-way.
BEFORE, AFTER = 0.6, 0.4
# How far a word is from the line along the column through the card's own index, at least.
ASIDE = 0.2
# Words that are printed twice lie opposite each other: how far one is from where the other one
# would be after half a turn of the card, at most.
OPPOSITE = 0.2


def words_on_cards(
    marks: Points, cards: Sequence[Card]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return two masks (n,) of the `marks`, middles (n, 2) of what looks like a jolly's mark: those
    that are words on one of the `cards`, which are no jollies; and those of these that a card seen
    whole shows twice, opposite each other.
    """
    words, twice = np.zeros((2, len(marks)), np.bool_)
    limits = np.multiply(WITHIN, (1, ASPECT))
    seen = [seen_from(plane_of(card.outline), marks) for card in cards] if len(marks) else []
    on_cards = [np.asarray((np.abs(places) <= limits).all(axis=1)) for places in seen]
    holding = [number for number, on_it in enumerate(on_cards) if on_it.any()]
    steps = _steps_of(holding, cards)
    for number in holding:
        card, places, on_it = cards[number], seen[number], on_cards[number]
        plane, whole = plane_of(card.outline), shows_whole(card)
        if whole:
            twice |= _are_opposite(places, on_it)
        if number in steps:
            start, end = seen_from(plane, np.stack([card.middle, card.middle + steps[number]]))
            away = places[:, None] - seen_from(plane, card.marks)[None]
            aside, level = _lie_from(away, end - start)
            words |= on_it & aside & (level | whole)
    return words | twice, twice


def _steps_of(some: Collection[int], cards: Sequence[Card]) -> dict[int, Points]:
    """Return the step (2,) to the following card of its column for each of `some` cards, as indices
    of `cards`, that lie in a column; of the last one, the step from the card before it.
    """
    steps = dict[int, Points]()
    for column in find_columns(cards) if some else ():
        following = [*pairwise(column), (column[-2], column[-1])]
        for one, (before, after) in zip(column, following, strict=True):
            if one in some:
                steps[one] = step_between(cards[before], cards[after])
    return steps


def _are_opposite(places: Points, on_it: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask (n,) of the places (n, 2), in the plane of a card, that are `on_it` and have
    another one of those opposite them.
    """
    apart = np.linalg.norm(places[:, None] + places[None], axis=2)
    apart[:, ~on_it] = np.inf
    np.fill_diagonal(apart, np.inf)
    return np.asarray(on_it & (apart <= OPPOSITE).any(axis=1))


def _lie_from(
    away: NDArray[np.float32], step: Points
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Tell which of n marks are aside from all k indices of a card, and which are level with one of
    them: two masks (n,). `away` (n, k, 2) leads from each index to each mark, and `step` (2,) along
    the card's column, both in the plane of the card.
    """
    length = max(float(np.linalg.norm(step)), 1e-6)
    along = step / length
    ahead = away @ along / length
    aside = np.abs(away @ np.array([-along[1], along[0]])).min(axis=1) > ASIDE
    level = ((ahead >= -BEFORE) & (ahead <= AFTER)).any(axis=1)
    return np.asarray(aside), np.asarray(level)
