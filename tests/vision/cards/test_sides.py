"""Rows of cards that lie over one another sideways, of packs with indices in all four corners: on
which side of their marks the cards lie, and which marks are of one card.
"""

from __future__ import annotations

from math import cos, sin

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.cards.card import Card
from vision.cards.columns import find_columns
from vision.cards.marks import joint_outlines, one_card_each
from vision.cards.places import USUAL, Places, unlikeness
from vision.cards.sides import on_one_side
from vision.cards.sizes import has_four_indices

from .test_corners import marks
from .test_marks import HEIGHT, WIDTH, outline, surely

STEP = 30.0  # from card to card of a row
LEFT, RIGHT, UPPER = "03", "12", "01"  # the marks along an edge


def as_read(quads: NDArray[np.float32], corners: str) -> NDArray[np.float32]:
    """Return quads of marks, or of their cards, as one reads the marks in these corners: those in
    the lower ones stand upside down.
    """
    return np.stack(
        [
            np.roll(quad, 2, axis=0) if corner in "23" else quad
            for quad, corner in zip(quads, corners, strict=True)
        ]
    )


class Row:
    """A row of cards of which one edge shows, but for the free card, which shows all. The network
    takes the cards with the numbers `wrong` for cards on the other side of their marks.
    """

    def __init__(
        self, count: int, *, edge: str = LEFT, wrong: tuple[int, ...] = (), y: float = 0.0
    ) -> None:
        step = STEP if edge == LEFT else -STEP
        aside = WIDTH - 20.0 if edge == RIGHT else 20.0 - WIDTH
        shown = [edge] * (count - 1) + ["0123"]
        self.quads = np.concatenate(
            [as_read(marks(one, at * step, y), one) for at, one in enumerate(shown)]
        )
        self.true = np.stack([outline(at * step, y) for at in range(count)])
        self.told = self.true.copy()
        for at in wrong:
            self.told[at] = outline(at * step + aside, y)
        self.shown = shown
        ends = np.cumsum([len(one) for one in shown]).tolist()
        self.cards = [[*range(end - len(one), end)] for end, one in zip(ends, shown, strict=True)]

    def of_marks(self) -> NDArray[np.float32]:
        """Return the outline that the network gives with each mark."""
        return np.concatenate(
            [
                as_read(np.stack([told] * len(corners)), corners)
                for told, corners in zip(self.told, self.shown, strict=True)
            ]
        )

    def outlines(self) -> NDArray[np.float32]:
        return on_one_side(self.quads, self.of_marks(), self.told, self.cards)


@pytest.mark.parametrize("wrong", [(), (3,)])
@pytest.mark.parametrize("degrees", [6.0, 14.0])
def test_the_cards_of_a_fan_lie_on_the_same_side_as_each_card_is_turned(
    degrees: float, wrong: tuple[int, ...]
) -> None:
    """Of nine cards that are turned by 14 degrees each, the last one lies across the first."""
    turns = degrees * np.arange(9)
    middle = np.array([0.0, 1.5 * HEIGHT])
    places = [middle + 1.5 * HEIGHT * np.array([sin(t), -cos(t)]) for t in np.radians(turns)]
    at = [(float(x), float(y), float(turn)) for (x, y), turn in zip(places, turns, strict=True)]
    quads = np.concatenate([as_read(marks(LEFT, *place), LEFT) for place in at])
    true = np.stack([outline(*place) for place in at])
    told = true.copy()
    for card in wrong:
        told[card] -= (WIDTH - 20) / WIDTH * (true[card, 1] - true[card, 0])
    of_marks = np.concatenate([as_read(np.stack([one, one]), LEFT) for one in told])
    cards = [[2 * n, 2 * n + 1] for n in range(9)]
    assert on_one_side(quads, of_marks, told, cards) == pytest.approx(true, abs=3)


@pytest.mark.parametrize("wrong", [(), (1,), (2,)])
@pytest.mark.parametrize("in_left", [True, False])
def test_two_rows_back_to_back_are_judged_apart(wrong: tuple[int, ...], in_left: bool) -> None:
    """One goes to the left and the other, which begins beside it, to the right. A card near that
    place which is seen on the wrong side may stay there, but takes no others with it.
    """
    left = Row(5, edge=RIGHT, wrong=wrong if in_left else ())
    right = Row(8, wrong=() if in_left else wrong)
    shift = np.float32([WIDTH + 25, 0])
    cards = left.cards + [[mark + len(left.quads) for mark in card] for card in right.cards]
    told = on_one_side(
        np.concatenate([left.quads, right.quads + shift]),
        np.concatenate([left.of_marks(), right.of_marks() + shift]),
        np.concatenate([left.told, right.told + shift]),
        cards,
    )
    true = np.concatenate([left.true, right.true + shift])
    off = np.abs(told - true).max(axis=(1, 2)) > 2
    assert off.sum() <= len(wrong)


