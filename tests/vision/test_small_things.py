"""Keys and figures far smaller than the tiles of the table are no tiles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.small_things import too_small

SURE, DOUBTFUL = 0.95, 0.6


def quads(middles: list[tuple[float, float]], widths: list[float]) -> NDArray[np.float32]:
    """Upright faces of these widths, (n, 4, 2)."""
    outline = np.array([[-0.5, -0.7], [0.5, -0.7], [0.5, 0.7], [-0.5, 0.7]])
    faces = np.array(middles)[:, None] + np.array(widths)[:, None, None] * outline
    return faces.astype(np.float32)


def table(*, keys: int, key_width: float = 18.0) -> tuple[NDArray[np.float32], int]:
    """Ten tiles 40 px wide in two rows, then keys in a row beside them; and how many tiles."""
    tiles = [(100 + 42.0 * column, top) for top in (100.0, 400.0) for column in range(5)]
    beside = [(700 + 20.0 * key, 250.0) for key in range(keys)]
    return quads(tiles + beside, [40.0] * len(tiles) + [key_width] * keys), len(tiles)


def told(faces: NDArray[np.float32], scores: list[float]) -> list[int]:
    return np.flatnonzero(too_small(faces, np.array(scores, np.float32))).tolist()


def test_keys_are_none_of_the_tiles_even_where_they_are_as_many() -> None:
    for count in (4, 10):
        faces, tiles = table(keys=count)
        expected = [*range(tiles, tiles + count)]
        assert told(faces, [SURE] * tiles + [DOUBTFUL] * count) == expected


def test_what_is_nearly_as_large_or_surely_a_tile_stays() -> None:
    faces, tiles = table(keys=4, key_width=32.0)
    assert told(faces, [SURE] * tiles + [DOUBTFUL] * 4) == []
    faces, tiles = table(keys=4)
    assert told(faces, [SURE] * tiles + [SURE] * 4) == []


def test_one_or_two_may_be_tiles_that_are_outlined_wrongly() -> None:
    faces, tiles = table(keys=2)
    assert told(faces, [SURE] * tiles + [DOUBTFUL] * 2) == []


def test_tiles_farther_away_are_smaller_and_stay() -> None:
    tops = [100.0 + 60.0 * row for row in range(8)]
    middles = [(200 + 50.0 * column, top) for top in tops for column in range(3)]
    widths = [12 + 0.09 * y for _x, y in middles]
    assert max(widths) > 2 * min(widths)
    assert told(quads(middles, widths), [DOUBTFUL] * 9 + [SURE] * 15) == []


def test_where_hardly_any_tile_is_sure_all_stay() -> None:
    faces, tiles = table(keys=4)
    assert told(faces, [SURE] * 3 + [DOUBTFUL] * (tiles - 3 + 4)) == []


def test_with_few_finds_nothing_is_told() -> None:
    faces, _tiles = table(keys=3)
    assert told(faces[8:], [SURE, SURE, 0.1, 0.1, 0.1]) == []
    assert told(faces[:0], []) == []
