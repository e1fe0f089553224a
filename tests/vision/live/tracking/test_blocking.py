"""When a hand, an object or a shadow keeps a look from deciding about a place."""

from __future__ import annotations

import numpy as np
import pytest

from vision.live.pictures import Mask
from vision.live.tracking.blocking import NEAR_HAND, UNDER_OBJECT, BlockedPlaces
from vision.quads import Quad

PLACE = np.array([[10, 10], [29, 10], [29, 29], [10, 29]], np.float32)  # 20 x 20 small pixels


def covering(share: float) -> Mask:
    """Make a mask that covers this share of PLACE, in whole pixels."""
    mask = np.zeros((40, 60), np.uint8)
    place = np.zeros(400, np.uint8)
    place[: round(400 * share)] = 255
    mask[10:30, 10:30] = place.reshape(20, 20)
    return mask


@pytest.mark.parametrize(
    ("hand", "thing", "cover", "blocked", "hidden"),
    [
        (0.0, 0.0, 0.0, False, False),
        (NEAR_HAND, UNDER_OBJECT, NEAR_HAND, False, False),
        (NEAR_HAND + 0.01, 0.0, 0.0, True, True),
        (0.0, UNDER_OBJECT + 0.01, 0.0, True, True),
        (0.0, 0.0, NEAR_HAND + 0.01, False, True),  # what may be a shadow hides, but blocks not
    ],
)
@pytest.mark.parametrize("scale", [1.0, 2.5])
def test_a_place_is_blocked_by_so_much_of_a_hand_or_of_an_object(
    hand: float, thing: float, cover: float, blocked: bool, hidden: bool, scale: float
) -> None:
    places = BlockedPlaces(covering(hand), covering(thing), covering(cover), scale)
    quad: Quad = PLACE * np.float32(scale)
    assert places.is_blocked(quad) is blocked
    assert places.may_hide(quad) is hidden
    beside = (quad + 25 * scale * np.array([1, 0])).astype(np.float32)
    assert not places.may_hide(beside)


def test_nowhere_blocks_nothing() -> None:
    places = BlockedPlaces.nowhere(np.full((40, 60), 255, np.uint8), 1.0)
    assert not places.is_blocked(PLACE) and not places.may_hide(PLACE)
