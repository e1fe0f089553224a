"""Faint cards that lie by themselves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.cards.alone import AS_LARGE, FROM_CORNER, ONE_CARD, lying_alone
from vision.cards.card import Card

from .test_marks import card, mark, outline, surely

WIDTH, HEIGHT = 100.0, 140.0  # of a card, in pixels


def told(faint: Card, face: str = "9Y", size: float = 1.0) -> list[bool]:
    """What is told of a sure 5R, whose middle is at (0, 0), and of a faint card. The faint one's
    mark is `size` times as wide and as high.
    """
    quads = np.stack([mark(), mark() * np.float32(size)])
    return lying_alone([card(), faint], quads, surely("5R", face)).tolist()


def faint_at(x: float, y: float = 0.0) -> Card:
    return replace(card(x, y), sure=False)


def test_a_faint_card_apart_from_others_may_be_one() -> None:
    assert told(faint_at(400)) == [False, True]
    assert told(replace(faint_at(400), sure=True)) == [False, False]


def test_without_a_sure_card_nothing_is() -> None:
    faint = [faint_at(0), faint_at(400)]
    quads = np.stack([mark(), mark(400)])
    assert not lying_alone(faint, quads, surely("5R", "9Y")).any()
    assert not lying_alone([], quads[:0], surely("5R")[:0]).any()


@pytest.mark.parametrize(("size", "may_be"), [(AS_LARGE + 0.02, True), (AS_LARGE - 0.02, False)])
def test_small_writing_is_no_card(size: float, may_be: bool) -> None:
    assert told(faint_at(400), size=size) == [False, may_be]


def test_a_jolly_is_told_otherwise() -> None:
    assert told(faint_at(400), "J") == [False, False]


@pytest.mark.parametrize(
    ("away", "may_be"), [(FROM_CORNER - 0.02, False), (FROM_CORNER + 0.02, True)]
)
def test_a_mark_in_a_corner_of_a_sure_card_is_its_own(away: float, may_be: bool) -> None:
    """Whatever it is read as; here beyond its right edge."""
    place = np.float32([[(0.5 + away) * WIDTH, HEIGHT / 2]])
    assert told(Card(outline(80, 120), place, sure=False)) == [False, may_be]


@pytest.mark.parametrize(("away", "may_be"), [(ONE_CARD - 0.1, False), (ONE_CARD + 0.1, True)])
def test_a_second_mark_of_a_face_near_its_card_is_none(away: float, may_be: bool) -> None:
    faint = faint_at(away * HEIGHT)
    assert told(faint, "5R") == [False, may_be]
    assert told(faint, "9Y") == [False, True]
