"""Rows of tracks: jitter of the quads neither breaks nor joins melds that nobody touched."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.live.table.rows import (
    find_heaped,
    find_heaped_at_start,
    is_same_row,
    regroup,
    reordered,
)
from vision.live.tracking.tracks import Track

WIDTH, HEIGHT = 30.0, 42.0


def quad(x: float, y: float = 0.0) -> NDArray[np.float32]:
    return np.array([[x, y], [x + WIDTH, y], [x + WIDTH, y + HEIGHT], [x, y + HEIGHT]], np.float32)


def row(
    ids: list[int], x: float, y: float = 0.0, step: float = 31.0
) -> dict[int, NDArray[np.float32]]:
    return {id: quad(x + step * place, y) for place, id in enumerate(ids)}


def test_rows_and_single_tiles_are_found() -> None:
    quads = row([1, 2, 3], 0) | row([4, 5], 300, 80) | {6: quad(600, 300)}
    assert sorted(regroup(quads, [], set(quads))) == [(1, 2, 3), (4, 5), (6,)]


def test_a_widened_gap_does_not_break_an_untouched_meld() -> None:
    quads = row([1, 2], 0) | row([3, 4], 80)
    assert sorted(regroup(quads, [], set(quads))) == [(1, 2), (3, 4)]
    assert regroup(quads, [(1, 2, 3, 4)], set()) == [(1, 2, 3, 4)]
    assert regroup(quads, [(4, 3, 2, 1)], set()) == [(4, 3, 2, 1)]


def test_a_narrowed_gap_does_not_join_two_untouched_melds() -> None:
    quads = row([1, 2, 3], 0) | row([4, 5, 6], 95)
    assert regroup(quads, [], set(quads)) == [(1, 2, 3, 4, 5, 6)]
    assert sorted(regroup(quads, [(1, 2, 3), (4, 5, 6)], set())) == [(1, 2, 3), (4, 5, 6)]


def test_a_tile_laid_between_two_melds_joins_them() -> None:
    quads = row([1, 2, 3, 7, 4, 5, 6], 0)
    assert regroup(quads, [(1, 2, 3), (4, 5, 6)], {7}) == [(1, 2, 3, 7, 4, 5, 6)]


def test_a_tile_taken_from_the_middle_leaves_one_meld() -> None:
    quads = row([1, 2], 0) | row([4, 5], 93)
    assert regroup(quads, [(1, 2, 3, 4, 5)], set()) == [(1, 2, 4, 5)]


@pytest.mark.parametrize(
    ("places", "kept"),
    [
        ({5: (145.0, 0.0)}, True),
        ({4: (115.0, 0.0), 5: (146.0, 0.0)}, True),
        ({3: (83.0, 0.0), 4: (114.0, 0.0), 5: (145.0, 0.0)}, True),
        ({2: (31.0, 25.0)}, True),
        ({1: (-25.0, 10.0)}, True),
        ({5: (160.0, 0.0)}, False),  # more than a tile's width away
        ({2: (31.0, 43.0)}, False),  # no longer in line with the row
        ({1: (174.0, 0.0)}, False),  # at the other end
    ],
)
def test_tiles_pushed_a_little_stay_in_their_meld(
    places: dict[int, tuple[float, float]], kept: bool
) -> None:
    meld = (1, 2, 3, 4, 5)
    quads = row(list(meld), 0) | {track: quad(*place) for track, place in places.items()}
    assert (regroup(quads, [meld], set(places)) == [meld]) == kept
    assert meld not in regroup(quads, [(*meld, 6)], set(places))  # its sixth tile is gone


def test_a_meld_that_was_parted_is_two() -> None:
    quads = row([1, 2, 3], 0) | row([4, 5, 6], 115)
    melds = [(1, 2, 3, 4, 5, 6)]
    assert sorted(regroup(quads, melds, {4, 5, 6})) == [(1, 2, 3), (4, 5, 6)]


def test_a_row_read_from_the_other_side_is_the_same() -> None:
    assert is_same_row((1, 2, 3), (3, 2, 1))
    assert not is_same_row((1, 2, 3), (2, 1, 3))


def test_the_wild_is_what_left_its_place() -> None:
    assert reordered((1, 2, 3, 4), (2, 3, 4, 1)) == (1,)
    # Read from the other side, three kept their order.
    assert reordered((1, 2, 3, 4), (1, 4, 3, 2)) == (1,)
    assert reordered((1, 2, 3), (9, 1, 2, 3)) == ()


def test_a_tile_among_loose_ones_of_other_rows_lies_in_a_heap() -> None:
    """Of three loose tiles the first lies 2.1 widths from both others, which are 3 apart."""
    places = {1: (600, 400), 2: (663, 400), 3: (600, 463), 4: (900, 400), 5: (931, 400)}
    tracks = {id: Track(id, quad(*place)) for id, place in places.items()}
    rows = [(1,), (2,), (3,), (4, 5)]
    assert find_heaped_at_start(tracks, rows) == {1}
    assert find_heaped(tracks, [1, 2], rows) == set()
    assert find_heaped(tracks, [], rows) == set()
    near = tracks | {3: Track(3, quad(632, 440))}
    assert find_heaped_at_start(near, rows) == {1, 2, 3}
    assert find_heaped_at_start(near, [(1, 2, 3), (4, 5)]) == set()


@given(st.permutations(range(6)), st.permutations(range(6)))
def test_what_is_kept_has_kept_its_order(before: list[int], after: list[int]) -> None:
    moved = reordered(tuple(before), tuple(after))
    kept = [i for i in after if i not in moved]
    ways = [[i for i in one if i in kept] for one in (before, before[::-1])]
    assert kept in ways
