"""Columns that lie between one another's cards are one escalera, and its cards lie in order.

A card in a fan may show its upper corner or its lower one alone, and each tells its outline a
little otherwise. So cards may be joined to the next but one, and an escalera becomes two columns,
or its cards change places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from engine.rulesets import HIGH_ACE
from engine.tiles import FACES
from vision.cards.card import Card
from vision.cards.melds import IsMeld
from vision.grouping import Indices

# Heights of a card between the middles of neighbours in an escalera, at most: columns that lie side
# by side are farther from each other.
NEAR = 0.75


def woven(
    columns: Sequence[Indices],
    cards: Sequence[Card],
    faces: NDArray[np.float32],
    is_meld: IsMeld,
    may_be_meld: IsMeld,
) -> list[Indices]:
    """Return the columns after some were brought into the order of their numbers, or joined.

    Beside a meld, a column that can be none is brought into the order of its numbers, where it may
    be an escalera in that order. Two columns, or one that is no meld and a card in none, become one
    where they are a single escalera; beside a meld, and without a wild, also where that lacks a
    number whose card may have been missed. Two melds of which one ends where the other begins stay
    as they are. Neighbours in an escalera lie near each other.

    None of these cards is in doubt for that: of 88 photographs of rendered hands that had a
    question for nothing else one was wrong.

    `columns` hold indices of the n `cards`, from the most covered card to the free one; `faces`
    (n, 53) are log-probabilities. `is_meld` tells whether a column is a meld, and `may_be_meld`
    whether it is one or would be with a card more in one of its gaps.
    """
    rows = [*columns]
    on_table = any(map(is_meld, columns))  # else the cards may lie by chance
    for number, row in enumerate(rows if on_table else []):
        rows[number] = _in_order(row, cards, faces, may_be_meld)
    wild = np.array([FACES[face].can_be_wild for face in faces.argmax(axis=1)], bool)

    def may_lack_one(row: Indices) -> bool:
        return on_table and not wild[[*row]].any() and may_be_meld(row)

    while found := (
        _next(rows, cards, faces, is_meld, is_meld)
        or _next(rows, cards, faces, is_meld, may_lack_one)
    ):
        one, other, whole = found
        rows = [whole if row == one else row for row in rows if row != other]
    return rows


def _in_order(
    row: Indices,
    cards: Sequence[Card],
    faces: NDArray[np.float32],
    may_be_meld: IsMeld,
) -> Indices:
    """Return the column in the order of its numbers, where it may be an escalera in that order
    alone and its neighbours lie near each other then; else as it is.
    """
    if not may_be_meld(row):
        for run in _runs(row, cards, faces):
            onwards = run if run.index(row[0]) < run.index(row[-1]) else run[::-1]
            if _are_neighbours(onwards, cards) and may_be_meld(onwards):
                return onwards
    return row


def _next(
    rows: Sequence[Indices],
    cards: Sequence[Card],
    faces: NDArray[np.float32],
    is_meld: IsMeld,
    may_be_whole: IsMeld,
) -> tuple[Indices, Indices, Indices] | None:
    """Return two of the columns `rows` that are one escalera, the longer one first, and that
    escalera, as `may_be_whole` tells. The second may be a card in no column.
    """
    alone = [(card,) for card in sorted({*range(len(cards))}.difference(*rows))]
    for two in combinations([*rows, *alone], 2):
        one, other = sorted(two, key=len, reverse=True)
        if len(one) < 2 or (is_meld(one) and len(other) == 1):
            continue
        both_melds = is_meld(one) and is_meld(other)
        for whole in _runs([*one, *other], cards, faces):
            onwards = whole if whole.index(one[0]) < whole.index(one[-1]) else whole[::-1]
            if both_melds and not _lie_between(onwards, one):
                continue
            if _are_neighbours(onwards, cards) and may_be_whole(onwards):
                return one, other, onwards
    return None


def _lie_between(whole: Indices, part: Indices) -> bool:
    """Tell whether cards of `whole` that are not of this `part` lie between some that are, or
    those of the part between the others.
    """
    changes = sum((one in part) != (other in part) for one, other in pairwise(whole))
    return changes > 1


def _runs(
    row: Sequence[int], cards: Sequence[Card], faces: NDArray[np.float32]
) -> Iterator[Indices]:
    """Yield the cards of `row` in the order of their numbers, with an ace before and after them;
    none where they are of several suits or two have one number. Wilds take the place where the way
    from card to card is shortest.
    """
    tiles = {card: FACES[faces[card].argmax()] for card in row}
    ((suit, _count),) = Counter(tile.colour for tile in tiles.values()).most_common(1)
    natural = [card for card in row if tiles[card].colour == suit]
    wild = [card for card in row if card not in natural]
    numbers = [tiles[card].number or 0 for card in natural]
    if len({*numbers}) < len(numbers) or not all(tiles[card].can_be_wild for card in wild):
        return
    for ace in (1, HIGH_ACE):
        places = [ace if number == 1 else number for number in numbers]
        run = [card for _place, card in sorted(zip(places, natural, strict=True))]
        for card in wild:
            ways = [[*run[:at], card, *run[at:]] for at in range(len(run) + 1)]
            run = min(ways, key=lambda way: sum(_steps(way, cards)))
        yield tuple(run)
        if 1 not in numbers:
            return


def _steps(row: Sequence[int], cards: Sequence[Card]) -> list[float]:
    """Return the distances between the middles of neighbours, in pixels."""
    return [
        float(np.linalg.norm(cards[one].middle - cards[other].middle))
        for one, other in pairwise(row)
    ]


def _are_neighbours(row: Sequence[int], cards: Sequence[Card]) -> bool:
    """Tell whether each card of `row` lies near the next one."""
    sizes = [max(*cards[one].size, *cards[other].size) for one, other in pairwise(row)]
    return all(step <= NEAR * size for step, size in zip(_steps(row, cards), sizes, strict=True))
