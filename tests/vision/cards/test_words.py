"""Cards: words of the maker that look like a jolly's mark. The outlines are exact and made in the
tests, without any network.
"""

from __future__ import annotations

import numpy as np
import pytest

from engine.tiles import FACE_INDEX, JOKER
from tests.face_scores import seen_on
from tests.vision.cards.test_marks import WIDTH, card, mark, outline
from vision import Layout
from vision.cards.card import Card
from vision.cards.from_marks import HARDLY_A_WORD, Marks, cards_of
from vision.cards.words import words_on_cards
from vision.detector import Detections
from vision.kinds import CARDS
from vision.reader import JOKER as JOLLY

STEP = 30.0
LEFT, LEVEL = mark().mean(axis=0).tolist()  # of the first card's index; its middle is at 0, 0
COLUMN = [card(0, STEP * number) for number in range(3)]


def whole(x: float = 0, y: float = 0) -> Card:
    """Return a card that shows the indices at its upper left and its lower right."""
    upper = mark(x, y).mean(axis=0)
    around = outline(x, y)
    return Card(around, np.stack([upper, 2 * around.mean(axis=0) - upper]))


def is_word(cards: list[Card], *marks: tuple[float, float]) -> list[bool]:
    words, twice = words_on_cards(np.array(marks, np.float32).reshape(-1, 2), cards)
    assert not (twice & ~words).any()
    return words.tolist()


@pytest.mark.parametrize("steps", [-0.3, 0, 0.3])
@pytest.mark.parametrize("number", [0, 1])
def test_beside_the_index_of_a_covered_card_stands_a_word(number: int, steps: float) -> None:
    level = LEVEL + STEP * (number + steps)
    assert is_word(COLUMN, (-LEFT, level), (0, level)) == [True, True]


def test_a_mark_in_line_with_the_indices_is_that_of_a_jolly() -> None:
    between = [card(), card(0, 2 * STEP)]
    assert is_word(between, (LEFT, LEVEL + STEP), (LEFT + 4, LEVEL + STEP)) == [False, False]
    assert is_word(COLUMN, (LEFT, LEVEL - STEP), (LEFT, LEVEL + 3 * STEP)) == [False, False]


def test_a_mark_half_way_between_two_levels_may_be_that_of_a_jolly() -> None:
    """Such as the second mark of a jolly between two cards whose step is that of two."""
    between = [card(), card(0, 2 * STEP)]
    assert is_word(between, (-LEFT, LEVEL + STEP)) == [False]


def test_a_mark_beside_the_column_is_no_word() -> None:
    assert is_word(COLUMN, (WIDTH + LEFT, LEVEL), (-WIDTH - LEFT, LEVEL)) == [False, False]


def test_on_a_card_seen_whole_two_opposite_marks_are_words() -> None:
    corners = (-LEFT, LEVEL), (LEFT, -LEVEL)
    assert is_word([whole()], *corners) == [True, True]
    assert is_word([whole()], corners[0]) == [False]  # a jolly may lie on it
    assert is_word([whole()], corners[0], (0, -9)) == [False, False]
    assert is_word([card()], *corners) == [False, False]


def test_a_mark_on_the_free_card_of_a_column_is_a_word_unless_in_line() -> None:
    free = [card(), whole(0, STEP)]
    beside, in_line = (0, STEP), (LEFT, LEVEL + STEP + 20)
    assert is_word(free, beside, in_line) == [True, False]
    assert is_word([whole()], beside) == [False]


def test_without_marks_or_cards_there_is_no_word() -> None:
    assert is_word([]) == is_word(COLUMN) == []
    assert is_word([], (10, 10)) == [False]


@pytest.mark.parametrize(
    ("sure", "layout", "score", "told"),
    [
        (True, Layout.MELDS, 0.9, True),
        (False, Layout.MELDS, 0.9, False),
        (False, Layout.LOOSE, HARDLY_A_WORD + 0.05, True),
        (False, Layout.LOOSE, HARDLY_A_WORD - 0.05, False),
    ],
)
def test_what_surely_is_a_jolly_is_no_word(
    sure: bool, layout: Layout, score: float, told: bool
) -> None:
    """It stands where a word would, beside the index of a covered card. Among loose cards a large
    joint score is enough.
    """
    places = [(200.0, 200 + STEP * number) for number in range(3)]
    beside = mark(200 - 2 * LEFT, 200.0)
    quads = np.stack([*(mark(*place) for place in places), beside])
    outlines = np.stack([*(outline(*place) for place in places), outline(200, 200 - STEP)])
    numbers = [{7: 1.0}, {8: 1.0}, {9: 1.0}, {JOLLY: 0.999}]
    scores = np.array([0.9, 0.9, 0.9, score], np.float32)
    found = Detections(np.concatenate([quads, outlines], axis=1), scores)
    seen = seen_on(quads, numbers, {0: 1.0})
    marks = Marks(found, seen, np.array([False, False, False, sure]))
    cards, _ = cards_of(marks, CARDS.doubts, layout=layout)
    assert (FACE_INDEX[JOKER] in cards.faces.argmax(axis=1)) == told


@pytest.mark.parametrize("twice", [True, False])
def test_what_a_card_seen_whole_shows_twice_is_a_word_however_sure_a_jolly_it_seems(
    twice: bool,
) -> None:
    own, x, y = mark(200, 200), 200.0, 200.0
    words = [mark(x, y) + np.array([-2 * LEFT, 0], np.float32)]
    words += [2 * np.array([x, y], np.float32) - words[0]] if twice else []
    quads = np.stack([own, 2 * np.array([x, y], np.float32) - own, *words])
    outlines = np.stack([outline(x, y), np.roll(outline(x, y), 2, axis=0)] * 2)[: len(quads)]
    numbers = [{12: 1.0}, {12: 1.0}, *[{JOLLY: 0.999}] * len(words)]
    found = Detections(
        np.concatenate([quads, outlines], axis=1), np.full(len(quads), 0.9, np.float32)
    )
    jollies = np.arange(len(quads)) >= 2
    marks = Marks(found, seen_on(quads, numbers, {0: 1.0}), jollies)
    told, _ = cards_of(marks, CARDS.doubts)
    assert (FACE_INDEX[JOKER] in told.faces.argmax(axis=1)) != twice
