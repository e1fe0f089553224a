"""Two loose cards that may be one: the less sure of them is in doubt."""

from __future__ import annotations

import numpy as np
import pytest

from vision.cards.card import Card
from vision.cards.loose import with_twins_in_doubt
from vision.kinds import CARDS
from vision.seen import Rows, Seen

from .test_marks import HEIGHT, WIDTH, card, mark, mirrored, outline, surely

SURE = 0.9
UPSIDE_DOWN = 180


def far_mark(x: float, y: float = 0) -> Card:
    """A card at (x, y) of which the mark in the lower right corner is seen."""
    return Card(outline(x, y), mark(x, y, UPSIDE_DOWN).mean(axis=0, keepdims=True))


def test_a_face_that_is_read_less_surely_is_the_less_sure_one() -> None:
    faces = surely("12B", "11B")
    faces[0] = np.log(0.5 / faces.shape[1])
    faces[0, 0] = np.log(0.5)
    scores = np.float32([0.9, 0.8])
    seen = Seen(scores, np.stack([mark()] * 2), faces, Rows([]))
    told = with_twins_in_doubt(seen, [card(0), far_mark(10, 8)], CARDS.doubts)
    assert told.in_doubt == {0} and told.joint_scores.tolist() == scores.tolist()


def test_a_card_that_is_hardly_seen_stays_so() -> None:
    seen = Seen(np.float32([0.1, 0.9]), np.stack([mark()] * 2), surely("4R", "5R"), Rows([]))
    told = with_twins_in_doubt(seen, [card(0), far_mark(10, 8)], CARDS.doubts)
    assert told.joint_scores.tolist() == seen.joint_scores.tolist()


def in_doubt(cards: list[Card], names: tuple[str, ...], *scores: float) -> list[int]:
    quads = np.array([mark()] * len(cards), np.float32).reshape(-1, 4, 2)
    joint_scores = np.float32(scores or [SURE] * len(cards))
    told = with_twins_in_doubt(
        Seen(joint_scores, quads, surely(*names), Rows([])), cards, CARDS.doubts
    )
    return sorted(told.in_doubt)


def test_of_two_cards_in_one_place_the_less_sure_is_in_doubt() -> None:
    """One of its two corners was misread."""
    cards = [card(0), far_mark(10, 8), card(3 * WIDTH)]
    assert in_doubt(cards, ("12B", "11B", "4R"), 0.8, 0.9, 0.7) == [0]
    assert in_doubt(cards, ("12B", "11B", "4R"), 0.9, 0.8, 0.7) == [1]


def test_two_marks_at_both_ends_of_one_long_edge_may_be_of_one_card() -> None:
    """A pack with four indices shows the two of one edge where the rest of a card is covered."""
    below = mark(0, 0.7 * HEIGHT).mean(axis=0, keepdims=True)
    assert in_doubt([card(0), Card(outline(5, 4), below)], ("10Y", "12Y"), 0.9, 0.8) == [1]
    assert in_doubt([card(0), Card(outline(0, 0.5 * HEIGHT), below)], ("10Y", "12Y")) == []
    both = Card(outline(5, 4), np.concatenate([below, far_mark(5, 4).marks]))
    assert in_doubt([card(0), both], ("10Y", "12Y")) == [], "the other shows two marks"


@pytest.mark.parametrize(
    "other",
    [
        card(0.2 * WIDTH),
        far_mark(0.7 * WIDTH),
        far_mark(0, 0.7 * HEIGHT),
        Card(outline(0, 0.2 * HEIGHT), mirrored(mark()).mean(axis=0)[None] + [0, 0.2 * HEIGHT]),
    ],
    ids=["the same corner, as in a fan", "beside it", "beneath it", "as in a column"],
)
def test_of_two_cards_that_lie_otherwise_none_is(other: Card) -> None:
    assert in_doubt([card(0), other], ("12B", "11B")) == []


@pytest.mark.parametrize(
    ("aside", "doubted"), [(0.1 * WIDTH, [2]), (1.2 * WIDTH, [])], ids=["one card", "two cards"]
)
def test_two_jollies_are_one_perhaps_where_a_card_can_hold_their_marks(
    aside: float, doubted: list[int]
) -> None:
    """Wherever the network thinks that the second one lies."""
    across = Card(outline(aside, HEIGHT), mark(aside, 0, UPSIDE_DOWN).mean(axis=0, keepdims=True))
    cards = [card(3 * WIDTH), card(0), across]
    assert in_doubt(cards, ("4R", "J", "J"), 0.9, 0.9, 0.8) == doubted


def test_of_jollies_alone_all_but_one_are_in_doubt() -> None:
    """They tell nothing of the size of a card, and a hand of jollies alone is rare."""
    across = Card(outline(0, HEIGHT), mark(0, 0, UPSIDE_DOWN).mean(axis=0, keepdims=True))
    assert in_doubt([card(0), across], ("J", "J")) == [0]


def test_a_card_alone_is_not_in_doubt() -> None:
    assert in_doubt([card(0)], ("J",)) == []
