"""What is looked at again, what is seen there, and what it changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.face_scores import log_probabilities, seen_on
from tests.places import SAMPLES
from vision.detector import Detections, Detector
from vision.frame import load
from vision.modelfile import MANIFEST, default_folder
from vision.own_set.knowledge import OwnSet
from vision.pyramid import RGB
from vision.reader import (
    JOKER,
    NINE,
    SIX,
    UNREADABLE,
    FaceScores,
    Reader,
)
from vision.reading import Doubt, Layout
from vision.tiles.pipeline import TableReader
from vision.tiles.second_look import MOST, MOST_CHECKED, NO_TILE, SecondLook

TILE = np.array([[0, 0], [30, 0], [30, 42], [0, 42]], np.float32)
TWO, FOUR, SEVEN, TWELVE = 1, 3, 6, 11


def test_no_finds_are_seen_as_nothing() -> None:
    none: NDArray[np.float32] = np.zeros((0, 4, 2), np.float32)
    assert SecondLook().look(np.zeros((9, 9, 3), np.uint8), none).shape == (0, 16)


def test_a_find_without_any_area_is_looked_at_all_the_same() -> None:
    shown = SecondLook().look(np.zeros((99, 99, 3), np.uint8), (TILE * 0)[None])
    assert np.isfinite(shown).all()


def faces(*told: dict[int, float]) -> FaceScores:
    """What the reader sees on finds side by side: the probabilities of some classes."""
    quads = np.array([TILE + [40 * i, 0] for i in range(len(told))], np.float32)
    return seen_on(quads, told)


class Told(SecondLook):
    """Sees on each find what it is told to see there, or one thing on all of them, and notes how
    many it is asked about.
    """

    def __init__(self, *told: dict[int, float]) -> None:
        self.shown = log_probabilities(told, 16)
        self.asked = list[int]()

    def look(self, picture: NDArray[np.uint8], quads: NDArray[np.float32]) -> NDArray[np.float32]:
        self.asked.append(len(quads))
        shown = self.shown
        seen = np.broadcast_to(shown, (len(quads), 16)) if len(shown) == 1 else shown
        return seen[: len(quads)]


class Keys(Told):
    """Sees on the finds in doubt what it is told to see, and tiles with a 2 on all others."""

    def look(self, picture: NDArray[np.uint8], quads: NDArray[np.float32]) -> NDArray[np.float32]:
        if self.asked:
            self.shown = log_probabilities([{TWO: 1.0}], 16)
        return super().look(picture, quads)


PICTURE = np.zeros((60, 400, 3), np.uint8)


def judged(
    look: SecondLook, scores: list[float], seen: FaceScores
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the detector's scores and the probabilities of the numbers after a second look."""
    found, after = look.judged(PICTURE, np.array(scores, np.float32), seen)
    return found, np.exp(after.number)


@pytest.mark.parametrize(
    ("score", "seen", "asked"),
    [
        (0.9, {FOUR: 0.9995}, False),
        (0.9, {FOUR: 0.99, SEVEN: 0.01}, True),
        (0.9, {JOKER: 0.98, FOUR: 0.02}, True),
        (0.9, {FOUR: 0.9, SEVEN: 0.1}, True),
        (0.45, {FOUR: 0.99}, True),
        (0.9, {JOKER: 0.999}, True),
        (0.5, {FOUR: 0.1, UNREADABLE: 0.9}, False),
        (0.9, {FOUR: 0.1, UNREADABLE: 0.9}, True),
        (0.05, {FOUR: 0.99}, False),
    ],
    ids=[
        "sure",
        "nearly sure",
        "nearly sure of a comodín",
        "two digits",
        "faint",
        "comodín",
        "hardly found",
        "a tile, unread",
        "no find",
    ],
)
def test_finds_in_doubt_are_looked_at_again(
    score: float, seen: dict[int, float], asked: bool
) -> None:
    look = Told({FOUR: 1.0})
    judged(look, [score], faces(seen))
    assert look.asked == ([1] if asked else [])


