"""A table that moved in the picture is found again by its tiles, if enough of them are seen."""

from __future__ import annotations

import numpy as np
import pytest

from vision.live.change.alignment import transform_points
from vision.live.settings import LiveConfig
from vision.live.tracking.relocalise import displaces, landmarks_among, relocalise
from vision.live.tracking.tracks import FaceReading, Observation, Track

from .readings import quads_at

CONFIG = LiveConfig()
PLACES = [(0, 0), (30, 5), (160, 0), (10, 90), (120, 100), (220, 60)]
TURN = np.radians(20)
MOTION = np.array(
    [[np.cos(TURN), -np.sin(TURN), 140], [np.sin(TURN), np.cos(TURN), 15], [0, 0, 1]], np.float64
)


def read_as(number: int) -> FaceReading:
    numbers, colours = np.full(15, 1e-6, np.float32), np.full(4, 1e-6, np.float32)
    numbers[number - 1], colours[0] = 1.0, 1.0
    return FaceReading(np.log(numbers), np.log(colours), np.zeros(3))


def table() -> list[Track]:
    """Make tracks of six tiles, the red 1 to 6."""
    return [
        Track(number, quad).with_reading(read_as(number))
        for number, quad in enumerate(quads_at(*PLACES), 1)
    ]


def seen_of(tracks: list[Track]) -> list[Observation]:
    """Return the tiles as seen after MOTION, and a 9 that was never there."""
    moved = [
        Observation(transform_points(track.quad, MOTION), read_as(track.id)) for track in tracks
    ]
    return [*moved, Observation(quads_at((300, 300))[0], read_as(9))]


@pytest.mark.parametrize(("seen", "found"), [(6, True), (3, True), (2, False), (0, False)])
def test_a_table_is_found_by_half_of_its_tiles(seen: int, found: bool) -> None:
    motion = relocalise(table(), seen_of(table()[6 - seen :]), CONFIG.moved_camera)
    assert (motion is not None) is found
    if motion is not None:
        np.testing.assert_allclose(motion / motion[2, 2], MOTION, atol=1.0)
        assert displaces(motion, table(), table()[0].width)


def test_one_tile_alone_never_tells_where_the_table_went() -> None:
    assert relocalise(table(), seen_of(table()[:1]), 0.0) is None


def test_what_one_tile_explains_is_not_lost_again_when_all_are_fitted() -> None:
    """All three lie near where the first one tells, but not near where the motion that fits all
    of them best tells.
    """
    shifts = np.array([[50, 20], [49, 20], [57, 20]])
    seen = [
        Observation((track.quad + shift).astype(np.float32), read_as(track.id))
        for track, shift in zip(table(), shifts, strict=False)
    ]
    motion = relocalise(table()[:3], seen, 1.0)
    assert motion is not None
    np.testing.assert_allclose(motion[:2, 2], [50, 20], atol=2)


def test_a_table_that_lies_as_it_lay_is_not_displaced() -> None:
    nearly = np.array([[1, 0, 0.5], [0, 1, 0], [0, 0, 1]], np.float64)
    assert not displaces(nearly, table(), table()[0].width)


@pytest.mark.parametrize(("sure", "used"), [(4, 4), (3, 3), (2, 6)])
def test_tiles_surely_read_are_the_landmarks_where_there_are_enough(sure: int, used: int) -> None:
    unread = [Track(track.id, track.quad) for track in table()[sure:]]
    assert len(landmarks_among([*table()[:sure], *unread])) == used
