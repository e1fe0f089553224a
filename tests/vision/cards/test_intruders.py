"""What makes a column of cards no meld, and lies out of step, is no card of the column."""

from __future__ import annotations

import numpy as np
import pytest

from engine.pieces import Pieces
from engine.rulesets import ruleset
from vision import open_reader
from vision.cards.intruders import without_intruders
from vision.cards.pipeline import CardTableReader
from vision.frame import Frame
from vision.grouping import Indices
from vision.reading import Layout
from vision.seen import Rows, Seen

from .test_marks import card, mark, surely
from .test_steps import STEP, column_at

RULES = ruleset("burraco_it")


def in_turn(row: Indices) -> bool:
    """Stand in for the rules: a meld is three cards or more whose indices follow one another."""
    return len(row) > 2 and set(np.diff(row).tolist()) == {1}


def without(
    places: dict[int, float],
    *doubtful: int,
    scores: tuple[float, ...] = (0.5,) * 10,
) -> tuple[list[Indices], set[int]]:
    """Tell a column without its intruders. `places` maps its cards to how many steps they lie
    below the column's top.
    """
    cards = column_at(*(places.get(number, 0) for number in range(10)))
    return without_intruders(
        [tuple(places)], cards, doubtful, np.array(scores, np.float32), in_turn, in_turn
    )


def test_what_lies_half_a_step_from_a_card_leaves_the_column() -> None:
    assert without({0: 0, 1: 1, 9: 1.5, 2: 2, 3: 3}, 9) == ([(0, 1, 2, 3)], {1, 2})
    assert without({9: -0.4, 0: 0, 1: 1, 2: 2}, 9) == ([(0, 1, 2)], {0})
    assert without({0: 0, 8: 0.3, 9: 0.6, 1: 1, 2: 2}, 8, 9) == ([(0, 1, 2)], {0, 1})


def test_of_a_long_column_only_the_least_sure_cards_are_asked_about() -> None:
    """All choices of three of a hundred cards would take seconds."""
    row, judged = tuple(range(100)), list[Indices]()

    def is_meld(row: Indices) -> bool:
        judged.append(row)
        return False

    sureness = np.ones(len(row), np.float32)
    told = without_intruders([row], column_at(*row), row, sureness, lambda _row: False, is_meld)
    assert told == ([row], set()) and 0 < len(judged) < 2000


def test_what_lies_far_beyond_an_end_leaves_the_column() -> None:
    assert without({9: -1.7, 0: 0, 1: 1, 2: 2}, 9) == ([(0, 1, 2)], {0})
    assert without({0: 0, 1: 1, 2: 2, 9: 3.7}, 9) == ([(0, 1, 2)], {2})


@pytest.mark.parametrize(
    "places",
    [
        {0: 0, 1: 1, 9: 2, 2: 3, 3: 4},  # in a gap of the others
        {9: -1, 0: 0, 1: 1, 2: 2},
        {0: 0, 1: 1, 2: 2, 9: 3.2},
    ],
)
def test_what_lies_a_step_from_the_next_card_stays(places: dict[int, float]) -> None:
    assert without(places, 9) == ([tuple(places)], set())


def test_a_sure_card_stays_and_so_do_all_where_nothing_makes_a_meld() -> None:
    half = {0: 0, 1: 1, 9: 1.5, 2: 2}
    assert without(half, 1) == ([tuple(half)], set())
    for places in ({0: 0, 9: 0.5, 5: 1, 7: 2}, {0: 0, 9: 0.5, 1: 1}):
        assert without(places, 9) == ([tuple(places)], set())
    meld = {0: 0, 1: 0.5, 2: 1}
    assert without(meld, 1) == ([(0, 1, 2)], set())


def test_the_fewest_cards_leave_and_of_these_the_least_sure_ones() -> None:
    either = {0: 0, 4: 0.4, 1: 1, 5: 1.4, 2: 2, 6: 2.4}  # two melds, one upon the other
    first = (0.1, 0.1, 0.1, 0.5, 0.5, 0.5, 0.5, *[0.5] * 3)
    assert without(either, *either, scores=first)[0] == [(4, 5, 6)]
    second = (0.5, 0.5, 0.5, 0.5, 0.1, 0.1, 0.1, *[0.5] * 3)
    assert without(either, *either, scores=second)[0] == [(0, 1, 2)]
    assert without({0: 0, 1: 1, 9: 1.5, 2: 2, 3: 3}, 0, 9)[0] == [(0, 1, 2, 3)]


