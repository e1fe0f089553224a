"""Columns that are no melds are formed anew where that makes melds of all that takes part.

Where cards of two packs lie in one column, small indices beside large ones, or cards lie so far
apart that their outlines touch those of the next column, cards are joined to the wrong column. On a
table at the end of a hand nearly all columns are melds, so a card that makes none where it was
joined, and a meld beside it, belongs there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.rulesets import MINIMUM_MELD
from vision.cards.card import Card
from vision.cards.melds import IsMeld, made_longer, place_in
from vision.grouping import Indices


def regrouped(
    columns: Sequence[Indices],
    cards: Sequence[Card],
    are_jollies: NDArray[np.bool_],
    may_be_meld: IsMeld,
    is_meld: IsMeld,
) -> tuple[list[Indices], set[int]]:
    """Return the columns, formed anew where some are no melds, and the cards that changed their
    column.

    A column that is two melds one after the other becomes these two, unless it is one meld without
    a jolly where the one ends and the other begins: that jolly is in no column then. From pairs
    that are no melds both cards are taken, and from a longer column that is none the card at one of
    its ends. They are put into columns along which they lie, where all of them find one and all
    columns that change are melds afterwards; loose cards may join these columns, too.

    `cards` are all n cards, and columns hold their indices, from the most covered card to the free
    one; `are_jollies` (n,) tells which are jollies. `may_be_meld` tells of a column whether it is
    one or may be, if a card was misread or missed, and `is_meld` whether it is one as its cards
    were read.
    """
    rows, moved = list[Indices](), set[int]()
    for row in columns:
        parts = [] if may_be_meld(row) else _two_melds(row, is_meld)
        seam = {*parts[0][-1:], *parts[1][:1]} if parts else set[int]()
        without = [
            tuple(card for card in row if card != jolly) for jolly in seam if are_jollies[jolly]
        ]
        rows += [one for one in without if is_meld(one)][:1] or parts or [row]
        moved |= seam
    pairs = {row: () for row in rows if len(row) < MINIMUM_MELD}
    while pairs:
        longer, placed = _placed(rows, pairs, cards, is_meld)
        stay = [pair for pair in pairs if not placed.issuperset(pair)]
        if not stay:
            rows, moved = longer, moved | placed
            break
        pairs = {pair: () for pair in pairs if pair not in stay}
    for row in [row for row in rows if len(row) > MINIMUM_MELD and not may_be_meld(row)]:
        for end, rest in ((row[0], row[1:]), (row[-1], row[:-1])):
            longer, placed = _placed(rows, {row: rest}, cards, is_meld)
            changed = [one for one in longer if one not in rows]
            elsewhere = not any(end in one and rest[0] in one for one in changed)
            if end in placed and elsewhere and all(map(is_meld, changed)):
                rows, moved = longer, moved | placed
                break
    return rows, moved


def _two_melds(row: Indices, is_meld: IsMeld) -> list[Indices]:
    """Return the two melds of which a column consists, or nothing."""
    for at in range(MINIMUM_MELD, len(row) - MINIMUM_MELD + 1):
        if is_meld(row[:at]) and is_meld(row[at:]):
            return [row[:at], row[at:]]
    return []


def _placed(
    columns: Sequence[Indices],
    rests: Mapping[Indices, Indices],
    cards: Sequence[Card],
    is_meld: IsMeld,
) -> tuple[list[Indices], set[int]]:
    """Return the columns after cards were taken out of some and put where they make melds, and the
    cards that were put somewhere. `rests` maps each column that loses cards to what is left of it.
    Loose cards are put into the columns that change, too, where they make melds.
    """
    rows = [rest for row in columns if (rest := rests.get(row, row))]
    changed = {number for number, row in enumerate(rows) if row in rests.values()}
    loose = set(range(len(cards))).difference(*columns)
    waiting = set(range(len(cards))).difference(*rows)
    placed = set[int]()
    while found := _next(rows, changed, waiting, loose, cards, is_meld):
        number, longer, card = found
        rows[number] = longer
        changed.add(number)
        waiting.discard(card)
        placed.add(card)
    return rows, placed


def _next(
    rows: Sequence[Indices],
    changed: set[int],
    waiting: set[int],
    loose: set[int],
    cards: Sequence[Card],
    is_meld: IsMeld,
) -> tuple[int, Indices, int] | None:
    """Return the number of a column, that column with one of the cards `waiting` put in, and the
    card; None where no card lies along a column with which it makes a meld. Cards that were `loose`
    from the beginning join only the columns with the numbers `changed`.
    """
    for card in sorted(waiting):
        for number, row in enumerate(rows):
            if len(row) < 2 or (card in loose and number not in changed):
                continue
            if place_in(row, card, cards) is None:
                continue
            longer = made_longer(row, card, cards, is_meld)
            if longer is not None:
                return number, longer, card
    return None
