"""Where something moves in small pictures, and what is only noise or flicker."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.live.change.motion import FLICKER_SECONDS, MotionMonitor
from vision.live.change.reference import ReferenceImage
from vision.live.settings import LiveConfig

CONFIG = LiveConfig()
CELL = CONFIG.cell
SIZE = (10 * CELL + 3, 12 * CELL + 5)  # the last row and column of cells are cut off
Picture = NDArray[np.uint8]


def plain(level: int = 100) -> Picture:
    return np.full((*SIZE, 3), level, np.uint8)


def with_cells(row: int, column: int, rows: int, columns: int, more: int = 60) -> Picture:
    """Return the plain picture with `rows` x `columns` of its cells brighter by `more` grey
    levels.
    """
    picture = plain()
    picture[row * CELL : (row + rows) * CELL, column * CELL : (column + columns) * CELL] += more
    return picture


def reference(picture: Picture) -> ReferenceImage:
    return ReferenceImage.of(picture, np.ones(3))


@pytest.fixture
def monitor() -> MotionMonitor:
    """A monitor that has watched a still table for a second, in ten frames."""
    one = MotionMonitor(CONFIG)
    one.begin(reference(plain()), 0.0)
    for frame in range(1, 11):
        one.watch(reference(plain()), frame / 10)
    return one


def test_a_picture_at_rest_does_not_move(monitor: MotionMonitor) -> None:
    assert not monitor.is_moving and monitor.last_motion == float("-inf")
    assert not monitor.moved_lately(1.0, 99.0).any()
    assert monitor.still_cells(1.0).all() and monitor.still_cells(1.0).shape == (11, 13)


def test_a_thing_moves_where_it_is_and_is_busy_for_a_while(monitor: MotionMonitor) -> None:
    monitor.watch(reference(with_cells(4, 5, 3, 3)), 1.1)
    assert monitor.is_moving and monitor.last_motion == 1.1
    moved = monitor.moved_lately(1.3, 0.25)
    assert moved.shape == SIZE and moved[5 * CELL + CELL // 2, 6 * CELL + CELL // 2] == 255
    assert (moved > 0).sum() == pytest.approx(9 * CELL * CELL, rel=0.1)
    assert not monitor.moved_lately(1.4, 0.25).any()
    busy = ~monitor.still_cells(1.1 + 0.9 * CONFIG.calm)
    assert busy[3:8, 4:9].all() and busy.sum() == 25  # its neighbours too
    assert monitor.still_cells(1.1 + 1.1 * CONFIG.calm).all()


@pytest.mark.parametrize(("columns", "is_thing"), [(1, False), (2, False), (3, True)])
def test_few_cells_that_move_together_are_no_thing(
    monitor: MotionMonitor, columns: int, is_thing: bool
) -> None:
    monitor.watch(reference(with_cells(4, 5, 1, columns)), 1.1)
    assert monitor.is_moving
    assert monitor.moved_lately(1.1, 1.0).any() == is_thing


@pytest.mark.parametrize(("rows", "columns"), [(3, 1), (1, 3)])
def test_a_thin_thing_moves_to_both_its_ends(
    monitor: MotionMonitor, rows: int, columns: int
) -> None:
    """Only its middle has two neighbours that move."""
    monitor.watch(reference(with_cells(4, 5, rows, columns)), 1.1)
    moved = monitor.moved_lately(1.1, 0.1)[CELL // 2 :: CELL, CELL // 2 :: CELL] > 0
    expected = np.zeros_like(moved)
    expected[4 : 4 + rows, 5 : 5 + columns] = True
    np.testing.assert_array_equal(moved, expected)


@pytest.mark.parametrize(("row", "column"), [(5, 3), (5, 9), (2, 6), (8, 6)])
def test_a_cell_that_moves_two_away_from_a_thing_is_no_part_of_it(
    monitor: MotionMonitor, row: int, column: int
) -> None:
    picture = np.maximum(with_cells(4, 5, 3, 3), with_cells(row, column, 1, 1))
    monitor.watch(reference(picture), 1.1)
    moved = monitor.moved_lately(1.1, 0.1)[CELL // 2 :: CELL, CELL // 2 :: CELL] > 0
    assert moved[4:7, 5:8].all() and moved.sum() == 9


def test_the_cells_cut_off_at_the_border_move_too(monitor: MotionMonitor) -> None:
    monitor.watch(reference(with_cells(8, 10, 3, 3)), 1.1)
    assert monitor.moved_lately(1.1, 1.0)[-1, -1] == 255


def test_motion_is_measured_against_a_picture_some_tenths_of_a_second_old(
    monitor: MotionMonitor,
) -> None:
    """What was laid and stays is motion only until that picture shows it too."""
    laid = reference(with_cells(4, 5, 3, 3))
    times = 1.0 + np.arange(1, 11) * CONFIG.anchor / 4
    seen = []
    for time in times.tolist():
        monitor.watch(laid, time)
        seen.append(monitor.is_moving)
    assert seen[0] and not any(seen[5:])


def test_a_clock_that_goes_back_takes_the_picture_as_the_one_to_measure_against(
    monitor: MotionMonitor,
) -> None:
    laid = reference(with_cells(4, 5, 3, 3))
    monitor.watch(laid, 0.2)
    assert monitor.is_moving
    monitor.watch(laid, 0.2)
    assert not monitor.is_moving


def test_what_flickers_is_motion_once_and_again_when_it_was_still_for_long(
    monitor: MotionMonitor,
) -> None:
    def moves(time: float, levels: int = 30) -> bool:
        """Show a frame that flickers by so much between two ordinary ones; return whether it
        counted as motion.
        """
        monitor.set_anchor(reference(plain()))
        monitor.watch(reference(plain()), time - 0.01)
        monitor.watch(reference(with_cells(4, 5, 1, 1, more=levels)), time)
        moved = monitor.is_moving
        monitor.watch(reference(plain()), time + 0.01)
        return moved

    assert moves(2.0)
    assert not moves(2.1)
    assert not moves(2.1 + 0.05 * FLICKER_SECONDS)
    assert moves(2.5 + 2 * FLICKER_SECONDS)
    assert not moves(2.6 + 2 * FLICKER_SECONDS, levels=35)  # a little more is flicker still
    assert moves(2.7 + 2 * FLICKER_SECONDS, levels=60)


def test_a_thing_that_moves_is_not_learned_as_flicker(monitor: MotionMonitor) -> None:
    for frame in range(6):
        monitor.set_anchor(reference(plain()))
        monitor.watch(reference(with_cells(4, 5, 3, 3)), 1.1 + frame / 10)
        assert monitor.is_moving


def test_noise_is_learned_and_what_is_tolerated_is_no_motion(monitor: MotionMonitor) -> None:
    more = CONFIG.difference + 2
    brighter = plain() + np.uint8(more)
    difference = np.full(SIZE, more, np.uint8)
    assert monitor.significant(difference).all()
    for frame in range(40):
        monitor.set_anchor(reference(plain()))
        monitor.watch(reference(plain(103)), 1.1 + frame / 10)
    noisy = monitor.significant(np.full(SIZE, int(3 * CONFIG.noise_factor) - 1, np.uint8))
    assert not noisy.any()
    fresh = MotionMonitor(CONFIG)
    fresh.begin(reference(plain()), 0.0)
    fresh.tolerate(np.full(SIZE, more, np.uint8))
    assert not fresh.significant(difference).any()
    assert fresh.significant(difference + np.uint8(more)).all()
    fresh.tolerate(None)
    assert fresh.significant(difference).all()
    fresh.watch(reference(brighter), 0.1)
    assert fresh.is_moving
