"""How the faces of two cards lie from each other in a run."""

from __future__ import annotations

import pytest

from vision.cards.runs import are_next, numbers_between

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
