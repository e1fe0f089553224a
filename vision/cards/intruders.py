"""Takes cards out of a column that make it no meld though they are in doubt.

A maker's word, a star of the cloth or a second corner of a jolly may look like one more card of a
column. On a table at the end of a hand nearly all columns are melds: what is in doubt, and without
which a column is one, rather is no card of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from engine.rulesets import MINIMUM_MELD
from vision.cards.melds import IsMeld
from vision.grouping import Indices

MOST = 3  # cards that are taken out of one column


def without_intruders(
    columns: Sequence[Indices],
    doubtful: Collection[int],
    joint_scores: NDArray[np.float32],
    may_be_meld: IsMeld,
    is_meld: IsMeld,
) -> tuple[list[Indices], set[int]]:
    """Return the columns without the cards among `doubtful` that make them no melds, as few as
    possible, and of these the ones with the lowest `joint_scores` (n,), of all cards. Return the
    cards, too, that lay beside one that was taken out.

    `may_be_meld` tells of a column whether it is one or may be, if a card was misread or missed:
    such a column stays as it is. `is_meld` tells whether it is one as its cards were read. A column
    that is one with its cards in doubt at one of its ends keeps them all: there just the order is
    wrong.
    """
    rows, beside = list[Indices](), set[int]()
    for row in columns:
        asked = [] if may_be_meld(row) else [card for card in row if card in doubtful]
        taken = next(_taken(row, asked, joint_scores, is_meld), ())
        rows.append(_without(row, taken))
        beside |= {
            near
            for at, card in enumerate(row)
            if card in taken
            for near in (*row[max(at - 1, 0) : at], *row[at + 1 : at + 2])
        } - {*taken}
    return rows, beside


def _taken(
    row: Indices, asked: Sequence[int], joint_scores: NDArray[np.float32], is_meld: IsMeld
) -> Iterator[Indices]:
    """Yield those cards among `asked` without which the column `row` is a meld, the fewest first,
    then those with the lowest scores; nothing where they make a meld at one of its ends.
    """
    for count in range(1, min(MOST, len(row) - MINIMUM_MELD) + 1):
        choices = sorted(combinations(asked, count), key=lambda some: joint_scores[[*some]].sum())
        for taken in choices:
            rest = _without(row, taken)
            if not is_meld(rest):
                continue
            if is_meld((*rest, *taken)) or is_meld((*taken, *rest)):
                return
            yield taken


def _without(row: Indices, taken: Collection[int]) -> Indices:
    return tuple(card for card in row if card not in taken)
