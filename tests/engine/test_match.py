"""The tally: totals, who wins and when, and hands that come after the end of the match."""

from __future__ import annotations

import pytest

from engine import Tally, tally


def hands(*scores: tuple[int, int]) -> list[dict]:
    return [{"A": a, "B": b} for a, b in scores]


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([], Tally({"A": 0, "B": 0})),
        ([(600, 700)], Tally({"A": 600, "B": 700})),
        ([(600, 1000)], Tally({"A": 600, "B": 1000}, "B", 1)),
        ([(1200, 1100)], Tally({"A": 1200, "B": 1100}, "A", 1)),
        ([(1100, 1100)], Tally({"A": 1100, "B": 1100})),
        ([(1100, 1100), (-50, -60)], Tally({"A": 1050, "B": 1040}, "A", 2)),
        ([(999, -300)], Tally({"A": 999, "B": -300})),
    ],
)
def test_the_higher_total_at_or_over_the_target_wins(scores: list, expected: Tally) -> None:
    result = tally(hands(*scores), 1000)
    assert result == expected
    assert result.finished == (expected.winner is not None)


def test_a_hand_after_the_finish_is_refused() -> None:
    with pytest.raises(ValueError, match=r"no hand after hand 1, which finished .* got 2 hands"):
        tally(hands((1000, 0), (5, 5)), 1000)
