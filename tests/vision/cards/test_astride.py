"""Finds that lie astride two marks of a column are none."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.cards.astride import OF_A_MARK, SHARE, TOGETHER, astride_two

WIDTH, HEIGHT = 20.0, 40.0
UPRIGHT = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)


def at(down: float, turned: bool = False) -> NDArray[np.float32]:
    """A mark, (4, 2), so many of its heights down the picture."""
    quad = UPRIGHT + np.array([0, down * HEIGHT], np.float32)
    return np.roll(quad, 2, axis=0) if turned else quad


def astride(
    quads: list[NDArray[np.float32]], scores: list[float], jollies: tuple[int, ...] = ()
) -> list[int]:
    are_jollies = np.isin(np.arange(len(quads)), jollies)
    found = astride_two(np.array(quads, np.float32), np.array(scores, np.float32), are_jollies)
    return np.flatnonzero(found).tolist()


def test_the_suit_of_a_mark_and_the_rank_of_the_next_are_no_mark() -> None:
    assert astride([at(0), at(1), at(0.5, turned=True)], [0.7, 0.7, 0.75]) == [2]


@pytest.mark.parametrize(
    ("between", "why"),
    [
        (at(0.5), "stands the same way up"),
        (at(1.5, turned=True), "lies on one of them alone"),
        (at(1 - SHARE + 0.02, turned=True), "has too little of the other"),
        (at(0.5, turned=True) + np.array([WIDTH * (1.02 - TOGETHER), 0], "f4"), "lies aside"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_other_finds_stay(between: NDArray[np.float32], why: str) -> None:
    assert astride([at(0), at(1), between], [0.7, 0.7, 0.75]) == [], why


def test_a_find_a_quarter_turn_from_the_marks_stays() -> None:
    """What stands across them is no suit and rank of theirs."""
    across = np.roll(at(0.5), 1, axis=0)
    assert astride([at(0), at(1), across], [0.7, 0.7, 0.75]) == []


@pytest.mark.parametrize("jollies", [(0,), (2,)], ids=["a mark", "the find"])
def test_jollies_tell_nothing(jollies: tuple[int, ...]) -> None:
    quads = [at(0), at(1), at(0.5, turned=True)]
    assert astride(quads, [0.7, 0.7, 0.75], jollies) == []


def test_marks_that_are_too_faint_tell_nothing() -> None:
    quads = [at(0), at(1), at(0.5, turned=True)]
    assert astride(quads, [0.7, OF_A_MARK, 0.2]) == [2]
    assert astride(quads, [0.7, OF_A_MARK - 0.01, 0.2]) == []


def test_of_a_long_column_the_marks_stay() -> None:
    """Each mark but those at the ends lies between two finds that are none."""
    marks, finds = [at(n) for n in range(5)], [at(n + 0.5, turned=True) for n in range(4)]
    assert astride([*marks, *finds], [0.7] * 5 + [0.6] * 4) == [5, 6, 7, 8]


def test_nothing_lies_astride_where_nothing_was_found() -> None:
    assert astride_two(np.zeros((0, 4, 2), "f4"), np.zeros(0, "f4"), np.zeros(0, bool)).shape == (
        0,
    )
