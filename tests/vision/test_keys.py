"""Keys beside tiles: what lies among many unread finds is no tile, nor is what lies on a keypad."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.rulesets import RULESETS
from engine.tiles import FACE_INDEX, FACES, Tile
from tests.places import SAMPLES
from tests.vision.tiles.test_low_views import TABLE
from vision import Layout, open_reader
from vision.frame import Frame, load
from vision.grouping import Indices
from vision.joint_decision import decide_jointly
from vision.keys import CONFIG, are_keys, are_no_tiles
from vision.kinds import TILES
from vision.reading import Doubt
from vision.seen import Rows, Seen


def grid(
    columns: int, rows: int, at: tuple[float, float], size: float = 30.0
) -> NDArray[np.float32]:
    """Return quads (columns * rows, 4, 2), squares of `size` pixels, edge to edge, from `at` on."""
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * size
    places = [(x, y) for y in range(rows) for x in range(columns)]
    return np.array([square + at + np.array(place) * size for place in places], np.float32)


def test_keys_side_by_side_are_told_from_the_tiles_beside_them() -> None:
    keys, tiles = grid(8, 3, (0, 0)), grid(9, 1, (0, 200), 40)
    quads = np.concatenate([keys, tiles])
    unread = np.zeros(len(quads), np.bool_)
    unread[:14] = True
    assert are_keys(quads, unread).tolist() == [True] * len(keys) + [False] * len(tiles)


@pytest.mark.parametrize(
    ("columns", "rows", "unread"),
    [
        pytest.param(11, 1, 11, id="fewer than twelve side by side"),
        pytest.param(8, 3, 11, id="most of them read"),
        pytest.param(8, 2, 7, id="hardly any unread"),
        pytest.param(8, 3, 0, id="all read"),
        pytest.param(0, 0, 0, id="nothing found"),
    ],
)
def test_tiles_are_no_keys(columns: int, rows: int, unread: int) -> None:
    quads = grid(columns, rows, (0, 0)).reshape(-1, 4, 2)
    assert not are_keys(quads, np.arange(len(quads)) < unread).any()


def test_tiles_that_lie_apart_are_no_keys() -> None:
    apart = CONFIG.apart * 1.1
    quads = np.concatenate([grid(1, 1, (x * 30 * apart, 0)) for x in range(20)])
    assert not are_keys(quads, np.ones(20, np.bool_)).any()


def tiles(text: str) -> list[Tile]:
    return [Tile.parse(face) for face in text.split()]


# Sixteen faces. The set holds two of a number and two comodines: five of these are too many.
KEYS = tiles("1K " * 5 + "J " * 4 + "8K 3K 5K 9K 10K 11K 12K")
AROUND = tiles("7R 8R 9R 4B 4Y 4B")


@pytest.mark.parametrize(
    ("keys", "around", "none"),
    [
        pytest.param(KEYS, AROUND, True, id="a keyboard"),
        pytest.param(KEYS[1:], AROUND, False, id="one fewer too many"),
        pytest.param([*KEYS, *FACES[:13]], AROUND, False, id="a small share too many"),
        pytest.param([*FACES], AROUND, False, id="no more than the set holds"),
        pytest.param(KEYS, tiles("7K 8K 9K 4K 4K 4K"), False, id="nothing has a colour"),
        pytest.param(KEYS, tiles("7R 8R 9R 4B J J"), False, id="one tile has another colour"),
        pytest.param(KEYS, [], False, id="nothing around"),
    ],
)
def test_keys_are_no_tiles_where_the_set_holds_too_few(
    keys: list[Tile], around: list[Tile], none: bool
) -> None:
    assert are_no_tiles(keys, around, RULESETS["burako"]) is none


def test_what_is_left_out_is_in_no_row() -> None:
    rows = Rows([(0, 1, 2), (4, 3), (5,)], frozenset({1, 4}))
    taken = rows.take(np.array([5, 4, 2, 0]))
    assert (taken.rows, taken.printed) == ([(3, 2)], frozenset({1}))


def seen_with_keys(touching: str) -> Seen:
    """Make what is seen of a keyboard of KEYS and more, of which a third cannot be read, with the
    surely read tiles `touching` below it in a row, and of AROUND farther away.
    """
    shown = [*KEYS, *KEYS, *([None] * 16)]
    below, apart = tiles(touching), AROUND
    faces = np.full((len(shown) + len(below) + len(apart), len(FACES)), -6.0, np.float32)
    for at, face in enumerate([*shown, *below, *apart]):
        if face is not None:
            faces[at, FACE_INDEX[face]] = np.log(0.7 if at < len(shown) else 0.999)
    keys = grid(12, 4, (0, 0))
    row = grid(len(below), 1, (0, 4 * 30 + 3)).reshape(-1, 4, 2)
    quads = np.concatenate([keys, row, grid(len(apart), 1, (0, 600))])
    first = len(keys)
    rows: list[Indices] = [tuple(range(first, first + len(below)))] if below else []
    return Seen(np.full(len(quads), 0.9, np.float32), quads, faces, Rows(rows))


@pytest.mark.parametrize("layout", list(Layout))
@pytest.mark.parametrize(
    ("touching", "stay"), [("", 0), ("3R 4R 5R 6R 7R 8R 9R", 7), ("9B 9Y 9R", 3), ("3R 4R", 0)]
)
def test_a_surely_read_row_that_touches_a_keyboard_is_asked_about(
    touching: str, stay: int, layout: Layout
) -> None:
    seen, decoded = decide_jointly(
        seen_with_keys(touching), layout, RULESETS["burako"], TILES.decoding, TILES.doubts
    )
    assert len(seen.quads) == len(decoded.face) == stay + len(AROUND)
    assert seen.table.printed == set(range(stay))
    told = [FACES[face] for face in decoded.face]
    assert told == [*tiles(touching)[:stay], *AROUND]


KEYBOARD = "1234567890/QWERTYUIOP/ASDFGHJKL:/ZXCVBNM.,-"
CALCULATOR = "789+/456x/123-/0.=:"


def drawn(signs: str, side: int) -> NDArray[np.uint8]:
    """Draw keys of `side` pixels with these signs, in rows, on a green cloth."""
    picture = np.full((900, 1100, 3), (70, 110, 80), np.uint8)
    size = side / 50
    for row, line in enumerate(signs.split("/")):
        for column, sign in enumerate(line):
            x, y = 100 + column * side, 200 + row * side
            cv2.rectangle(picture, (x, y), (x + side - 3, y + side - 3), (214, 212, 205), -1)
            (width, height), _ = cv2.getTextSize(sign, cv2.FONT_HERSHEY_DUPLEX, size, 2)
            start = (x + (side - width) // 2, y + (side + height) // 2)
            cv2.putText(picture, sign, start, cv2.FONT_HERSHEY_DUPLEX, size, (25, 25, 25), 2)
    return picture


def test_a_keyboard_beside_tiles_of_several_colours_is_told_nowhere() -> None:
    table = load(SAMPLES / TABLE["photo"]).pixels
    alone = open_reader().read(Frame.of(table))
    keys = np.full((table.shape[0], 1100, 3), (70, 110, 80), np.uint8)
    keys[:900] = drawn(KEYBOARD, 40)[: table.shape[0]]
    beside = open_reader().read(Frame.of(np.hstack([table, keys])))
    assert Counter(tile.tile for tile in beside.tiles) == Counter(tile.tile for tile in alone.tiles)
    assert not any(tile.doubts for tile in beside.tiles)


@pytest.mark.parametrize("layout", list(Layout))
@pytest.mark.parametrize(
    ("signs", "side", "least"),
    [(KEYBOARD, 36, 30), (KEYBOARD, 48, 30), (CALCULATOR, 48, 7), (CALCULATOR, 60, 7)],
)
def test_no_key_is_told_surely(signs: str, side: int, least: int, layout: Layout) -> None:
    read = open_reader().read(Frame.of(drawn(signs, side)), layout=layout)
    assert len(read.tiles) >= least
    assert all(Doubt.PRINTED in tile.doubts for tile in read.tiles)
    assert not read.notices
