"""What the picture around marks says, on pictures drawn here: whether a card lies beneath a column
or over it, and whether a mark lies on something other than a card.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.cards.card import Card
from vision.cards.from_marks import ON_ANY_TINT, _without_finds_off_paper
from vision.cards.paper import PaperConfig, card_beneath, card_over, off_paper
from vision.crops import CROP_HEIGHT, CROP_WIDTH
from vision.detector import Detections
from vision.kinds import CARDS
from vision.pyramid import RGB
from vision.reader import FEATURE_COUNT, JOKER, FaceScores

from .test_cards import card, mark, outline

STEP = 40.0
MIDDLE = 200.0  # of the first card of a column
PAPER, CLOTH, INK = (235, 230, 220), (40, 90, 60), (30, 30, 30)
Pose = tuple[float, float, float]
COLUMN: list[Pose] = [(MIDDLE, MIDDLE + STEP * at, 0.0) for at in range(3)]


def picture(poses: list[Pose], cloth: tuple[int, int, int] = CLOTH) -> RGB:
    """Draw cards in this order on cloth of a colour, each with a mark and a picture."""
    drawn: NDArray[np.uint8] = np.full((500, 400, 3), cloth, np.uint8)
    for pose in poses:
        corners = np.round(outline(*pose)).astype(np.int32)
        cv2.fillConvexPoly(drawn, corners, PAPER)
        cv2.circle(drawn, (int(pose[0]), int(pose[1])), 20, INK, -1)
        top_left = corners[0] + (corners[2] - corners[0]) // 8
        cv2.circle(drawn, (int(top_left[0]), int(top_left[1])), 8, INK, -1)
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


@pytest.mark.parametrize("first", [0, 250], ids=["left", "right"])
def test_a_stripe_of_cloth_that_goes_on_beside_the_column_is_no_card(first: int) -> None:
    """The stripe is as light as paper, as wide as a card beneath, and goes on at one side alone."""
    hidden = (MIDDLE, MIDDLE - STEP, 0.0)
    drawn = picture([hidden, *COLUMN])
    assert beneath(drawn, COLUMN) is not None
    top = int(MIDDLE - STEP - 70)
    drawn[top : top + int(STEP), first : first + 150] = PAPER
    assert beneath(drawn, COLUMN) is None


def strip_of_hidden(drawn: RGB) -> RGB:
    """Return the part of a picture in which the card beneath COLUMN shows, one step high."""
    top, left = int(MIDDLE - STEP - 70), int(MIDDLE - 50)
    return drawn[top : top + int(STEP), left : left + 100]


def test_a_patch_of_another_tint_than_the_paper_is_no_card() -> None:
    """It is as light as paper, and no channel differs much; all of paper differ by the light."""
    drawn = picture(COLUMN)
    strip_of_hidden(drawn)[:] = (205, 230, 245)
    assert beneath(drawn, COLUMN) is None
    strip_of_hidden(drawn)[:] = (215, 211, 202)
    assert beneath(drawn, COLUMN) is not None


@pytest.mark.parametrize(
    ("inked", "of_ink", "of_paper", "shows"),
    [
        (0.35, False, False, True),
        (0.35, True, False, True),
        (0.6, True, False, False),
        (0.35, True, True, False),
        (0.0, True, True, True),
    ],
)
def test_a_large_index_may_cover_a_strip_that_is_plainly_no_cloth(
    inked: float, of_ink: bool, of_paper: bool, shows: bool
) -> None:
    """Beside cloth with dark lines, and one as light as paper, the strip may be of the cloth."""
    drawn = picture([(MIDDLE, MIDDLE - STEP, 0.0), *COLUMN])
    strip = strip_of_hidden(drawn)
    strip[:] = PAPER
    strip[:, : round(10 + 80 * inked)] = INK
    cloth = drawn[: int(MIDDLE - STEP - 70)]
    if of_ink:
        cloth[::2] = INK
    if of_paper:
        cloth[70] = PAPER  # one of the eight lines that are looked at
    assert (beneath(drawn, COLUMN) is not None) == shows


@pytest.mark.parametrize(("inked", "shows"), [(0.0, True), (0.35, False)])
def test_a_strip_of_a_tint_of_its_own_has_to_be_paper_throughout(inked: float, shows: bool) -> None:
    drawn = picture([(MIDDLE, MIDDLE - STEP, 0.0), *COLUMN])
    drawn[: int(MIDDLE - STEP - 70)][::2] = INK
    strip = strip_of_hidden(drawn)
    strip[:] = np.subtract(PAPER, (0, 0, 18))
    strip[:, : round(10 + 80 * inked)] = INK
    assert (beneath(drawn, COLUMN) is not None) == shows


def test_what_lies_beside_the_strip_tells_nothing_on_cards_or_beyond_the_picture() -> None:
    hidden = (MIDDLE, MIDDLE - STEP, 0.0)
    neighbours: list[Pose] = [(MIDDLE + side, MIDDLE - STEP, 0.0) for side in (-115.0, 115.0)]
    drawn = picture([*neighbours, hidden, *COLUMN])
    cards = [card(*pose) for pose in (*COLUMN, *neighbours)]
    assert card_beneath(drawn, (0, 1, 2), cards) is not None
    assert card_beneath(drawn, (0, 1, 2), cards[:3]) is None
    at_edge = picture([hidden, *COLUMN])[:, int(MIDDLE - 48) :]
    moved = [card(48, y, turn) for _, y, turn in COLUMN]
    assert card_beneath(at_edge, (0, 1, 2), moved) is not None


@pytest.mark.parametrize(("paper", "shows"), [(15, True), (18, False)])
def test_a_light_piece_of_a_printed_cloth_beside_the_strip_is_no_stripe(
    paper: int, shows: bool
) -> None:
    """Of the 25 px beside the strip so many are as light as paper."""
    drawn = picture([(MIDDLE, MIDDLE - STEP, 0.0), *COLUMN])
    edge = int(MIDDLE + 50 + 10)
    drawn[:, edge : edge + paper] = PAPER
    assert (beneath(drawn, COLUMN) is not None) == shows


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


HIDING = (MIDDLE, MIDDLE + 3 * STEP, 0.0)  # lies over the column


def over(drawn: RGB, cards: list[Card], found: int = 3) -> NDArray[np.float32] | None:
    """Ask for a card over the column of the first `found` of the cards."""
    x, y = cards[found - 1].outline.mean(axis=0)
    return card_over(drawn, tuple(range(found)), cards, mark(x, y))


def test_a_card_over_the_last_one_shows_that_it_hides_its_far_mark() -> None:
    """All that is known of it is that something lies where it would."""
    column = [card(*pose) for pose in COLUMN]
    step = over(picture([*COLUMN, HIDING]), column)
    assert step is not None
    assert step == pytest.approx([0, STEP], abs=0.5)
    assert over(picture(COLUMN), column) is None


def test_over_a_card_whose_far_mark_is_seen_lies_none() -> None:
    column = [card(*pose) for pose in COLUMN]
    last = column[-1]
    far = 2 * last.outline.mean(axis=0) - last.marks
    free = replace(last, marks=np.concatenate([last.marks, far]))
    assert over(picture([*COLUMN, HIDING]), [*column[:-1], free]) is None


def test_a_card_that_was_found_over_the_last_one_is_not_missed() -> None:
    drawn = picture([*COLUMN, HIDING])
    cards = [card(*pose) for pose in (*COLUMN, HIDING)]
    assert over(drawn, cards) is None
    assert over(drawn, cards[:3]) is not None


def test_a_thing_that_hides_the_far_mark_is_no_card() -> None:
    """Where a card over the column would show its mark, the last card shows plain paper."""
    drawn, column = picture(COLUMN), [card(*pose) for pose in COLUMN]
    edge = round(MIDDLE + 2 * STEP + outline(0, 0)[:, 1].max())
    cv2.rectangle(drawn, (120, edge - 20), (400, edge + 35), (200, 60, 50), -1)
    last = mark(*column[-1].outline.mean(axis=0))
    assert card_over(drawn, (0, 1, 2), column, last) is None
    unasked = PaperConfig(most_plain=1.0)
    assert card_over(drawn, (0, 1, 2), column, last, unasked) is not None


def test_two_cards_tell_of_none_over_them() -> None:
    """Their step alone says little of where a third would lie."""
    drawn = picture([*COLUMN[:2], (MIDDLE, MIDDLE + 2 * STEP, 0.0)])
    assert over(drawn, [card(*pose) for pose in COLUMN[:2]], 2) is None


def test_over_a_column_at_the_edge_of_the_picture_nobody_can_tell() -> None:
    drawn = picture([*COLUMN, HIDING])
    below = round(MIDDLE + 2.5 * STEP + outline(0, 0)[:, 1].max())
    assert over(drawn[:below], [card(*pose) for pose in COLUMN]) is None


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
