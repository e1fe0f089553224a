"""How large cards are: told by their marks and by the cards beside them."""

from __future__ import annotations

import numpy as np
import pytest

from vision.cards.sizes import sized_alike

from .test_marks import HEIGHT, WIDTH, mark, outline, placed, surely

STEP = 32.0  # pixels, from card to card of a column


def test_the_size_of_a_jolly_is_that_of_the_cards_beside_it() -> None:
    """Its mark may be of any size, and tells nothing of the card's."""
    tall = placed(np.array([[4, 4], [12, 4], [12, 64], [4, 64]], np.float64), 0, STEP, 0)
    quads = np.stack([mark(), tall, mark(0, 2 * STEP)])
    outlines = np.stack([outline(0, STEP * at) for at in range(3)])
    sized = sized_alike(quads, outlines, surely("3R", "J", "5R"))
    assert np.ptp(sized[1], axis=0) == pytest.approx([WIDTH, HEIGHT], abs=1)


@pytest.mark.parametrize("down", [STEP, 400])
def test_a_jolly_in_a_column_lies_as_the_cards_beside_it(down: float) -> None:
    """The network takes the jolly to lie sideways, as its name does in the corner; it lies as the
    cards beside it. A jolly far from other cards stays as it is.
    """
    middle = mark(0, down).mean(axis=0)
    sideways = middle + (outline(0, down) - middle) @ np.array([[0, -1], [1, 0]])
    outlines = np.stack([outline(), sideways, outline(0, 2 * STEP)]).astype(np.float32)
    quads = np.stack([mark(), mark(0, down), mark(0, 2 * STEP)])
    sized = sized_alike(quads, outlines, surely("3R", "J", "5R"))
    across = sized[1, 1] - sized[1, 0]
    assert (abs(across[0]) > abs(across[1])) == (down == STEP)


def test_cards_with_larger_marks_are_no_larger() -> None:
    """Three of eight cards have marks half as large again, as of another pack."""
    places = [(150.0 * at, 0.0) for at in range(8)]
    scale = np.array([1, 1, 1.5, 1, 1.5, 1, 1.5, 1])[:, None, None]
    quads = np.stack([mark(*place) for place in places])
    quads = quads.mean(axis=1, keepdims=True) + scale * (quads - quads.mean(axis=1, keepdims=True))
    faces = surely("1R", "3R", "5R", "7R", "9R", "11R", "13R", "2B")
    sized = sized_alike(quads, np.stack([outline(*place) for place in places]), faces)
    widths = np.ptp(sized[..., 0], axis=1)
    assert widths.max() / widths.min() < 1.3


def test_sizes_of_marks_tell_nothing_in_a_pack_with_large_and_small_ones() -> None:
    """Large marks left above, small ones right below; all cards are of one size."""
    places = [(150.0 * at, 0.0) for at in range(8)]
    quads = np.stack([mark(*place) for place in places])
    scale = np.where(np.arange(8) % 2, 2.0, 1.0)[:, None, None]
    quads = quads.mean(axis=1, keepdims=True) + scale * (quads - quads.mean(axis=1, keepdims=True))
    faces = surely("1R", "3R", "5R", "7R", "9R", "11R", "13R", "2B")
    sized = sized_alike(
        quads.astype(np.float32), np.stack([outline(*place) for place in places]), faces
    )
    assert np.ptp(sized[..., 0], axis=1) == pytest.approx(np.full(8, WIDTH), rel=0.03)
