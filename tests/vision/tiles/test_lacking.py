"""Tells where a meld plainly lacks a tile: never where nothing lies, nor between two melds."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.grouping import Indices
from vision.tiles.lacking import lacking_tiles

TILE = np.array([[0, 0], [20, 0], [20, 28], [0, 28]], np.float32)
CLOTH, BODY = 60, 230


def row(*places: float, top: float = 40) -> NDArray[np.float32]:
    """Return the quads (n, 4, 2) of tiles in a row, each at so many widths from the left."""
    return np.stack([TILE + np.float32([20 + 20 * place, top]) for place in places])


def photograph(*lying: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return a picture, (140, 260, 3) RGB, of the bodies of tiles on a cloth."""
    pixels = np.full((140, 260, 3), CLOTH, np.uint8)
    for quads in lying:
        for quad in quads:
            cv2.fillConvexPoly(pixels, quad.astype(np.int32), (BODY, BODY, BODY))
    return pixels


def judge(*melds: Indices) -> Callable[[NDArray[np.float32]], Callable[[Indices], bool]]:
    """Return a judge to whom only these rows are melds; the unknown tile has the last index."""
    return lambda faces: lambda asked: asked in melds


WHOLE = (0, 1, 5, 2, 3, 4)  # tile 5 is the unknown one
FACES, SURE = np.zeros((5, 53), np.float32), np.ones(5, bool)
TILES = row(0, 1, 3, 4, 5)
ROWS = [(0, 1), (2, 3, 4)]


def test_a_hole_in_which_any_tile_makes_one_meld_of_both_rows_holds_one() -> None:
    pixels = photograph(TILES, row(2))
    found = lacking_tiles(pixels, TILES, FACES, SURE, ROWS, judge(WHOLE, (2, 3, 4)))
    assert np.allclose(found, row(2))
    reversed_rows = [(1, 0), (4, 3, 2)]
    again = lacking_tiles(pixels, TILES, FACES, SURE, reversed_rows, judge(WHOLE, (2, 3, 4)))
    assert np.allclose(found, again)


@pytest.mark.parametrize(
    ("melds", "there"),
    [
        pytest.param((), True, id="the whole is no meld"),
        pytest.param((WHOLE, (0, 1), (2, 3, 4)), True, id="both are melds by themselves"),
        pytest.param((WHOLE,), False, id="the cloth shows"),
    ],
)
def test_elsewhere_none_is_lacking(melds: tuple[Indices, ...], there: bool) -> None:
    pixels = photograph(TILES, row(2)) if there else photograph(TILES)
    assert lacking_tiles(pixels, TILES, FACES, SURE, ROWS, judge(*melds)).shape == (0, 4, 2)


def test_a_cloth_of_which_a_part_is_as_light_is_no_tile() -> None:
    pixels = photograph(TILES, row(2))
    left, top = row(2)[0, 0].astype(int)
    pixels[top : top + 18, left : left + 20] = CLOTH
    assert not len(lacking_tiles(pixels, TILES, FACES, SURE, ROWS, judge(WHOLE)))
    pixels[top : top + 18, left + 6 : left + 20] = BODY  # now it is ink
    assert len(lacking_tiles(pixels, TILES, FACES, SURE, ROWS, judge(WHOLE)))


def test_a_tile_between_two_that_lie_alone_is_told() -> None:
    tiles = row(0, 2)
    pixels = photograph(tiles, row(1))
    found = lacking_tiles(pixels, tiles, FACES[:2], SURE[:2], [], judge((0, 2, 1)))
    assert np.allclose(found, row(1))


def test_a_hole_inside_of_rows_that_cross_is_none_of_theirs() -> None:
    """The tiles beside the hole both lie inside rows that stand across it."""
    down = [row(place, top=40 + 30 * at) for place in (0, 2) for at in (-1, 0, 1)]
    quads = np.concatenate(down)
    rows = [(0, 1, 2), (3, 4, 5)]
    pixels = photograph(quads, row(1))
    every = [(0, 1, 2, 6, 3, 4, 5), (1, 6, 4), (0, 1, 6, 4, 5)]
    faces, sure = np.zeros((6, 53), np.float32), np.ones(6, bool)
    assert not len(lacking_tiles(pixels, quads, faces, sure, rows, judge(*every)))


def test_beside_what_is_hardly_read_none_is_lacking() -> None:
    pixels = photograph(TILES, row(2))
    unsure = np.array([True, False, True, True, True])
    assert not len(lacking_tiles(pixels, TILES, FACES, unsure, ROWS, judge(WHOLE)))


def test_without_tiles_nothing_is_lacking() -> None:
    none = np.zeros((0, 4, 2), np.float32)
    faces = np.zeros((0, 53), np.float32)
    assert not len(lacking_tiles(photograph(), none, faces, np.zeros(0, bool), [], judge()))
