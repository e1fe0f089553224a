"""Live: pairs that are left alone are told as melds that are too short."""

from __future__ import annotations

import pytest

from tests.vision.live.doubles import SETTLED, loose, started, summary


def test_two_tiles_left_alone_are_a_meld_that_is_too_short() -> None:
    table = started(fps=5.0)
    table.lay("9K 10K", 400, 60)
    assert table.play(4) == []
    assert summary(table.play(2)) == [("meld_laid", "9K 10K", False, "too_short")]
    assert table.play(8) == []
    table.lay("11K", 450, 60)
    assert summary(table.play(SETTLED)) == [("tiles_added", "11K", True, None)]
    table.lay("9Y 9B", 400, 200)
    assert len(table.play(6.5)) == 1
    table.lift(400, 200, 2)
    assert [(e.kind, e.legal) for e in table.play(SETTLED)] == [("taken_back", True)]


def test_two_tiles_that_a_third_follows_are_one_meld() -> None:
    table = started(fps=5.0)
    table.lay("9K 10K", 400, 60)
    assert table.play(4) == []
    table.lay("11K", 450, 60)
    assert summary(table.play(SETTLED)) == [("meld_laid", "9K 10K 11K", True, None)]
    assert table.play(6) == []


@pytest.mark.parametrize("wait", [0.8, 2.0, 4.0])
def test_a_pair_that_a_wrong_third_tile_follows_is_told(wait: float) -> None:
    table = started(fps=5.0)
    table.lay("9K 10K", 400, 60)
    assert table.play(wait) == []
    table.lay("4R", 450, 60)
    assert summary(table.play(SETTLED)) == [("meld_laid", "9K 10K 4R", False, "mixed")]
    assert table.play(6) == []
    table.lift(450, 60)
    table.lay("11K", 450, 60)
    assert [(e.kind, e.legal) for e in table.play(SETTLED)] == [("taken_back", True)]


def test_tiles_that_came_one_by_one_or_lie_in_a_heap_are_no_short_meld() -> None:
    table = started(fps=5.0)
    table.lay("9K", 400, 60)
    assert table.play(4) == []
    table.lay("10Y", 425, 60)
    assert table.play(8) == []
    table.lay("1R", 480, 200)
    table.lay("8Y", 480, 250)
    assert table.play(3) == []
    table.lay("12B 4K", 510, 225)
    assert table.play(8) == []


def test_discards_laid_one_by_one_beside_a_resting_hand_are_no_short_meld() -> None:
    table = started(fps=5.0)
    table.hand = (412, 276)
    table.lay("9K", 400, 200)
    assert table.play(4) == []
    table.lay("4R", 425, 200)
    assert table.play(1) == []
    table.hand = None
    assert table.play(7) == []
    assert loose(table) == ["4R", "9K"]


def test_two_tiles_laid_at_once_beside_a_resting_hand_are_a_short_meld() -> None:
    table = started(fps=5.0)
    table.hand = (412, 276)
    table.lay("9K 10K", 400, 200)
    assert table.play(4) == []
    table.hand = None
    assert summary(table.play(7)) == [("meld_laid", "9K 10K", False, "too_short")]
