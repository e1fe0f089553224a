"""Which tiles the reason against a meld is about."""

from __future__ import annotations

import pytest

from engine import judge_meld, notation, ruleset, tiles, with_options
from engine.concerned import tiles_concerned
from engine.reasons import Reason

BURAKO = ruleset("burako")


@pytest.mark.parametrize(
    ("row", "concerned"),
    [
        ("3R 4R", "3R 4R"),
        ("5R 5R 5R 5B", "5R"),
        ("J J 2R", "J J 2R"),
        ("5R 5B J 2K", "J 2K"),
        ("5R 5B 2R J 2K", "2R J 2K"),
        ("2R 3R J 5R 2K", "J 2K"),
        ("3R 4R J 6R 2R", "J 2R"),
        ("3R 4R J 6R 7R 2B 2R", "J 2B"),
        ("3R 4R 5R 6B", "6B"),
        ("3B 4B 5R 6R 7B", "5R 6R"),
        ("5R 5B 5K 6R", "6R"),
        ("5R 6R 6B 5B 9K", "6R 6B 9K"),
        ("3R 4R 6R 9B", "9B"),
        ("3R 3R 4R 5R", "3R 3R"),
        ("3R J 3R 4R 5R", "3R 3R"),
        ("9Y 10Y 11Y 13Y", "12Y"),
        ("10K 12K 1K", "11K 13K"),
        ("1K 3K 6K", "2K 4K 5K"),
        ("1K 2K 4K", "3K"),
        ("1K 2B 3K 6K", "4K 5K"),
        ("6R 7R 8R 10R 11R J 13R", "9R"),
        ("1R J 12R 9R", "10R 11R"),
        ("1B J 12B 11B 8B", "9B 10B"),
        ("4R 6R 8R J", "5R 7R"),
        ("3R J 7R", "4R 5R 6R"),
        ("1R 2R 3R 4R 5R 6R 7R 8R 9R 10R 11R 13R 1R", "12R"),
        ("1R 13R 12R 11R 10R 9R J 7R 6R 5R 3R 2R 1R", "4R"),
        ("1R 2R 3R 4R 5R 6R 7R 8R 9R 10R 11R 12R 1R", "13R"),
        ("1R 2R 3R 4R 5R 6R 8R 9R 10R 11R 12R J 1R", "7R"),
        ("1R J 12R 11R 10R 9R 8R 7R 5R 4R 3R 2R 1R", "6R"),
        ("1R 2R 3R 1R", "1R 1R"),
        ("1R 2R 3R 4R 5R 6R 7R 7R 9R 10R 11R 12R 1R", "1R 7R 7R 1R"),
        ("1R 2R 3R 6R 7R 8R 9R 10R 11R 12R 13R", "4R 5R"),
        ("13R J 11R 10R 9R 6R 5R 4R 3R 2R 1R", "7R 8R"),
        ("9R 10R 11R 12R 13R 1R 2R 3R", "1R"),
        ("1R 2R 3R 13R", "1R"),
        ("2R 3R J 5R 7R", "6R"),
        ("7R 5R J 3R 2R", "6R"),
        ("1R 2R 3R J 5R 7R 8R 9R 10R 11R 12R 13R", "6R"),
        ("2R J 4R 6R", "5R"),
        ("3R J 2R 6R", "J 2R"),
        ("2R 4R 7R J", "2R J"),
        ("2R 3R J 7R 5R", "2R J"),
        ("1R 3R 2R 5R", "4R"),
        ("13R 1R 2R", "1R"),
        ("13R J 2R 3R", "13R J 2R 3R"),
        ("3R 4R 1R 6R", "1R"),
        ("13K 1K J", "J"),
        ("J 1R 2R", "J"),
        ("2R 1B 2B 3B 4B", "2R"),
        ("3Y 4Y 2Y 6Y 7Y 8Y 9Y 10Y 11Y 12Y 13Y 1Y 2R", "2R"),
        ("3R 2R 4R", "3R 2R 4R"),
    ],
)
def test_the_tiles_concerned(row: str, concerned: str) -> None:
    meld = judge_meld(tiles(row), BURAKO)
    assert meld.reason is not None
    assert notation(tiles_concerned(meld.tiles, meld.reason, BURAKO)) == concerned


@pytest.mark.parametrize(
    ("row", "sure", "concerned"),
    [
        ("4R 5K 5R", "", "4R"),
        ("4R 5K 5R", "4R", "5K"),
        ("4R 5K 5R", "4R 5R", "5K"),
        ("4R 5K 5R", "4R 5K 5R", "4R"),
        ("4R 5K", "", "5K"),
        ("3K 5K 6R 8R", "6R 8R", "3K 5K"),
        ("3K 5K 6R 8R", "3K 6R 8R", "3K 5K"),
        ("3K 5K 6K 8R", "8R", "8R"),
        ("4R 4K 5R 6B", "4R 5R 6B", "4K 6B"),
    ],
)
def test_of_two_ways_to_tell_it_the_tiles_that_somebody_said_are_spared(
    row: str, sure: str, concerned: str
) -> None:
    meld = judge_meld(tiles(row), BURAKO)
    reason = Reason.MIXED if meld.reason is Reason.TOO_SHORT else meld.reason
    assert reason is not None
    assert notation(tiles_concerned(meld.tiles, reason, BURAKO, tiles(sure))) == concerned


def test_more_tiles_than_the_table_lets_a_pierna_have() -> None:
    rules = with_options(BURAKO, {"pierna_max": 3})
    meld = judge_meld(tiles("5R 5B 5K 5Y"), rules)
    assert meld.reason is not None
    assert notation(tiles_concerned(meld.tiles, meld.reason, rules)) == "5R 5B 5K 5Y"
