"""What is a hand, an object, a shadow."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.live.change.light import find_shadows
from vision.live.change.occluders import find_occluders
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


def test_an_arm_from_the_edge_is_a_hand_also_where_it_covers_tiles() -> None:
    mask = np.zeros(SIZE, np.uint8)
    mask[60:, 100:130] = 255
    occluders = find_occluders(mask, [square(105, 70, 20)], 10.0, CONFIG)
    assert occluders.has_hand and occluders.hands[80, 115] == 255
