"""Finds that overlap: marks of two cards, or one mark found twice."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.face_scores import Probabilities, seen_on
from vision.cards.overlapping import (
    RATHER_READ,
    SURELY_READ,
    are_of_two,
    found_once,
    with_marks_of_two,
)
from vision.detector import Detections, DetectorConfig, _merged
from vision.kinds import CARDS, TILES
from vision.pyramid import Picture
from vision.reader import JOKER, FaceScores, Reader

RED: Probabilities = {0: 1.0}
FOUR, SEVEN, TWELVE = 3, 6, 11
MARK = np.array([[0, 0], [20, 0], [20, 30], [0, 30]], np.float32)
NEAR = 8  # pixels aside, so that two marks share 0.6 of their area
PICTURE = np.zeros((9, 9, 3), np.uint8)


def rather(number: int, likely: float) -> Probabilities:
    """A number that is read with this probability, where the rest is another one's."""
    return {number: likely, TWELVE: 1 - likely}


def side_by_side(aside: float, count: int) -> NDArray[np.float32]:
    quads = [MARK + [number * aside, 0] for number in range(count)]
    return np.array(quads, np.float32).reshape(-1, 4, 2)


def found(aside: float, count: int) -> Detections:
    """Finds so far aside of each other, the surest first."""
    return Detections(side_by_side(aside, count), np.linspace(0.9, 0.5, count, dtype=np.float32))


def left(
    aside: float, *numbers: Probabilities, first: int = 1, told: float | None = None
) -> list[int]:
    """Which finds are left, so far aside of each other, of which the `first` ones stay. The reader
    sees the marks so far aside as is `told`, or where they were found.
    """
    quads = side_by_side(aside if told is None else told, len(numbers))
    finds = found(aside, len(numbers))
    return are_of_two(finds, seen_on(quads, numbers, RED), first).tolist()


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        ({FOUR: 1.0}, {SEVEN: 1.0}, True),
        ({FOUR: 1.0}, {FOUR: 1.0}, False),
        ({FOUR: 1.0}, rather(SEVEN, SURELY_READ + 0.01), True),
        ({FOUR: 1.0}, rather(SEVEN, SURELY_READ - 0.01), False),
        (rather(FOUR, SURELY_READ - 0.01), {SEVEN: 1.0}, False),
        (rather(FOUR, SURELY_READ - 0.01), rather(SEVEN, SURELY_READ - 0.01), False),
        ({FOUR: 1.0}, {JOKER: 1.0}, False),
        ({JOKER: 1.0}, {SEVEN: 1.0}, False),
    ],
)
def test_finds_that_overlap_are_of_two_cards_where_both_are_read_and_differ(
    one: Probabilities, other: Probabilities, both: bool
) -> None:
    assert left(NEAR, one, other) == [0, 1][: 1 + both]


@pytest.mark.parametrize(
    ("likely", "both"), [(RATHER_READ + 0.01, True), (RATHER_READ - 0.01, False)]
)
def test_where_the_reader_sees_the_marks_apart_one_may_be_read_less_surely(
    likely: float, both: bool
) -> None:
    assert left(NEAR, {FOUR: 1.0}, rather(SEVEN, likely), told=11) == [0, 1][: 1 + both]
    assert left(NEAR, rather(FOUR, 0.9), rather(SEVEN, likely), told=11) == [0]


def test_what_overlaps_several_differs_from_each() -> None:
    numbers = ({FOUR: 1.0}, {SEVEN: 1.0}, {FOUR: 1.0})
    assert left(NEAR / 2, *numbers) == [0, 1]
    assert left(NEAR, *numbers, first=2) == [0, 1, 2]
    assert left(NEAR, {FOUR: 1.0}, {FOUR: 1.0}, {SEVEN: 1.0}) == [0, 2]


def test_the_surest_of_finds_that_overlap_is_found_once() -> None:
    once, overlapping = found_once(found(NEAR, 4))
    assert once.scores.tolist() == pytest.approx([0.9, 0.6333], abs=1e-4)
    assert overlapping.scores.tolist() == pytest.approx([0.7667, 0.5], abs=1e-4)
    apart = found(15, 3)
    once, overlapping = found_once(apart)
    assert np.array_equal(once.points, apart.points) and not len(overlapping)
    assert [len(part) for part in found_once(found(NEAR, 0))] == [0, 0]


@pytest.mark.parametrize(
    ("most", "scores"), [(None, [0.9, 0.5]), (0.65, [0.9, 0.7, 0.5]), (0.55, [0.9, 0.5])]
)
def test_what_may_be_of_two_faces_is_found_besides(most: float | None, scores: list[float]) -> None:
    told = _merged([found(NEAR, 3)], DetectorConfig(overlap_of_two=most))
    assert told.scores.tolist() == pytest.approx(scores)


def test_finds_of_two_are_kept_of_cards_alone() -> None:
    assert TILES.overlap_of_two is None
    assert CARDS.overlap_of_two and CARDS.overlap_of_two > DetectorConfig.max_overlap


class Reads(Reader):
    """Sees a seven on each find, and notes which faces it was told of."""

    def __init__(self) -> None:
        self.beside: list[FaceScores | None] = []

    def read(
        self, picture: Picture, quads: NDArray[np.float32], beside: FaceScores | None = None
    ) -> FaceScores:
        self.beside.append(beside)
        return seen_on(quads, [{SEVEN: 1.0}] * len(quads), RED)


def test_marks_of_two_cards_are_read_after_the_others_and_follow_them() -> None:
    once, overlapping = found_once(found(NEAR, 2))
    reader, seen = Reads(), seen_on(once.quads, [{FOUR: 1.0}], RED)
    finds, scores = with_marks_of_two(reader, PICTURE, once, seen, overlapping)
    assert reader.beside == [seen]
    assert finds.scores.tolist() == pytest.approx([0.9, 0.5])
    assert scores.number.argmax(axis=1).tolist() == [FOUR, SEVEN]
    assert np.array_equal(scores.quads, finds.quads)


def test_without_finds_that_overlap_nothing_is_read() -> None:
    once, overlapping = found_once(found(15, 2))
    seen = seen_on(once.quads, [{FOUR: 1.0}] * 2, RED)
    finds, scores = with_marks_of_two(reader := Reads(), PICTURE, once, seen, overlapping)
    assert finds is once and scores is seen and not reader.beside
