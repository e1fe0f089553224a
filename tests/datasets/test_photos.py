"""The labelled photographs, where they are present, and the fit of their hand-drawn outlines."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.benchmark.own_set import is_lesson
from datasets.outlines import outline_quad, quad_iou
from datasets.photos import (
    PhotosMissing,
    load_burako_renders,
    load_other_sets,
    load_rummikub_ivory,
    load_strange_set,
)
from tests.places import needs_photographs


def test_absent_photographs_are_told_in_one_sentence(tmp_path):
    with pytest.raises(PhotosMissing, match="expected the labels of other_sets in"):
        load_other_sets(tmp_path)


@needs_photographs
def test_counts_are_those_of_the_readme():
    sets = load_rummikub_ivory(), load_other_sets(), load_burako_renders()
    counted = [(len(set_), sum(len(picture.tiles) for picture in set_)) for set_ in sets]
    assert counted == [(230, 2615), (6, 97), (29, 1034)]
    shoots = {picture.shoot for picture in sets[0]}
    assert shoots == {"rummy", "rummy2", "rummy3", "rummy4", "rummyBackground"}


@needs_photographs
@pytest.mark.parametrize("load", [load_rummikub_ivory, load_other_sets, load_burako_renders])
def test_every_counted_tile_lies_in_its_picture(load):
    for picture in load():
        for tile in picture.tiles:
            x, y = tile.centre
            assert not tile.counted or (0 < x < picture.width and 0 < y < picture.height), (
                picture.name,
                tile,
            )


@needs_photographs
@pytest.mark.parametrize("load", [load_other_sets, load_burako_renders])
def test_rows_point_at_their_tiles(load):
    for picture in load():
        for number, row in enumerate(picture.rows):
            assert {picture.tiles[tile].row for tile in row.tiles} == {number}, picture.name


@needs_photographs
def test_corners_of_renders_run_clockwise():
    for picture in load_burako_renders():
        for tile in picture.tiles:
            assert cv2.contourArea(tile.corners, oriented=True) > 0, (picture.name, tile.tile)


@needs_photographs
def test_the_odd_set_is_shown_in_order_on_two_photographs_and_mixed_on_ten():
    pictures = load_strange_set("S1")
    lessons = [picture for picture in pictures if is_lesson(picture)]
    assert (len(lessons), len(pictures) - len(lessons)) == (2, 10)
    in_order = [f"{number}{ink}" for ink in "RBKY" for number in range(1, 14)]
    for lesson in lessons:
        assert [lesson.tiles[tile].tile for row in lesson.rows for tile in row.tiles] == [
            *in_order,
            "J",
        ]


@needs_photographs
def test_outline_quads_fit_what_was_drawn():
    fits = [
        quad_iou(outline_quad(t.outline), t.outline)
        for picture in load_rummikub_ivory()[::6]
        for t in picture.tiles
    ]
    assert np.quantile(fits, 0.01) > 0.95
    assert min(fits) > 0.93


@needs_photographs
def test_racks_are_marked():
    ivory = [picture for picture in load_rummikub_ivory() if picture.rack]
    assert {picture.shoot for picture in ivory} == {"rummy3", "rummy4"} and len(ivory) == 28
    assert sum(picture.rack for picture in load_other_sets()) == 4
    assert sum(picture.rack for picture in load_burako_renders()) == 3


def cut_corners(quad: np.ndarray, share: float) -> np.ndarray:
    """Replace each corner of the quad by two points, as people do who draw the outline of a rounded
    tile.
    """
    before, after = np.roll(quad, 1, axis=0), np.roll(quad, -1, axis=0)
    pairs = np.stack([quad + (before - quad) * share, quad + (after - quad) * share], axis=1)
    return pairs.reshape(-1, 2).astype(np.float32)


@given(
    angle=st.floats(0, 2 * np.pi),
    width=st.floats(20, 200),
    tilt=st.floats(-0.12, 0.12),
    turned=st.booleans(),
    start=st.integers(0, 7),
)
def test_outline_quad_finds_the_corners_of_a_rounded_tile_in_perspective(
    angle, width, tilt, turned, start
):
    flat = np.array([[-0.5, -0.7], [0.5, -0.7], [0.5, 0.7], [-0.5, 0.7]]) * width
    flat[:2, 0] *= 1 + tilt
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    quad = flat @ turn + 400
    outline = np.roll(cut_corners(quad, 0.08), start, axis=0)
    found = outline_quad(outline[::-1] if turned else outline)
    assert cv2.contourArea(found, oriented=True) > 0
    errors = [
        np.linalg.norm(found - np.roll(quad, 2 * half, axis=0), axis=1).max() for half in (0, 1)
    ]
    assert min(errors) < 0.02 * width


@pytest.mark.parametrize("outline", [[[0, 0], [1, 0], [1, 1]], [[0, 0], [1, 1], [2, 2], [3, 3]]])
def test_an_outline_without_area_is_refused(outline):
    with pytest.raises(ValueError, match="at least 4 points"):
        outline_quad(np.array(outline, dtype=np.float32))
