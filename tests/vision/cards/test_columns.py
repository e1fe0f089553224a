"""Cards: in which order they lie over one another. The outlines are exact and made in the tests,
without any network.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np
import pytest

from vision.cards.card import Card
from vision.cards.columns import beyond_free_cards, find_columns, in_line_with_sure

from .test_marks import Pose, card, mark, outline


def columns_of(poses: list[Pose]) -> list[tuple[int, ...]]:
    return find_columns([card(*pose) for pose in poses])


@pytest.mark.parametrize("turn", [0, 90, 200])
@pytest.mark.parametrize("step", [(0, 30), (28, 0), (2, 40)])
def test_a_column_goes_from_the_most_covered_card_to_the_free_one(
    step: tuple[float, float], turn: float
) -> None:
    """Each card covers what lies to the right of the mark of the card before, or below it."""
    steps = np.array([np.array(step) * i for i in range(5)])
    radians = np.radians(turn)
    rotation = np.array([[np.cos(radians), -np.sin(radians)], [np.sin(radians), np.cos(radians)]])
    poses = [(float(x), float(y), float(turn)) for x, y in steps @ rotation.T]
    assert columns_of(poses) == [(0, 1, 2, 3, 4)]
    assert columns_of(poses[::-1]) == [(4, 3, 2, 1, 0)]


def test_a_card_that_shows_both_ends_is_the_free_one() -> None:
    """Its surer mark may be the one that lies away from the card beneath it."""
    ends = mark(0, 30, 180).mean(axis=0), mark(0, 30).mean(axis=0)
    free = Card(outline(0, 30), np.stack(ends))
    assert find_columns([card(), free]) == [(0, 1)]
    assert find_columns([free, card()]) == [(1, 0)]


def test_a_fan_is_a_column() -> None:
    poses = []
    for i in range(6):
        turn = np.radians(-40 + 12 * i)
        poses.append((170 * np.sin(turn), -170 * np.cos(turn), -40.0 + 12 * i))
    assert columns_of(poses) == [(0, 1, 2, 3, 4, 5)]


def test_a_wide_fan_is_a_column_of_what_is_surely_cards() -> None:
    """In a wide fan cards hardly overlap: it is a column if all are surely cards, else none."""
    poses: list[Pose] = [(-190, 60, -35), (-80, 5, -12), (40, 0, 10), (150, 55, 34)]
    assert columns_of(poses) == [(0, 1, 2, 3)]
    faint = [replace(card(*pose), sure=False) for pose in poses]
    assert find_columns(faint) == []


def test_columns_beside_each_other_are_two() -> None:
    poses = [(x, y, 0.0) for x in (0.0, 115.0) for y in (0.0, 30.0, 60.0)]
    assert columns_of(poses) == [(0, 1, 2), (3, 4, 5)]


def test_the_free_ends_of_columns_side_by_side_do_not_join() -> None:
    """Both end on one level, a card's width apart: no column changes its direction."""
    left: list[Pose] = [(0, 35 * step, 0) for step in range(3)]
    right: list[Pose] = [(88, 35 * step + 8, 0) for step in range(3)]
    assert len(columns_of(left + right)) == 2


def test_single_cards_and_a_card_across_make_no_column() -> None:
    assert columns_of([(0, 0, 0), (300, 0, 0), (20, 20, 80)]) == []
    assert find_columns([]) == []


def test_a_faint_card_counts_in_line_with_two_sure_ones() -> None:
    poses: list[Pose] = [(0, 0, 0), (0, 30, 0), (0, 60, 0), (400, 0, 0), (400, 30, 0), (800, 0, 0)]
    sure = np.array([True, False, True, True, False, False])
    cards = [replace(card(*pose), sure=bool(one)) for pose, one in zip(poses, sure, strict=True)]
    kept = in_line_with_sure(cards, find_columns(cards))
    assert kept.tolist() == [True, True, True, True, False, False]
    assert in_line_with_sure([], []).tolist() == []


def seen_at(corners: str, x: float, y: float, *, sure: bool = True) -> Card:
    """Return a card with marks in some of its corners, numbered clockwise from the top left."""
    marks = [[x + dx, y + dy] for dx, dy in ((-40, -58), (40, -58), (40, 58), (-40, 58))]
    shown = np.array([marks[int(corner)] for corner in corners], np.float32)
    return Card(outline(x, y), shown, sure)


def beyond(column: list[Card], jollies: Collection[int] = ()) -> list[int]:
    """Return which cards of a column lie beyond a free card, as indices into the column."""
    are_jollies = np.isin(np.arange(len(column)), list(jollies))
    return np.flatnonzero(
        beyond_free_cards(column, [tuple(range(len(column)))], are_jollies)
    ).tolist()


@pytest.mark.parametrize(
    ("last", "aslant", "dropped"),
    [
        ("02", 0, True),  # the last card shows both ends: nothing lies over it
        ("0", 0, False),
        ("03", 0, False),  # no opposite corners
        ("13", 20, False),  # of a pack with four indices: the corner ahead is covered
        ("0123", 20, True),
    ],
)
def test_a_faint_card_beyond_one_that_nothing_covers_is_none(
    last: str, aslant: float, dropped: bool
) -> None:
    before = [seen_at("0", aslant * at, 30 * at) for at in range(2)]
    end = seen_at(last, aslant * 2, 60)
    faint = seen_at("0", aslant * 3, 90, sure=False)
    assert beyond([*before, end, faint]) == ([3] if dropped else [])
    assert not beyond([*before, end])
    assert not beyond([faint, *before, end])  # nor is one that lies under the first card


def test_only_faint_cards_at_a_free_end_are_dropped() -> None:
    column = [seen_at("0", 0, 0), seen_at("02", 0, 30), seen_at("0", 0, 60)]
    assert not beyond(column)
    assert not beyond([replace(card, sure=False) for card in column])
    assert not beyond([column[1], replace(column[2], sure=False)])


@pytest.mark.parametrize(("marks", "dropped"), [("0", [2]), ("02", [])])
def test_a_jolly_of_one_mark_beyond_a_free_card_is_the_corner_of_a_covered_one(
    marks: str, dropped: list[int]
) -> None:
    column = [seen_at("0", 0, 0), seen_at("02", 0, 30), seen_at(marks, 0, 60)]
    assert beyond(column, jollies=[2]) == dropped
    assert not beyond([column[0], seen_at("0", 0, 30), column[2]], jollies=[2])


def test_marks_in_the_same_corners_tell_how_cards_of_a_column_lie() -> None:
    """The free card of a column also shows its opposite mark, and its outline is off by more than
    half a step: by the outline's middle the card would come before the others.
    """
    moved = Card(outline(0, 20), np.stack([mark(0, 60), mark(0, 60, 180)]).mean(axis=1))
    assert find_columns([card(0, 0), card(0, 30), moved]) == [(0, 1, 2)]
