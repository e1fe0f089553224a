"""Faint finds that count as tiles only because they lie in a row of tiles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.faint import body_light, faint_tiles

WIDTH, HEIGHT = 40, 56
TABLE, IVORY, INK = (60, 90, 70), (235, 230, 215), (30, 30, 30)


def quad(place: int, top: int = 40) -> NDArray[np.float32]:
    """Return the quad of a tile in a row, (4, 2), by its place in the row."""
    x0, y0 = 20 + place * (WIDTH + 2), top
    x1, y1 = x0 + WIDTH, y0 + HEIGHT
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)


def table(*lying: NDArray[np.float32], body: tuple[int, int, int] = IVORY) -> NDArray[np.uint8]:
    """Draw a table, (200, 400, 3) RGB, with tiles at these quads whose bodies have this colour."""
    pixels = np.full((200, 400, 3), TABLE, np.uint8)
    for each in lying:
        (x0, y0), (x1, y1) = each[0].astype(int), each[2].astype(int)
        pixels[y0:y1, x0:x1] = body
        pixels[y0 + 8 : y0 + 30, x0 + 14 : x0 + 26] = INK
    return pixels


def told(
    pixels: NDArray[np.uint8],
    quads: list[NDArray[np.float32]],
    scores: list[float],
    tiles: list[bool],
    digit: float = 0.0,
) -> list[bool]:
    """Tell which finds are tiles, where the reader sees a digit with this probability on each."""
    probabilities = np.full(len(quads), digit, np.float32)
    found = faint_tiles(
        pixels, np.array(quads), np.array(scores, np.float32), np.array(tiles), probabilities
    )
    return found.tolist()


def test_a_faint_find_beside_a_tile_is_one() -> None:
    quads = [quad(0), quad(1)]
    assert told(table(*quads), quads, [0.9, 0.45], [True, False]) == [False, True]
    assert told(table(*quads), quads, [0.9, 0.30], [True, False]) == [False, False]


def test_a_fainter_find_beside_a_tile_is_one_if_it_is_surely_read() -> None:
    quads = [quad(0), quad(1)]
    assert told(table(*quads), quads, [0.9, 0.30], [True, False], 0.99) == [False, True]
    assert told(table(*quads), quads, [0.9, 0.20], [True, False], 0.99) == [False, False]
    assert told(table(*quads), quads, [0.9, 0.30], [True, False], 0.90) == [False, False]
    assert told(table(quads[0]), quads, [0.9, 0.30], [True, False], 0.99) == [False, False]
    alone = [quad(0), quad(3)]
    assert told(table(*alone), alone, [0.9, 0.30], [True, False], 0.99) == [False, False]


def test_fainter_finds_beside_a_tile_are_tiles_where_a_lamp_may_have_burnt_their_ink_out() -> None:
    quads, finds = [quad(0), quad(1), quad(2)], [True, False, False]
    burnt, light = table(*quads, body=(255, 254, 251)), table(*quads, body=(255, 254, 245))
    assert told(burnt, quads, [0.9, 0.3, 0.3], finds) == [False, True, True]
    assert told(burnt, quads, [0.9, 0.25, 0.25], finds) == [False] * 3
    assert told(light, quads, [0.9, 0.3, 0.3], finds) == [False] * 3
    assert told(burnt, quads[1:], [0.3, 0.3], [False, False]) == [False, False]


def test_an_empty_place_between_tiles_is_none() -> None:
    quads = [quad(0), quad(1), quad(2)]
    lying = table(quads[0], quads[2])
    assert told(lying, quads, [0.9, 0.5, 0.9], [True, False, True]) == [False] * 3


def test_three_faint_finds_in_line_are_tiles_and_two_are_not() -> None:
    quads = [quad(0), quad(1), quad(2)]
    assert told(table(*quads), quads, [0.5, 0.6, 0.55], [False] * 3) == [True] * 3
    assert told(table(*quads), quads, [0.4, 0.4, 0.4], [False] * 3) == [False] * 3
    assert told(table(*quads), quads[:2], [0.6, 0.6], [False] * 2) == [False] * 2


def test_a_faint_row_of_another_body_than_the_tiles_is_none() -> None:
    tile, keys = quad(0), [quad(place, 110) for place in range(3)]
    pixels = table(tile)
    pixels[110:] = (40, 40, 44)
    assert told(pixels, [tile, *keys], [0.9, 0.6, 0.6, 0.6], [True] + [False] * 3) == [False] * 4


def test_the_light_of_a_body_leaves_the_ink_out() -> None:
    light = np.exp(body_light(table(quad(0)), np.array([quad(0), quad(6)])))
    np.testing.assert_allclose(light, [IVORY, TABLE], rtol=1e-6)
