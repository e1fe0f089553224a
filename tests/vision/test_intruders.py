"""What is in doubt, and makes a column of cards no meld, is no card of the column."""

from __future__ import annotations

import numpy as np
import pytest

from engine.pieces import Pieces
from engine.rulesets import ruleset
from vision import open_reader
from vision.card_pipeline import CardTableReader
from vision.cards.from_marks import FaintMarks
from vision.cards.intruders import without_intruders
from vision.grouping import Indices
from vision.seen import Rows, Seen

from .test_cards import mark, surely
from .test_missed_cards import column_at

RULES = ruleset("burraco_it")


def in_turn(row: Indices) -> bool:
    """Stand in for the rules: a meld is three cards or more whose indices follow one another."""
    return len(row) > 2 and set(np.diff(row).tolist()) == {1}


def without(
    row: Indices, *doubtful: int, scores: tuple[float, ...] = (0.5,) * 10
) -> tuple[list[Indices], set[int]]:
    return without_intruders([row], doubtful, np.array(scores, np.float32), in_turn, in_turn)


def test_a_card_in_doubt_without_which_a_column_is_a_meld_leaves_it() -> None:
    assert without((0, 1, 9, 2, 3), 9) == ([(0, 1, 2, 3)], {1, 2})
    assert without((9, 0, 1, 2), 9) == ([(0, 1, 2)], {0})
    assert without((0, 8, 9, 1, 2), 8, 9) == ([(0, 1, 2)], {0, 1})


def test_a_sure_card_stays_and_so_do_all_where_nothing_makes_a_meld() -> None:
    for row, doubtful in [((0, 1, 9, 2), 1), ((0, 9, 5, 7), 9), ((0, 9, 1), 9), ((0, 1, 2), 1)]:
        assert without(row, doubtful) == ([row], set())


def test_as_few_cards_as_possible_leave_and_the_least_sure_ones() -> None:
    row = (0, 1, 9, 2, 3)
    assert without(row, 0, 1, 9) == ([(0, 1, 2, 3)], {1, 2})
    either = (0, 1, 2, 4, 5, 6)  # is a meld without its first half, and without its second
    low_first, low_last = (0.1, 0.1, 0.1, *[0.5] * 7), (0.5, 0.5, 0.5, *[0.1] * 7)
    assert without(either, *either, scores=low_first)[0] == [(4, 5, 6)]
    assert without(either, *either, scores=low_last)[0] == [(0, 1, 2)]


def test_a_column_in_which_just_the_order_is_wrong_keeps_its_cards() -> None:
    assert without((0, 1, 3, 2), 3) == ([(0, 1, 3, 2)], set())
    assert without((1, 0, 2, 3), 0) == ([(1, 0, 2, 3)], set())


def test_what_may_be_a_meld_stays_as_it_is() -> None:
    row = (0, 1, 9, 2)
    told = without_intruders([row], [9], np.ones(10, np.float32), lambda _row: True, in_turn)
    assert told == ([row], set())


def read(faces: str, scores: dict[int, float]) -> tuple[list[list[int]], list[int]]:
    """Read a column of cards with these `faces`; return the columns and which cards are in doubt.
    `scores` maps cards to their joint scores, 1 for all others.
    """
    reader = open_reader(pieces=Pieces.CARDS)
    assert isinstance(reader, CardTableReader)
    shown = faces.split()
    laid = column_at(*range(len(shown)))
    quads = np.stack([mark() + one.marks[0] - mark().mean(axis=0) for one in laid])
    joint = np.array([scores.get(card, 1) for card in range(len(shown))], np.float32)
    seen = Seen(joint, quads, surely(*shown), Rows([tuple(range(len(shown)))]))
    none = FaintMarks(quads[:0], np.zeros(0, np.float32), seen.faces[:0])
    told, _cards = reader._as_melds(seen, laid, none, RULES)
    columns = [[*row] for row in told.table.rows]
    return columns, np.flatnonzero(told.joint_scores < reader.doubts.faint).tolist()


@pytest.mark.parametrize(
    ("faces", "faint", "column"),
    [
        ("J 7R 12B 8R 9R", {2: 0.4}, [0, 1, 3, 4]),  # a mark in doubt
        ("J J 7R 7B 7K", {0: 0.9}, [1, 2, 3, 4]),  # of two jollies, though they are sure
        ("8B 8B 7B 6B 5B", {1: 0.9}, [0, 2, 3, 4]),  # of two equal cards
    ],
)
def test_a_meld_is_told_without_what_is_no_card_of_it(
    faces: str, faint: dict[int, float], column: list[int]
) -> None:
    """The cards that lay beside it are doubtful then."""
    columns, doubtful = read(faces, faint)
    assert columns == [column]
    (out,) = faint
    assert {out - 1, out + 1}.difference([-1]).issubset(doubtful)


@pytest.mark.parametrize("faces", ["8B 8B 7B 6B 5B 13R", "7R 12B 8R 9R", "8B 8B 8Y 8R"])
def test_sure_cards_are_told_as_they_lie(faces: str) -> None:
    columns, doubtful = read(faces, {})
    assert (columns, doubtful) == ([[*range(len(faces.split()))]], [])
