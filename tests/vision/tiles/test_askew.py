"""Faces whose corners the detector gave wrongly are found in the right quads."""

from __future__ import annotations

import json

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.tiles import Tile
from tests.places import SAMPLES
from vision.frame import Frame, load
from vision.quads import across, down, drawn
from vision.reader import FaceScores, Reader
from vision.tiles.askew import CONFIG, _are_apart, with_corners_found

RACK = next(
    line
    for line in json.loads((SAMPLES / "hand.json").read_text("utf-8"))["photos"]
    if line.get("place") == "rack"
)
FACES = np.array([tile["corners"] for tile in RACK["tiles"]], np.float32)  # (n, 4, 2)
NUMBERS = [Tile.parse(tile["tile"]).number for tile in RACK["tiles"]]
LIMIT = CONFIG.legible
FAR = 0.25  # widths of a face by which a corner may be off


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


@pytest.fixture(scope="module")
def frame() -> Frame:
    return load(SAMPLES / RACK["photo"])


def sheared(quads: NDArray[np.float32], share: float) -> NDArray[np.float32]:
    """Return the quads (n, 4, 2) with their lower sides moved along by a share of their width."""
    wide = across(quads)
    return drawn(quads.mean(axis=1), wide, down(quads) + share * wide)


def read_and_searched(
    reader: Reader, frame: Frame, quads: NDArray[np.float32], score: float = 0.9
) -> tuple[FaceScores, FaceScores]:
    """Return what the reader reads at quads (n, 4, 2) that a detector found with this score, before
    the search for better corners and after it.
    """
    before = reader.read(frame.pixels, quads)
    scores = np.full(len(quads), score, np.float32)
    return before, with_corners_found(reader, frame.pixels, quads, scores, before)


def read_numbers(scores: FaceScores) -> list[int]:
    return [int(number) + 1 for number in scores.number.argmax(axis=1)]


def furthest_off(scores: FaceScores) -> float:
    """Return how far the worst corner of all faces is from its true place, in widths of the first
    face.
    """
    apart = np.linalg.norm(scores.quads - FACES, axis=2).max()
    return float(apart / np.linalg.norm(across(FACES[:1])))


@pytest.mark.parametrize("score", [0.45, 0.9], ids=["unsure", "sure"])
@pytest.mark.parametrize("share", [-0.8, 0.8])
def test_where_all_lean_wrongly_all_are_read(
    reader: Reader, frame: Frame, share: float, score: float
) -> None:
    """The detector is unsure of what leans much: a face that is surely read tells how the others
    look all the same.
    """
    before, after = read_and_searched(reader, frame, sheared(FACES, share), score)
    assert before.legible.max() < LIMIT
    assert after.legible.min() > LIMIT
    assert read_numbers(after) == NUMBERS
    assert furthest_off(after) < FAR


def test_the_shape_of_a_sure_neighbour_helps(reader: Reader, frame: Frame) -> None:
    quads = FACES.copy()
    quads[2] = sheared(FACES[2:3], -0.8)[0]
    before, after = read_and_searched(reader, frame, quads)
    assert np.flatnonzero(before.legible < LIMIT).tolist() == [2]
    assert read_numbers(after) == NUMBERS
    assert furthest_off(after) < FAR


def test_what_is_surely_read_stays(reader: Reader, frame: Frame) -> None:
    before, after = read_and_searched(reader, frame, FACES)
    assert before.legible.min() > LIMIT
    np.testing.assert_array_equal(after.quads, before.quads)
    np.testing.assert_array_equal(after.number, before.number)


def test_no_face_is_seen_where_there_is_none(reader: Reader, frame: Frame) -> None:
    rng = np.random.default_rng(5)
    height, width = frame.pixels.shape[:2]
    middles = rng.uniform((60, 60), (width - 60, height - 60), (200, 2)).astype(np.float32)
    away = np.linalg.norm(middles[:, None] - FACES.mean(axis=1), axis=2).min(axis=1)
    middles = middles[away > 1.1 * np.linalg.norm(FACES[0, 2] - FACES[0, 0])][:12]
    blank = middles[:, None] + FACES[:1] - FACES[:1].mean(axis=1, keepdims=True)
    quads = np.concatenate([blank, FACES])  # the search begins with what comes first
    before, after = read_and_searched(reader, frame, quads)
    np.testing.assert_array_equal(after.quads, before.quads)
    assert after.legible[: len(blank)].max() < 0.5


@pytest.mark.parametrize("face", [2, 4])
def test_a_find_beside_a_sure_face_does_not_end_on_it(
    reader: Reader, frame: Frame, face: int
) -> None:
    sure = FACES[face : face + 1]
    away = 0.32 * across(sure) - 0.39 * down(sure)
    quads = np.concatenate([FACES, sheared(sure, 0.58) + away[:, None]])
    before, after = read_and_searched(reader, frame, quads)
    assert before.legible[:-1].min() > LIMIT
    np.testing.assert_array_equal(after.quads, before.quads)
    assert after.legible[-1] < 0.5


def test_of_finds_that_end_on_one_face_the_first_counts() -> None:
    aside = 0.4 * across(FACES[:1])[:, None]
    quads = np.concatenate([FACES[:1], FACES[:1] + aside, FACES[1:2], FACES[:1] + 2 * aside])
    assert _are_apart(quads, FACES[4:]).tolist() == [True, False, True, False]
    assert _are_apart(quads[:2], FACES[:1]).tolist() == [False, False]


@pytest.mark.parametrize("share", [-0.8, 0.8])
def test_what_the_detector_hardly_saw_is_left(reader: Reader, frame: Frame, share: float) -> None:
    quads = sheared(FACES, share)
    before = reader.read(frame.pixels, quads)
    faint = np.full(len(quads), CONFIG.score - 0.01, np.float32)
    after = with_corners_found(reader, frame.pixels, quads, faint, before)
    np.testing.assert_array_equal(after.quads, before.quads)
