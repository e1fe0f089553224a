"""The card beneath a column of which only its paper shows, on pictures drawn here."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.cards.columns import Card
from vision.cards.paper import card_beneath
from vision.pyramid import RGB

from .test_cards import card, outline

STEP = 40.0
MIDDLE = 200.0  # of the first card of a column
PAPER, CLOTH, INK = (235, 230, 220), (40, 90, 60), (30, 30, 30)
Pose = tuple[float, float, float]
COLUMN: list[Pose] = [(MIDDLE, MIDDLE + STEP * at, 0.0) for at in range(3)]


def picture(poses: list[Pose], cloth: tuple[int, int, int] = CLOTH) -> RGB:
    """Draw cards in this order, each with a mark and a picture."""
    drawn: NDArray[np.uint8] = np.full((500, 400, 3), cloth, np.uint8)
    for pose in poses:
        corners = np.round(outline(*pose)).astype(np.int32)
        cv2.fillConvexPoly(drawn, corners, PAPER)
        cv2.circle(drawn, (int(pose[0]), int(pose[1])), 20, INK, -1)
        top_left = corners[0] + (corners[2] - corners[0]) // 8
        cv2.circle(drawn, (int(top_left[0]), int(top_left[1])), 5, INK, -1)
    return drawn


def beneath(drawn: RGB, poses: list[Pose]) -> NDArray[np.float32] | None:
    cards: list[Card] = [card(*pose) for pose in poses]
    return card_beneath(drawn, tuple(range(len(cards))), cards)


def test_a_card_beneath_shows_its_paper() -> None:
    """The hidden card lies one step beyond the first card of the column."""
    hidden = (MIDDLE, MIDDLE - STEP, 0.0)
    step = beneath(picture([hidden, *COLUMN]), COLUMN)
    assert step is not None
    assert step == pytest.approx([0, -STEP], abs=0.5)


def test_a_card_beneath_a_row_shows_beside_it() -> None:
    row = [(MIDDLE + 25.0 * at, MIDDLE, 0.0) for at in range(3)]
    step = beneath(picture([(MIDDLE - 25, MIDDLE, 0.0), *row]), row)
    assert step is not None
    assert step == pytest.approx([-25, 0], abs=0.5)


def test_nothing_lies_beneath_on_cloth() -> None:
    assert beneath(picture(COLUMN), COLUMN) is None


def test_on_cloth_as_white_as_paper_nobody_can_tell() -> None:
    hidden = (MIDDLE, MIDDLE - STEP, 0.0)
    assert beneath(picture([hidden, *COLUMN], PAPER), COLUMN) is None


def test_a_card_that_was_found_there_is_not_missed() -> None:
    hidden = (MIDDLE, MIDDLE - STEP, 0.0)
    drawn = picture([hidden, *COLUMN])
    cards = [*(card(*pose) for pose in COLUMN), card(*hidden)]
    assert card_beneath(drawn, (0, 1, 2), cards) is None
    assert card_beneath(drawn, (0, 1, 2), cards[:3]) is not None


@pytest.mark.parametrize("second", [(MIDDLE, MIDDLE + STEP, 15.0), (MIDDLE, MIDDLE + 90, 0.0)])
def test_cards_that_lie_anyhow_tell_of_none(second: Pose) -> None:
    """Turned against each other, or farther apart than cards of a column."""
    move = second[1] - MIDDLE
    poses = [COLUMN[0], second]
    assert beneath(picture([(MIDDLE, MIDDLE - move, 0.0), *poses]), poses) is None


def test_the_edge_of_the_picture_tells_nothing() -> None:
    column = [(MIDDLE, 80 + STEP * at, 0.0) for at in range(3)]
    assert beneath(picture([(MIDDLE, 80 - STEP, 0.0), *column]), column) is None
