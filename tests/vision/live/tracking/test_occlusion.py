"""How long hands and shadows postpone a decision, and at which places none is made."""

from __future__ import annotations

import numpy as np
import pytest

from vision.live.pictures import Mask
from vision.live.settings import LiveConfig
from vision.live.tracking.blocking import BlockedPlaces
from vision.live.tracking.occlusion import OcclusionTimer

CONFIG = LiveConfig()
PLACE = np.array([[40, 40], [80, 40], [80, 80], [40, 80]], np.float32)  # frame pixels
NOTHING = np.zeros((60, 80), np.uint8)


def test_missed_tiles_may_be_covered_for_a_while() -> None:
    timer = OcclusionTimer(CONFIG)
    assert not timer.may_be_covered(5.0)  # none is missed
    timer.update(has_hand=False, misses_tiles=True, time=10.0)
    timer.update(has_hand=False, misses_tiles=True, time=20.0)
    for later, covered in ((0.0, True), (CONFIG.pale_hold, True), (CONFIG.pale_hold + 0.1, False)):
        assert timer.may_be_covered(10.0 + later) is covered
    timer.update(has_hand=False, misses_tiles=False, time=21.0)
    assert not timer.may_be_covered(21.0)


def test_a_hand_at_work_holds_everything_for_a_while() -> None:
    timer = OcclusionTimer(CONFIG)
    assert not timer.is_held(0.0)
    timer.update(has_hand=True, misses_tiles=False, time=10.0)
    timer.update(has_hand=True, misses_tiles=False, time=12.0)
    assert timer.is_held(10.0 + CONFIG.hold - 0.1)
    assert not timer.is_held(10.0 + CONFIG.hold)
    timer.update(has_hand=False, misses_tiles=False, time=13.0)
    assert not timer.is_held(13.0)


def covering(share: float) -> Mask:
    """Make a mask of the small picture, half the frame's size, that covers this share of the
    place.
    """
    mask = NOTHING.copy()
    mask[20 : 20 + round(21 * share), 10:60] = 255
    return mask


@pytest.mark.parametrize(
    ("near_hands", "under_objects", "covered", "blocked", "may_hide"),
    [
        (0.0, 0.0, 0.0, False, False),
        (0.2, 0.0, 0.0, True, True),
        (0.0, 0.2, 0.0, False, False),
        (0.0, 0.5, 0.0, True, True),
        (0.0, 0.0, 0.2, False, True),
    ],
)
def test_a_place_is_blocked_by_a_hand_sooner_than_by_an_object(
    near_hands: float, under_objects: float, covered: float, blocked: bool, may_hide: bool
) -> None:
    masks = (covering(near_hands), covering(under_objects), covering(covered))
    places = BlockedPlaces(*masks, scale=2.0)
    assert places.is_blocked(PLACE) == blocked
    assert places.may_hide(PLACE) == may_hide
    assert not BlockedPlaces.nowhere(NOTHING, 2.0).may_hide(PLACE)
