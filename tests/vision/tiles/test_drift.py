"""Ink colours that differ only because the light does: found along a run in which the colour
changes without a step.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.tiles.drift import told_by_light

RED, BLUE, BLACK, YELLOW = range(4)
RUN = (0, 1, 2, 3, 4, 5, 6)
NUMBERS = np.arange(3, 10)
LEFT = {  # shares of light that an ink leaves
    RED: (0.60, 0.12, 0.10),
    BLUE: (0.10, 0.20, 0.60),
    BLACK: (0.10, 0.10, 0.10),
    YELLOW: (0.85, 0.55, 0.15),
}
LAMP = np.array([0.30, 0.20, 0.05])  # what ink mirrors of a warm lamp


def seen(colours: list[int], sure: float = 0.98) -> NDArray[np.float32]:
    """Make the log-probabilities, (n, 4), of a reader that sees these colours."""
    probability = np.full((len(colours), 4), (1 - sure) / 3)
    probability[np.arange(len(colours)), colours] = sure
    return np.log(probability).astype(np.float32)


def absorbances(inks: list[int], lamp: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the absorbances (n, 3) of tiles with these inks that also mirror the lamp, by the
    shares `lamp`, (n,).
    """
    left = np.array([LEFT[ink] for ink in inks]) + lamp[:, None] * LAMP
    return np.asarray(-np.log(np.minimum(left, 1)))


def told(
    inks: list[int],
    lamp: NDArray[np.float64],
    colours: list[int],
    numbers: NDArray[np.intp] = NUMBERS,
) -> list[int]:
    found = told_by_light(absorbances(inks, lamp), seen(colours), numbers, [RUN])
    np.testing.assert_allclose(np.exp(found).sum(axis=1), 1, atol=1e-5)
    return found.argmax(axis=1).tolist()


@pytest.mark.parametrize(("ink", "looks"), [(BLACK, RED), (BLACK, YELLOW), (RED, YELLOW)])
def test_a_run_that_turns_warm_towards_one_end_is_of_one_ink(ink: int, looks: int) -> None:
    colours = [ink] * 4 + [looks] * 3
    assert told([ink] * 7, np.linspace(0, 1, 7), colours) == [ink] * 7


def test_what_the_light_changed_is_not_sure() -> None:
    found = told_by_light(
        absorbances([BLACK] * 7, np.linspace(0, 1, 7)),
        seen([BLACK] * 4 + [RED] * 3),
        NUMBERS,
        [RUN],
    )
    assert 0.5 < np.exp(found[4:, BLACK]).max() < 0.9


def test_another_ink_is_a_step_and_stays() -> None:
    for inks in (
        [BLACK] * 4 + [RED] * 3,
        [BLACK, BLACK, RED, *[BLACK] * 4],
        [RED, YELLOW] * 3 + [RED],
    ):
        assert told(inks, np.zeros(7), inks) == inks


def test_no_lamp_makes_an_ink_colder() -> None:
    colours = [RED] * 4 + [BLACK] * 3
    assert told([RED] * 7, np.linspace(0, 0.2, 7), colours) == colours


def test_tiles_that_are_no_run_keep_their_colours() -> None:
    colours = [BLACK] * 4 + [RED] * 3
    same = np.full(7, 5)
    assert told([BLACK] * 7, np.linspace(0, 1, 7), colours, same) == colours


def test_three_tiles_prove_nothing() -> None:
    colours = seen([BLACK, BLACK, RED])
    inks = absorbances([BLACK] * 3, np.linspace(0, 0.4, 3))
    np.testing.assert_array_equal(told_by_light(inks, colours, NUMBERS[:3], [(0, 1, 2)]), colours)