def test_a_digit_that_both_looks_tell_is_sure_and_one_that_they_dispute_is_not() -> None:
    seen = faces({FOUR: 0.9, SEVEN: 0.1}, {FOUR: 0.9, SEVEN: 0.1})
    _, number = judged(Told({FOUR: 0.999}, {SEVEN: 0.98, FOUR: 0.02}), [0.9, 0.9], seen)
    assert number[0, FOUR] > 0.97 and np.allclose(number.sum(axis=1), 1, atol=1e-4)
    assert number[1, [FOUR, SEVEN]] == pytest.approx([0.28, 0.72], abs=0.01)


def test_what_shows_no_tile_is_neither_legible_nor_found() -> None:
    found, number = judged(Told({NO_TILE: 1.0}), [0.8], faces({JOKER: 0.9, UNREADABLE: 0.1}))
    assert found[0] < 0.4 and number[0, UNREADABLE] > 0.97


def test_a_second_look_that_is_not_sure_changes_no_score() -> None:
    for there in (0.2, 0.5, 0.8):
        told = Told({NO_TILE: 1 - there, FOUR: there})
        found, _ = judged(told, [0.8], faces({FOUR: 0.9, UNREADABLE: 0.1}))
        assert found[0] == pytest.approx(0.8, abs=1e-4)


def test_where_one_find_in_doubt_is_no_tile_the_sure_ones_are_looked_at_too() -> None:
    """As beside a keyboard: its keys are no tiles, however surely their figures are read."""
    seen = faces({JOKER: 0.6, FOUR: 0.4}, {SEVEN: 0.999}, {FOUR: 0.999})
    keys = Told({NO_TILE: 1.0})
    found, number = judged(keys, [0.8, 0.9, 0.9], seen)
    assert keys.asked == [1, 2] and (number.argmax(axis=1) == UNREADABLE).all()
    assert (found < 0.5).all()


def test_a_sure_tile_among_keys_stays_as_it_is() -> None:
    seen = faces({JOKER: 0.6, FOUR: 0.4}, {SEVEN: 0.999})

    told = Keys({NO_TILE: 1.0})
    found, number = judged(told, [0.8, 0.9], seen)
    assert told.asked == [1, 1] and found[1] == np.float32(0.9)
    assert number[1, SEVEN] == pytest.approx(float(np.exp(seen.number[1, SEVEN])))


def test_a_faint_find_that_surely_is_a_tile_is_found() -> None:
    found, _ = judged(Told({FOUR: 0.9999}), [0.45], faces({FOUR: 0.99}))
    assert 0.6 < found[0] < 0.95


def test_a_covered_tile_stays_a_tile_that_cannot_be_read() -> None:
    found, number = judged(Told({UNREADABLE: 0.999}), [0.9], faces({FOUR: 0.3, UNREADABLE: 0.7}))
    assert found[0] > 0.9 and number[0, UNREADABLE] > 0.97


def test_a_second_look_does_not_tell_a_six_from_a_nine() -> None:
    """Its 6 is either; how likely each of them is remains as the reader tells it."""
    _, number = judged(Told({SIX: 1.0}), [0.9], faces({SIX: 0.2, NINE: 0.6, FOUR: 0.2}))
    assert number[0, NINE] / number[0, SIX] == pytest.approx(3, rel=1e-3)
    assert number[0, NINE] + number[0, SIX] > 0.97


def test_a_find_of_which_the_detector_is_certain_keeps_a_score_below_one() -> None:
    found, _ = judged(Told({FOUR: 1.0}), [1.0], faces({FOUR: 0.9, SEVEN: 0.1}))
    assert 0.99 < found[0] < 1


