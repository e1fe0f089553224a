"""Which marks of cards are looked at again, what is seen there, and what it changes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.face_scores import Probabilities, log_probabilities, seen_on
from vision.cards.pipeline import CardTableReader
from vision.cards.second_look import CLASSES, MOST, NO_MARK, CardSecondLook
from vision.detector import Detections
from vision.modelfile import MANIFEST
from vision.reader import JOKER, UNREADABLE

MARK = np.array([[0, 0], [30, 0], [30, 42], [0, 42]], np.float32)
FOUR, SEVEN = 3, 6
PICTURE = np.zeros((60, 400, 3), np.uint8)


class Told(CardSecondLook):
    """Sees one thing on all marks, and notes where it was asked to look."""

    def __init__(self, shown: Probabilities) -> None:
        self.shown, self.asked = shown, list[float]()

    def look(self, picture: NDArray[np.uint8], quads: NDArray[np.float32]) -> NDArray[np.float32]:
        self.asked += quads[:, 0, 0].tolist()
        return log_probabilities([self.shown] * len(quads), len(CLASSES))


def after(
    look: CardSecondLook, scores: list[float], told: list[Probabilities]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the detector's scores and the probabilities of the numbers after a second look."""
    quads = np.array([MARK + [40 * i, 0] for i in range(len(told))], np.float32)
    seen = seen_on(quads.reshape(-1, 4, 2), told)
    found, scored, _ = look.looked_again(PICTURE, Detections(quads, np.array(scores, "f4")), seen)
    return found.scores, np.exp(scored.number)


@pytest.mark.parametrize(
    ("score", "told", "asked"),
    [
        (0.9, {FOUR: 0.999}, False),
        (0.9, {FOUR: 0.9, SEVEN: 0.1}, True),
        (0.5, {FOUR: 0.999}, True),
        (0.04, {FOUR: 0.9}, False),
        (0.03, {JOKER: 0.9}, True),
        (0.01, {JOKER: 0.9}, False),
        (0.9, {JOKER: 0.999}, True),
        (0.3, {FOUR: 0.06, UNREADABLE: 0.94}, True),
    ],
    ids=["sure", "two", "faint", "fainter", "faint jolly", "fainter jolly", "jolly", "unread"],
)
def test_marks_in_doubt_and_jollies_are_looked_at(
    score: float, told: Probabilities, asked: bool
) -> None:
    look = Told({FOUR: 1.0})
    after(look, [score], [told])
    assert bool(look.asked) == asked


def test_of_too_many_marks_the_likeliest_are_looked_at() -> None:
    look = Told({FOUR: 1.0})
    scores = [0.1 + 0.5 * i / MOST for i in range(MOST + 20)]
    after(look, scores, [{FOUR: 0.9, SEVEN: 0.1}] * len(scores))
    assert sorted(look.asked) == [40 * i for i in range(20, MOST + 20)]


def test_what_both_take_for_a_jolly_is_likelier_a_mark_and_what_one_does_not_is_none() -> None:
    jolly = [{JOKER: 0.9, UNREADABLE: 0.1}]
    (more,), (seen,) = after(Told({JOKER: 1.0}), [0.3], jolly)
    assert more > 0.5 and seen[JOKER] > 0.99
    (less,), (seen,) = after(Told({NO_MARK: 1.0}), [0.3], jolly)
    assert less < 0.03 and seen[UNREADABLE] > 0.9


def test_what_could_not_be_read_may_be_a_jolly_after_all() -> None:
    (score,), (seen,) = after(Told({JOKER: 0.999}), [0.3], [{JOKER: 0.06, UNREADABLE: 0.94}])
    assert score > 0.4 and seen.argmax() == JOKER


@pytest.mark.parametrize(("likely", "sure"), [(0.9995, True), (0.995, False)])
def test_what_is_surely_a_jolly_is_told(likely: float, sure: bool) -> None:
    quads = np.array([MARK, MARK + [40, 0]], np.float32)
    found = Detections(quads, np.array([0.5, 0.9], np.float32))
    seen = seen_on(quads, [{JOKER: 0.9, UNREADABLE: 0.1}, {FOUR: 1.0}])
    *_, jollies = Told({JOKER: likely, NO_MARK: 1 - likely}).looked_again(PICTURE, found, seen)
    assert jollies.tolist() == [sure, False]


def test_another_mark_keeps_its_score_and_may_be_read_as_another_face() -> None:
    (score,), (seen,) = after(Told({SEVEN: 0.99}), [0.5], [{FOUR: 0.6, SEVEN: 0.4}])
    assert score == np.float32(0.5) and seen.argmax() == SEVEN


def test_sure_marks_stay_as_they_are() -> None:
    scores, seen = after(Told({SEVEN: 1.0}), [0.9, 0.4], [{FOUR: 1.0}, {FOUR: 0.9, SEVEN: 0.1}])
    assert scores[0] == np.float32(0.9) and seen[0, FOUR] > 0.999 and seen[1].argmax() == SEVEN


def test_a_picture_without_finds_is_left_as_it_is() -> None:
    look = CardSecondLook()
    assert look.look(PICTURE, np.zeros((0, 4, 2), np.float32)).shape == (0, len(CLASSES))
    scores, seen = after(look, [], [])
    assert len(scores) == 0 and len(seen) == 0


def test_the_network_looks_at_what_it_is_shown() -> None:
    quads = np.array([MARK + [50, 8], MARK + [150, 8]], np.float32)
    noise = np.random.default_rng(0).integers(0, 255, PICTURE.shape, np.uint8)
    shown = CardSecondLook().look(noise, quads)
    assert shown.shape == (2, len(CLASSES))
    np.testing.assert_allclose(np.exp(shown).sum(axis=1), 1, atol=1e-5)
    assert not np.allclose(shown[0], shown[1])


def test_a_folder_may_lack_the_network(tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_text("{}", "utf-8")
    assert CardSecondLook.in_folder(tmp_path) is None
    assert CardTableReader().marks_again is not None
