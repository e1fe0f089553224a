"""Odd sets are odd in the way that is asked for, and otherwise drawn as any set is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from datasets.benchmark.odd_sets import summary
from datasets.benchmark.tables import Row
from datasets.faces import FaceStyle, draw_face
from datasets.faces.drawing import digits_mask
from datasets.faces.inks import apart, lab, lab_distance
from datasets.faces.odd_style import Oddity, odd_style
from tests.datasets.test_benchmark_ordinary_sets import counted

WIDTH = 96


def style_of(oddity: Oddity, seed: int = 3) -> FaceStyle:
    return odd_style(np.random.default_rng(seed), oddity)


def number_colour(style: FaceStyle, tile: str, seed: int = 0) -> np.ndarray:
    """Return the mean colour of a tile's number, (3,)."""
    face = draw_face(style, tile, WIDTH, np.random.default_rng([seed, *tile.encode()]))
    return np.asarray(face.albedo[digits_mask(style, tile[:-1], WIDTH) > 0.9].mean(axis=0))


@pytest.mark.parametrize("oddity", list(Oddity))
def test_equal_seeds_give_equal_sets(oddity: Oddity) -> None:
    assert style_of(oddity) == style_of(oddity)
    assert style_of(oddity) != style_of(oddity, 4)


@pytest.mark.parametrize("seed", range(8))
def test_inks_of_any_hue_are_apart(seed: int) -> None:
    style = style_of(Oddity.INKS, seed)
    assert apart(style.inks)
    assert min(lab_distance(ink, style.body_rgb) for ink in style.inks) > 35


def test_where_a_mark_alone_tells_the_colour_the_numbers_are_black() -> None:
    style = style_of(Oddity.MARKS)
    faces = [
        draw_face(style, f"8{colour}", WIDTH, np.random.default_rng(0)).albedo.astype(int)
        for colour in "RBY"
    ]
    for colour in "RBY":
        assert number_colour(style, f"8{colour}").max() < 110
    height = len(faces[0])
    number, mark = slice(height // 6, height // 2), slice(height * 5 // 9, height * 5 // 6)
    for face in faces[1:]:
        assert np.abs(face[mark] - faces[0][mark]).max() > 60
        assert np.abs(face[number] - faces[0][number]).max() < 30


def test_an_old_set_has_lost_ink_unevenly() -> None:
    style = style_of(Oddity.OLD)
    assert style.age
    style = replace(style, age=replace(style.age, mended=0.0))
    fresh = replace(style, age=None, body=replace(style.body, ink_wear=0.0))
    bleached = [lab(tuple(number_colour(style, "8K", seed)))[0] for seed in range(12)]
    assert min(bleached) > lab(tuple(number_colour(fresh, "8K")))[0] + 5
    assert np.ptp(bleached) > 5


def test_a_mended_tile_is_white_and_fresh() -> None:
    style = style_of(Oddity.OLD)
    assert style.age
    mended = replace(style, age=replace(style.age, mended=1.0))
    plain = replace(style, age=replace(style.age, mended=0.0))
    body = [
        np.median(draw_face(one, "8R", WIDTH, np.random.default_rng(1)).albedo, axis=(0, 1)).min()
        for one in (mended, plain)
    ]
    assert body[0] > 225 > body[1]


def test_each_number_of_lessons_has_its_rows() -> None:
    rows = summary(Oddity.INKS, [(counted("7R"), counted("7R", "9R"), counted("7R", "8R"))] * 2)
    assert exact_of(rows, "all") == exact_of(rows, "kept") == ["2", "2", "4"]
    assert {row["taught_with"] for row in rows} == {"0", "1", "2"}


def test_photographs_that_are_asked_for_again_are_left_out_of_rows_of_their_own() -> None:
    blurred = tuple(replace(count, asks_again=True) for count in counted("7R"))
    rows = summary(Oddity.INKS, [(counted("7R"), (*counted("7R"), *blurred), blurred)])
    assert exact_of(rows, "all") == ["1", "2", "1"]
    assert exact_of(rows, "kept") == ["1", "1", "0"]


def exact_of(rows: list[Row], photographs: str) -> list[str]:
    """Return after each lesson how many tiles are read exactly in these photographs."""
    some = [row for row in rows if row["photographs"] == photographs]
    return [row["count"] for row in some if row["measure"] == "tiles_exact"]
