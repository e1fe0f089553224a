"""What is known of one tile over many looks."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from engine.tiles import Tile
from tests.vision.live.tracking.readings import FACE, quads_at, read_as_5r
from vision.live.tracking.look import aligned
from vision.live.tracking.moves import pair_moved
from vision.live.tracking.tracks import Track


def test_all_looks_at_a_tile_count_alike() -> None:
    track = Track(1, FACE)
    for sure in (0.9, 0.4, 0.9):
        track = track.with_reading(read_as_5r(sure))
    reading = track.mean_reading
    assert reading.number.argmax() == 4 and 0.7 < np.exp(reading.number[4]) < 0.9
    assert track.looks == 3 and np.exp(reading.scores).sum() < 1


def test_many_looks_that_say_the_same_say_no_more_than_one() -> None:
    track, reading = Track(1, FACE), read_as_5r(0.6)
    for _ in range(4):
        track = track.with_reading(reading)
    once = Track(1, FACE).with_reading(reading).mean_reading
    for name in ("number", "colour", "ink"):
        np.testing.assert_allclose(
            getattr(track.mean_reading, name), getattr(once, name), atol=1e-5
        )


def test_a_tile_that_moved_keeps_its_identity_and_all_that_is_known_of_it() -> None:
    (there,) = quads_at((60, 0))
    origin = Track(7, FACE, user_label=Tile(5, "R")).with_reading(read_as_5r(0.9))
    seen = Track(-1, there).with_reading(read_as_5r(0.8))
    assert pair_moved([origin], [seen]) == {0: origin}
    moved = seen.as_moved_from(origin)
    assert (moved.id, moved.looks, moved.user_label) == (7, 2, Tile(5, "R"))
    assert moved.quad is there
    assert np.array_equal(moved.number, seen.number + origin.number)


def test_a_track_is_replaced_never_changed() -> None:
    track = Track(1, FACE)
    with pytest.raises(FrozenInstanceError):
        track.looks = 2  # type: ignore[misc]
    assert track.with_reading(None) is track
    assert track.at(FACE + 5).width == pytest.approx(track.width) == 20


@pytest.mark.parametrize("turn", range(4))
def test_corners_are_counted_from_where_the_tile_begins_to_read(turn: int) -> None:
    turned = np.roll(FACE, turn, axis=0)
    assert np.array_equal(aligned(turned, like=FACE), FACE)
