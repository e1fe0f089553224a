"""Whether a mark lies on something other than a card, on pictures drawn here."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.cards.from_marks import ON_ANY_TINT, _without_finds_off_paper
from vision.cards.paper import off_paper
from vision.crops import CROP_HEIGHT, CROP_WIDTH
from vision.detector import Detections
from vision.kinds import CARDS
from vision.pyramid import RGB
from vision.reader import FEATURE_COUNT, JOKER, FaceScores

PAPER, CLOTH, INK = (235, 230, 220), (40, 90, 60), (30, 30, 30)


def marks_on(*grounds: tuple[int, int, int], light: float = 0.0) -> tuple[RGB, NDArray[np.float32]]:
    """Draw a row of marks, each with ink on a ground of its own colour, and return the picture with
    the quads of the marks.

    Grounds get brighter to the right, by the share `light` over the whole row.
    """
    drawn: NDArray[np.uint8] = np.full((100, 60 * len(grounds), 3), CLOTH, np.uint8)
    quads = []
    for number, ground in enumerate(grounds):
        left = 60 * number
        lit = np.array(ground) * (1 + light * number / len(grounds))
        drawn[20:80, left + 10 : left + 50] = np.clip(lit, 0, 255).astype(np.uint8)
        drawn[40:60, left + 25 : left + 35] = INK
        quads.append([[left + 15, 25], [left + 45, 25], [left + 45, 75], [left + 15, 75]])
    return drawn, np.array(quads, np.float32)


@pytest.mark.parametrize(
    ("ground", "is_off"),
    [
        (PAPER, False),
        ((120, 118, 113), False),  # paper in the shade
        ((235, 222, 200), False),  # an older pack's
        ((190, 190, 230), True),
        ((200, 40, 50), True),
    ],
)
def test_a_mark_on_another_tint_than_the_paper_around_is_told(
    ground: tuple[int, int, int], is_off: bool
) -> None:
    drawn, quads = marks_on(PAPER, PAPER, PAPER, PAPER, ground)
    told = off_paper(drawn, quads, np.arange(5), np.arange(4))
    assert told.tolist() == [False] * 4 + [is_off]
    assert off_paper(drawn, quads, np.array([4, 0]), np.arange(4)).tolist() == [is_off, False]


def test_light_that_changes_over_the_picture_is_no_tint() -> None:
    drawn, quads = marks_on(*[(120, 118, 113)] * 6, light=1.0)
    assert not off_paper(drawn, quads, np.arange(6), np.arange(6)).any()


def test_of_few_sure_marks_no_paper_is_known() -> None:
    drawn, quads = marks_on(PAPER, PAPER, PAPER, (200, 40, 50))
    assert not off_paper(drawn, quads, np.arange(4), np.arange(3)).any()
    assert not off_paper(drawn, quads[:0], np.arange(0), np.arange(0)).any()


def read_as(numbers: list[int], quads: NDArray[np.float32]) -> FaceScores:
    """Make the answers of a reader that is sure of each of these numbers, which are indices into
    its classes.
    """
    count = len(numbers)
    number = np.full((count, 15), -20.0, np.float32)
    number[np.arange(count), numbers] = 0.0
    return FaceScores(
        number=number,
        colour=np.full((count, 4), np.log(0.25), np.float32),
        turn=np.zeros((count, 4), np.float32),
        quads=quads,
        crops=np.zeros((count, CROP_HEIGHT, CROP_WIDTH, 3), np.uint8),
        corner_offsets=np.zeros((count, 8), np.float32),
        features=np.zeros((count, FEATURE_COUNT), np.float32),
    )


def test_a_jolly_or_a_faint_number_that_lies_on_cloth_counts_no_more() -> None:
    """What is surely seen on it stays: no picture looks like a number, and a jolly may be of a
    second pack, whose paper has another tint.
    """
    red = (200, 40, 50)
    drawn, quads = marks_on(PAPER, PAPER, PAPER, PAPER, PAPER, red, red, red, red, PAPER)
    faint = np.array([ON_ANY_TINT - 0.01, ON_ANY_TINT + 0.01, 0.2])
    scores = np.concatenate([np.full(5, 0.9), faint[:2], faint]).astype(np.float32)
    found = Detections(np.concatenate([quads, quads], axis=1), scores)
    told = read_as([2, 3, 4, 5, JOKER, JOKER, JOKER, 7, 8, 9], quads)
    jollies = told.number.argmax(axis=1) == JOKER
    left = _without_finds_off_paper(drawn, found, told, jollies, CARDS.doubts)
    assert left.scores.tolist() == pytest.approx([0.9] * 5 + [0.0, faint[1], 0.0, *faint[1:]])
