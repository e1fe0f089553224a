"""Columns of cards that are no melds are formed anew where that makes melds of all."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.pieces import Pieces
from engine.rulesets import ruleset
from vision import open_reader
from vision.cards.card import Card
from vision.cards.melds import IsMeld
from vision.cards.pipeline import CardTableReader
from vision.cards.regrouping import regrouped
from vision.grouping import Indices
from vision.seen import Rows, Seen

from .test_marks import card, mark, surely
from .test_steps import STEP, column_at

BESIDE = 60.0  # pixels from one column to the next, less than a card is wide
RULES = ruleset("burraco_it")


def in_turn(row: Indices) -> bool:
    """Stand in for the rules: a meld is three cards or more whose indices follow one another."""
    steps = set(np.diff(row).tolist())
    return len(row) > 2 and steps in ({1}, {-1})


def formed(
    columns: list[Indices],
    cards: list[Card],
    may_be_meld: IsMeld,
    is_meld: IsMeld,
    jollies: tuple[int, ...] = (),
) -> tuple[list[Indices], set[int]]:
    are_jollies = np.isin(np.arange(len(cards)), jollies)
    return regrouped(columns, cards, are_jollies, may_be_meld, is_meld)


def test_a_pair_that_is_no_meld_goes_where_both_of_its_cards_make_melds() -> None:
    """The last card of one column and the first of the next are told as a pair."""
    cards = [*column_at(0, 1, 2, 3), *(card(BESIDE, STEP * step) for step in range(4))]
    columns: list[Indices] = [(0, 1, 2), (5, 6, 7), (3, 4)]

    def of_one_suit(row: Indices) -> bool:
        return in_turn(row) and len({number // 4 for number in row}) == 1

    told = formed(columns, cards, of_one_suit, of_one_suit)
    assert told == ([(0, 1, 2, 3), (4, 5, 6, 7)], {3, 4})


def test_a_pair_stays_where_only_one_of_its_cards_makes_a_meld() -> None:
    columns: list[Indices] = [(0, 1, 2), (3, 4)]
    far = [*column_at(0, 1, 2, 3), card(900, 0)]
    assert formed(columns, far, in_turn, in_turn) == (columns, set())


def test_loose_cards_follow_a_pair() -> None:
    cards = column_at(0, 1, 2, 3, 4, 5)
    columns: list[Indices] = [(0, 1, 2), (4, 3)]
    assert formed(columns, cards, in_turn, in_turn) == ([(0, 1, 2, 3, 4, 5)], {3, 4, 5})


def test_a_loose_card_beside_another_meld_stays_loose() -> None:
    far = [card(900, STEP * step) for step in range(4)]
    cards = [*column_at(0, 1, 2, 3, 4), *far]
    columns: list[Indices] = [(0, 1, 2), (4, 3), (5, 6, 7)]
    told = formed(columns, cards, in_turn, in_turn)
    assert told == ([(0, 1, 2, 3, 4), (5, 6, 7)], {3, 4})


def test_a_card_at_the_end_of_a_column_goes_to_the_next_column() -> None:
    cards = [*column_at(0, 1, 2, 3), *(card(BESIDE, STEP * step) for step in range(3))]
    columns: list[Indices] = [(0, 1, 2), (3, 6, 5, 4)]
    assert formed(columns, cards, in_turn, in_turn) == ([(0, 1, 2, 3), (6, 5, 4)], {3})


def test_a_card_at_an_end_is_not_put_elsewhere_into_its_own_column() -> None:
    """A wild 2 at the end of a column with a gap would make a meld in the gap."""
    cards = column_at(0, 1, 2, 3, 4)

    def wild_in_the_gap(row: Indices) -> bool:
        return row in ((0, 1, 4, 2, 3), (0, 1, 2, 3))

    columns: list[Indices] = [(0, 1, 2, 3, 4)]
    assert formed(columns, cards, wild_in_the_gap, wild_in_the_gap) == (columns, set())


def test_a_column_that_is_two_melds_becomes_two() -> None:
    cards = column_at(0, 1, 2, 7, 8, 9, 3, 4, 5, 6)
    told = formed([(0, 1, 2, 7, 8, 9)], cards, in_turn, in_turn)
    assert told == ([(0, 1, 2), (7, 8, 9)], {2, 7})
    assert formed([(0, 1, 2, 7, 8)], cards, in_turn, in_turn) == ([(0, 1, 2, 7, 8)], set())


@pytest.mark.parametrize("is_jolly", [True, False])
def test_a_column_that_is_one_meld_without_a_jolly_at_its_seam_stays_one(is_jolly: bool) -> None:
    """A jolly of another column, the last card, lies between two that follow one another."""
    cards = column_at(*range(7))

    def is_meld(row: Indices) -> bool:
        return in_turn(tuple(card for card in row if card < 6)) and 6 not in row[1:-1]

    told = formed([(0, 1, 2, 6, 3, 4, 5)], cards, is_meld, is_meld, (6,) * is_jolly)
    assert told == ([(0, 1, 2, 3, 4, 5)] if is_jolly else [(0, 1, 2), (6, 3, 4, 5)], {2, 6})


def test_what_may_be_a_meld_stays_as_it_is() -> None:
    cards = column_at(0, 1, 2, 7, 8, 9)
    columns: list[Indices] = [(0, 1, 2, 3, 4, 5)]

    def always(_row: Indices) -> bool:
        return True

    assert formed(columns, cards, always, lambda row: len(row) == 3) == (columns, set())


@pytest.mark.parametrize("gap", [0, 1])
def test_a_run_in_which_a_card_was_missed_is_not_taken_for_two_melds(gap: int) -> None:
    """The runs 3 4 5 and 6 7 8, with a 7 8 9 in place of the second where there is a gap."""
    reader = open_reader(pieces=Pieces.CARDS)
    assert isinstance(reader, CardTableReader)
    numbers = [3, 4, 5, *(n + gap for n in (6, 7, 8))]
    laid = column_at(*numbers)
    quads = np.stack([mark() + one.marks[0] - mark().mean(axis=0) for one in laid])
    faces = surely(*(f"{number}R" for number in numbers))
    one = Seen(np.ones(6, np.float32), quads, faces, Rows([(0, 1, 2, 3, 4, 5)]))
    assert [*reader._as_melds(one, laid, RULES).table.rows] == [(0, 1, 2, 3, 4, 5)]
    other = replace(one, faces=surely("3R", "4R", "5R", "9K", "9B", "9Y"))
    rows = [*reader._as_melds(other, laid, RULES).table.rows]
    assert rows == [(0, 1, 2), (3, 4, 5)]
