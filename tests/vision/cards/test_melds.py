"""Which cards beside a column of cards belong to it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.pieces import Pieces
from engine.rulesets import ruleset
from vision import open_reader
from vision.cards.marks import one_card_each
from vision.cards.melds import (
    with_cards_in_line,
    with_cards_over,
    with_loose_cards,
)
from vision.cards.pipeline import CardTableReader
from vision.grouping import Indices
from vision.seen import Rows, Seen

from .test_marks import card, mark, outline, surely
from .test_steps import STEP, column_at


def in_order(row: Indices) -> bool:
    """Stand in for the rules: legal is a row of three cards or more, numbered down the column."""
    return len(row) > 2 and list(row) == sorted(row)


NO_JOLLIES = np.zeros(4, np.bool_)


def test_a_card_beside_a_column_that_makes_it_a_meld_belongs_to_it() -> None:
    cards = [*column_at(0, 1, 2), card(300, 0), card(300, STEP)]
    assert with_loose_cards([(0, 1), (3, 4)], cards, in_order) == [(0, 1, 2), (3, 4)]
    assert with_loose_cards([(0, 2)], cards, in_order) == [(0, 1, 2)]
    assert with_loose_cards([(1, 2)], cards, in_order) == [(0, 1, 2)]


def test_a_card_aside_of_a_column_or_one_that_makes_no_meld_stays_loose() -> None:
    aside = [*column_at(0, 1), card(80, 2 * STEP)]
    assert with_loose_cards([(0, 1)], aside, in_order) == [(0, 1)]
    assert with_loose_cards([(0, 1)], column_at(1, 2, 0), in_order) == [(0, 1)]
    assert with_loose_cards([(0, 1, 2)], column_at(0, 1, 2, 3), in_order) == [(0, 1, 2)]


@pytest.mark.parametrize("free", [True, False])
def test_cards_in_line_with_a_column_belong_to_it_whatever_they_are(free: bool) -> None:
    """Two single cards lie in line with a column, and one card between was missed."""
    steps = (0, 1, 2, 4, 6) if free else (6, 5, 4, 2, 0)
    cards = column_at(*((0, 1, 2) if free else (4, 5, 6)))
    cards += [card(3, STEP * step) for step in steps[3:]]
    row: Indices = (0, 1, 2)
    assert with_cards_in_line([row], cards) == [(*row, 3, 4) if free else (4, 3, *row)]


@pytest.mark.parametrize(
    ("x", "laid"),
    [(60, [(0, 1, 2, 3)]), (5, [(0, 1, 2)]), (100, [(0, 1, 2)])],
)
def test_a_card_over_a_meld_that_makes_it_longer_belongs_to_it(
    x: float, laid: list[Indices]
) -> None:
    """What lies just on a card of the meld is a mark on it; a card farther away lies by itself."""
    cards = [*column_at(0, 1, 2), card(x, 2 * STEP)]
    assert with_cards_over([(0, 1, 2)], cards, [3], NO_JOLLIES, in_order) == laid
    assert with_cards_over([(0, 1, 2)], cards, [], NO_JOLLIES, in_order) == [(0, 1, 2)]
    assert with_cards_over([(0, 1)], cards, [3], NO_JOLLIES, in_order) == [(0, 1)]


@pytest.mark.parametrize(
    ("step", "is_jolly", "belongs"), [(2, False, True), (2, True, False), (1, False, False)]
)
def test_a_card_seen_whole_on_the_free_card_of_a_meld_belongs_to_it(
    step: int, is_jolly: bool, belongs: bool
) -> None:
    """One on a covered card does not, nor a jolly: words in two corners look like its marks."""
    seen = card(5, step * STEP)
    corners = np.stack([mark(5, step * STEP), mark(5, step * STEP, 180)]).mean(axis=1)
    cards = [*column_at(0, 1, 2), replace(seen, marks=corners)]
    jollies = np.array([False, False, False, is_jolly])

    def any_order(row: Indices) -> bool:
        return len(row) > 2

    (row,) = with_cards_over([(0, 1, 2)], cards, [3], jollies, any_order)
    assert (3 in row) == belongs


def test_a_card_that_is_joined_to_a_meld_it_lies_over_is_in_doubt() -> None:
    reader = open_reader(pieces=Pieces.CARDS)
    assert isinstance(reader, CardTableReader)
    laid = [*column_at(0, 1, 2), card(60, 2 * STEP)]
    quads = np.stack([one.outline[:1] + mark() - mark()[:1] for one in laid])
    faces = surely("3R", "4R", "5R", "6R")
    seen = Seen(np.ones(4, np.float32), quads, faces, Rows([(0, 1, 2)]))
    told = reader._as_melds(seen, laid, ruleset("burraco_it"))
    assert told.table.rows == [(0, 1, 2, 3)]
    assert told.in_doubt == {3}


@pytest.mark.parametrize(("x", "steps"), [(60, 3), (0, 5), (0, 0.9), (200, 1)])
def test_cards_aside_far_away_or_between_are_by_themselves(x: float, steps: float) -> None:
    cards = [*column_at(0, 1, 2), card(x, STEP * steps)]
    assert with_cards_in_line([(0, 1, 2)], cards) == [(0, 1, 2)]


def test_a_third_mark_is_no_corner_of_a_card_that_shows_both() -> None:
    """A card of the same face lies beside, nearly where a third corner would be."""
    quads = np.stack([mark(), mark(degrees=180), mark(80, 40)])
    outlines = np.stack([outline(), outline(degrees=180), outline(80, 40)])
    assert one_card_each(quads, outlines, surely("2K", "2K", "2K")) == [[0, 1], [2]]
