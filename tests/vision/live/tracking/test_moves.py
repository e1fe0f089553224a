"""Which tiles that appeared are tiles that disappeared elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

from vision.live.tracking.moves import (
    EXCHANGED,
    IN_PLACE,
    NEAR_BY,
    REARRANGED,
    SAME_TILE,
    pair_moved,
)
from vision.live.tracking.tracks import FaceReading, Track

WIDTH = 20.0


def track(id: int, widths: float, **faces: float) -> Track:
    """Make the track of a tile `widths` tile widths to the right that was read once; `r5=0.9` says
    how probably it is a 5R.
    """
    left = widths * WIDTH
    quad = np.array([[left, 0], [left + 20, 0], [left + 20, 28], [left, 28]], np.float32)
    number = np.full(15, 1e-7, np.float32)
    for name, share in faces.items():
        number[int(name[1:]) - 1] = share
    number[14] = max(1 - number[:14].sum(), 1e-7)  # unreadable
    colour = np.array([1.0, 1e-6, 1e-6, 1e-6], np.float32)
    reading = FaceReading(np.log(number), np.log(colour), np.zeros(3))
    return Track(id, quad).with_reading(reading)


def paired(gone: list[Track], come: list[Track]) -> dict[int, int]:
    return {new: old.id for new, old in pair_moved(gone, come).items()}


def test_nothing_moved_where_nothing_went_or_came() -> None:
    one = track(1, 0, r5=0.99)
    assert pair_moved([], [one]) == pair_moved([one], []) == {}


def test_tiles_are_known_by_their_faces_and_equal_ones_by_their_places() -> None:
    gone = [track(1, 0, r5=0.99), track(2, 3, r7=0.99), track(3, 6, r5=0.99)]
    come = [track(-1, 40, r7=0.99), track(-2, 45, r5=0.99), track(-3, 41, r5=0.99)]
    assert paired(gone, come) == {0: 2, 2: 3, 1: 1}
    assert paired(gone[:1], come) == {2: 1}  # the nearer one of two alike


@pytest.mark.parametrize(
    ("widths", "others", "least"),
    [
        (NEAR_BY + 1, 0, SAME_TILE),
        (NEAR_BY - 1, 0, REARRANGED),
        (NEAR_BY - 1, 1, SAME_TILE),  # another tile went as well: the row was not laid anew
        (0.9 * IN_PLACE, 0, EXCHANGED),
        (1.1 * IN_PLACE, 0, REARRANGED),
    ],
)
def test_how_surely_it_must_be_the_same_face(widths: float, others: int, least: float) -> None:
    """The nearer a new tile lies to the place of a gone one, the less surely it must show the same
    face; but with other tiles gone from that place it must show it more surely.
    """
    gone = [track(1, 0, r5=1.0), *(track(2, 90, r9=1.0) for _ in range(others))]
    assert paired(gone, [track(-1, widths, r5=1.15 * least, r6=0.5)]) == {0: 1}
    assert paired(gone, [track(-1, widths, r5=0.85 * least, r6=0.5)]) == {}


def test_the_likelier_pair_comes_before_the_nearer_one() -> None:
    gone = [track(1, 0, r5=0.5, r6=0.4), track(2, 5, r5=0.99)]
    assert paired(gone, [track(-1, 1, r5=0.99)]) == {0: 2}
