"""What lies beside a column of cards that is no meld, and makes it one."""

from __future__ import annotations

import numpy as np

from vision.cards.melds import beyond_ends, with_loose_cards
from vision.grouping import Indices

from .test_cards import card, mark
from .test_missed_cards import STEP, column_at


def in_order(row: Indices) -> bool:
    """A stand-in for the rules: three cards or more, numbered down the column."""
    return len(row) > 2 and list(row) == sorted(row)


def test_a_card_beside_a_column_that_makes_it_a_meld_belongs_to_it() -> None:
    cards = [*column_at(0, 1, 2), card(300, 0), card(300, STEP)]
    assert with_loose_cards([(0, 1), (3, 4)], cards, in_order) == [(0, 1, 2), (3, 4)]
    assert with_loose_cards([(0, 2)], cards, in_order) == [(0, 1, 2)]
    assert with_loose_cards([(1, 2)], cards, in_order) == [(0, 1, 2)]


def test_a_card_aside_of_a_column_or_one_that_makes_no_meld_stays_loose() -> None:
    aside = [*column_at(0, 1), card(80, 2 * STEP)]
    assert with_loose_cards([(0, 1)], aside, in_order) == [(0, 1)]
    assert with_loose_cards([(0, 1)], column_at(1, 2, 0), in_order) == [(0, 1)]
    assert with_loose_cards([(0, 1, 2)], column_at(0, 1, 2, 3), in_order) == [(0, 1, 2)]


def test_a_mark_one_step_beyond_either_end_is_told() -> None:
    marks = np.stack([mark(0, -STEP), mark(200, 0), mark(2, 2 * STEP)]).mean(axis=1)
    (before, after) = beyond_ends((0, 1), column_at(0, 1), marks)
    assert before[:2] == (0, False) and after[:2] == (2, True)
    assert np.allclose(before[2], [0, -STEP]) and np.allclose(after[2], [0, STEP])
    assert beyond_ends((0, 1), column_at(0, 1), marks[1:2]) == []
    assert beyond_ends((0, 1), column_at(0, 1), marks[:0]) == []
