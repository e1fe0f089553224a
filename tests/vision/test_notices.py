"""What a person is told of a whole photograph; finds that may be tiles count there, too."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.tiles import Tile
from vision.frame import Frame
from vision.kinds import TILES
from vision.notices import find_notices
from vision.reading import Doubt, Notice, TileReading

BOARD = np.kron(np.indices((6, 8)).sum(axis=0) % 2, np.ones((80, 80))) * 150 + 50
SHARP = np.repeat(BOARD[..., None], 3, axis=2).astype(np.uint8)
SOFT = np.asarray(cv2.GaussianBlur(SHARP, (0, 0), 9), np.uint8)
GRAIN = np.random.default_rng(7).normal(0, 5, SOFT.shape[:2])[..., None]
GRAINY = np.clip(SOFT + GRAIN, 0, 255).astype(np.uint8)


def faces(count: int, width: float) -> NDArray[np.float32]:
    """Return the quads (count, 4, 2) of faces side by side, each 1.4 times as high as wide."""
    face = np.array([[0, 0], [width, 0], [width, 1.4 * width], [0, 1.4 * width]], np.float32)
    places = np.float32([[5 + i * 1.1 * width, 10] for i in range(count)]).reshape(-1, 2)
    return face + places[:, None]


def notices(
    pixels: NDArray[np.uint8], missed: NDArray[np.float32], hard: int = 0
) -> tuple[Notice, ...]:
    """Return the notices of a picture with eight surely read tiles, 20 pixels wide, of which `hard`
    were doubtful though nobody is asked about them.
    """
    tiles = tuple(TileReading(Tile(5, "R"), quad, 0.999) for quad in faces(8, 20))
    return find_notices(Frame.of(pixels), tiles, TILES.doubts, hard=hard, left_out=missed)


def test_a_photograph_has_tiles_too_small_where_those_left_out_are() -> None:
    assert notices(SHARP, faces(3, 9)) == (Notice.TOO_SMALL,)
    assert notices(SHARP, faces(3, 20)) == ()


@pytest.mark.parametrize(
    ("doubt", "told"),
    [
        (Doubt.UNSURE, True),
        (Doubt.UNREAD, True),
        (Doubt.FEW_COLOURS, False),
        (Doubt.PRINTED, False),
    ],
)
def test_tiles_of_which_half_are_hardly_read_are_too_small_sooner(doubt: Doubt, told: bool) -> None:
    """Nobody needs to go nearer where only colours are missing, or where pictures lie beside."""
    for count, width, expected in ((4, 20, told), (3, 20, False), (4, 26, False)):
        doubts = [{doubt}] * count + [set[Doubt]()] * (8 - count)
        tiles = tuple(
            TileReading(Tile(5, "R"), quad, 0.9, frozenset(of_tile))
            for quad, of_tile in zip(faces(8, width), doubts, strict=True)
        )
        found = find_notices(Frame.of(SHARP), tiles, TILES.doubts)
        assert found == ((Notice.TOO_SMALL,) if expected else ())


@pytest.mark.parametrize(("light", "told"), [(50, (Notice.TOO_DARK,)), (70, ())])
def test_tiles_in_the_dark_of_a_light_picture_are_told(
    light: int, told: tuple[Notice, ...]
) -> None:
    """A rack that stands in a shadow: its reds and yellows look black."""
    picture = SHARP.copy()
    picture[:60, :240] = light
    assert notices(picture, faces(0, 9)) == told


@pytest.mark.parametrize(
    ("face", "ink", "doubt", "told"),
    [
        (255, 255, None, (Notice.TOO_BRIGHT,)),
        (255, 220, None, (Notice.TOO_BRIGHT,)),
        (255, 190, None, ()),
        (240, 240, None, ()),
        (255, 255, Doubt.PRINTED, ()),
    ],
)
def test_a_tile_whose_ink_is_burnt_out_is_told_as_others_may_not_even_be_found(
    face: int, ink: int, doubt: Doubt | None, told: tuple[Notice, ...]
) -> None:
    picture, quads = SHARP.copy(), faces(6, 20)
    left, top = quads[0].min(axis=0).astype(int)
    right, bottom = quads[0].max(axis=0).astype(int)
    picture[top : bottom + 1, left : right + 1] = face
    middle = (top + bottom) // 2, (left + right) // 2
    picture[middle[0] - 2 : middle[0] + 2, middle[1] - 2 : middle[1] + 2, 2] = ink
    doubts = frozenset({doubt} if doubt else ())
    tiles = tuple(TileReading(Tile(5, "R"), quad, 0.9, doubts) for quad in quads)
    assert find_notices(Frame.of(picture), tiles, TILES.doubts) == told


def test_a_few_finds_among_many_tiles_say_nothing() -> None:
    assert notices(SHARP, faces(1, 9)) == ()
    assert notices(SHARP, faces(0, 9)) == ()


def test_a_soft_photograph_is_called_blurred_where_finds_are_left_out() -> None:
    assert notices(SOFT, faces(3, 20)) == (Notice.TOO_BLURRED,)
    assert notices(SOFT, faces(1, 20)) == ()


def test_a_soft_photograph_is_called_blurred_for_doubts_that_nobody_is_asked_about() -> None:
    assert notices(SOFT, faces(0, 20), hard=1) == (Notice.TOO_BLURRED,)
    assert notices(SOFT, faces(0, 20), hard=0) == ()
    assert notices(SHARP, faces(0, 20), hard=1) == ()


def test_a_photograph_that_is_soft_beneath_its_grain_is_called_blurred_for_four_doubts() -> None:
    assert notices(GRAINY, faces(0, 20), hard=4) == (Notice.TOO_BLURRED,)
    assert notices(GRAINY, faces(2, 20), hard=2) == (Notice.TOO_BLURRED,)
    assert notices(GRAINY, faces(0, 20), hard=3) == ()


def test_people_hear_of_tiles_cut_by_the_edge_though_all_are_surely_read() -> None:
    frame = Frame(np.full((80, 100, 3), 200, np.uint8), 100, 80)
    inside = np.array([[40, 20], [60, 20], [60, 50], [40, 50]], np.float32)
    told = [
        find_notices(frame, (TileReading(Tile(7, "R"), corners, 0.99),), TILES.doubts)
        for corners in (inside, inside - [50, 0])
    ]
    assert told == [(), (Notice.CUT_OFF,)]
