"""Melds that lie on the table behind a rack are not of the hand that stands on it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

import vision
from datasets.photos import PHOTOS, PhotosMissing, load_burako_renders
from vision.frame import load
from vision.quads import Quad
from vision.reading import Doubt
from vision.tiles.behind_rack import behind_rack

WIDTH, HEIGHT = 60.0, 84.0  # pixels


def tile(x: float, y: float, size: float = 1.0, flat: float = 1.0) -> NDArray[np.float32]:
    """Return the quad of a tile with its middle at (x, y), in widths of a tile on the rack. It is
    `size` times as wide, and its height is multiplied by `flat` as well.
    """
    right, down = np.array([WIDTH, 0]) * size / 2, np.array([0, HEIGHT]) * size * flat / 2
    corners = np.stack([-right - down, right - down, right + down, down - right])
    return (corners + np.array([x, y]) * WIDTH).astype(np.float32)


RACK = [tile(x, y) for x in range(6) for y in (0.0, 1.5)]
FAR = 0.7  # size of what lies behind the rack


def laid(count: int, y: float = -1.8, size: float = FAR, x: float = 1.0) -> list[Quad]:
    """Return `count` tiles side by side on the table."""
    return [tile(x + 1.03 * size * place, y, size, 0.8) for place in range(count)]


def behind(
    *groups: list[Quad],
    unsure: tuple[int, ...] = (),
    rows: Sequence[tuple[int, ...]] | None = None,
    legal: Sequence[bool] = (True,),
    degrees: float = 0.0,
) -> tuple[list[int], list[int]]:
    """Return the indices of the tiles that are melds behind the rack, and of others behind it. The
    last of the groups is the only row, if none are given. The picture is turned by `degrees`.
    """
    quads = np.stack([quad for group in groups for quad in group])
    angle = np.radians(degrees)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    sure = np.ones(len(quads), bool)
    sure[list(unsure)] = False
    last = tuple(range(len(quads) - len(groups[-1]), len(quads)))
    told = behind_rack((quads @ turn).astype(np.float32), sure, rows or [last], legal)
    return np.flatnonzero(told.melds).tolist(), np.flatnonzero(told.others).tolist()


@pytest.mark.parametrize("degrees", [0, 35, 90, 180, 270])
def test_a_meld_that_looks_smaller_beyond_the_rack_is_behind_it(degrees: float) -> None:
    assert behind(RACK, laid(3), degrees=degrees) == ([12, 13, 14], [])


@pytest.mark.parametrize("left", [2, 3, 5, 7])
def test_few_tiles_left_on_the_rack_are_not_taken_for_melds(left: int) -> None:
    """As at the end of a hand, when most tiles lie on the table."""
    rack = [tile(x, 0) for x in range(left)]
    rows = [tuple(range(left + first, left + first + 6)) for first in (0, 6, 12)]
    melds = [laid(6, y) for y in (-1.8, -2.8, -3.8)]
    told = behind(rack, *melds, rows=rows, legal=[True] * 3)
    assert told == (list(range(left, left + 18)), [])


def test_a_tile_in_doubt_lies_where_the_nearest_sure_one_does_if_it_is_as_small() -> None:
    further = [tile(1 + 3.1 * FAR, -1.8, FAR, 0.8), tile(2, -0.2), tile(3.9, -1.6)]
    told = behind(RACK, laid(3), further, unsure=(15, 16, 17), rows=[(12, 13, 14)])
    assert told == ([12, 13, 14, 15], [])


@pytest.mark.parametrize(
    "group",
    [
        pytest.param(laid(3, size=0.97), id="nearly as large as on the rack"),
        pytest.param(laid(3, y=4.0), id="in front"),
        pytest.param(laid(3, y=0.3, x=7.5), id="beside"),
        pytest.param(laid(2), id="two tiles"),
    ],
)
def test_other_tiles_beside_the_rack_are_not_behind_it(group: list[Quad]) -> None:
    assert behind(RACK, group) == ([], [])


@pytest.mark.parametrize(
    ("rows", "legal", "are_melds"),
    [
        ([(12, 13, 14), (15, 16, 17)], [True, True], True),
        ([(12, 13, 14), (15, 16)], [True, False], False),  # three of six in melds
        ([(12, 13, 14), (15, 16, 17)], [True, False], False),
        ([(12, 13, 14, 15, 16), (17,)], [True, False], True),
        ([(0, 2, 4)], [True], False),  # a meld on the rack itself
    ],
)
def test_a_group_that_does_not_lie_as_melds_may_be_another_rack(
    rows: list[tuple[int, ...]], legal: list[bool], are_melds: bool
) -> None:
    six = list(range(12, 18))
    told = behind(RACK, laid(6), rows=rows, legal=legal)
    assert told == ((six, []) if are_melds else ([], six))


def test_tiles_that_become_smaller_along_a_rack_are_all_on_it() -> None:
    sizes = 0.93 ** np.arange(12)
    places = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    leaning = [tile(x, -0.1 * x, size) for x, size in zip(places, sizes, strict=True)]
    assert behind(leaning, rows=[(9, 10, 11)]) == ([], [])


def test_few_tiles_have_no_rack() -> None:
    assert behind([tile(0, 0)]) == ([], [])
    told = behind_rack(np.zeros((0, 4, 2), np.float32), np.zeros(0, bool), [], [])
    assert told.melds.shape == told.others.shape == (0,)


@pytest.mark.pictures
def test_what_lies_behind_the_racks_of_photographs_is_told_or_asked_about() -> None:
    """On two of the three some rows on the table are no legal melds."""
    try:
        pictures = load_burako_renders()
    except PhotosMissing:
        pytest.skip(f"no photographs in {PHOTOS}")
    racks = [one for one in pictures if any(row.kind == "rack" for row in one.rows)]
    told = []
    for picture in racks:
        reading = vision.open_reader().read(load(str(picture.path)), "loose")
        (rack,) = (row for row in picture.rows if row.kind == "rack")
        on_table = [
            picture.tiles[i].tile for row in picture.rows if row is not rack for i in row.tiles
        ]
        asked = [i for i, tile in enumerate(reading.tiles) if Doubt.OFF_RACK in tile.doubts]
        told.append((len(reading.behind_rack), len(asked)))
        found = [str(reading.tiles[i].tile) for i in [*reading.behind_rack, *asked]]
        assert sorted(found) == sorted(on_table)
        assert reading.to_json().get("behind_rack", []) == list(reading.behind_rack)
    assert sorted(told) == [(0, 9), (0, 16), (10, 0)]
