"""The marks of the cards that were found, as networks that look at columns are shown them."""

from __future__ import annotations

import numpy as np
import pytest

from vision.around import HEIGHT, WIDTH
from vision.cards.card import Card
from vision.cards.known_marks import OTHERS, OWN, KnownMarks, NearMarks, with_marks

from .test_column_ends import MARK, card, marks_of

# A window whose view shows the picture as it is, twice as large, from 300, 300 on.
WINDOW = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32) / 2 + 300


def test_marks_are_drawn_where_the_view_shows_them() -> None:
    near = NearMarks(np.stack([MARK + 300, MARK + [325, 300]]), np.array([True, False]))
    drawn = near.drawn(WINDOW)
    assert drawn.shape == (HEIGHT, WIDTH) and set(np.unique(drawn)) == {0, OTHERS, OWN}
    for value, left in ((OWN, 10), (OTHERS, 60)):
        y, x = np.nonzero(drawn == value)
        assert x.min() == pytest.approx(left, abs=1) and x.max() == pytest.approx(left + 30, abs=1)
        assert y.min() == pytest.approx(10, abs=1) and y.max() == pytest.approx(60, abs=1)


def test_of_marks_in_one_place_the_cards_own_is_drawn() -> None:
    both = np.stack([MARK + 300, MARK + 300])
    assert OTHERS not in NearMarks(both, np.array([True, False])).drawn(WINDOW)


def test_a_view_turned_upside_down_shows_marks_turned() -> None:
    near = NearMarks((MARK + 300)[None], np.ones(1, np.bool_))
    upright, turned = near.drawn(WINDOW), near.drawn(np.roll(WINDOW, 2, axis=0))
    assert np.mean(upright[::-1, ::-1] == turned) > 0.98 and not np.array_equal(upright, turned)


def test_only_marks_that_show_in_the_view_are_near() -> None:
    cards = [card(300, 300), card(325, 300), card(500, 300)]
    known = KnownMarks([(0, 1), (2,)], cards, marks_of(cards))
    near = known.near(WINDOW, [cards[1]])
    assert near.quads.tolist() == marks_of(cards[:2]).tolist() and near.own.tolist() == [0, 1]
    assert known.near(WINDOW, [], [cards[0]]).quads.tolist() == marks_of(cards[1:2]).tolist()


def test_marks_of_a_card_in_no_column_are_not_known() -> None:
    cards = [card(300, 300), card(325, 300)]
    known = KnownMarks([(1,)], cards, marks_of(cards))
    assert known.near(WINDOW, cards).quads.tolist() == marks_of(cards[1:]).tolist()


def test_every_mark_of_a_card_is_known_and_as_large_as_its_surest() -> None:
    two = card(300, 300)
    two = Card(two.outline, np.concatenate([two.marks, two.marks + [15, 10]]))
    near = KnownMarks([(0,)], [two], marks_of([two])).near(WINDOW, [two])
    assert np.allclose(near.quads, [MARK + 300, MARK + [315, 310]]) and near.own.all()


def test_without_cards_no_mark_is_known() -> None:
    near = KnownMarks([], [], np.zeros((0, 4, 2), np.float32)).near(WINDOW, [])
    assert near.quads.shape == (0, 4, 2) and not near.drawn(WINDOW).any()


def test_marks_are_the_fourth_channel_of_views() -> None:
    seen = np.full((2, HEIGHT, WIDTH, 3), 7, np.uint8)
    none = NearMarks(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.bool_))
    one = NearMarks((MARK + 300)[None], np.ones(1, np.bool_))
    shown = with_marks(seen, np.stack([WINDOW, WINDOW]), [none, one])
    assert shown.shape == (2, HEIGHT, WIDTH, 4) and (shown[..., :3] == 7).all()
    assert not shown[0, ..., 3].any() and (shown[1, ..., 3] == one.drawn(WINDOW)).all()
