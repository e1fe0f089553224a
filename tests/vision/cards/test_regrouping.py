"""Columns of cards that are no melds are formed anew where that makes melds of all."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.pieces import Pieces
from engine.rulesets import ruleset
from vision import open_reader
from vision.cards.card import Card
from vision.cards.from_marks import FaintMarks
from vision.cards.melds import IsMeld
from vision.cards.pipeline import CardTableReader
from vision.cards.regrouping import regrouped, shared_jollies
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


def two_columns_and_a_jolly() -> list[Card]:
    """Return two columns, side by side, of three cards each, with a gap after the second card, and
    a jolly with a mark in either gap.
    """
    left, right = ([card(x, STEP * step) for step in (0, 1, 3)] for x in (0.0, 3 * BESIDE))
    marks = np.stack([mark(x, 2 * STEP).mean(axis=0) for x in (0.0, 3 * BESIDE)])
    return [*left, *right, Card(card(3 * BESIDE, 2 * STEP).outline, marks[::-1])]


def test_a_jolly_with_a_mark_in_a_gap_of_another_column_is_two() -> None:
    cards = two_columns_and_a_jolly()
    jolly = np.arange(7) == 6
    columns: list[Indices] = [(0, 1, 2), (3, 4, 6, 5)]
    (shared,) = shared_jollies(columns, cards, jolly)
    assert (shared.jolly, shared.mark, shared.column, shared.before) == (6, 1, 0, 2)
    assert np.allclose(shared.step, [0, STEP], atol=1)
    assert not [*shared_jollies(columns, cards, np.zeros(7, np.bool_))]
    one = [*cards[:6], replace(cards[6], marks=cards[6].marks[:1])]
    assert not [*shared_jollies(columns, one, jolly)]
    # The jolly has no other mark where it lies in its own column.
    elsewhere = cards[6].marks + np.array([[200, 0], [0, 0]], np.float32)
    away = [*cards[:6], replace(cards[6], marks=elsewhere)]
    assert not [*shared_jollies(columns, away, jolly)]


def test_so_is_one_with_a_mark_one_step_beyond_its_own_column() -> None:
    cards = two_columns_and_a_jolly()
    beyond = mark(3 * BESIDE, -STEP).mean(axis=0)
    cards[6] = replace(cards[6], marks=np.stack([beyond, cards[6].marks[1]]))
    columns: list[Indices] = [(0, 1, 2), (6, 3, 4, 5)]
    (shared,) = shared_jollies(columns, cards, np.arange(7) == 6)
    assert (shared.jolly, shared.mark, shared.column, shared.before) == (6, 1, 0, 2)
    alone: list[Indices] = [(0, 1, 2), (6, 3)]
    assert not [*shared_jollies(alone, cards, np.arange(7) == 6)], "one card tells no step"
    far = np.stack([beyond - [0, STEP], cards[6].marks[1]]).astype(np.float32)
    cards[6] = replace(cards[6], marks=far)
    assert not [*shared_jollies(columns, cards, np.arange(7) == 6)]


def parted(*faces: str) -> tuple[Seen, list[Card]]:
    """Read two columns and a jolly whose seven cards show these `faces`, and return what is seen
    and the cards.
    """
    reader = open_reader(pieces=Pieces.CARDS)
    assert isinstance(reader, CardTableReader)
    laid = two_columns_and_a_jolly()
    quads = np.stack([mark() + one.marks[0] - mark().mean(axis=0) for one in laid])
    seen = Seen(np.ones(7, np.float32), quads, surely(*faces), Rows([(0, 1, 2), (3, 4, 6, 5)]))
    none = FaintMarks(quads[:0], np.zeros(0, np.float32), seen.faces[:0])
    return reader._as_melds(seen, laid, none, RULES)


def test_both_columns_get_a_jolly_where_that_makes_melds() -> None:
    told, cards = parted("3R", "4R", "6R", "7B", "8B", "10B", "J")
    assert [*told.table.rows] == [(0, 1, 7, 2), (3, 4, 6, 5)]
    assert told.in_doubt == {6, 7}
    assert np.allclose(told.quads[[6, 7]].mean(axis=1), two_columns_and_a_jolly()[6].marks, atol=1)
    assert [len(one.marks) for one in cards] == [1] * 8 == [1] * len(told.quads)


@pytest.mark.parametrize(
    "faces",
    [
        ("3R", "4R", "5R", "7B", "8B", "10B", "J"),  # the other column has no place for a jolly
        ("3R", "4R", "6R", "7B", "2R", "13K", "J"),  # its own is no meld
    ],
)
def test_a_jolly_stays_one_where_a_column_is_no_meld_with_it(faces: tuple[str, ...]) -> None:
    told, cards = parted(*faces)
    assert len(cards) == len(told.quads) == 7


@pytest.mark.parametrize("gap", [0, 1])
def test_a_run_in_which_a_card_was_missed_is_not_taken_for_two_melds(gap: int) -> None:
    """The runs 3 4 5 and 6 7 8, with a 7 8 9 in place of the second where there is a gap."""
    reader = open_reader(pieces=Pieces.CARDS)
    assert isinstance(reader, CardTableReader)
    numbers = [3, 4, 5, *(n + gap for n in (6, 7, 8))]
    laid = column_at(*numbers)
    quads = np.stack([mark() + one.marks[0] - mark().mean(axis=0) for one in laid])
    faces = surely(*(f"{number}R" for number in numbers))
    none = FaintMarks(quads[:0], np.zeros(0, np.float32), faces[:0])
    one = Seen(np.ones(6, np.float32), quads, faces, Rows([(0, 1, 2, 3, 4, 5)]))
    assert [*reader._as_melds(one, laid, none, RULES)[0].table.rows] == [(0, 1, 2, 3, 4, 5)]
    other = replace(one, faces=surely("3R", "4R", "5R", "9K", "9B", "9Y"))
    rows = [*reader._as_melds(other, laid, none, RULES)[0].table.rows]
    assert rows == [(0, 1, 2), (3, 4, 5)]