@pytest.mark.parametrize("wrong", [(), (1,), (3,)])
def test_a_card_upside_down_in_its_row_lies_on_the_same_side(wrong: tuple[int, ...]) -> None:
    row = Row(6, wrong=wrong)
    row.told[1] = np.roll(row.told[1], 2, axis=0)
    assert row.outlines().mean(axis=1) == pytest.approx(row.true.mean(axis=1), abs=2)


@pytest.mark.parametrize("edge", [LEFT, RIGHT])
@pytest.mark.parametrize("wrong", [(), (2,), (0, 3)])
def test_all_cards_of_a_row_lie_where_most_of_their_marks_see_them(
    edge: str, wrong: tuple[int, ...]
) -> None:
    row = Row(6, edge=edge, wrong=wrong)
    assert row.outlines() == pytest.approx(row.true, abs=2)


def test_where_as_many_marks_see_either_side_the_free_card_decides() -> None:
    row = Row(3, wrong=(1,))
    assert row.outlines() == pytest.approx(row.true, abs=2)


def test_two_rows_are_judged_apart() -> None:
    """Taken together, the marks of the upper row would outvote those of the lower one."""
    upper, lower = Row(7), Row(4, edge=RIGHT, y=300)
    cards = upper.cards + [[mark + len(upper.quads) for mark in card] for card in lower.cards]
    told = on_one_side(
        np.concatenate([upper.quads, lower.quads]),
        np.concatenate([upper.of_marks(), lower.of_marks()]),
        np.concatenate([upper.told, lower.told]),
        cards,
    )
    assert told == pytest.approx(np.concatenate([upper.true, lower.true]), abs=2)


def test_cards_that_show_their_upper_edge_stay_where_they_are() -> None:
    quads = np.concatenate([marks(UPPER, 0, STEP * at) for at in range(3)])
    told = np.stack([outline(0, STEP * at) for at in range(3)])
    each = np.repeat(told, 2, axis=0)
    assert (on_one_side(quads, each, told, [[0, 1], [2, 3], [4, 5]]) == told).all()


def test_no_cards_have_no_outlines() -> None:
    nothing = np.zeros((0, 4, 2), np.float32)
    assert on_one_side(nothing, nothing, nothing, []).shape == (0, 4, 2)


def test_a_row_with_cards_seen_on_the_wrong_side_is_one_column_in_order() -> None:
    row = Row(6, wrong=(1, 4))
    told = joint_outlines(row.quads, row.of_marks(), row.cards)
    cards = [
        Card(outline, row.quads[card].mean(axis=1))
        for outline, card in zip(told, row.cards, strict=True)
    ]
    assert find_columns(cards) == [(0, 1, 2, 3, 4, 5)]


@pytest.mark.parametrize(("ends", "others", "four"), [(4, 2, True), (2, 0, False), (3, 7, False)])
def test_both_ends_of_most_edges_tell_that_a_pack_has_four_indices(
    ends: int, others: int, four: bool
) -> None:
    """Cards in a row, without a free one. Of some both ends of an edge show, of others one."""
    shown = [LEFT] * ends + ["0"] * others
    quads = np.concatenate([as_read(marks(one, at * STEP), one) for at, one in enumerate(shown)])
    told = np.concatenate(
        [as_read(np.stack([outline(at * STEP)] * len(one)), one) for at, one in enumerate(shown)]
    )
    names = [f"{number}R" for number in range(1, 1 + len(shown))]
    faces = surely(*(name for name, one in zip(names, shown, strict=True) for _ in one))
    same = unlikeness(faces) <= USUAL.same_face
    assert has_four_indices(Places.of(quads, told), faces, same, USUAL) == four


def test_equal_cards_of_a_row_stay_two() -> None:
    """Two cards beside each other, and two with another card between them, as far apart as both
    edges of one card.
    """
    row = Row(6)
    of_cards = ["7R", "7R", "9K", "7R", "9K", "7Y"]
    faces = surely(*(face for face, card in zip(of_cards, row.cards, strict=True) for _ in card))
    told = one_card_each(row.quads, row.of_marks(), faces)
    assert sorted(sorted(card) for card in told) == row.cards
