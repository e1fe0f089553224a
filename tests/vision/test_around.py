"""What a network that looks again sees around a find."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.around import HEIGHT, WIDTH, Around, views
from vision.cards import second_look as card_second_look
from vision.tiles import second_look

FIND = np.array([[0, 0], [30, 0], [30, 42], [0, 42]], np.float32)
LOOKS = pytest.mark.parametrize(
    "around", [second_look.AROUND, card_second_look.AROUND], ids=["tiles", "cards"]
)


def test_a_window_shows_a_tile_and_nearly_half_a_tile_around_it() -> None:
    (window,) = second_look.AROUND.windows((FIND + [100, 60])[None])
    assert np.allclose(window[0], [86.2, 47.4]) and np.allclose(window[2], [143.8, 114.6])


def test_a_window_around_a_mark_shows_the_corner_of_its_card() -> None:
    (window,) = card_second_look.AROUND.windows((FIND + [100, 60])[None])
    assert np.allclose(window[0], [79, 39]) and np.allclose(window[2], [151, 123])


@LOOKS
def test_no_finds_are_shown_as_nothing(around: Around) -> None:
    none: NDArray[np.float32] = np.zeros((0, 4, 2), np.float32)
    picture = np.zeros((9, 9, 3), np.uint8)
    assert views(picture, around.windows(none)).shape == (0, HEIGHT, WIDTH, 3)
    assert around.seen(picture, none).shape == (0, HEIGHT, WIDTH, 3)


@LOOKS
def test_a_find_looks_white_whatever_lies_around_it(around: Around) -> None:
    """The find's own body decides on the white, not the cloth around it."""
    picture = np.full((120, 120, 3), (40, 90, 40), np.uint8)
    picture[38:82, 44:76] = (160, 140, 100)
    shown = around.seen(picture, (FIND + [45, 39])[None])[0, HEIGHT // 2, WIDTH // 2]
    assert np.ptp(shown) <= 2 and shown[0] > 199