def test_sure_finds_stay_as_they_are() -> None:
    seen = faces({FOUR: 0.9995, SEVEN: 0.0005}, {FOUR: 0.9, SEVEN: 0.1})
    found, number = judged(Told({SEVEN: 1.0}), [0.9, 0.9], seen)
    assert found[0] == np.float32(0.9) and number[0, FOUR] == pytest.approx(0.9995, abs=1e-4)
    assert number[1, SEVEN] > number[1, FOUR]


def test_what_is_nearly_sure_stays_unless_the_second_look_disagrees() -> None:
    """Half of a 12 may look like a 2: nobody is asked where both looks tell the same face."""
    seen = faces(*[{TWO: 0.98, TWELVE: 0.02}] * 3, {SIX: 0.01, NINE: 0.98})
    told = Told({TWO: 0.8, TWELVE: 0.2}, {TWO: 0.7, TWELVE: 0.3}, {TWELVE: 1.0}, {SIX: 0.99})
    found, number = judged(told, [0.9] * 4, seen)
    assert found[0] == found[3] == np.float32(0.9)
    assert np.array_equal(number[[0, 3]], np.exp(seen.number[[0, 3]]))
    assert 0.5 < number[1, TWO] < 0.97
    assert number[2, TWELVE] > number[2, TWO]


def test_a_nearly_sure_find_stays_where_the_second_look_sees_no_face() -> None:
    """Of a keyboard every key has to stay, so that it is known for one."""
    seen = faces({TWO: 0.98, TWELVE: 0.02})
    for none in (NO_TILE, UNREADABLE):
        found, number = judged(Told({none: 0.6, TWELVE: 0.4}), [0.9], seen)
        assert found[0] == np.float32(0.9) and np.array_equal(number, np.exp(seen.number))
    _, number = judged(Told({NO_TILE: 0.4, TWELVE: 0.6}), [0.9], seen)
    assert number[0, TWELVE] > number[0, TWO]
    _, number = judged(Told({NO_TILE: 0.4, TWO: 0.5, TWELVE: 0.1}), [0.9], seen)
    assert np.array_equal(number, np.exp(seen.number))


def test_a_find_that_may_be_no_tile_counts_as_in_doubt_however_sure_its_number() -> None:
    seen = faces({TWO: 0.98, TWELVE: 0.02})
    found, _ = judged(Told({TWO: 0.9999}), [0.5], seen)
    assert found[0] > 0.6


def test_of_many_nearly_sure_finds_the_least_legible_are_looked_at() -> None:
    count = MOST_CHECKED + 3
    sure = np.linspace(0.975, 0.995, count)
    seen = faces(*[{FOUR: one, SEVEN: 1 - one} for one in sure])
    look = Told({SEVEN: 1.0})
    _, number = judged(look, [0.9] * count, seen)
    assert look.asked == [MOST_CHECKED]
    assert (number.argmax(axis=1) == FOUR).tolist() == [False] * MOST_CHECKED + [True] * 3


def test_a_pattern_with_many_finds_in_doubt_is_not_looked_at_again() -> None:
    many = faces(*[{FOUR: 0.9, SEVEN: 0.1}] * (MOST + 1))
    look = Told({FOUR: 1.0})
    _, number = judged(look, [0.9] * (MOST + 1), many)
    assert look.asked == [] and np.allclose(number, np.exp(many.number))
    judged(look, [0.9] * MOST, many.take(np.arange(MOST)))
    assert look.asked == [MOST]


@pytest.fixture(scope="module")
def rack() -> tuple[NDArray[np.uint8], FaceScores]:
    """A bundled photograph of a rack, and what the reader sees on its tiles."""
    reader, picture = TableReader(), load(SAMPLES / "rack-b.jpg").pixels
    found = reader.detector.detect(picture, on_rack=True)
    return picture, Reader().read(picture, found.quads[found.scores > 0.5])


