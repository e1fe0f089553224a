"""What the network for racks sees around a tile, and what it tells of it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.places import SAMPLES
from vision.frame import load
from vision.modelfile import MANIFEST, default_folder
from vision.reader import FaceScores
from vision.tiles.pipeline import TableReader
from vision.tiles.rack_direction import HEIGHT, WIDTH, RackDirection, six_or_nine, views, windows

TILE = np.array([[0, 0], [30, 0], [30, 42], [0, 42]], np.float32)


def test_a_window_shows_a_tile_and_half_of_one_on_each_side() -> None:
    (window,) = windows((TILE + [100, 60])[None])
    assert window.tolist() == [[70, 39], [160, 39], [160, 123], [70, 123]]


def test_a_tile_that_is_half_covered_counts_as_high_as_the_others_of_its_rack() -> None:
    half = TILE * [1, 0.5] + [100, 60]
    quads = np.array([half, *(TILE + [36 * i, 110] for i in range(6))], np.float32)
    assert windows(quads)[0].tolist() == [[70, 39], [160, 39], [160, 123], [70, 123]]


def test_a_find_without_any_area_has_a_window_all_the_same() -> None:
    quads = np.array([TILE * 0, TILE + [100, 60]], np.float32)
    assert np.isfinite(windows(quads)).all()
    assert views(np.zeros((99, 99, 3), np.uint8), windows(quads)).shape == (2, HEIGHT, WIDTH, 3)


def test_a_window_of_a_tile_found_upside_down_is_turned_round() -> None:
    quad = (TILE + [100, 60])[None]
    assert np.array_equal(windows(np.roll(quad, 2, axis=1)), np.roll(windows(quad), 2, axis=1))


@pytest.mark.parametrize("large", [1, 8])
def test_what_lies_in_a_window_is_seen_the_way_its_tile_reads(large: int) -> None:
    picture = np.zeros((100 * large, 120 * large, 3), np.uint8)
    picture[: 50 * large, :, 0], picture[50 * large :, :, 2] = 200, 90
    window = np.array([[20, 10], [100, 10], [100, 90], [20, 90]], np.float32) * large
    upright, turned = views(picture, np.stack([window, np.roll(window, 2, axis=0)]))
    assert upright.shape == turned.shape == (HEIGHT, WIDTH, 3)
    assert upright[5, 30].tolist() == turned[-5, 30].tolist() == [200, 0, 0]
    assert upright[-5, 30].tolist() == turned[5, 30].tolist() == [0, 0, 90]


def test_no_tiles_have_no_windows_and_no_views() -> None:
    none: NDArray[np.float32] = np.zeros((0, 4, 2), np.float32)
    assert windows(none).shape == (0, 4, 2)
    assert views(np.zeros((9, 9, 3), np.uint8), none).shape == (0, HEIGHT, WIDTH, 3)


@pytest.fixture(scope="module")
def rack() -> tuple[NDArray[np.uint8], FaceScores]:
    """A bundled photograph of a rack with a 9, and what the reader sees on its tiles."""
    reader, picture = TableReader(), load(SAMPLES / "rack-b.jpg").pixels
    found = reader.detector.detect(picture, on_rack=True)
    sure = found.scores > 0.5
    return picture, reader.reader.read(picture, found.quads[sure])


def test_of_all_tiles_on_a_rack_the_six_and_the_nine_are_asked_about(
    rack: tuple[NDArray[np.uint8], FaceScores],
) -> None:
    picture, scores = rack
    told = RackDirection().upright(picture, scores)
    asked = six_or_nine(scores.number)
    assert len(asked) == 1 and told.shape == (len(scores), 2)
    assert np.flatnonzero(told.any(axis=1)).tolist() == asked.tolist()
    assert told[asked[0], 0] > 1  # it stands as the rack does


def test_a_tile_on_its_head_is_told_on_the_same_rack_turned_round(
    rack: tuple[NDArray[np.uint8], FaceScores],
) -> None:
    """In a window that is turned round, what stands upright stands on its head."""
    picture, scores = rack
    (nine,) = six_or_nine(scores.number)
    as_quad, other_way = RackDirection().upright(picture, scores)[nine]
    height, width = picture.shape[:2]
    corners = np.array([width - 1, height - 1], np.float32) - scores.quads
    turned = np.ascontiguousarray(picture[::-1, ::-1])
    around = RackDirection().upright(turned, replace(scores, quads=corners))
    assert around[nine] == pytest.approx([as_quad, other_way], abs=0.3)


def test_a_tile_on_its_head_counts_more_than_the_network_tells(
    rack: tuple[NDArray[np.uint8], FaceScores], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the two windows of the 9 the first tells that it stands upright, the second on its head;
    then both tell the contrary.
    """
    picture, scores = rack
    (nine,) = six_or_nine(scores.number)
    direction = RackDirection()
    for told, counted in (([-2.0, 3.0], [2.0, 4.2]), ([3.0, -2.0], [-4.2, -2.0])):
        answer = [np.array(told, np.float32)]
        monkeypatch.setattr(direction, "_network", SimpleNamespace(run=lambda _, out=answer: out))
        assert direction.upright(picture, scores)[nine] == pytest.approx(counted)


def test_a_folder_without_this_network_has_none(tmp_path: Path) -> None:
    entries = json.loads((default_folder() / MANIFEST).read_text("utf-8"))
    assert RackDirection.in_folder(default_folder()) is not None
    del entries["rack_direction"]
    (tmp_path / MANIFEST).write_text(json.dumps(entries))
    assert RackDirection.in_folder(tmp_path) is None
