"""Tiles of a row that lie in each other's places are told by their digits."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.own_set.swapped_tiles import places_of_swapped

AS_SEEN = list(range(13))
EVERYWHERE = np.ones(13, bool)


def log(chosen: list[int], count: int, surely: float = 0.97) -> NDArray[np.float32]:
    """Return log-probabilities (n, count) of which the `chosen` ones are so probable."""
    scores = np.full((len(chosen), count), np.log((1 - surely) / (count - 1)), np.float32)
    scores[np.arange(len(chosen)), chosen] = np.log(surely)
    return scores


def order(*numbers: int, upside_down: tuple[int, ...] = (), surely: float = 0.97) -> list[int]:
    """Return the places of a row in which a reader sees `numbers`."""
    turn = log([2 if at in upside_down else 0 for at in range(13)], 4)
    seen = log([number - 1 for number in numbers], 15, surely)
    return places_of_swapped(seen, turn, EVERYWHERE).tolist()


@pytest.mark.parametrize("pair", [(6, 9), (1, 13), (7, 8)])
def test_two_tiles_in_each_others_places_are_told_by_their_digits(pair: tuple[int, int]) -> None:
    seen = list(range(1, 14))
    one, other = (number - 1 for number in pair)
    seen[one], seen[other] = seen[other], seen[one]
    assert [seen[place] for place in order(*seen)] == list(range(1, 14))


def test_three_tiles_that_changed_places_are_told() -> None:
    seen = (1, 3, 4, 2, 5, 6, 7, 8, 9, 10, 11, 12, 13)
    assert [seen[place] for place in order(*seen)] == list(range(1, 14))


@pytest.mark.parametrize(
    "seen",
    [
        (1, 2, 3, 4, 5, 6, 8, 8, 9, 10, 11, 12, 13),  # one digit looks like another number's
        (2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 11, 12, 13),  # the row has another order
    ],
)
def test_tiles_that_are_not_simply_swapped_stay(seen: tuple[int, ...]) -> None:
    assert order(*seen) == AS_SEEN


def test_digits_that_are_not_surely_read_do_not_count() -> None:
    assert order(1, 2, 3, 4, 5, 9, 7, 8, 6, 10, 11, 12, 13, surely=0.8) == AS_SEEN


def test_a_6_and_a_9_that_are_read_upside_down_stay() -> None:
    """The digits of such a set stand at the tiles' lower edge."""
    seen = (1, 2, 3, 4, 5, 9, 7, 8, 6, 10, 11, 12, 13)
    assert order(*seen, upside_down=(5, 8)) == AS_SEEN


def test_another_number_counts_in_any_direction() -> None:
    seen = (1, 2, 3, 4, 5, 6, 8, 7, 9, 10, 11, 12, 13)
    assert order(*seen, upside_down=(6, 7)) == [0, 1, 2, 3, 4, 5, 7, 6, 8, 9, 10, 11, 12]
