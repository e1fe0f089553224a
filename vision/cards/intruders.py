"""Takes out of a column what makes it no meld and does not lie where a card of the column would.

A maker's word, the second half of a jolly's word or another corner of a card may look like one more
card of a column. Such a mark is no step away from the next card, as the cards of a column are, but
half a step, or farther beyond the end.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from engine.rulesets import MINIMUM_MELD
from vision.cards.card import Card
from vision.cards.melds import IsMeld
from vision.cards.offsets import steps_from
from vision.cards.steps import StepConfig
from vision.grouping import Indices

MOST = 3  # cards that are taken out of one column
# Cards of one column that may be taken out: the least sure. With a hundred it would take seconds.
MOST_ASKED = 20
NEAREST = StepConfig.half_a_step  # in usual steps, along the column, of a card from the next one
FARTHEST = 1.5  # the same, of a card at an end of its column


def without_intruders(
    columns: Sequence[Indices],
    cards: Sequence[Card],
    doubtful: Collection[int],
    sureness: NDArray[np.float32],
    may_be_meld: IsMeld,
    is_meld: IsMeld,
) -> tuple[list[Indices], set[int]]:
    """Return the columns without the cards among `doubtful` that make them no melds and lie out of
    step: as few as possible, and of these the ones with the lowest `sureness` (n,), of all
    `cards`. Return the cards, too, that lay beside one that was taken out.

    `may_be_meld` tells of a column whether it is one or may be, if a card was misread or missed:
    such a column stays as it is. `is_meld` tells whether it is one as its cards were read. A column
    that is one with its cards in doubt at one of its ends keeps them all: there just the order is
    wrong.
    """
    rows, beside = list[Indices](), set[int]()
    for row in columns:
        asked = [] if may_be_meld(row) else [card for card in row if card in doubtful]
        taken = next(_taken(row, cards, asked, sureness, is_meld), ())
        rows.append(_without(row, taken))
        beside |= {
            card
            for two in pairwise(row)
            if not {*two}.isdisjoint(taken)
            for card in two
            if card not in taken
        }
    return rows, beside


def _taken(
    row: Indices,
    cards: Sequence[Card],
    asked: Sequence[int],
    sureness: NDArray[np.float32],
    is_meld: IsMeld,
) -> Iterator[Indices]:
    """Yield those cards among `asked` that lie out of step and without which the column `row` is a
    meld, the fewest first, then those with the lowest sureness; nothing where they make a meld at
    one of its ends.
    """
    asked = sorted(asked, key=lambda card: float(sureness[card]))[:MOST_ASKED]
    for count in range(1, min(MOST, len(row) - MINIMUM_MELD) + 1):
        choices = sorted(combinations(asked, count), key=lambda some: sureness[[*some]].sum())
        for taken in choices:
            rest = _without(row, taken)
            if not is_meld(rest) or not _are_out_of_step(taken, rest, cards):
                continue
            if is_meld((*rest, *taken)) or is_meld((*taken, *rest)):
                return
            yield taken


def _are_out_of_step(taken: Indices, rest: Indices, cards: Sequence[Card]) -> bool:
    """Tell whether none of the cards `taken` lies about a step from the next card of the column
    `rest`, or in a gap of it. The usual step is the median of those in `rest`.
    """
    places = steps_from(cards[rest[0]], [cards[card] for card in (*rest, *taken)])
    whole = places[len(rest) - 1]
    along = places @ (whole / max(float(np.linalg.norm(whole)), 1e-6))
    of_rest, of_taken = along[: len(rest)], along[len(rest) :]
    usual = max(float(np.median(np.abs(np.diff(of_rest)))), 1e-6)
    away = np.abs(of_taken[:, None] - of_rest).min(axis=1) / usual
    beyond = (of_taken < of_rest.min()) | (of_taken > of_rest.max())
    return bool(((away < NEAREST) | (beyond & (away > FARTHEST))).all())


def _without(row: Indices, taken: Collection[int]) -> Indices:
    return tuple(card for card in row if card not in taken)
