"""A tile that looks yellow in an ink unlike that of the other yellow tiles is doubted."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.colour import unit_vectors
from vision.stray_inks import doubted_strays

RED, BLUE, BLACK, YELLOW = range(4)
LEFT = {  # shares of red, green and blue light that an ink leaves
    RED: (0.60, 0.10, 0.10),
    BLUE: (0.10, 0.25, 0.60),
    BLACK: (0.08, 0.08, 0.08),
    YELLOW: (0.88, 0.42, 0.12),
}
LAMP = np.array([0.45, 0.17, 0.05])  # what the ink mirrors of a warm lamp
SURE = 0.98


def inks_of(colours: list[int], lamp: dict[int, float]) -> NDArray[np.float64]:
    """Return the directions (n, 3) in which tiles of these colours absorb light; `lamp` tells by a
    tile's index how much of the lamp it mirrors.
    """
    left = np.array([LEFT[colour] for colour in colours])
    for tile, share in lamp.items():
        left[tile] += share * LAMP
    return unit_vectors(-np.log(np.minimum(left, 1)))


def seen(colours: list[int]) -> NDArray[np.float32]:
    """Make the log-probabilities, (n, 4), of a reader that sees these colours."""
    probability = np.full((len(colours), 4), (1 - SURE) / 3)
    probability[np.arange(len(colours)), colours] = SURE
    return np.log(probability).astype(np.float32)


def shares(
    true: list[int], looks: list[int], lamp: dict[int, float], numbered: list[bool] | None = None
) -> NDArray[np.float32]:
    """Return the probabilities (n, 4) of tiles that truly have the one colours and look like the
    others.
    """
    numbers = np.ones(len(true), bool) if numbered is None else np.array(numbered)
    found = np.exp(doubted_strays(inks_of(true, lamp), seen(looks), numbers))
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-5)
    return found


@pytest.mark.parametrize("ink", [RED, BLACK])
def test_what_looks_yellow_in_another_ink_is_doubted_and_may_be_that_ink(ink: int) -> None:
    true, looks = [YELLOW, YELLOW, YELLOW, BLUE, ink], [YELLOW, YELLOW, YELLOW, BLUE, YELLOW]
    found = shares(true, looks, {4: 1.0})
    assert 0.5 < found[4, YELLOW] < 0.9
    assert found[4, ink] > 0.1
    np.testing.assert_allclose(found[:4], np.exp(seen(looks))[:4], atol=1e-6)


def test_yellow_tiles_in_the_lamps_light_are_yellow() -> None:
    looks = [YELLOW] * 4 + [RED, BLACK]
    np.testing.assert_array_equal(shares(looks, looks, {0: 0.2, 3: 0.4}), np.exp(seen(looks)))


def test_one_yellow_tile_alone_does_not_tell_how_yellow_looks() -> None:
    looks = [YELLOW, YELLOW, RED, BLUE]
    np.testing.assert_array_equal(
        shares([YELLOW, BLACK, RED, BLUE], looks, {1: 1.0}), np.exp(seen(looks))
    )


def test_comodines_are_neither_doubted_nor_compared() -> None:
    looks = [YELLOW, YELLOW, YELLOW, YELLOW]
    for numbered in ([True, True, True, False], [True, False, False, True]):
        found = shares([YELLOW, YELLOW, YELLOW, BLACK], looks, {3: 1.0}, numbered)
        np.testing.assert_array_equal(found, np.exp(seen(looks)))
