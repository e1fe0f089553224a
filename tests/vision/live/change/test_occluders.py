"""What is taken for a hand, for an object and for a shadow."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.live.change.light import find_shadows
from vision.live.change.occluders import Occluders, arms_among, find_occluders
from vision.live.settings import LiveConfig

from .small_table import SIZE, lit, table

CONFIG = LiveConfig()


def test_shadows_are_told_from_things() -> None:
    known = table()
    shaded, thing = lit(known, 0.7), known.copy()
    thing[:] = (210, 160, 130)
    assert (find_shadows(known, shaded) > 0).mean() > 0.9
    assert (find_shadows(known, thing)[90:, :] > 0).mean() < 0.1


def square(x: float, y: float, side: float) -> NDArray[np.float32]:
    return np.array([[x, y], [x + side, y], [x + side, y + side], [x, y + side]], np.float32)


def test_what_tiles_explain_is_no_occluder() -> None:
    mask = np.zeros(SIZE, np.uint8)
    mask[60:74, 100:110] = 255
    assert not find_occluders(mask, [square(100, 60, 12)], 10.0, CONFIG).everything().any()
    assert find_occluders(mask, [], 10.0, CONFIG).objects.any()


@pytest.mark.parametrize(("gap", "is_hand"), [(0, True), (2, True), (3, False)])
@pytest.mark.parametrize("edge", ["left", "top", "right", "bottom"])
def test_what_is_too_small_for_a_hand_is_one_where_it_reaches_in_from_an_edge(
    edge: str, gap: int, is_hand: bool
) -> None:
    (height, width), side = SIZE, 20
    left = {"left": gap, "right": width - side - gap}.get(edge, 60)
    top = {"top": gap, "bottom": height - side - gap}.get(edge, 60)
    mask = np.zeros(SIZE, np.uint8)
    mask[top : top + side, left : left + side] = 255
    assert find_occluders(mask, [], 10.0, CONFIG).has_hand is is_hand


def test_an_arm_from_the_edge_is_a_hand_also_where_it_covers_tiles() -> None:
    mask = np.zeros(SIZE, np.uint8)
    mask[60:, 100:130] = 255
    occluders = find_occluders(mask, [square(105, 70, 20)], 10.0, CONFIG)
    assert occluders.has_hand and occluders.hands[80, 115] == 255


@pytest.mark.parametrize(
    ("top", "rows", "is_arm"), [(60, 13, True), (60, 12, False), (10, 60, False)]
)
def test_an_arm_at_rest_reaches_in_from_the_edge_and_lies_mostly_as_before(
    top: int, rows: int, is_arm: bool
) -> None:
    """Of two pieces one is asked about: 30 columns wide, from the row `top` on 60 rows high."""
    differs, unstirred = np.zeros((120, 200), np.uint8), np.zeros((120, 200), np.uint8)
    differs[top : top + 60, 100:130] = differs[0:40, 10:20] = 255
    unstirred[top : top + rows, 100:130] = 255
    arms = arms_among(differs, unstirred)
    assert arms[top : top + 60, 100:130].all() == is_arm
    arms[top : top + 60, 100:130] = 0
    assert not arms.any()


WIDTH = 20.0  # small pixels of a tile, whose area is then 560


def blob(area: float, left: int = 100, top: int = 60) -> NDArray[np.uint8]:
    """Return a mask of one rectangle, twenty pixels high, whose area is about that of `area`
    tiles.
    """
    mask = np.zeros(SIZE, np.uint8)
    mask[top : top + 20, left : left + round(area * 1.4 * WIDTH * WIDTH / 20)] = 255
    return mask


@pytest.mark.parametrize(
    ("area", "left", "kind"),
    [
        (0.9 * CONFIG.thing_area, 100, "nothing"),
        (1.1 * CONFIG.thing_area, 100, "object"),
        (0.95 * CONFIG.hand_area, 100, "object"),
        (1.05 * CONFIG.hand_area, 100, "hand"),
        (0.9 * CONFIG.arm_area, 0, "object"),
        (1.1 * CONFIG.arm_area, 0, "hand"),
    ],
)
def test_a_things_size_in_tiles_tells_what_it_is(area: float, left: int, kind: str) -> None:
    mask = blob(area, left)
    found = find_occluders(mask, [], WIDTH, CONFIG)
    wanted = {"hand": found.hands, "object": found.objects}
    for name, shown in wanted.items():
        assert set(np.unique(shown)) <= {0, 255}
        # Closing the gaps of a mask moves its outline by a pixel.
        lies = (mask > 0).sum() if name == kind else 0
        assert (shown > 0).sum() == pytest.approx(lies, rel=0.1), name


def test_each_of_several_things_is_what_it_is_alone() -> None:
    """A speck that is nothing comes first, above and left of an object and a hand."""
    speck = blob(0.5 * CONFIG.thing_area, left=10, top=10)
    thing = blob(1.5 * CONFIG.thing_area, left=60, top=50)
    hand = blob(1.2 * CONFIG.hand_area, left=60, top=100)
    found = find_occluders(speck | thing | hand, [], WIDTH, CONFIG)
    assert found.objects[60, 70] == 255 and found.hands[110, 70] == 255
    assert not found.everything()[:40].any()
    assert not (found.objects[90:].any() or found.hands[:90].any())


def test_of_a_thing_among_tiles_only_what_they_leave_over_is_an_object() -> None:
    mask = blob(0.95 * CONFIG.hand_area)
    tile = np.array([[100, 60], [120, 60], [120, 80], [100, 80]], np.float32)
    found = find_occluders(mask, [tile], WIDTH, CONFIG)
    assert not found.has_hand
    assert not found.objects[60:80, 100:120].any() and found.objects[70, 140] == 255


def test_a_thing_is_as_large_as_what_the_tiles_leave_over_of_it() -> None:
    """The whole change would be large enough for a hand; without the tile in it it is an object."""
    mask = blob(1.1 * CONFIG.hand_area)
    tile = np.array([[140, 60], [160, 60], [160, 80], [140, 80]], np.float32)
    assert find_occluders(mask, [], WIDTH, CONFIG).has_hand
    found = find_occluders(mask, [tile], WIDTH, CONFIG)
    assert not found.has_hand and found.objects[70, 110] == 255


def still_and_moving() -> tuple[Occluders, NDArray[np.uint8]]:
    """Make three hands, one at the left edge, and an object; the hand farthest to the right moves.

    Returns them with the mask of what moves.
    """
    hands = np.zeros(SIZE, np.uint8)
    hands[20:60, 0:40] = hands[100:140, 100:140] = hands[100:140, 200:240] = 255
    objects, moving = np.zeros_like(hands), np.zeros_like(hands)
    objects[20:30, 200:210] = 255
    moving[110:112, 230:232] = 255
    return Occluders(hands, objects), moving


def test_what_rests_away_from_the_edge_is_a_thing_that_somebody_put_down() -> None:
    before, moving = still_and_moving()
    after = before.with_things_at_rest(moving)
    hands, objects = before.hands.copy(), before.objects.copy()
    hands[100:140, 100:140], objects[100:140, 100:140] = 0, 255
    np.testing.assert_array_equal(after.hands, hands)
    np.testing.assert_array_equal(after.objects, objects)
    np.testing.assert_array_equal(after.everything(), before.everything())


def test_a_hand_is_at_work_where_something_moves_below_it() -> None:
    occluders, moving = still_and_moving()
    assert occluders.has_hand_at_work(moving)
    assert not occluders.has_hand_at_work(np.roll(moving, -60, axis=1))
    thing = Occluders(np.zeros_like(moving), occluders.objects)
    assert not thing.has_hand and thing.with_things_at_rest(moving) is thing
    assert not thing.has_hand_at_work(np.full_like(moving, 255))
