"""Cards that lie over one another: columns and fans, from the most covered to the free card."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vision.cards.card import Array, Card, Points, plane_of, seen_from, shows_whole
from vision.cards.corners import lies_within
from vision.cards.offsets import Offsets, find_offsets, step_between
from vision.cards.places import card_frames
from vision.grouping import Indices

ENOUGH_SURE = 2  # sure cards of a column from which its unsure ones count as cards, too
# A column runs straight along one side of its cards if the other part of its step is less than
# this, in widths or heights of a card.
LEAST_SLANT = 0.1
# Two neighbours of a card in a column lie on opposite sides: least angle between them.
OPPOSITE_DEGREES = 115.0


def find_columns(cards: Sequence[Card], offsets: Offsets | None = None) -> list[Indices]:
    """Return the columns and fans of two cards or more, each as the indices of its cards from the
    most covered card to the free one.

    Neighbours are joined, those of the lowest cost first. Each card is joined to at most two, which
    lie on opposite sides of it. `offsets` is what `find_offsets` returns for these cards; it is
    computed where it is None.
    """
    if offsets is None:
        offsets = find_offsets(cards)
    neighbours: dict[int, list[int]] = {i: [] for i in range(len(cards))}
    for _, i, j in sorted((cost, i, j) for (i, j), (cost, _) in offsets.items() if i < j):
        if _may_join(neighbours, offsets, i, j):
            neighbours[i].append(j)
            neighbours[j].append(i)
    marks = [seen_from(plane_of(card.outline), card.marks).mean(axis=0) for card in cards]
    return [_in_order(chain, offsets, marks) for chain in _chains(neighbours)]


def in_line_with_sure(cards: Sequence[Card], columns: list[Indices]) -> NDArray[np.bool_]:
    """Return a mask (n,) of the cards that are sure, or that lie in a column with at least
    ENOUGH_SURE sure cards. `columns` hold indices of `cards`.
    """
    kept = np.array([card.sure for card in cards], bool)
    for column in columns:
        if sum(cards[i].sure for i in column) >= ENOUGH_SURE:
            kept[list(column)] = True
    return kept


def beyond_free_cards(
    cards: Sequence[Card], columns: list[Indices], jollies: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return a mask (n,) of n `cards`: True for an unsure card that is listed in a column after the
    column's last sure card, if that sure card is seen whole. As nothing covers the sure card, no
    card follows it, and what was found beyond it is no card of the column. A jolly of one mark is
    unsure here: the corner of a covered card may look like one. `jollies` (n,) tells which cards
    are jollies.
    """
    beyond = np.zeros(len(cards), bool)
    sure_cards = [
        card.sure and not (jolly and len(card.marks) == 1)
        for card, jolly in zip(cards, jollies, strict=True)
    ]
    for column in columns:
        sure = [at for at, card in enumerate(column) if sure_cards[card]]
        if not sure or sure[-1] in (0, len(column) - 1):
            continue
        before, last = column[sure[-1] - 1], column[sure[-1]]
        if is_uncovered(cards[last], step_between(cards[before], cards[last])):
            beyond[list(column[sure[-1] + 1 :])] = True
    return beyond


def is_uncovered(card: Card, step: Points) -> bool:
    """Tell whether a card is seen whole, so that no further card of its column lies over it. `step`
    (2,) in pixels leads along the column to the card from the one before it.

    Such a card shows marks in opposite corners, and one of these marks stands where a next card
    would cover it. Opposite corners alone do not tell that: of packs with four indices, covered
    cards of a column that runs aslant show two opposite corners as well.
    """
    frame = card_frames(card.outline[None])[0]
    places = np.linalg.solve(frame, (card.marks - card.middle).T).T
    in_card = np.linalg.solve(frame, step)
    ahead = (places * in_card > 0) | (np.abs(in_card) < LEAST_SLANT)
    return shows_whole(card) and bool(ahead.all(axis=1).any())


def on_whole_cards(
    cards: Sequence[Card],
    unread: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Return a mask (n,) of the cards that are not `sure`, or cannot be read, and whose only mark
    lies on a `sure` card that is seen whole. A card is seen whole if it has marks in opposite
    corners. `unread` (n,) tells which cards cannot be read.
    """
    doubted = unread | np.array([not card.sure for card in cards], bool)
    whole = [card for card in cards if card.sure and shows_whole(card)]
    return np.array(
        [
            doubted[number]
            and len(card.marks) == 1
            and any(lies_within(card.marks[0], other.outline) for other in whole)
            for number, card in enumerate(cards)
        ],
        bool,
    )


def _may_join(neighbours: dict[int, list[int]], offsets: Offsets, i: int, j: int) -> bool:
    for one, other in ((i, j), (j, i)):
        if len(neighbours[one]) == 2:
            return False
        for known in neighbours[one]:
            a, b = offsets[one, known][1], offsets[one, other][1]
            cosine = float(a @ b) / max(float(np.linalg.norm(a) * np.linalg.norm(b)), 1e-9)
            if cosine > np.cos(np.radians(OPPOSITE_DEGREES)):
                return False
    return j not in _walk(neighbours, i)


def _walk(neighbours: dict[int, list[int]], start: int) -> list[int]:
    """Return the indices of all cards joined to the card `start`, directly or through others,
    beginning with `start`. `neighbours` maps the index of a card to those of the cards next to it.
    """
    met = [start]
    for card in met:
        met += [other for other in neighbours[card] if other not in met]
    return met


def _chains(neighbours: dict[int, list[int]]) -> list[list[int]]:
    """Return the chains of two cards or more, each from one end to the other, as indices of cards.

    `neighbours` maps the index of a card to those of the cards next to it in a column, two at most.
    """
    ends = [i for i, others in neighbours.items() if len(others) == 1]
    chains: list[list[int]] = []
    for end in ends:
        if not any(end in chain for chain in chains):
            chains.append(_walk(neighbours, end))
    return chains


def _in_order(chain: list[int], offsets: Offsets, marks: list[Array]) -> Indices:
    """Return the chain, reversed where needed, so that each card covers the one before it. The
    chain holds indices of cards.

    A card shows its mark on one side and is covered by the next card on the other. `offsets` maps
    each pair of neighbours, in either order, to a cost and to the offset (2,) from the middle of
    the first card to that of the second, in the plane of the first. `marks` has, for each card, the
    mean place of its marks in its own plane. That place is near zero, and tells nothing, for a card
    with marks at both ends.
    """
    covered_first = 0.0
    for one, following in pairwise(chain):
        forth, back = offsets[one, following][1], offsets[following, one][1]
        covered_first += float(back @ marks[following]) - float(forth @ marks[one])
    return tuple(chain if covered_first >= 0 else chain[::-1])
