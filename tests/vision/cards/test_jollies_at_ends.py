"""Jollies in doubt at the ends of columns stay only where the network of ends sees a card."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tests.vision.cards.test_column_ends import PICTURE, Told, card, marks_of
from tests.vision.cards.test_marks import surely
from vision.cards.column_ends import JOLLY, NOTHING
from vision.cards.jollies_at_ends import (
    PERHAPS_NOTHING,
    SURELY_NOTHING,
    without_jollies_not_there,
)
from vision.grouping import Indices
from vision.kinds import CARDS
from vision.seen import Rows, Seen

GONE = {NOTHING: SURELY_NOTHING + 0.002}


def left(
    names: str, rows: Sequence[Indices], told: dict[int, float], in_doubt: Sequence[int] = ()
) -> tuple[list[Indices], list[int]]:
    """Return the columns that are left of `rows`, and which cards are in doubt then. The cards lie
    one below the other.
    """
    cards = [card(300, 300 + 30 * number) for number in range(len(names.split()))]
    seen = Seen(
        np.full(len(cards), 0.9, np.float32),
        marks_of(cards),
        surely(*names.split()),
        Rows(list(rows)),
        in_doubt=frozenset(in_doubt),
    )
    result = without_jollies_not_there(Told(told), PICTURE, seen, cards, CARDS.doubts)
    return result.table.rows, sorted(result.in_doubt)


@pytest.mark.parametrize(
    ("told", "rows"),
    [
        (GONE, [(1, 2, 3)]),
        ({NOTHING: SURELY_NOTHING - 0.01, JOLLY: 0.015}, [(0, 1, 2, 3)]),
        ({JOLLY: 0.99}, [(0, 1, 2, 3)]),
    ],
    ids=["nothing lies there", "perhaps something", "a jolly"],
)
def test_a_jolly_in_doubt_stays_unless_nothing_lies_there(
    told: dict[int, float], rows: list[Indices]
) -> None:
    assert left("J 7R 8R 9R", [(0, 1, 2, 3)], told, [0]) == (rows, [0])


@pytest.mark.parametrize(
    ("told", "in_doubt"),
    [(GONE, [0]), ({NOTHING: PERHAPS_NOTHING - 0.01, JOLLY: 0.015}, [])],
    ids=["nothing lies there", "perhaps something"],
)
def test_a_jolly_beyond_doubt_comes_to_be_in_doubt_where_nothing_lies(
    told: dict[int, float], in_doubt: list[int]
) -> None:
    assert left("J 7R 8R 9R", [(0, 1, 2, 3)], told) == ([(0, 1, 2, 3)], in_doubt)


def test_what_is_no_jolly_or_between_others_stays() -> None:
    assert left("6R 7R 8R 9R", [(0, 1, 2, 3)], GONE, [0]) == ([(0, 1, 2, 3)], [0])
    assert left("7R J 9R 10R", [(0, 1, 2, 3)], GONE, [1]) == ([(0, 1, 2, 3)], [1])


def test_a_jolly_over_the_others_goes_too_and_a_column_of_one_card_is_none() -> None:
    assert left("7R 8R 9R J", [(0, 1, 2, 3)], GONE, [3]) == ([(0, 1, 2)], [3])
    assert left("J 7R J 8R 9R", [(0, 1), (2, 3, 4)], GONE, [0, 2]) == ([(0, 1), (3, 4)], [0, 2])


def test_of_two_jollies_one_beside_the_other_the_inner_one_is_no_end() -> None:
    assert left("J J 7R 8R", [(0, 1, 2, 3)], GONE, [0]) == ([(0, 1, 2, 3)], [0])
