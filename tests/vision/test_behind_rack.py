"""Melds that lie on the table behind a rack are not of the hand that stands on it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import vision
from datasets.photos import PHOTOS, PhotosMissing, load_burako_renders
from vision.behind_rack import behind_rack
from vision.frame import load

WIDTH, HEIGHT = 60.0, 84.0  # pixels


def tile(x: float, y: float, size: float = 1.0, flat: float = 1.0) -> NDArray[np.float32]:
    """Return the quad of a tile with its middle at (x, y), in widths of a tile on the rack. It is
    `size` times as wide, and its height is multiplied by `flat` as well.
    """
    right, down = np.array([WIDTH, 0]) * size / 2, np.array([0, HEIGHT]) * size * flat / 2
    corners = np.stack([-right - down, right - down, right + down, down - right])
    return (corners + np.array([x, y]) * WIDTH).astype(np.float32)


RACK = [tile(x, y) for x in range(6) for y in (0.0, 1.5)]
MELD = [tile(1 + 0.7 * place, -1.8, 0.7, 0.8) for place in range(3)]
LAID = (12, 13, 14)  # the indices of the meld's tiles where it comes after the rack


def behind(
    *tiles: NDArray[np.float32], unsure: tuple[int, ...] = (), meld: tuple[int, ...] = LAID
) -> list[int]:
    sure = np.ones(len(tiles), bool)
    sure[list(unsure)] = False
    return np.flatnonzero(behind_rack(np.stack(tiles), sure, [meld])).tolist()


def test_a_meld_that_looks_smaller_beyond_the_rack_is_behind_it() -> None:
    assert behind(*RACK, *MELD) == [*LAID]


def test_a_tile_in_doubt_lies_where_the_nearest_sure_one_does() -> None:
    further = [tile(1 + 0.7 * 3, -1.8, 0.7, 0.8), tile(2, -0.2)]
    assert behind(*RACK, *MELD, *further, unsure=(15, 16)) == [*LAID, 15]


@pytest.mark.parametrize(
    "laid",
    [
        pytest.param([tile(1 + place, -1.9) for place in range(3)], id="as large as the rack's"),
        pytest.param([tile(1 + 0.7 * place, 3.5, 0.7) for place in range(3)], id="in front"),
        pytest.param(MELD[:2], id="two tiles"),
    ],
)
def test_other_tiles_beyond_the_rack_are_not(laid: list[NDArray[np.float32]]) -> None:
    assert behind(*RACK, *laid, meld=tuple(range(12, 12 + len(laid)))) == []


def test_a_group_without_a_meld_may_be_another_rack() -> None:
    assert behind(*RACK, *MELD, meld=(0, 2, 4)) == []


def test_tiles_that_become_smaller_along_a_rack_are_all_on_it() -> None:
    sizes = 0.93 ** np.arange(12)
    places = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    leaning = [tile(x, -0.1 * x, size) for x, size in zip(places, sizes, strict=True)]
    assert behind(*leaning, meld=(9, 10, 11)) == []


def test_few_tiles_have_no_rack() -> None:
    assert behind(tile(0, 0), meld=(0,)) == []
    assert behind_rack(np.zeros((0, 4, 2), np.float32), np.zeros(0, bool), []).shape == (0,)


@pytest.mark.pictures
def test_the_melds_behind_the_racks_of_photographs_are_told() -> None:
    try:
        pictures = load_burako_renders()
    except PhotosMissing:
        pytest.skip(f"no photographs in {PHOTOS}")
    racks = [one for one in pictures if any(row.kind == "rack" for row in one.rows)]
    assert len(racks) == 3
    for picture in racks:
        reading = vision.open_reader().read(load(str(picture.path)), "loose")
        (rack,) = (row for row in picture.rows if row.kind == "rack")
        told = {str(tile.tile) for tile in (reading.tiles[i] for i in reading.behind_rack)}
        laid = [picture.tiles[i].tile for row in picture.rows if row is not rack for i in row.tiles]
        assert (len(reading.behind_rack), told) == (len(laid), set(laid))
        assert reading.to_json()["behind_rack"] == list(reading.behind_rack)
