"""A tile's ink that is told as one colour although beside it lies the same ink of another."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.tiles import COLOURS
from tests.examples import examples
from vision.tiles.mixed_inks import CONFIG, told_by_other_tiles

# How much red, green and blue light the inks of a table absorb whose lamp burns out red, as in one
# of the photographs of `burako_renders` under a warm lamp.
RED, BLACK, PALE_BLACK = (0.2, 1.5, 1.4), (1.3, 1.9, 1.9), (1.0, 1.8, 1.8)
BLUE, YELLOW, ORANGE = (2.6, 2.0, 0.4), (0.1, 0.5, 2.0), (0.1, 1.0, 1.6)


def told(*tiles: tuple[str, tuple[float, ...]]) -> tuple[str, NDArray[np.float64]]:
    """Return which colours are told, a letter each, and their probabilities, (n, 4), of tiles which
    the network surely takes for the given colours, and which have the given inks.
    """
    colour = np.full((len(tiles), 4), np.log(1e-4), np.float32)
    colour[np.arange(len(tiles)), [COLOURS.index(name) for name, _ in tiles]] = 0  # type: ignore[arg-type]
    result = told_by_other_tiles(np.array([ink for _, ink in tiles], float), colour)
    probabilities = np.exp(result.astype(np.float64))
    return "".join(COLOURS[i] for i in probabilities.argmax(axis=1)), probabilities


def test_a_black_tile_told_as_red_is_told_as_black_in_doubt() -> None:
    inks = [("R", RED), ("R", RED), ("K", BLACK), ("K", BLACK), ("R", PALE_BLACK), ("B", BLUE)]
    names, probabilities = told(*inks)
    assert names == "RRKKKB"
    assert probabilities[4].max() == pytest.approx(CONFIG.trust, abs=1e-3)
    assert (probabilities[[0, 1, 2, 3, 5]].max(axis=1) > 0.99).all()


def test_all_black_tiles_but_one_are_told_as_red() -> None:
    names, probabilities = told(("R", RED), ("R", RED), ("K", BLACK), *[("R", PALE_BLACK)] * 5)
    assert names == "RRKKKKKK"
    assert probabilities[3:].max() == pytest.approx(CONFIG.trust_of_several, abs=1e-3)


def test_of_two_colours_with_tiles_elsewhere_the_rarer_one_is_the_wrong_one() -> None:
    elsewhere = [("R", RED), ("R", RED), ("K", (3.0, 2.9, 2.8)), ("K", (3.0, 2.9, 2.8))]
    names, _ = told(*elsewhere, *[("K", PALE_BLACK)] * 3, ("R", PALE_BLACK))
    assert names == "RRKKKKKK"


@pytest.mark.parametrize(
    ("tiles", "names"),
    [
        # No red ink lies elsewhere: all that is told as red may be.
        ([("K", BLACK), ("K", BLACK), ("R", PALE_BLACK)], "KKR"),
        # One tile elsewhere does not tell how the colour of several others looks.
        ([("R", RED), ("K", BLACK), *[("R", PALE_BLACK)] * 2], "RKRR"),
        # The other ink looks like no tile of another colour.
        ([("R", RED), ("R", RED), ("B", BLUE), ("R", PALE_BLACK)], "RRBR"),
        # Red and yellow that drift towards each other stay what they are.
        ([("Y", YELLOW)] * 3 + [("Y", ORANGE)] * 2 + [("R", (0.2, 1.3, 1.6))] * 3, "YYYYYRRR"),
        # So pale an ink has no colour of its own.
        ([("R", RED), ("R", RED), ("K", BLACK), ("R", (0.09, 0.17, 0.18))], "RRKR"),
        ([], ""),
    ],
)
def test_what_the_other_tiles_do_not_tell_stays(
    tiles: list[tuple[str, tuple[float, ...]]], names: str
) -> None:
    if tiles:
        said, probabilities = told(*tiles)
        assert said == names
        assert (probabilities.max(axis=1) > 0.99).all()
    else:
        none = told_by_other_tiles(np.zeros((0, 3)), np.zeros((0, 4), np.float32))
        assert none.shape == (0, 4)


@settings(max_examples=examples(60), deadline=None)
@given(st.permutations(range(9)))
def test_the_order_of_the_tiles_does_not_matter(order: list[int]) -> None:
    tiles = [("R", RED), ("R", RED), ("K", BLACK), *[("R", PALE_BLACK)] * 3]
    tiles += [("Y", YELLOW), ("B", BLUE), ("B", BLUE)]
    names, _ = told(*tiles)
    again, _ = told(*[tiles[i] for i in order])
    assert again == "".join(names[i] for i in order)
