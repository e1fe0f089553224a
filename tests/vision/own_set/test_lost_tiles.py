"""Numbers that a row lacks are told by its digits where no gap shows them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.own_set.lost_tiles import places_by_digits

AS_SEEN = list(range(13))


def digits(*numbers: int | None, surely: float = 0.97) -> NDArray[np.float32]:
    """Return what a reader says of thirteen places: these numbers, nothing where it is None."""
    log = np.full((13, 15), np.log((1 - surely) / 14), np.float32)
    for place, number in enumerate(numbers):
        log[place, 14 if number is None else number - 1] = np.log(surely)
    return log


def there(*places: int) -> NDArray[np.bool_]:
    return np.isin(np.arange(13), places)


@pytest.mark.parametrize("lost", range(1, 14))
@pytest.mark.parametrize("side", ["left", "right"])
def test_a_lost_tile_is_told_by_the_digits_after_it(lost: int, side: str) -> None:
    left = [number for number in range(1, 14) if number != lost]
    seen = [*left, None] if side == "left" else [None, *left]
    present = there(*[place for place, number in enumerate(seen) if number])
    order = places_by_digits(digits(*seen), present)
    assert [seen[place] for place in order] == [
        number if number != lost else None for number in range(1, 14)
    ]


def test_two_lost_tiles_are_told() -> None:
    seen = (1, 2, 4, 5, 6, 7, 8, 9, 11, 12, 13, None, None)
    order = places_by_digits(digits(*seen), there(*range(11)))
    told = [seen[place] for place in order]
    assert told == [1, 2, None, 4, 5, 6, 7, 8, 9, None, 11, 12, 13]


def test_a_whole_row_stays_whatever_its_digits_say() -> None:
    backwards = digits(*range(13, 0, -1))
    assert places_by_digits(backwards, there(*range(13))).tolist() == AS_SEEN


def test_a_row_whose_gap_shows_the_lost_tile_stays() -> None:
    seen = digits(1, 2, 3, 4, None, 6, 7, 8, 9, 10, 11, 12, 13)
    assert places_by_digits(seen, there(0, 1, 2, 3, *range(5, 13))).tolist() == AS_SEEN


def test_digits_that_are_hardly_read_do_not_count() -> None:
    seen = (1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, None)
    unsure = digits(*seen, surely=0.3)
    assert places_by_digits(unsure, there(*range(12))).tolist() == AS_SEEN
    strange = digits(1, 1, 4, 4, 1, 7, 4, 7, 11, 11, 11, 1, None)
    assert places_by_digits(strange, there(*range(12))).tolist() == AS_SEEN
