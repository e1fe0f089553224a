"""Cards whose paper shows though no mark on them was read."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.cards.card import Card
from vision.cards.from_marks import FaintMarks
from vision.cards.loose import with_unread_cards
from vision.cards.marks import ANY_FACE
from vision.cards.unread_cards import unread_cards
from vision.doubts import DoubtConfig
from vision.seen import Rows, Seen

from .test_marks import surely

WIDTH, HEIGHT = 120, 170  # of a card, pixels
CLOTH, PAPER = (40, 90, 50), (240, 236, 228)
IN_CORNERS = np.float32([[0.09, 0.09], [0.91, 0.91]])


def outline(left: float, top: float, size: float = 1.0) -> NDArray[np.float32]:
    across, down = size * WIDTH, size * HEIGHT
    corners = [[left, top], [left + across, top], [left + across, top + down], [left, top + down]]
    return np.array(corners, np.float32)


def with_paper(
    *outlines: NDArray[np.float32], cloth: tuple[int, int, int] = CLOTH
) -> NDArray[np.uint8]:
    """Draw pieces of paper, and in the middle of each a picture of another colour."""
    picture = np.full((700, 900, 3), cloth, np.uint8)
    for one in outlines:
        middle = one.mean(axis=0)
        cv2.fillConvexPoly(picture, one.astype(np.int32), PAPER)
        cv2.fillConvexPoly(picture, (middle + 0.6 * (one - middle)).astype(np.int32), (200, 30, 90))
    return picture


def told(corners: NDArray[np.float32]) -> Card:
    marks = corners[0] + IN_CORNERS * (corners[2] - corners[0])
    return Card(corners, marks.astype(np.float32))


KNOWN, OTHER = outline(100, 100), outline(400, 120)


def test_a_card_without_a_mark_is_found_by_its_paper() -> None:
    (found,) = unread_cards(with_paper(KNOWN, OTHER), [told(KNOWN)])
    assert np.allclose(np.sort(found, axis=0), np.sort(OTHER, axis=0), atol=5)


def test_a_turned_card_is_found_too() -> None:
    middle = OTHER.mean(axis=0)
    turn = np.array([[0.8, -0.6], [0.6, 0.8]])
    turned = (middle + (OTHER - middle) @ turn.T).astype(np.float32)
    (found,) = unread_cards(with_paper(KNOWN, turned), [told(KNOWN)])
    assert np.allclose(found.mean(axis=0), middle, atol=5)


@pytest.mark.parametrize(("light", "shows"), [(0.65, True), (0.45, False)])
def test_a_card_may_lie_in_less_light_than_the_others(light: float, shows: bool) -> None:
    picture = with_paper(KNOWN, OTHER)
    picture[:, 300:] = (light * picture[:, 300:]).astype(np.uint8)
    assert len(unread_cards(picture, [told(KNOWN)])) == shows


def test_cards_that_were_told_are_not_found_again() -> None:
    assert unread_cards(with_paper(KNOWN, OTHER), [told(KNOWN), told(OTHER)]) == []


def test_without_a_card_seen_whole_nothing_is_looked_for() -> None:
    picture = with_paper(KNOWN, OTHER)
    assert unread_cards(picture, []) == []
    assert unread_cards(picture, [Card(KNOWN, told(KNOWN).marks[:1])]) == []
    assert unread_cards(picture, [Card(KNOWN, told(KNOWN).marks, sure=False)]) == []


@pytest.mark.parametrize(
    "paper",
    [
        outline(400, 120, 0.6),  # a small one
        outline(400, 120, 1.6),  # a large one
        np.float32([[400, 120], [800, 120], [800, 190], [400, 190]]),  # a strip
        np.float32([[400, 120], [560, 120], [400, 340], [400, 330]]),  # a corner
        outline(790, 120),  # cut by the picture's edge
    ],
)
def test_paper_of_another_size_or_shape_is_no_card(paper: NDArray[np.float32]) -> None:
    assert unread_cards(with_paper(KNOWN, paper), [told(KNOWN)]) == []


def test_on_a_cloth_as_light_as_paper_nobody_can_tell() -> None:
    assert unread_cards(with_paper(KNOWN, OTHER, cloth=PAPER), [told(KNOWN)]) == []


def test_many_pieces_of_paper_are_the_pattern_of_a_cloth() -> None:
    squares = [
        np.float32([[x, y], [x + 90, y], [x + 90, y + 90], [x, y + 90]])
        for x in range(50, 850, 130)
        for y in (400, 550)
    ]
    assert len(unread_cards(with_paper(KNOWN, OTHER, *squares[:2]), [told(KNOWN)])) == 1
    assert unread_cards(with_paper(KNOWN, OTHER, *squares), [told(KNOWN)]) == []


def test_a_printed_back_is_no_card() -> None:
    picture = with_paper(KNOWN, OTHER)
    middle = OTHER.mean(axis=0)
    printed = (middle + 0.93 * (OTHER - middle)).astype(np.int32)
    cv2.fillConvexPoly(picture, printed, (30, 40, 160))
    assert unread_cards(picture, [told(KNOWN)]) == []


@pytest.mark.parametrize("mark", ["read", "unread", "aside"])
def test_such_a_card_shows_the_mark_that_was_too_faint(mark: str) -> None:
    """Where none can be read on it, all faces are equally likely; the card is asked about in any
    case.
    """
    cards = [told(KNOWN)]
    seen = Seen(np.ones(1, np.float32), KNOWN[None], surely("5R"), Rows([]))
    quad, aside = outline(405, 125, 0.15), outline(700, 500, 0.15)
    quads = np.stack([aside, aside if mark == "aside" else quad])
    faces = surely("9B", "J")
    if mark == "unread":
        faces[1] = ANY_FACE
    faint = FaintMarks(quads, np.float32([0.4, 0.3]), faces)
    after = with_unread_cards(with_paper(KNOWN, OTHER), seen, cards, faint, DoubtConfig())
    assert len(after.quads) == len(cards) == 2
    is_read = mark == "read"
    assert after.joint_scores[1] == pytest.approx(0.3 if is_read else 0)
    assert np.ptp(after.faces[1]) == pytest.approx(np.ptp(surely("J")) if is_read else 0)
    place = quad if is_read else OTHER
    assert np.allclose(after.quads[1].mean(axis=0), place.mean(axis=0), atol=5)


def test_paper_is_told_from_cloth_as_light_by_its_tint() -> None:
    picture = with_paper(KNOWN, OTHER, cloth=(222, 226, 228))
    (found,) = unread_cards(picture, [told(KNOWN)])
    assert np.allclose(np.sort(found, axis=0), np.sort(OTHER, axis=0), atol=5)
