"""The second mark of a card, half covered and read as another face, is no card of its own."""

from __future__ import annotations

import numpy as np
import pytest

from vision.cards.card import Card
from vision.cards.loose import without_second_corners
from vision.seen import Rows, Seen

from .test_marks import WIDTH, card, mark, outline, surely


def find(x: float, y: float) -> Card:
    """A find whose mark stands in the corner opposite the mark of `card(0)`, off by (x, y)."""
    opposite = card(0).outline.sum(axis=0) / 2 - card(0).marks[0]
    middle = (opposite + (x, y)).astype(np.float32)
    return Card(outline(*middle), middle[None])


def told(
    finds: list[Card],
    names: tuple[str, ...],
    chance: float,
    rows: list[tuple[int, ...]] | None = None,
    *,
    melds: bool | None = None,
) -> tuple[int, list[int]]:
    """Return how many cards stay, and which of them are in doubt. The second find is read with this
    `chance`; `melds` says whether all rows are melds, None for a photograph of loose cards.
    """
    faces = surely(*names)
    best = faces[1].argmax()
    faces[1] = np.log((1 - chance) / (faces.shape[1] - 1))
    faces[1, best] = np.log(chance)
    quads = np.stack([mark()] * len(finds))
    seen = Seen(np.full(len(finds), 0.9, np.float32), quads, faces, Rows(rows or []))
    is_meld = None if melds is None else lambda row: melds
    left, cards = without_second_corners(seen, finds, is_meld)
    assert len(left.quads) == len(cards)
    return len(cards), sorted(left.in_doubt)


def test_a_doubtful_find_in_the_opposite_corner_is_no_card() -> None:
    assert told([card(0), find(0, 0)], ("10B", "12B"), 0.6) == (1, [])
    assert told([card(0), find(0.2 * WIDTH, 0)], ("10B", "12B"), 0.6) == (1, [])


@pytest.mark.parametrize(
    ("other", "names", "chance", "why"),
    [
        (find(0.4 * WIDTH, 0), ("10B", "12B"), 0.6, "it stands elsewhere"),
        (find(0, 0), ("10B", "12B"), 0.3, "hardly read: perhaps a card of which little shows"),
        (find(0, 0), ("J", "12B"), 0.6, "the marks of a jolly stand anywhere"),
        (find(0.15 * WIDTH, 0), ("10B", "12B"), 1 - 1e-6, "surely read, and not just there"),
    ],
)
def test_what_may_be_a_card_stays(
    other: Card, names: tuple[str, ...], chance: float, why: str
) -> None:
    assert told([card(0), other], names, chance) == (2, []), why


def test_a_surely_read_find_just_in_the_corner_is_in_doubt() -> None:
    assert told([card(0), find(0, 0)], ("10B", "1B"), 0.999) == (2, [1])


def test_among_melds_it_counts_only_in_its_own_column_if_that_is_no_meld() -> None:
    finds, names = [card(0), find(0, 0), card(3 * WIDTH)], ("10B", "12B", "4R")
    assert told(finds, names, 0.6, [(0, 1)], melds=False) == (2, [])
    assert told(finds, names, 0.6, [(0, 1)], melds=True) == (3, [])
    assert told(finds, names, 0.6, [(1, 2)], melds=False) == (3, [])
    assert told(finds, names, 0.6, [(0, 2)], melds=True) == (2, [])
