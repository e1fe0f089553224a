"""Two tiles laid together count as a meld that is too short once they are left alone."""

from __future__ import annotations

import pytest

from vision.live.table.pairs import PairTimer

LEFT_ALONE, LAID_TOGETHER = 5.0, 2.0  # seconds


@pytest.fixture
def timer() -> PairTimer:
    """Make a timer for which tracks 1 and 2 were laid ten seconds after the start."""
    one = PairTimer(LEFT_ALONE, LAID_TOGETHER)
    one.note_laid({1: 10.0, 2: 10.0}, 10.0)
    one.update([(1, 2)], 10.0)
    return one


def test_a_pair_left_alone_is_due_once(timer: PairTimer) -> None:
    assert timer.take_due(14.9) == []
    assert timer.take_due(15.0) == [(1, 2)]
    assert timer.take_due(20.0) == []


def test_a_pair_is_waited_for_from_when_it_was_seen_first_in_whatever_order(
    timer: PairTimer,
) -> None:
    timer.update([(2, 1)], 13.0)
    assert timer.take_due(14.9) == []
    assert timer.take_due(15.0) == [(2, 1)]


def test_the_tiles_of_a_pair_wait_until_it_is_judged(timer: PairTimer) -> None:
    assert timer.waiting == {1, 2}
    timer.take_due(15.0)
    assert timer.waiting == set()


def test_rows_of_other_lengths_are_no_pairs_and_hide_none_behind_them(timer: PairTimer) -> None:
    timer.note_laid(dict.fromkeys([3, 4, 5, 6, 7], 10.5), 10.5)
    timer.update([(3,), (4, 5, 6), (2, 1), (7,)], 11.0)
    assert timer.take_due(99.0) == [(2, 1)]


def test_a_pair_that_is_a_pair_no_more_is_forgotten(timer: PairTimer) -> None:
    timer.update([(1, 2, 3)], 11.0)
    timer.note_laid({3: 13.0}, 13.0)
    timer.update([(1, 2)], 14.0)  # they were laid too long ago to be a new one
    assert timer.take_due(99.0) == []


@pytest.mark.parametrize(("second", "together"), [(12.0, True), (12.1, False)])
def test_tiles_laid_one_after_the_other_are_no_pair(second: float, together: bool) -> None:
    timer = PairTimer(LEFT_ALONE, LAID_TOGETHER)
    timer.note_laid({1: 10.0}, 10.0)
    timer.note_laid({2: second}, second)
    timer.update([(1, 2), (1, 9)], second)
    assert timer.take_due(99.0) == ([(1, 2)] if together else [])


@pytest.mark.parametrize(("second", "together"), [(12.0, True), (12.1, False)])
def test_tiles_confirmed_together_are_no_pair_if_one_was_seen_long_before_the_other(
    second: float, together: bool
) -> None:
    timer = PairTimer(LEFT_ALONE, LAID_TOGETHER)
    timer.note_laid({1: 10.0, 2: second}, 16.0)
    timer.update([(1, 2)], 16.0)
    assert timer.take_due(99.0) == ([(1, 2)] if together else [])


def test_tiles_seen_together_long_ago_are_a_pair_if_they_are_confirmed_together() -> None:
    timer = PairTimer(LEFT_ALONE, LAID_TOGETHER)
    timer.note_laid({1: 10.0}, 16.0)
    timer.note_laid({2: 10.0}, 18.0)
    timer.update([(1, 2)], 18.0)
    assert timer.take_due(99.0) == [(1, 2)]
