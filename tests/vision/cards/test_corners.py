"""Outlines of cards of packs with four indices, and what several corners of a card tell about
them.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.cards.card import Card
from vision.cards.columns import find_columns
from vision.cards.corners import as_corners_tell, lies_within

from .test_marks import HEIGHT, WIDTH, outline, placed

# The marks of a card from the top left on clockwise.
MARKS = [
    np.array([[x, y], [x + 12, y], [x + 12, y + 20], [x, y + 20]], np.float64)
    for x, y in ((4, 4), (WIDTH - 16, 4), (WIDTH - 16, HEIGHT - 24), (4, HEIGHT - 24))
]
SEEN_ASIDE = np.array([[1.0, 0.3], [0.1, 0.7]])  # the table from the side


def marks(corners: str, x: float = 0, y: float = 0, degrees: float = 0) -> NDArray[np.float32]:
    """Return the places of the marks in some corners, by their numbers, of a card at (x, y), turned
    by `degrees`.
    """
    return np.stack([placed(MARKS[int(corner)], x, y, degrees) for corner in corners])


@pytest.mark.parametrize("corners", ["012", "123", "0123", "203"])
@pytest.mark.parametrize("degrees", [0, 40])
def test_three_corners_tell_a_card_exactly(corners: str, degrees: float) -> None:
    quads = marks(corners, 300, 200, degrees) @ SEEN_ASIDE.T.astype(np.float32)
    whole = outline(300, 200, degrees) @ SEEN_ASIDE.T.astype(np.float32)
    roughly = whole.mean(axis=0) + (whole - whole.mean(axis=0)) * 0.8 + 6
    told = as_corners_tell(quads, roughly[None], [list(range(len(corners)))])
    assert told[0] == pytest.approx(whole, abs=3)


def test_two_marks_in_one_corner_tell_nothing() -> None:
    quads = np.concatenate([marks("01"), marks("0") + 2])
    assert as_corners_tell(quads, outline()[None], [[0, 1, 2]]) == pytest.approx(outline()[None])


def test_without_a_card_of_three_corners_all_stay_as_the_network_told_them() -> None:
    """All cards stay as the network gave them, as with packs that have two indices a card."""
    quads = np.concatenate([marks("02"), marks("0", 0, 30)])
    told = np.stack([outline(5, 0), outline(0, 35)])
    assert (as_corners_tell(quads, told, [[0, 1], [2]]) == told).all()


@pytest.mark.parametrize("corners", ["01", "03", "12", "23"])
def test_two_corners_along_a_side_tell_the_size_beside_a_card_that_is_known(corners: str) -> None:
    quads = np.concatenate([marks("0123"), marks(corners, 300, 20, 25)])
    whole = outline(300, 20, 25)
    smaller = whole.mean(axis=0) + (whole - whole.mean(axis=0)) * 0.8
    told = as_corners_tell(quads, np.stack([outline(), smaller]), [[0, 1, 2, 3], [4, 5]])
    assert told[1] == pytest.approx(whole, abs=3)


def test_a_fan_is_one_column_by_whichever_corners_its_cards_are_seen() -> None:
    """In a card turned by 40 degrees a left mark may lie right of the card's middle, and is still a
    left mark.
    """
    turns = (0.0, 40.0, 80.0)
    middles = [placed(np.array([[WIDTH / 2, 0]]), 0, 0, turn)[0] for turn in turns]
    cards = [
        Card(outline(*middle, turn), marks("03", *middle, turn).mean(axis=1))
        for middle, turn in zip(middles, turns, strict=True)
    ]
    assert find_columns(cards) in ([(0, 1, 2)], [(2, 1, 0)])


@pytest.mark.parametrize(
    ("jolly", "corners", "laid", "told", "turned"),
    [
        (True, "0123", 0, 90, True),  # the network took the card's width for its height
        (True, "012", 0, 90, True),
        (False, "0123", 0, 90, False),  # numbers have a direction
        (True, "0123", 90, 90, False),  # it does lie across its neighbours
        (True, "0123", 0, 0, False),
    ],
)
def test_a_jolly_told_across_its_marks_is_turned(
    jolly: bool, corners: str, laid: float, told: float, turned: bool
) -> None:
    """All is seen aslant; the stars of a jolly have no direction."""
    aside = SEEN_ASIDE.T.astype(np.float32)
    quads = marks(corners, 300, 200, laid) @ aside
    beside = [outline(x, 200, 8) @ aside for x in (150, 450)]
    outlines = np.stack([outline(300, 200, told) @ aside, *beside])
    jollies = np.array([jolly, False, False])
    (found, *others) = as_corners_tell(quads, outlines, [list(range(len(quads))), [], []], jollies)
    if turned:
        whole = outline(300, 200, laid) @ aside
        assert any(np.roll(found, half, axis=0) == pytest.approx(whole, abs=3) for half in (0, 2))
    else:
        assert (found == as_corners_tell(quads, outlines[:1], [list(range(len(quads)))])[0]).all()
    assert (np.stack(others) == beside).all()


@pytest.mark.parametrize("told", [0, 90])
@pytest.mark.parametrize("first", [True, False])
def test_the_name_between_two_corners_of_a_jolly_does_not_matter(told: float, first: bool) -> None:
    """The name looks like a mark, and may be the surest one; of the card's place the network tells
    that of its middle aside, and perhaps its width for its height.
    """
    name = placed(MARKS[2] - [WIDTH / 2 - 10, 0], 300, 200, 0)[None]
    corners = marks("0123", 300, 200)
    quads = np.concatenate([name, corners] if first else [corners, name])
    outlines = np.stack([outline(320, 230, told), outline(150, 200), outline(450, 200)])
    jollies = np.array([True, False, False])
    found = as_corners_tell(quads, outlines, [[0, 1, 2, 3, 4], [], []], jollies)[0]
    assert any(
        np.roll(found, half, axis=0) == pytest.approx(outline(300, 200), abs=3) for half in (0, 2)
    )
    no_jolly = as_corners_tell(quads, outlines, [[0, 1, 2, 3, 4], [], []])
    assert (no_jolly == outlines).all()


def test_marks_along_one_side_of_a_jolly_tell_no_outline() -> None:
    name = placed(MARKS[0] + [WIDTH / 2 - 10, 3], 0, 0, 0)[None]
    quads = np.concatenate([marks("01"), name])
    told = outline(5, 0)[None]
    assert (as_corners_tell(quads, told, [[0, 1, 2]], np.array([True])) == told).all()


def test_a_place_lies_on_a_card_or_beside_it() -> None:
    assert lies_within(np.array([0.0, 0.0]), outline())
    assert not lies_within(np.array([WIDTH, 0.0]), outline())
