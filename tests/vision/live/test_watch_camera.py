"""The live referee while its camera moves, changes its size or loses its colours, on a table drawn
with rectangles.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.live.doubles import SETTLED, DrawnTable, started, summary
from vision.live import StableTable

LARGE = pytest.param((1920, 1080), marks=pytest.mark.film)


@pytest.mark.parametrize("size", [(640, 360), (360, 640), LARGE])
def test_any_size_of_picture(size: tuple[int, int]) -> None:
    table = started(size=size, fps=5.0)
    table.lay("7R", 175, 60)
    assert summary(table.play(SETTLED)) == [("tiles_added", "7R", False, "gap")]


def test_grey_frames() -> None:
    table = DrawnTable()
    table.grey = True
    table.lay("3R 4R 5R", 100, 60)
    table.play(1.5)
    table.lay("6R", 175, 60)
    told = table.play(SETTLED)
    # Of what colour, nobody can see.
    assert summary(told) == [("tiles_added", "6R", True, None)] and told[0].doubtful
    table.grey = False
    table.play(SETTLED)
    table.lay("7R", 200, 60)
    assert [event.doubtful for event in table.play(SETTLED)] == [False]


@pytest.mark.parametrize("grey", [False, True])
def test_what_is_laid_while_the_camera_shows_nothing_is_told_afterwards(grey: bool) -> None:
    table = DrawnTable()
    table.grey = grey
    table.lay("3R 4R 5R", 100, 60)
    table.play(1.5)
    table.gain = 0.0  # as a camera sends when it begins anew
    assert table.play_all(1) == []
    table.gain = 1.0
    table.lay("9K", 175, 60)
    assert summary(table.play(SETTLED)) == [("tiles_added", "9K", False, "mixed")]


def test_flicker_and_a_slow_change_of_the_light_are_nothing() -> None:
    table = started(fps=10.0)
    for frame in range(60):
        table.gain = 1.0 - 0.004 * frame + (0.03 if frame % 3 == 0 else 0.0)
        assert table.play_all(0.1) == []


def test_a_nudge_is_followed_and_the_line_with_it() -> None:
    table = started(line=((0.0, 130.0), (640.0, 130.0)))
    table.shift = (25, 14)  # the width of a tile: each lies where its neighbour lay
    assert table.play_all(2) == []
    assert table.watch.line is not None and abs(table.watch.line[0][1] - 144) < 3
    table.lay("6R", 175, 60)
    assert [(event.kind, event.side) for event in table.play(SETTLED)] == [("tiles_added", "B")]
    table.shift = (27, 15)
    assert table.play_all(2) == []


def drifting(
    table: DrawnTable, seconds: float, seed: int
) -> list[tuple[str, str, bool, str | None]]:
    """Return what is reported while the camera wanders by up to two pixels, a little in
    each frame.
    """
    rng = np.random.default_rng(seed)
    told = []
    for _ in range(round(seconds * table.fps)):
        x, y = np.clip(np.array(table.drift) + rng.normal(0, 0.4, 2), -2, 2).tolist()
        table.drift = (x, y)
        told += table.play(1 / table.fps)
    return summary(told)


@pytest.mark.parametrize(
    "fps", [5.0, *(pytest.param(fps, marks=pytest.mark.film) for fps in (10.0, 30.0))]
)
def test_a_camera_that_is_never_quite_still_costs_nothing(fps: float) -> None:
    table = started(fps=fps)
    assert drifting(table, 2, seed=1) == []
    table.lay("6R", 175, 60)
    assert drifting(table, SETTLED, seed=2) == [("tiles_added", "6R", True, None)]
    table.hand = (140, 120)
    assert drifting(table, 1, seed=3) == []
    table.lay("9K 10K 11K", 400, 60)
    table.hand = None
    assert drifting(table, SETTLED, seed=4) == [("meld_laid", "9K 10K 11K", True, None)]
    table.lift(175, 60)
    assert drifting(table, SETTLED, seed=5) == [("tile_removed", "6R", False, "tile_removed")]


@pytest.mark.film
def test_a_stand_that_sags_is_followed_and_what_is_shown_with_it() -> None:
    table = started(fps=10.0, line=((0.0, 130.0), (640.0, 130.0)))
    for tenth in range(100):
        sagged = 0.3 * tenth
        table.drift = (0.0, sagged)
        assert table.play_all(0.1) == []
        assert table.watch.line is not None and table.watch.table is not None
        shown = min(float(tile.corners[0][1]) for tile in table.watch.table.tiles)
        assert abs(table.watch.line[0][1] - 130 - sagged) < 5  # a fifth of a tile's width
        assert abs(shown - 60 - sagged) < 5
    table.lay("6R", 175, 60)
    assert summary(table.play(SETTLED)) == [("tiles_added", "6R", True, None)]


def test_a_knock_on_the_stand_while_a_tile_is_laid_costs_nothing() -> None:
    table = started(fps=10.0)
    table.lay("6R", 175, 60)
    table.play_all(0.2)
    table.drift = (7.4, -5.7)
    table.play_all(0.1)
    table.drift = (4.8, -3.2)
    assert summary(table.play(SETTLED)) == [("tiles_added", "6R", True, None)]
    assert table.play(2) == []


def test_a_camera_that_comes_closer_is_followed_though_half_of_the_tiles_lie_where_they_lay() -> (
    None
):
    table = started(line=((40.0, 340.0), (600.0, 340.0)))
    table.lay("7Y 8Y 9Y 10Y 11Y 12Y", 240, 160)
    assert len(table.play(SETTLED)) == 1
    table.zoom, table.crop = 640 / 608, (16, 9, 624, 351)
    assert table.play(2) == []
    assert table.watch.line is not None and abs(table.watch.line[0][1] - (340 - 9) * 640 / 608) < 3


@pytest.mark.parametrize("factor", [0.5, 1.5])
def test_a_stream_that_changes_its_size_is_the_same_table(factor: float) -> None:
    table = started(line=((0.0, 130.0), (640.0, 130.0)))
    table.zoom = factor
    assert table.play_all(1.5) == []
    assert table.watch.line is not None and abs(table.watch.line[0][1] - 130 * factor) < 3
    table.lay("6R", 175, 60)
    assert summary(table.play(SETTLED)) == [("tiles_added", "6R", True, None)]


def test_a_camera_held_the_other_way_finds_the_table_again() -> None:
    table = started()
    table.crop = (40, 10, 380, 350)  # what the upright picture still shows
    assert table.play_all(1.5) == []
    table.lay("6R", 175, 60)
    assert summary(table.play(SETTLED)) == [("tiles_added", "6R", True, None)]


@pytest.mark.parametrize("laid", [True, False])
@pytest.mark.parametrize("lifted", [True, False])
@pytest.mark.parametrize("asks", [True, False])
def test_what_happens_while_the_camera_is_turned_is_told(
    laid: bool, lifted: bool, asks: bool
) -> None:
    table = started(fps=5.0)
    table.lay("9K 10K 11K", 250, 60)
    table.play(1)
    table.lay("1Y 2Y 3Y", 250, 160)
    table.play(2)
    table.crop, table.gain = (40, 10, 380, 350), 0.85
    if laid:
        table.lay("7B", 175, 60)
    if lifted:
        table.lift(100, 160, 3)
    if asks:
        table.watch.review_now()
    expected = [("tiles_added", "7B", False, "mixed")] * laid
    expected += [("tile_removed", "6B 6K 6Y", False, "meld_removed")] * lifted
    assert summary(table.play(2)) == expected
    assert ("6B 6K 6Y" in table.melds(), "3R 4R 5R 7B" in table.melds()) == (not lifted, laid)
    table.lay("4Y", 325, 160)
    assert summary(table.play(SETTLED)) == [("tiles_added", "4Y", True, None)]


def test_what_happens_while_a_stream_changes_its_size_is_told() -> None:
    table = started()
    table.zoom = 0.75
    table.lay("7R", 175, 60)
    assert summary(table.play(2)) == [("tiles_added", "7R", False, "gap")]


def test_another_table_in_another_size_begins_anew() -> None:
    table = started(fps=5.0)
    table.zoom, table.places = 0.5, {}
    table.lay("10K 11K 12K", 300, 200)
    told = table.play_all(9)
    assert [type(each) for each in told] == [StableTable] and table.melds() == ["10K 11K 12K"]


def test_of_another_table_no_sides_are_known() -> None:
    table = started(line=((0.0, 130.0), (640.0, 130.0)))
    table.crop, table.places = (40, 10, 380, 350), {}  # held the other way
    table.lay("10K 11K 12K", 200, 200)
    table.play_all(9)
    assert table.watch.table is not None and table.watch.line is None
    assert [meld.side for meld in table.watch.table.melds] == [None]


@pytest.mark.parametrize(("crop", "kept"), [((40, 10, 380, 350), False), ((0, 0, 640, 360), True)])
def test_over_an_empty_table_the_line_goes_when_the_camera_is_held_the_other_way(
    crop: tuple[int, int, int, int], kept: bool
) -> None:
    table = DrawnTable(line=((0.0, 130.0), (640.0, 130.0)))
    table.play(2)
    table.crop, table.zoom = crop, 0.5
    table.play(2)
    assert table.watch.line == (((0.0, 65.0), (320.0, 65.0)) if kept else None)
    table.lay("10K 11K 12K", 200, 200)
    table.play(2)
    assert table.watch.table is not None
    assert [meld.side for meld in table.watch.table.melds] == (["A"] if kept else [None])
