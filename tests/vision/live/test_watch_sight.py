"""The live referee while it cannot see the table: out of focus, or with the camera turned away."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.live.doubles import SETTLED, DrawnTable, made_once, summary
from vision.live import LiveEvent, StableTable, Update
from vision.live.sight import SightConfig

Picture = NDArray[np.uint8]
PLAIN = (40, 110, 60)
PATIENCE = 6.0  # seconds
MELDS = {"3R 4R 5R": (100, 60), "6B 6K 6Y": (100, 160), "9K 10K 11K": (300, 60)}
MORE_MELDS = MELDS | {"1Y 2Y 3Y": (300, 160), "12R 12B 12K": (450, 60)}


@made_once
def watched(melds: int = 5) -> DrawnTable:
    """Draw a table with some melds and two tiles of the discard pile, and let the referee see
    it.
    """
    table = DrawnTable()
    for tiles, (x, y) in list(MORE_MELDS.items())[:melds]:
        table.lay(tiles, x, y)
    table.lay("8B", 450, 250)
    table.lay("2K", 520, 290)
    assert table.play(2) == []
    return table


def blurred(deviation: float) -> Callable[[Picture], Picture]:
    """Return what makes a picture as soft as a Gaussian blur of this deviation, in pixels."""
    return lambda picture: np.asarray(cv2.GaussianBlur(picture, (0, 0), deviation), np.uint8)


def impatient(table: DrawnTable) -> DrawnTable:
    """Let the referee wait for PATIENCE seconds instead of a minute."""
    table.watch._sight._config = SightConfig(patience=PATIENCE)
    return table


def plain(picture: Picture) -> Picture:
    return np.full_like(picture, PLAIN)


def black(picture: Picture) -> Picture:
    return np.zeros_like(picture)


def spoiled(
    table: DrawnTable, spoil: Callable[[Picture], Picture], seconds: float, found: int = 0
) -> list[Update]:
    """Return what is told while each picture is spoiled for some seconds, in which only the first
    `found` tiles can be found.
    """
    places = dict(table.places)
    told: list[Update] = []
    for _ in range(round(seconds * table.fps)):
        picture = spoil(table.picture())
        table.places = dict(list(places.items())[:found])
        told += table.watch.see(picture, table.frames / table.fps)
        table.places = dict(places)
        table.frames += 1
    return told


@pytest.mark.parametrize(("deviation", "found"), [(3.0, 0), (3.0, 10), (12.0, 0)])
def test_a_camera_out_of_focus_takes_no_tiles(deviation: float, found: int) -> None:
    table = watched()
    assert spoiled(table, blurred(deviation), 8, found) == []
    assert table.watch.is_out_of_sight
    assert table.play_all(4) == []
    assert not table.watch.is_out_of_sight
    table.lay("6R", 175, 60)
    assert summary(table.play(SETTLED)) == [("tiles_added", "6R", True, None)]


@pytest.mark.parametrize("melds", [1, 5])
@pytest.mark.parametrize("spoil", [plain, black])
def test_a_camera_that_shows_no_table_takes_no_tiles(
    spoil: Callable[[Picture], Picture], melds: int
) -> None:
    table = watched(melds)
    assert spoiled(table, spoil, 10) == []
    assert table.watch.is_out_of_sight
    assert table.play_all(7) == []
    assert not table.watch.is_out_of_sight
    table.lift(100, 60, 3)
    told = summary(table.play(SETTLED))
    assert told == [("tile_removed", "3R 4R 5R", False, "meld_removed")]


def test_a_camera_that_is_covered_for_long_still_takes_no_tiles() -> None:
    table = impatient(watched())
    assert spoiled(table, black, 3 * PATIENCE) == []
    assert table.watch.is_out_of_sight
    assert table.play_all(7) == [] and len(table.melds()) == 5


@pytest.mark.parametrize("melds", [1, 2, 5])
def test_a_meld_that_is_taken_is_told_as_soon_as_ever(melds: int) -> None:
    table = watched(melds)
    table.lift(100, 60, 3)
    told = summary(table.play(SETTLED))
    assert told == [("tile_removed", "3R 4R 5R", False, "meld_removed")]


def test_a_cleared_table_is_taken_as_a_new_one_after_a_while() -> None:
    table = impatient(watched())
    table.places = {}
    assert table.play_all(PATIENCE - 1) == []
    told = table.play_all(6)
    assert [type(each) for each in told] == [StableTable] and table.melds() == []
    assert not table.watch.is_out_of_sight
    table.lay("3R 4R 5R", 100, 60)
    (laid,) = table.play(SETTLED)
    assert isinstance(laid, LiveEvent) and laid.legal


def test_a_stream_that_stays_soft_is_read_again_where_its_tiles_are_found() -> None:
    table = impatient(watched())
    assert spoiled(table, blurred(3.0), PATIENCE + 2, found=17) == []
    table.places.pop((100, 60))
    told = [each for each in spoiled(table, blurred(3.0), 3, 16) if isinstance(each, LiveEvent)]
    assert summary(told) == [("tile_removed", "3R", False, "tile_removed")]