def test_a_column_in_which_just_the_order_is_wrong_keeps_its_cards() -> None:
    for places in ({0: 0, 1: 1, 3: 1.5, 2: 2}, {1: 0, 0: 0.5, 2: 1, 3: 2}):
        assert without(places, 0, 3) == ([tuple(places)], set())


def test_what_may_be_a_meld_stays_as_it_is() -> None:
    row, cards = (0, 1, 9, 2), column_at(0, 1, 2, 3, 4, 5, 6, 7, 8, 1.5)
    scores = np.ones(10, np.float32)
    assert without_intruders([row], cards, [9], scores, lambda _row: True, in_turn) == (
        [row],
        set(),
    )


def read(shown: dict[str, float], scores: dict[str, float]) -> tuple[list[list[str]], list[str]]:
    """Read a column on a blank picture. `shown` maps a name to each card's distance from the top in
    steps; a name is a face, and what follows a dash tells equal ones apart. `scores` maps names to
    joint scores, 1 for all others. Returns the columns and which of their cards are in doubt.
    """
    reader = open_reader(pieces=Pieces.CARDS)
    assert isinstance(reader, CardTableReader)
    names = [*shown]
    laid = [card(0, STEP * step) for step in shown.values()]
    quads = np.stack([mark() + one.marks[0] - mark().mean(axis=0) for one in laid])
    joint = np.array([scores.get(name, 1) for name in names], np.float32)
    faces = surely(*(name.split("-")[0] for name in names))
    seen = Seen(joint, quads, faces, Rows([tuple(range(len(names)))]))
    blank = Frame.of(np.full((900, 900, 3), 90, np.uint8))
    told = reader._as_melds(seen, laid, RULES)
    told = reader.missed_cards.with_missed(blank, told, laid, Layout.MELDS, RULES)
    columns = [[names[one] for one in row] for row in told.table.rows]
    low = np.flatnonzero(told.joint_scores < reader.doubts.faint)
    return columns, [names[one] for one in sorted(told.in_doubt.union(low.tolist()))]


@pytest.mark.parametrize(
    ("shown", "faint", "beside"),
    [
        # a mark in doubt
        ({"J": 0, "7R": 1, "12B": 1.5, "8R": 2, "9R": 3}, {"12B": 0.4}, {"7R", "8R"}),
        # of two jollies, though they are sure
        ({"J-1": 0.5, "J": 1, "7R": 2, "7B": 3, "7K": 4}, {"J-1": 0.9}, {"J"}),
        # of two equal cards
        ({"8B": 0, "8B-1": 0.3, "7B": 1, "6B": 2, "5B": 3}, {"8B-1": 0.9}, {"8B", "7B"}),
    ],
)
def test_a_meld_is_told_without_what_is_no_card_of_it(
    shown: dict[str, float], faint: dict[str, float], beside: set[str]
) -> None:
    """The cards that lay beside it are doubtful then."""
    columns, doubtful = read(shown, faint)
    (out,) = faint
    assert columns == [[name for name in shown if name != out]]
    assert beside.issubset(doubtful)


@pytest.mark.parametrize(
    "faces",
    ["8B 8B-1 7B 6B 5B", "7R 12B 8R 9R", "J J-1 7R 7B 7K", "3R 4R 5R 6R 9B", "8B 8B-1 8Y 8R"],
)
def test_sure_cards_that_lie_in_step_are_told_as_they_lie(faces: str) -> None:
    names = faces.split()
    assert read({name: step for step, name in enumerate(names)}, {}) == ([names], [])


def test_cards_in_one_place_are_no_column_from_which_anything_is_out_of_step() -> None:
    places = {0: 0.0, 1: 0.0, 9: 0.0, 2: 0.0}
    (row,), _beside = without(places, 9)
    assert {0, 1, 2} <= {*row}
