"""Changes of the light over a picture: which are evened out, which stay, and what counts as a
shadow.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.live.change.light import find_shadows, gain_between, in_light_of
from vision.live.change.reference import ReferenceImage

Picture = NDArray[np.uint8]


def table(seed: int = 1) -> Picture:
    """Draw a patterned table, (90, 120, 3), none of it nearly black or white."""
    return np.random.default_rng(seed).integers(60, 140, (90, 120, 3), np.uint8)


def lit(picture: Picture, light: object) -> Picture:
    return np.clip(np.rint(picture * np.asarray(light, float)), 0, 255).astype(np.uint8)


def known(picture: Picture) -> ReferenceImage:
    return ReferenceImage.of(picture, np.ones(3))


@pytest.mark.parametrize("light", [(1, 1, 1), (0.7, 0.7, 0.7), (1.4, 1.4, 1.4), (1.1, 1, 0.8)])
def test_a_light_over_the_whole_picture_is_taken_out(light: tuple[float, ...]) -> None:
    seen = in_light_of(known(table()), lit(table(), light))
    assert np.abs(seen.low.astype(int) - table()).max() <= 2


def test_what_came_keeps_its_own_brightness() -> None:
    """Bright things on a quarter of the picture do not darken the rest of it."""
    now = lit(table(), 0.8)
    now[:45, :60] = 230
    seen = in_light_of(known(table()), now).low.astype(int)
    assert np.abs(seen - table())[50:].max() <= 2
    assert seen[:40, :50].min() > 240


def test_a_gain_is_measured_on_part_of_a_picture() -> None:
    now, where = lit(table(), (1.2, 1.0, 0.8)), np.zeros((90, 120), np.uint8)
    now[:, 60:] = 30
    where[:, :60] = 255
    assert np.allclose(gain_between(table(), now, where), (1.2, 1.0, 0.8), atol=0.01)
    assert gain_between(table(), now, np.zeros_like(where)).tolist() == [1, 1, 1]
    dark = lit(table(), 0.1)
    assert gain_between(table(), dark, np.full_like(where, 255)).tolist() == pytest.approx(
        [0.4] * 3
    )


def test_what_is_black_in_any_light_stays_so() -> None:
    picture = table()
    picture[:40, :50] = 0
    seen = in_light_of(known(picture), lit(picture, 0.7)).low.astype(int)
    assert np.abs(seen - picture).max() <= 2


def test_bands_of_a_lamp_are_taken_out_row_by_row() -> None:
    bands = 1 + 0.08 * np.sin(np.arange(90) / 9)
    seen = in_light_of(known(table()), lit(table(), bands[:, None, None]))
    measured = slice(0, 85)  # every sixth row; below the last of them its factor holds
    assert np.abs(seen.low.astype(int) - table())[measured].max() <= 4


@pytest.mark.parametrize("level", [230, 35])
def test_rows_in_which_all_is_hidden_tell_nothing_of_a_lamp(level: int) -> None:
    """A ruler, white or dark, covers whole rows of the picture, under a lamp whose light comes in
    bands.
    """
    bands = 1 + 0.08 * np.sin(np.arange(90) / 9)
    now = lit(table(), bands[:, None, None])
    now[28:45] = level
    seen = in_light_of(known(table()), now).low.astype(int)
    assert np.abs(seen[31:42] - level).max() <= 15
    assert np.abs(seen - table())[50:85].max() <= 8


def test_what_little_is_seen_of_a_row_tells_of_the_lamp() -> None:
    """A white ruler leaves six columns free: one pixel of every row that is measured."""
    bands = 1 + 0.08 * np.sin(np.arange(90) / 9)
    now = lit(table(), bands[:, None, None])
    now[28:57, 6:] = 230
    seen = in_light_of(known(table()), now).low.astype(int)
    assert np.abs(seen - table())[36:54, :6].max() <= 4


def test_a_picture_burnt_out_all_over_is_as_bright_as_it_was() -> None:
    """None of its pixels tells by how much the light changed."""
    white = np.full((90, 120, 3), 255, np.uint8)
    assert in_light_of(known(white), white).low.min() >= 253


@pytest.mark.parametrize(
    ("ratio", "is_shadow"), [(0.38, False), (0.45, True), (0.8, True), (1.5, True), (1.7, False)]
)
def test_a_shadow_changes_the_brightness_within_limits(ratio: float, is_shadow: bool) -> None:
    before = np.full((30, 30, 3), 120, np.uint8)
    after = lit(before + 4, ratio) - 4  # the ratio is taken of levels four higher
    assert (find_shadows(before, after) > 0).all() == is_shadow


@pytest.mark.parametrize(("blue", "is_shadow"), [(0.75, True), (0.6, False)])
def test_a_shadow_hardly_changes_the_colour(blue: float, is_shadow: bool) -> None:
    before = np.full((30, 30, 3), 120, np.uint8)
    assert (find_shadows(before, lit(before, (0.8, 0.8, blue))) > 0).all() == is_shadow


def test_a_shadow_leaves_the_pattern_below_it() -> None:
    before = np.full((30, 30, 3), 120, np.uint8)
    after = before.copy()
    after[10:13, 10:13] = 70
    assert not find_shadows(before, after)[10:13, 10:13].any()
