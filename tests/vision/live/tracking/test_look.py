"""What one look at the table says of the known tiles."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.live.tracking.readings import FACE, quads_at, read_as_5r
from vision.detector import Detections
from vision.live.pictures import RGB
from vision.live.settings import LiveConfig
from vision.live.tracking.look import (
    SMOOTHING,
    aligned,
    compare,
    nearest_tracks,
    observe,
    refreshed,
    stacked,
)
from vision.live.tracking.tracks import FaceReading, Observation, Track
from vision.quads import Quad
from vision.reader import FaceScores

CONFIG = LiveConfig()
WIDTH = 20.0  # pixels of FACE


def tracks_at(*places: tuple[float, float]) -> list[Track]:
    """Make tracks of tiles that were surely read as a 5R."""
    return [
        Track(at, quad).with_reading(read_as_5r(0.99))
        for at, quad in enumerate(quads_at(*places), 1)
    ]


def read_as_6r(sure: float) -> FaceReading:
    five = read_as_5r(sure)
    return replace(five, number=np.roll(five.number, 1))


@dataclass
class Diff:
    """Stands in for a FrameDiff: it says of every place what the test wants."""

    gone: bool = False
    stirred: bool = False

    def may_be_gone(self, quad: Quad) -> bool:
        return self.gone

    def is_stirred(self, quad: Quad) -> bool:
        return self.stirred


def looked(observation: Observation | None, **differs: bool) -> str:
    """Compare one look with one known tile; return in words whether it is `matched` or `missing`
    and whether something `new` is seen.
    """
    diff: Any = Diff(**differs)
    look = compare([observation] if observation else [], tracks_at((0, 0)), diff, CONFIG)
    words = ["matched"] * (1 in look.matched) + ["missing"] * (1 in look.missing)
    return " ".join([*words, *(["new"] if look.new else [])])


@pytest.mark.parametrize(
    ("reading", "differs", "said"),
    [
        (None, {}, "matched"),  # the detector alone saw it
        (read_as_5r(0.9), {"gone": True, "stirred": True}, "matched"),
        (read_as_6r(0.9), {}, "matched"),  # nothing differs: the reading is what is wrong
        (read_as_6r(0.9), {"stirred": True}, "missing new"),
        (read_as_6r(0.65), {"stirred": True}, "matched"),  # not surely another one
        (read_as_6r(0.65), {"stirred": True, "gone": True}, "missing"),
        (read_as_6r(0.5), {"gone": True}, "matched"),  # it may still be the 5R
    ],
)
def test_a_tile_is_where_it_was_unless_its_place_and_its_face_say_otherwise(
    reading: FaceReading | None, differs: dict[str, bool], said: str
) -> None:
    assert looked(Observation(FACE, reading), **differs) == said


def test_a_tile_that_is_not_found_is_missing_only_where_its_place_differs() -> None:
    assert looked(None) == ""
    assert looked(None, gone=True) == "missing"
    far = Observation(quads_at((0.4 * WIDTH, 0))[0], None)
    assert looked(far) == "new"
    assert looked(far, gone=True) == "missing new"


def test_each_face_belongs_to_the_nearest_track_within_reach() -> None:
    tracks = tracks_at((0, 0), (20, 0), (100, 0))
    quads = np.stack(quads_at((16, 0), (3, 0), (130, 0)))
    found = nearest_tracks(quads, tracks, 0.35)
    assert {at: track.id for at, track in found.items()} == {0: 2, 1: 1}
    assert {at: track.id for at, track in nearest_tracks(quads, tracks, 1.6).items()} == {
        0: 2,
        1: 1,
        2: 3,
    }
    exactly = np.stack(quads_at((100 + 0.5 * WIDTH, 0)))
    assert list(nearest_tracks(exactly, tracks, 0.5)) == [0]
    assert nearest_tracks(quads[:0], tracks, 9.0) == nearest_tracks(quads, [], 9.0) == {}


@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_corners_are_counted_as_those_of_the_known_tile(turns: int) -> None:
    (beside,) = quads_at((2, 1))
    np.testing.assert_array_equal(aligned(np.roll(beside, turns, axis=0), like=FACE), beside)


def turned_by(degrees: float, squeezed: float = 1.0) -> Quad:
    """Turn FACE about its middle, as a camera sees it that shortens heights to `squeezed`."""
    angle = np.radians(degrees)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    middle = FACE.mean(axis=0)
    return np.asarray(((FACE - middle) @ turn) * [1, squeezed] + middle, np.float32)


@pytest.mark.parametrize(("degrees", "rolled"), [(30, 0), (80, 1), (-80, 3)])
def test_corners_of_a_tile_that_was_turned_far_are_counted_anew(degrees: int, rolled: int) -> None:
    """Which corner is its first nothing tells but the known tile, from which it turned least."""
    turned = turned_by(degrees)
    np.testing.assert_array_equal(aligned(turned, like=FACE), np.roll(turned, rolled, axis=0))


@pytest.mark.parametrize("squeezed", [1.0, 0.5])
@pytest.mark.parametrize("degrees", [-150, -90, -60, -25, 25, 60, 90, 150])
@pytest.mark.parametrize("read_turned", [0, 1, 2, 3])
def test_a_tile_turned_in_its_place_lies_at_once_as_it_was_turned(
    degrees: float, squeezed: float, read_turned: int
) -> None:
    track = Track(1, turned_by(0, squeezed)).with_reading(read_as_5r(0.9))
    quad = turned_by(degrees, squeezed)
    seen = Observation(np.roll(quad, read_turned, axis=0), read_as_5r(0.9))
    found = refreshed(track, seen, CONFIG).quad
    assert any(np.array_equal(found, np.roll(quad, half, axis=0)) for half in (0, 2))


@pytest.mark.parametrize("degrees", [-180, -10, 0, 10, 180])
def test_a_tile_that_was_not_turned_follows_slowly(degrees: float) -> None:
    track = Track(1, FACE).with_reading(read_as_5r(0.9))
    found = refreshed(track, Observation(turned_by(degrees), read_as_5r(0.9)), CONFIG).quad
    assert np.abs(found - FACE).max() < 0.4 * np.abs(turned_by(10) - FACE).max()


def test_quads_are_stacked_be_there_none() -> None:
    np.testing.assert_array_equal(stacked([FACE, FACE]), [FACE, FACE])
    assert stacked([]).shape == (0, 4, 2)


def test_a_tile_at_rest_follows_slowly_and_learns_what_does_not_contradict_it() -> None:
    (track,), (beside,) = tracks_at((0, 0)), quads_at((4, 0))
    expected = FACE + SMOOTHING * np.array([4, 0], np.float32)
    read = refreshed(track, Observation(beside, read_as_5r(0.9)), CONFIG)
    other = refreshed(track, Observation(beside, read_as_6r(0.9999)), CONFIG)
    unread = refreshed(track, Observation(beside, None), CONFIG)
    assert (read.looks, other.looks, unread.looks) == (2, 1, 1)
    for moved in (read, other, unread):
        np.testing.assert_allclose(moved.quad, expected, atol=1e-4)
    narrow = beside.copy()
    narrow[:, 0] = (narrow[:, 0] - 34) / 2 + 34  # a detector's half-seen find about the same middle
    kept = refreshed(track, Observation(narrow, None), CONFIG)
    np.testing.assert_allclose(kept.quad, expected, atol=1e-4)
    shrunk = refreshed(track, Observation(narrow, read_as_5r(0.9)), CONFIG)
    assert shrunk.width < kept.width - 0.5


class AskedEyes:
    """Stands in for the networks: finds faces at the given quads, reads every face as a 5R, and
    notes which faces were read.
    """

    def __init__(self, quads: list[Quad]) -> None:
        self.quads, self.asked = quads, [np.zeros(2)]

    def detect(self, picture: RGB) -> Detections:
        return Detections(np.stack(self.quads), np.full(len(self.quads), 0.95, np.float32))

    def read(self, picture: RGB, quads: NDArray[np.float32]) -> FaceScores:
        self.asked = [quad[0] for quad in quads]
        five = read_as_5r(0.99)
        number, colour = (np.tile(part, (len(quads), 1)) for part in (five.number, five.colour))
        crops = np.zeros((len(quads), 64, 48, 3), np.uint8)
        flat = np.zeros((len(quads), 8), np.float32)
        return FaceScores(number, colour, flat[:, :4], quads, crops, flat, flat)


@pytest.mark.parametrize(
    ("how", "stirred", "asked"),
    [
        ({}, False, [5, 6, 3, 2, 4]),  # both new ones, and known ones near them
        ({"read_all": True}, False, [0, 1, 2, 3, 4, 5, 6]),
        ({}, True, [0, 1, 2, 3, 4, 5, 6]),
    ],
)
def test_new_faces_are_read_and_with_them_the_known_ones_beside_them(
    how: dict[str, bool], stirred: bool, asked: list[int]
) -> None:
    places = [(30.0 * at, 0.0) for at in range(7)]
    eyes = AskedEyes(quads_at(*places))
    often_read = [replace(track, looks=CONFIG.looks) for track in tracks_at(*places[:5])]
    diff: Any = Diff(stirred=stirred)
    picture = np.zeros((100, 300, 3), np.uint8)
    seen = observe(eyes, picture, often_read, diff, CONFIG, np.eye(3), **how)
    found = [round(float(x - FACE[0, 0]) / 30) for x, _y in eyes.asked]
    assert found[:2] == asked[:2] and sorted(found) == sorted(asked)
    was_read = [observation.reading is not None for observation in seen]
    assert was_read == ([True] * 7 if how or stirred else [False] * 5 + [True] * 2)
