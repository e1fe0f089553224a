"""Gaps in columns that the steps from card to card tell of, and what fills them."""

from __future__ import annotations

import numpy as np
import pytest

from vision.cards.card import Card
from vision.cards.steps import Gap, StepConfig, find_gaps, gap_filler
from vision.grouping import Indices

from .test_marks import card, mark

STEP = 32.0


def gaps_in(column: list[Card]) -> list[Gap]:
    return find_gaps([tuple(range(len(column)))], column)


def shrunk(seen: Card, size: float) -> Card:
    """Return the card scaled by `size`, its top left corner where it was."""
    corner = seen.outline[:1]
    outline, marks = (
        (corner + size * (points - corner)).astype(np.float32)
        for points in (seen.outline, seen.marks)
    )
    return Card(outline, marks)


def column_at(*steps: float) -> list[Card]:
    """Make the cards of a column; each of `steps` is a card's distance from its top, in steps."""
    return [card(0, STEP * step) for step in steps]


def test_in_a_wide_step_a_card_may_have_been_missed() -> None:
    assert gaps_in(column_at(0, 1, 3, 4, 5)) == [Gap(0, 2, 0.5)]
    shares = [gap.share for gap in gaps_in(column_at(0, 1, 2, 5, 6))]
    assert shares == pytest.approx([1 / 3, 2 / 3])
    assert gaps_in(column_at(0, 1, 2.45, 3.45, 4.45)) == [Gap(0, 2, 0.5)]


@pytest.mark.parametrize("steps", [(0, 1, 2, 3), (0, 1.2, 2.1, 3.4), (0, 2, 3), (0, 1, 2, 9)])
def test_uneven_steps_and_short_columns_tell_nothing(steps: tuple[float, ...]) -> None:
    assert gaps_in(column_at(*steps)) == []


def test_a_wide_step_among_far_cards_is_told_by_their_size() -> None:
    """The cards grow along the column, as towards the camera. The wide step is 1.8 times the usual
    one on the table, but less than 1.3 times in the picture.
    """
    sizes = np.array([0.75, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3])
    steps = (sizes[1:] + sizes[:-1]) / 2 * STEP * np.array([1.8, 1, 1, 1, 1, 1])
    assert steps.max() / np.median(steps) < StepConfig.wide_step
    places = np.concatenate([[0.0], steps.cumsum()])
    column = [shrunk(card(0, at), size) for at, size in zip(places, sizes, strict=True)]
    assert [gap.before for gap in gaps_in(column)] == [1]


def test_how_many_cards_were_missed_is_told_by_their_size() -> None:
    """The last step, nearest to the camera, is three times the usual one on the table, and four
    times in the picture, where it would part two columns.
    """
    sizes = np.array([0.8, 0.85, 0.9, 0.95, 1.5])
    steps = (sizes[1:] + sizes[:-1]) / 2 * STEP * np.array([1, 1, 1, 3])
    assert round(steps[-1] / np.median(steps)) == 4
    places = np.concatenate([[0.0], steps.cumsum()])
    column = [shrunk(card(0, at), size) for at, size in zip(places, sizes, strict=True)]
    assert [gap.before for gap in gaps_in(column)] == [4, 4]


def test_a_card_that_lies_in_the_gap_by_itself_fills_it() -> None:
    quads = np.stack([mark(), mark(0, 2 * STEP), mark(3, STEP), mark(70, STEP)])
    step = np.array([0, 2 * STEP], np.float32)
    assert gap_filler(quads, [2, 3], mark(0, STEP), step) == 2
    assert gap_filler(quads, [3], mark(0, STEP), step) is None
    assert gap_filler(quads, [], mark(0, STEP), step) is None


def two_columns(*steps: float) -> list[Card]:
    """Make three cards at even steps, and the cards of a second column at these numbers of
    steps.
    """
    return [*column_at(0, 1, 2), *(card(300, STEP * step) for step in steps)]


def test_a_short_column_that_is_no_meld_is_compared_with_the_others() -> None:
    rows: list[Indices] = [(0, 1, 2), (3, 4)]
    assert find_gaps(rows, two_columns(0, 2), [1]) == [Gap(1, 1, 0.5, True)]
    assert find_gaps(rows, two_columns(0, 1.4), [1]) == [Gap(1, 1, 0.5, True)]
    assert find_gaps(rows, two_columns(0, 1.2), [1]) == []
    assert find_gaps(rows, two_columns(0, 2)) == []
    # With a single step beside it nobody knows which of the two is the usual one.
    assert find_gaps([(0, 1), (3, 4)], two_columns(0, 2), [1]) == []
    # Nor where the cards beside it all lie on one place.
    on_one_place = [*column_at(0, 0, 0), *two_columns(0, 2)[3:]]
    assert find_gaps(rows, on_one_place, [1]) == []
    assert len(find_gaps([(0, 1, 2), (3, 4, 5)], two_columns(0, 1, 4), [1])) == 2
