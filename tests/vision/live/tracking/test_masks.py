"""Masks of the small picture: how far they reach around hands, faces and what rests."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.live.tracking.masks import at_faces, at_rest, near_hands, with_surroundings

SIZE = (60, 80)
FACE = np.array([[40, 40], [80, 40], [80, 96], [40, 96]], np.float32)  # frame pixels
SCALE = 2.0


def blank() -> NDArray[np.uint8]:
    return np.zeros(SIZE, np.uint8)


def extents(mask: NDArray[np.uint8]) -> list[int]:
    """Return how many rows and how many columns of the mask have a pixel that is set."""
    return [int(np.count_nonzero(mask.any(axis=axis))) for axis in (1, 0)]


@pytest.mark.parametrize("reach", [0.2, 3.4, 7.5])
def test_a_hand_has_a_margin_and_what_moves_has_none(reach: float) -> None:
    hands, moving = blank(), blank()
    hands[30, 40] = moving[2, 3] = 255
    near = near_hands(hands, moving, reach)
    assert near[2, 3] == 255
    near[2, 3] = 0
    assert extents(near) == [max(int(2 * reach), 1)] * 2


def test_faces_are_set_in_small_pixels_and_with_a_margin_around_them() -> None:
    plain = at_faces([FACE], blank(), SCALE)
    assert extents(plain) == [29, 21] and plain[20, 20] == plain[48, 40] == 255
    known = blank()
    known[0, 0] = 255
    wider = with_surroundings(known, [FACE], 5.0, SCALE)
    assert wider[0, 0] == 255 and not known[1:].any()
    wider[0, 0] = 0
    assert (wider[plain > 0] == 255).all()
    assert extents(wider) == pytest.approx([39, 31], abs=3)


def test_what_rests_is_taken_with_two_pixels_all_around_and_without_what_moved() -> None:
    thing, moved = blank(), blank()
    thing[20:24, 30:40] = 255
    moved[20:24, 36:] = 255
    expected = blank()
    expected[18:26, 28:38] = 255
    np.testing.assert_array_equal(at_rest(thing, moved), expected)
