"""Rows printed on a thing are told from rows that lie on the table."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.tiles.ground import are_printed

WOOD, BLUE, IVORY, EDGE = (150, 110, 70), (30, 50, 130), (240, 236, 225), (170, 165, 150)
OCHRE = (160, 100, 30)  # 24 from WOOD in a*, b* of CIELAB, as both are compared
ROWS = [tuple(range(0, 4)), tuple(range(4, 8)), tuple(range(8, 11))]


def table(
    lid: tuple[int, int, int], *, edges: bool = False, beside: int | None = None
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Draw two rows of four on wood and one of three on a lid of this colour; return the picture
    and the quads.

    The tiles of the rows on wood show an edge below their faces, as tiles do; with `edges` those on
    the lid do so, too. One tile more lies on the wood if `beside` tells how many pixels there are
    between it and the row on the lid, which then ends there.
    """
    rng = np.random.default_rng(5)
    picture = np.full((480, 640, 3), WOOD, np.uint8)
    cv2.rectangle(picture, (380, 60), (620 if beside is None else 548, 220), lid, -1)
    quads = []
    for x, y, count in ((60, 80, 4), (60, 300, 4), (430, 120, 3)):
        for i in range(count):
            left = x + 37 * i
            quads.append([[left, y], [left + 36, y], [left + 36, y + 48], [left, y + 48]])
            cv2.rectangle(picture, (left, y), (left + 36, y + 48), IVORY, -1)
            if y < 300 and (x < 400 or edges):
                cv2.rectangle(picture, (left, y + 49), (left + 36, y + 62), EDGE, -1)
    if beside is not None:
        right = 430 + 37 * 3 + beside
        quads.append([[right, 120], [right + 36, 120], [right + 36, 168], [right, 168]])
        cv2.rectangle(picture, (right, 120), (right + 36, 168), IVORY, -1)
    noisy = picture + rng.normal(0, 3, picture.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8), np.array(quads, np.float32)


@pytest.mark.parametrize(
    ("lid", "edges", "printed"),
    [
        pytest.param(BLUE, False, True, id="printed on a blue lid"),
        pytest.param(WOOD, False, False, id="on the table as the others"),
        pytest.param(tuple(np.array(WOOD) // 2), False, False, id="in the shade"),
        pytest.param(BLUE, True, False, id="tiles with an edge lie on a mat"),
        pytest.param(OCHRE, False, False, id="on a colour like that of the table elsewhere"),
    ],
)
def test_a_row_is_printed_where_its_ground_is_its_own(
    lid: tuple[int, int, int], edges: bool, printed: bool
) -> None:
    assert are_printed(*table(tuple(map(int, lid)), edges=edges), ROWS) == [False, False, printed]


@pytest.mark.parametrize(("beside", "printed"), [(24, False), (28, True)])
def test_no_tile_of_the_table_lies_beside_a_printed_row(beside: int, printed: bool) -> None:
    told = are_printed(*table(BLUE, beside=beside), ROWS)
    assert told == [False, False, printed]


def test_alone_nothing_can_be_told() -> None:
    picture, quads = table(BLUE)
    assert are_printed(picture, quads[8:], [(0, 1, 2)]) == [False]
    assert are_printed(picture, quads, []) == []


def test_a_row_at_the_border_of_the_picture() -> None:
    picture, quads = table(BLUE)
    assert are_printed(picture[:170, :542].copy(), quads, ROWS) == [False, False, True]


def test_of_tiles_that_fill_the_picture_nothing_can_be_told() -> None:
    picture = np.full((90, 120, 3), IVORY, np.uint8)
    quads = [[[x, 0], [x + 59, 0], [x + 59, 89], [x, 89]] for x in (0, 60)]
    assert are_printed(picture, np.array(quads, np.float32), [(0, 1)]) == [False]
