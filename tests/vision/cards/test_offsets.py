"""Which cards may be neighbours, and the steps between them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.cards.card import Card
from vision.cards.offsets import find_offsets, step_between, steps_from

from .test_marks import card, mark, outline


def whole(x: float, y: float) -> Card:
    """Make a card that shows the marks in two opposite corners."""
    return Card(outline(x, y), np.stack([mark(x, y).mean(axis=0), mark(x, y, 180).mean(axis=0)]))


def test_no_card_and_one_card_have_no_neighbours() -> None:
    assert find_offsets([]) == find_offsets([card()]) == {}
    assert steps_from(card(), []).shape == (0, 2)


def test_neighbours_are_told_both_ways_whatever_marks_they_show() -> None:
    cards = [card(), whole(0, 30), card(0, 60), card(2000, 0)]
    offsets = find_offsets(cards)
    assert {(0, 1), (1, 0), (1, 2), (2, 1)} <= offsets.keys()
    assert not any(3 in pair for pair in offsets)
    for (one, other), (cost, offset) in offsets.items():
        assert cost == offsets[other, one][0]
        np.testing.assert_allclose(offset, -offsets[other, one][1], atol=1e-5)


def test_marks_in_the_same_corner_tell_the_step_and_else_the_middles() -> None:
    first, following = card(), card(0, 30)
    shifted = replace(following, outline=following.outline + np.float32(5))
    np.testing.assert_allclose(step_between(first, shifted), (0, 30), atol=1e-3)
    other_corner = replace(shifted, marks=mark(0, 30, 180).mean(axis=0, keepdims=True))
    np.testing.assert_allclose(step_between(first, other_corner), (5, 35), atol=1e-3)


def test_steps_to_several_cards_are_those_to_each() -> None:
    first, others = card(), [whole(0, 30), card(10, 60, 12), card(-40, 20, 180)]
    np.testing.assert_allclose(
        steps_from(first, others), [step_between(first, one) for one in others], atol=1e-4
    )


def test_a_step_that_is_kept_cannot_be_changed() -> None:
    step = step_between(card(), card(0, 30))
    with pytest.raises(ValueError, match="read-only"):
        step += 1
