"""Cards: finds that are dropped, since they are second finds of a card, have no place in their
column, or are stray. The outlines are exact and made in the tests, without any network.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from vision import Layout
from vision.cards.card import Card
from vision.cards.columns import on_whole_cards
from vision.cards.from_marks import _each_card_once
from vision.cards.loose import (
    ASIDE_OF_MELDS,
    with_cards_aside_in_doubt,
    without_jollies_aside,
    without_stray,
)
from vision.cards.steps import seen_twice, without_a_place
from vision.grouping import Indices
from vision.kinds import CARDS
from vision.seen import Rows, Seen

from .test_marks import card, mark, outline, surely
from .test_steps import STEP, column_at, two_columns


def whole_card(x: float) -> Card:
    """Make a card at (x, 0) of which the marks in two opposite corners are seen."""
    marks = np.stack([mark(x), mark(x, 0, 180)]).mean(axis=1)
    return Card(outline(x), marks)


def read_with(chances: Sequence[float], *names: str) -> NDArray[np.float32]:
    """Return log-probabilities, (n, 53), of faces that are read without doubt, the first ones with
    these `chances` alone.
    """
    faces = surely(*names)
    for number, chance in enumerate(chances):
        likeliest = faces[number].argmax()
        faces[number] = np.log((1 - chance) / (faces.shape[1] - 1))
        faces[number, likeliest] = np.log(chance)
    return faces


def test_two_of_a_face_on_one_level_of_a_column_are_one_card() -> None:
    """Two cards of one face lie on one level of a column: the right mark of a card with four
    indices was not joined to its left one. Without another card between them and a column of at
    least four the marks stay two cards.
    """
    cards = [*column_at(0, 1), card(80, STEP), *column_at(2, 3)]
    row = (0, 1, 2, 3, 4)
    assert seen_twice([row], cards, surely("4R", "5R", "5R", "6R", "7R")) == {2: 1}
    assert seen_twice([row], cards, surely("4R", "5R", "8R", "6R", "7R")) == {}
    even = column_at(0, 1, 2, 3, 4)
    assert seen_twice([row], even, surely("5R", "5R", "5R", "6R", "6R")) == {}
    assert seen_twice([row[:3]], cards, surely("4R", "5R", "5R", "6R", "7R")) == {}


@pytest.mark.parametrize(
    ("chances", "told"),
    [
        ((0.99, 0.6), {1: 0}),
        ((0.6, 0.99), {0: 1}),
        ((0.6, 0.6), {}),
        ((0.99, 0.96), {}),
    ],
)
def test_an_unsure_find_on_the_level_of_a_sure_card_is_none(
    chances: tuple[float, float], told: dict[int, int]
) -> None:
    """In a column no two cards lie side by side, whatever a mark in another corner is read as."""
    faces = read_with(chances, "4R", "8R", "5R", "6R", "7R")
    row = tuple(range(5))
    cards = column_at(0, 0.25, 1, 2, 3)
    assert seen_twice([row], cards, faces) == told
    assert seen_twice([row], column_at(0, 1, 2, 3, 4), faces) == {}
    kept, marks, *_ = _each_card_once(cards, [[number] for number in row], faces)
    assert [len(one.marks) for one in kept] == [1] * (5 - len(told))
    assert marks == [[number] for number in row if number not in told]


@pytest.mark.parametrize(
    ("second", "told"),
    [("5R", {}), ("3R", {}), ("6R", {1: 0}), ("4B", {1: 0})],
    ids=["next", "the one before", "two further", "another suit"],
)
def test_neighbours_of_a_run_are_two_cards_however_near_they_lie(
    second: str, told: dict[int, int]
) -> None:
    faces = read_with((0.99, 0.6), "4R", second, "8K", "9K", "10K")
    assert seen_twice([tuple(range(5))], column_at(0, 0.25, 1, 2, 3), faces) == told


@pytest.mark.parametrize(("before", "told"), [("5R", {}), ("7R", {}), ("8R", {2: 1})])
def test_what_goes_on_with_a_run_is_a_card_however_near_the_next_one_lies(
    before: str, told: dict[int, int]
) -> None:
    """A jolly lies over a 6 of which little shows."""
    faces = surely(before, "J", "6R", "8K", "9K")
    faces[2] = read_with((0.87,), "6R")[0]
    cards = column_at(0, 1, 1.25, 2, 3)
    assert seen_twice([(0, 2, 1, 3, 4)], [cards[0], cards[2], cards[1], *cards[3:]], faces) == told


def stray(joint_score: float, face: str | None) -> Seen:
    """Make a column of three cards, and after its first card a find outside it, which cannot be
    read if `face` is None.
    """
    faces = surely("3R", face or "J", "4R", "5R")
    if face is None:
        faces[1] = -np.log(faces.shape[1])
    quads = np.stack([mark(0, STEP * step) for step in range(4)])
    scores = np.array([0.9, joint_score, 0.3, 0.9], np.float32)
    return Seen(scores, quads, faces, Rows([(0, 2, 3)]))


@pytest.mark.parametrize(
    ("joint_score", "face", "is_card"),
    [(0.9, None, False), (0.3, "J", False), (0.6, "J", True), (0.3, "9R", True)],
)
def test_beside_melds_what_cannot_be_read_or_may_be_a_jolly_is_no_card(
    joint_score: float, face: str | None, is_card: bool
) -> None:
    seen = stray(joint_score, face)
    told = without_stray(seen, Layout.MELDS, CARDS.doubts)
    if is_card:
        assert np.array_equal(told.quads, seen.quads)
        assert told.table.rows == [(0, 2, 3)]
    else:
        assert np.array_equal(told.quads, seen.quads[[0, 2, 3]])
        assert np.array_equal(told.faces, seen.faces[[0, 2, 3]])
        assert np.array_equal(told.joint_scores, seen.joint_scores[[0, 2, 3]])
        assert told.table.rows == [(0, 1, 2)]


@pytest.mark.parametrize(
    ("joint_score", "face", "count"),
    [(0.15, None, 3), (0.25, None, 4), (0.0, None, 4), (0.15, "J", 4), (0.15, "5R", 4)],
)
def test_a_faint_find_among_loose_cards_that_cannot_be_read_is_no_card(
    joint_score: float, face: str | None, count: int
) -> None:
    """One without any score was not found, but is asked for."""
    seen = stray(joint_score, face)
    told = without_stray(seen, Layout.LOOSE, CARDS.doubts)
    assert len(told.quads) == count
    seen = replace(seen, table=Rows([(0, 1), (2, 3)]))
    told = without_stray(seen, Layout.LOOSE, CARDS.doubts)
    assert told.table.rows == ([(1, 2)] if count == 3 else [(0, 1), (2, 3)])


def test_in_a_blurred_picture_nothing_is_dropped() -> None:
    seen = stray(0.9, None)
    seen.faces[[2, 3]] = seen.faces[1]
    assert len(without_stray(seen, Layout.MELDS, CARDS.doubts).quads) == 4
    nothing = Seen(seen.joint_scores[:0], seen.quads[:0], seen.faces[:0], Rows([]))
    assert len(without_stray(nothing, Layout.MELDS, CARDS.doubts).quads) == 0


def test_two_of_a_face_half_a_step_apart_by_themselves_are_one_card() -> None:
    """If one shows a mark in another corner than the other."""
    rows: list[Indices] = [(0, 1, 2), (3, 4)]
    alike = surely("4R", "5R", "6R", "7R", "7R")
    unlike = surely("4R", "5R", "6R", "7R", "8R")

    def again(step: float, faces: NDArray[np.float32], columns: list[Indices]) -> dict[int, int]:
        cards = two_columns(0, step)
        cards[4] = replace(cards[4], marks=cards[4].marks + np.float32([80, 0]))
        return seen_twice(columns, cards, faces)

    assert again(0.5, alike, rows) == {4: 3}
    assert again(0.5, unlike, rows) == {}
    assert again(1, alike, rows) == {}
    assert again(0.5, alike, [(3, 4)]) == {}
    assert seen_twice(rows, two_columns(0, 0.5), alike) == {}


def without_place(*steps: float, jolly: int) -> set[int]:
    column = column_at(*steps)
    return without_a_place([tuple(range(len(column)))], column, np.arange(len(column)) == jolly)


def test_a_jolly_between_two_cards_a_step_apart_is_none() -> None:
    assert without_place(0, 1, 1.5, 2, 3, 4, jolly=2) == {2}
    assert without_place(0, 1, 2, 3, 4, jolly=2) == set()
    assert without_place(0, 0.5, 1, jolly=1) == set()  # no other step tells the usual one
    column = column_at(0, 1, 1.5, 2, 3, 4)
    whole = np.stack([mark(0, 1.5 * STEP), mark(0, 1.5 * STEP, 180)]).mean(axis=1)
    column[2] = replace(column[2], marks=whole)
    assert without_a_place([(0, 1, 2, 3, 4, 5)], column, np.arange(6) == 2) == set()


@pytest.mark.parametrize("sure", [True, False])
def test_a_jolly_without_a_place_in_its_column_is_dropped_or_in_doubt_if_surely_read(
    sure: bool,
) -> None:
    cards = column_at(0, 1, 1.5, 2, 3, 4)
    cards[2] = replace(cards[2], sure=sure)
    faces = surely("3R", "4R", "J", "5R", "6R", "7R")
    kept, marks, columns, misplaced = _each_card_once(cards, [[at] for at in range(6)], faces)
    if sure:
        assert marks == [[at] for at in range(6)]
        assert np.flatnonzero(misplaced).tolist() == [2]
    else:
        assert marks == [[0], [1], [3], [4], [5]]
        assert (len(kept), columns) == (5, [(0, 1, 2, 3, 4)])
        assert not misplaced.any()


def test_a_jolly_that_is_seen_twice_is_kept_once() -> None:
    cards = column_at(0, 0.25, 1, 2, 3)
    groups = [[number] for number in range(5)]
    kept, marks, columns, _ = _each_card_once(cards, groups, surely("J", "J", "5R", "6R", "7R"))
    assert marks == [[0, 1], [2], [3], [4]]
    assert (len(kept), columns) == (4, [(0, 1, 2, 3)])
    assert [len(card.marks) for card in kept] == [2, 1, 1, 1]


def test_the_surest_mark_of_a_card_that_is_seen_twice_comes_first() -> None:
    """Marks are numbered from the surest on."""
    cards = column_at(0, 0.25, 1, 2, 3)
    cards[0] = replace(cards[0], sure=False)
    groups = [[1], [0], [2], [3], [4]]
    kept, marks, *_ = _each_card_once(cards, groups, surely("J", "J", "5R", "6R", "7R"))
    assert marks == [[0, 1], [2], [3], [4]]
    assert kept[0].sure
    assert np.array_equal(kept[0].marks, np.concatenate([cards[1].marks, cards[0].marks]))


def test_a_jolly_close_to_the_end_of_a_column_is_none() -> None:
    assert without_place(0, 1, 2, 2.3, jolly=3) == {3}
    assert without_place(0, 0.3, 1.3, 2.3, jolly=0) == {0}
    assert without_place(0, 1, 2, 2.6, jolly=3) == set()


def test_a_faint_mark_on_a_card_seen_whole_is_no_card() -> None:
    """A faint mark on a card seen whole, such as the name printed on a jolly, is no card. On a card
    that shows one corner another card may lie, and a sure mark is a card anywhere.
    """
    marks = np.stack([mark(), mark(degrees=180)]).mean(axis=1)
    whole, corner = Card(outline(), marks), card(300)
    faint = Card(outline(20, 20), np.float32([[5, 5]]), sure=False)
    beside = Card(outline(20, 20), np.float32([[80, 5]]), sure=False)
    on_corner = Card(outline(300, 20), np.float32([[300, 5]]), sure=False)
    cards = [whole, corner, faint, beside, on_corner, replace(faint, sure=True)]
    readable = np.zeros(len(cards), bool)
    assert on_whole_cards(cards, readable).tolist() == [False, False, True, False, False, False]


@pytest.mark.parametrize(
    ("face", "chance", "count"),
    [
        *(("9Y", 0.03, 1), ("9Y", 0.45, 1), ("9Y", 0.55, 2), ("9Y", 1.0, 2)),
        *(("J", 0.45, 1), ("J", 0.85, 1), ("J", 0.95, 2)),
    ],
)
def test_what_cannot_be_read_on_a_card_seen_whole_is_no_card(
    face: str, chance: float, count: int
) -> None:
    """The detector alone takes a pip beside the index, or the maker's name, for a mark. A jolly has
    to be read more surely, since a name looks like its mark.
    """
    marks = np.stack([mark(), mark(degrees=180)]).mean(axis=1)
    pip = Card(outline(60, 60), np.float32([[36, 40]]))
    faces = surely("2Y", "2Y", face)
    if chance < 1:
        likeliest = faces[2].argmax()
        faces[2] = np.log((1 - chance) / (faces.shape[1] - 1))
        faces[2, likeliest] = np.log(chance)
    cards = [Card(outline(), marks), pip]
    assert len(_each_card_once(cards, [[0, 1], [2]], faces)[0]) == count
    corner = replace(cards[0], marks=marks[:1])
    assert len(_each_card_once([corner, pip], [[0], [2]], faces)[0]) == 2


@pytest.mark.parametrize(
    ("columns", "in_doubt"),
    [
        ([(0, 1, 2), (3, 4, 5)], {6, 7}),
        ([(0, 1, 2), (3, 4, 5, 6, 7)], set()),
        ([(0, 1, 2)], set()),
        ([], set()),
    ],
    ids=["beside melds", "none aside", "mostly loose cards", "no melds"],
)
def test_beside_melds_a_card_in_no_column_is_in_doubt(
    columns: list[Indices], in_doubt: set[int]
) -> None:
    quads = np.stack([mark(0, STEP * step) for step in range(8)])
    faces = surely(*(f"{number}R" for number in range(3, 11)))
    seen = Seen(np.ones(8, np.float32), quads, faces, Rows(columns))
    assert with_cards_aside_in_doubt(seen).in_doubt == in_doubt


def test_beside_columns_that_are_all_melds_no_faint_jolly_lies() -> None:
    """A sure one stays, and so do one in a column and another card."""
    names = ("5R", "6R", "J", "J", "J", "9K")
    quads = np.stack([mark(100.0 * card) for card in range(len(names))])
    scores = np.full(len(names), ASIDE_OF_MELDS - 0.01, np.float32)
    scores[4] = ASIDE_OF_MELDS + 0.01
    told = without_jollies_aside(Seen(scores, quads, surely(*names), Rows([(0, 1, 2)])))
    assert np.array_equal(told.quads, quads[[0, 1, 2, 4, 5]])
    assert told.table.rows == [(0, 1, 2)]
