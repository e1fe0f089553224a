"""Completes columns of cards by the rules of the game. A card beside a column that is no meld is
added to it where the result is a meld; a card in line with a column is added in any case.

Here a column, often named `row`, is a tuple of indices of `cards`, from the most covered card to
the free one; `is_meld` tells of such a tuple whether its cards, in this order, make a meld.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.cards.card import Card, shows_whole
from vision.cards.offsets import step_between, steps_from
from vision.grouping import Indices

IsMeld = Callable[[Indices], bool]


@dataclass(frozen=True)
class MeldConfig:
    """How near something has to lie to a column to belong to it."""

    # Limits of a card that is inserted in a column: how far its middle is from the nearest middle
    # of the column's cards, in heights of a card, and from the column's line, in widths.
    reach: float = 1.3
    aside: float = 0.6
    # Heights of a card, from its middle to that of the nearest card of a meld: what is at least
    # `just_on` and at most `over` away lies over the meld or under it. Of nine cards that did on
    # 460 rendered hands five were of the meld. A card seen whole on a meld's free card may be
    # nearer.
    just_on: float = 0.15
    over: float = 0.5
    # Limits of a card in line with a column: the distance beyond its end, in last steps of the
    # column, and the distance from its line, in widths of a card.
    nearest_beyond: float = 0.5
    farthest_beyond: float = 2.6
    in_line: float = 0.3


CONFIG = MeldConfig()


def with_loose_cards(
    columns: Sequence[Indices],
    cards: Sequence[Card],
    is_meld: IsMeld,
) -> list[Indices]:
    """Return the columns in their order, some of them completed. A column that is no meld gets a
    loose card that lies beside it, if column and card together make a meld. A card is loose if it
    is in no column.
    """
    rows = list(columns)
    loose = set(range(len(cards))).difference(*rows)
    for number, row in enumerate(rows):
        if is_meld(row):
            continue
        for card in sorted(loose):
            at = place_in(row, card, cards)
            longer = row if at is None else (*row[:at], card, *row[at:])
            if at is not None and is_meld(longer):
                rows[number] = longer
                loose.discard(card)
                break
    return rows


def with_cards_in_line(columns: Sequence[Indices], cards: Sequence[Card]) -> list[Indices]:
    """Return the columns in their order, each made longer at its ends by the cards of no column
    that lie in line with it; the nearest card is added first. Such a card may lie some steps away
    from the column, since a card between them may have been missed.
    """
    rows = list(columns)
    loose = set(range(len(cards))).difference(*rows)
    for number in range(len(rows)):
        while found := _next_in_line(rows[number], loose, cards):
            card, free = found
            rows[number] = (*rows[number], card) if free else (card, *rows[number])
            loose.discard(card)
    return rows


def with_cards_over(
    columns: Sequence[Indices],
    cards: Sequence[Card],
    may_join: Sequence[int],
    jollies: NDArray[np.bool_],
    is_meld: IsMeld,
) -> list[Indices]:
    """Return the columns after adding single cards to melds. A card is added if it lies over or
    under a card of a meld, and the result is a longer meld. `may_join` holds the indices of the
    cards that may be added, and `jollies` (n,) tells which cards are jollies.

    A card with nearly the same middle as a card of a meld is rather a mark on that card. It is
    added only if it was seen whole on the free card of the meld, whose outline may be told too
    large, and is no jolly: words in two corners of a card look like the marks of one.
    """
    rows = list(columns)
    for card in may_join:
        away = [_heights_away(row, card, cards) for row in rows]
        for number in np.argsort(away, kind="stable").tolist():
            if not is_meld(rows[number]):
                continue
            is_whole = shows_whole(cards[card]) and not jollies[card]
            on_free = is_whole and _nearest_to(card, rows[number], cards) == rows[number][-1]
            near = (0 if on_free else CONFIG.just_on) <= away[number] <= CONFIG.over
            longer = made_longer(rows[number], card, cards, is_meld) if near else None
            if longer is not None:
                rows[number] = longer
                break
    return rows


def made_longer(row: Indices, card: int, cards: Sequence[Card], is_meld: IsMeld) -> Indices | None:
    """Return the column `row` with the card `card` inserted at a place at which the result is a
    meld, as near as possible to where the card lies along the column; None where there is no such
    place.
    """
    at = _place_along(row, card, cards)
    for place in sorted(range(len(row) + 1), key=lambda place: abs(place - at)):
        longer = (*row[:place], card, *row[place:])
        if is_meld(longer):
            return longer
    return None


def _next_in_line(row: Indices, loose: set[int], cards: Sequence[Card]) -> tuple[int, bool] | None:
    """Return the index of the nearest of the `loose` cards that lie in line with the column `row`,
    and whether this card lies beyond the column's free end; None where no loose card is in line.
    `loose` holds indices of `cards`. Distances are counted in steps of the column, from the nearer
    end.
    """
    found = []
    for free, (last, before) in ((False, row[:2]), (True, row[:-3:-1])):
        step = step_between(cards[before], cards[last])
        width, _ = cards[last].size
        length = max(float(np.linalg.norm(step)), 1e-6)
        others = [card for card in sorted(loose) if _is_near(cards[last], cards[card], length)]
        moves = steps_from(cards[last], [cards[card] for card in others])
        for card, move in zip(others, moves, strict=True):
            ahead = float(move @ step) / length**2
            aside = abs(float(move @ [step[1], -step[0]])) / length
            near = CONFIG.nearest_beyond <= ahead <= CONFIG.farthest_beyond
            if near and aside <= CONFIG.in_line * width:
                found.append((ahead, card, free))
    return min(found)[1:] if found else None


def _is_near(end: Card, card: Card, step: float) -> bool:
    """Tell whether a card may lie as near to the end card of a column as one in line with it: no
    farther than its farthest place and twice a card's height, by which marks and outlines may
    disagree. `step` is the length of the column's last step in pixels.
    """
    away = float(np.linalg.norm(card.middle - end.middle))
    return away <= CONFIG.farthest_beyond * step + 2 * end.size[1]


def place_in(row: Indices, card: int, cards: Sequence[Card]) -> int | None:
    """Return the index in the column `row` at which `card` would be inserted; None where the card
    does not lie along the column.
    """
    along = step_between(cards[row[0]], cards[row[-1]])
    length = float(np.linalg.norm(along))
    move = step_between(cards[row[0]], cards[card])
    width, _ = cards[row[0]].size
    if not length:
        return None
    aside = abs(float(move @ [along[1], -along[0]])) / length
    if _heights_away(row, card, cards) > CONFIG.reach or aside > CONFIG.aside * width:
        return None
    return _place_along(row, card, cards)


def _nearest_to(card: int, row: Indices, cards: Sequence[Card]) -> int:
    """Return that card of the column `row` whose middle is nearest to that of `card`."""
    return min(row, key=lambda one: float(np.linalg.norm(cards[one].middle - cards[card].middle)))


def _heights_away(row: Indices, card: int, cards: Sequence[Card]) -> float:
    """Return how far a card's middle is from the nearest middle of a card of the column `row`, in
    heights of a card.
    """
    middles = np.stack([cards[one].middle for one in row])
    away = np.linalg.norm(middles - cards[card].middle, axis=1).min()
    return float(away / max(cards[row[0]].size[1], 1e-6))


def _place_along(row: Indices, card: int, cards: Sequence[Card]) -> int:
    """Return how many cards of the column `row` come before `card` along the column."""
    along = step_between(cards[row[0]], cards[row[-1]])
    ahead = steps_from(cards[row[0]], [cards[one] for one in (*row, card)]) @ along
    return int((ahead[:-1] < ahead[-1]).sum())
