"""Keys of a calculator or telephone beside tiles: digits in rows of three."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.tiles import Tile
from vision.keypad import are_of_keypad

from .test_keys import grid


def keypad(digits: str, turn: float = 0.0, stretch: float = 1.0) -> NDArray[np.float32]:
    """Return quads (n, 4, 2) of keys thirty pixels wide that bear these digits, laid in rows; a
    blank leaves a place free. All of it is turned by `turn` degrees and stretched downwards.
    """
    rows = digits.split("/")
    places = [(x, y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign != " "]
    quads = np.concatenate([grid(1, 1, (32 * x, 32 * y)) for x, y in places])
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    return (quads * [1, stretch] @ np.array([[cos, sin], [-sin, cos]]) + 500).astype(np.float32)


def faces(digits: str, ink: str = "K") -> list[Tile]:
    signs = digits.replace("/", "").replace(" ", "")
    return [Tile(None, None) if sign == "+" else Tile.parse(f"{sign}{ink}") for sign in signs]


@pytest.mark.parametrize(
    ("digits", "is_keypad"),
    [
        pytest.param("789/456/123", True, id="a calculator"),
        pytest.param("123/456/789", True, id="a telephone"),
        pytest.param("189/459/123", True, id="a 7 and a 6 that look like a 1 and a 9"),
        pytest.param("7 9/4 6/ 23", True, id="three keys not found"),
        pytest.param("789+/456+/123+/++++", True, id="other keys beside and below"),
        pytest.param("456/123", False, id="two melds"),
        pytest.param("7 9/4 6/ 2", False, id="four keys not found"),
        pytest.param("789/  456/    123", False, id="melds that do not lie in columns"),
        pytest.param("123456789", False, id="one row"),
        pytest.param("7898/456/123", True, id="a sign that looks like an 8 beside a 9"),
        pytest.param("789/4567/123", False, id="a meld goes on with the next digit"),
        pytest.param("1789/ 456/ 123", False, id="a tile lies left of the digits"),
    ],
)
@pytest.mark.parametrize(("turn", "stretch"), [(0, 1), (200, 0.6)])
def test_digits_in_rows_of_three_are_keys(
    digits: str, is_keypad: bool, turn: float, stretch: float
) -> None:
    keys, tiles = keypad(digits, turn, stretch), grid(9, 1, (0, 0))
    quads = np.concatenate([keys, tiles])
    told = are_of_keypad(quads, [*faces(digits), *faces("123456789")])
    assert told.tolist() == [is_keypad] * len(keys) + [False] * len(tiles)


@pytest.mark.parametrize(("shift", "step"), [(0, 60), (0, 90), (10, 45)])
def test_a_whole_set_laid_in_rows_is_no_keypad(shift: int, step: int) -> None:
    """Two rows of each ink, in which digits lie as on a keypad, but the rows go on."""
    rows = [grid(13, 1, (shift * number, step * number)) for number in range(6)]
    tiles = [Tile(number, ink) for ink in ("R", "R", "B", "B", "K", "K") for number in range(1, 14)]
    assert not are_of_keypad(np.concatenate(rows), tiles).any()


def test_tiles_that_lie_apart_are_no_keypad() -> None:
    def spread(step: float) -> NDArray[np.float32]:
        return np.concatenate([grid(1, 1, (step * (n % 3), step * (n // 3))) for n in range(9)])

    assert are_of_keypad(spread(50), faces("789456123")).all()
    assert not are_of_keypad(spread(60), faces("789456123")).any()


def test_what_looks_like_no_tile_is_no_digit_of_a_keypad() -> None:
    unread = [None, *faces("89"), None, *faces("5"), None, None, *faces("23")]
    assert not are_of_keypad(keypad("789/456/123"), unread).any()


def test_among_very_many_digits_no_keypad_is_looked_for() -> None:
    """On a cloth printed with digits, say, where it would take long."""
    keys, cloth = keypad("789/456/123"), grid(20, 15, (0, 600))
    faces_of_cloth = faces("123456789" * 34)[: len(cloth)]
    quads = np.concatenate([keys, cloth])
    assert not are_of_keypad(quads, [*faces("789456123"), *faces_of_cloth]).any()


def test_melds_of_several_inks_are_no_keys() -> None:
    quads = keypad("789/456/123")
    inks = [*faces("789", "R"), *faces("456", "B"), *faces("123", "K")]
    assert not are_of_keypad(quads, inks).any()
    assert not are_of_keypad(np.zeros((0, 4, 2), np.float32), []).any()
