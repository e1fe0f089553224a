"""How the faces of two cards lie from each other in a run."""

from __future__ import annotations

import pytest

from vision.cards.runs import are_next, missed_between_numbers, numbers_between

from .test_marks import surely


@pytest.mark.parametrize(
    ("one", "other", "between"),
    [
        ("4R", "5R", 0),
        ("5R", "3R", 1),
        ("1R", "2R", 0),
        ("1R", "13R", 0),
        ("12R", "1R", 1),
        ("1R", "7R", 5),
        ("8R", "1R", 5),
        ("4R", "4R", None),
        ("4R", "5B", None),
        ("4R", "J", None),
    ],
)
def test_numbers_of_a_run_lie_between_two_of_its_suit(
    one: str, other: str, between: int | None
) -> None:
    faces = surely(one, other)
    assert numbers_between(*faces) == between
    assert are_next(*faces) == (between == 0)


def test_missed_cards_between_numbers_that_lack_one_are_known() -> None:
    faces = surely("8B", "6B", "4B", "3B", "2B", "9B")
    rows = [[0, 6, 1, 7, 2], [3, 8, 4], [9, 5]]
    assert missed_between_numbers(rows, faces) == {0: (0, 1), 1: (1, 2)}
    assert missed_between_numbers([[0, 6, 7, 1]], faces) == {}