def test_the_network_sees_the_digits_that_the_reader_sees(
    rack: tuple[NDArray[np.uint8], FaceScores],
) -> None:
    picture, scores = rack
    shown = SecondLook().look(picture, scores.quads)
    number = np.where(scores.number.argmax(axis=1) == NINE, SIX, scores.number.argmax(axis=1))
    assert shown.argmax(axis=1).tolist() == number.tolist()


def test_the_network_sees_no_tile_beside_the_tiles(
    rack: tuple[NDArray[np.uint8], FaceScores],
) -> None:
    picture, scores = rack
    lowest = scores.quads[:, :, 1].max()
    below = scores.quads + [0, float(lowest - scores.quads[:, :, 1].min()) + 10]
    inside = below[below[:, :, 1].max(axis=1) < len(picture)]
    assert len(inside)
    shown = SecondLook().look(picture, inside.astype(np.float32))
    assert (shown.argmax(axis=1) == NO_TILE).all()


def test_a_folder_without_this_network_has_none(tmp_path: Path) -> None:
    entries = json.loads((default_folder() / MANIFEST).read_text("utf-8"))
    assert SecondLook.in_folder(default_folder()) is not None
    del entries[SecondLook.network]
    (tmp_path / MANIFEST).write_text(json.dumps(entries))
    assert SecondLook.in_folder(tmp_path) is None


def test_odd_sets_are_read_without_a_second_look() -> None:
    """The network was trained on hardly any sets of their kind."""
    reader, own_set = TableReader(), cast(OwnSet, object())
    assert reader.knowing(own_set, odd=False).second_look is reader.second_look is not None
    assert reader.knowing(own_set, odd=True).second_look is None


def test_what_a_second_look_takes_for_no_tile_is_doubted_in_a_row() -> None:
    """A comodín is looked at again, however surely it is read. In the hole of a row something lies
    there all the same.
    """
    photograph, reader = SAMPLES / "melds-a.jpg", TableReader()
    (before,) = (tile for tile in reader.read(photograph).tiles if str(tile.tile) == "J")
    reader.second_look = told = Keys({NO_TILE: 1.0})
    (after,) = (tile for tile in reader.read(photograph).tiles if str(tile.tile) == "J")
    assert 0 < told.asked[0] < 4
    assert not before.doubts and after.doubts == {Doubt.FAINT}


class _Fainter:
    """A detector that is hardly sure of every second find."""

    def __init__(self) -> None:
        self._detector = Detector()
        self.config = self._detector.config

    def detect(self, picture: RGB, *, on_rack: bool, faintest: float | None = None) -> Detections:
        found = self._detector.detect(picture, on_rack=on_rack)
        scores = np.where(np.arange(len(found)) % 2, 0.22 * found.scores, found.scores)
        least = self.config.threshold if faintest is None else faintest
        return Detections(found.points, scores).take(np.flatnonzero(scores >= least))


def test_on_a_rack_finds_that_the_detector_does_not_report_are_told_if_they_are_tiles() -> None:
    photograph, reader = SAMPLES / "rack-b.jpg", TableReader()
    told = sorted(str(tile.tile) for tile in reader.read(photograph, Layout.LOOSE).tiles)
    reader.detector = cast(Detector, _Fainter())
    assert sorted(str(tile.tile) for tile in reader.read(photograph, Layout.LOOSE).tiles) == told
    reader.second_look = None
    assert len(reader.read(photograph, Layout.LOOSE).tiles) < len(told)


def test_fainter_finds_do_not_change_those_that_the_detector_reports() -> None:
    picture, detector = load(SAMPLES / "rack-b.jpg").pixels, Detector()
    reported = detector.detect(picture, on_rack=True)
    found = detector.detect(picture, on_rack=True, faintest=0.02)
    assert len(found) > len(reported)
    sure = found.take(np.flatnonzero(found.scores >= detector.config.threshold))
    assert np.array_equal(sure.points, reported.points)
    assert found.scores.min() >= 0.02
