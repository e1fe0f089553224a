"""A blurred digit that seems to lie across its row is looked at in the direction of the row."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from engine.tiles import Tile
from tests.places import SAMPLES
from vision.frame import Frame, load
from vision.pyramid import Pyramid
from vision.reader import JOKER, FaceScores, Reader
from vision.tiles.across_row import CONFIG, looked_along_row

TABLE = next(
    line
    for line in json.loads((SAMPLES / "hand.json").read_text("utf-8"))["photos"]
    if line.get("place") == "melds"
)
ROW = [tile for tile in TABLE["tiles"] if tile["row"] == 0]  # an escalera, in its order
QUADS = np.array([tile["corners"] for tile in ROW], np.float32)
NUMBERS = [Tile.parse(tile["tile"]).number for tile in ROW]
BLURRED = 2  # the tile of the row that is told wrongly
ALL = np.ones(len(ROW), np.bool_)


@pytest.fixture(scope="module")
def frame() -> Frame:
    return load(SAMPLES / TABLE["photo"])


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


@pytest.fixture(scope="module")
def read(frame: Frame, reader: Reader) -> FaceScores:
    return reader.look(Pyramid(frame.pixels), QUADS)


def told(read: FaceScores, face: int, turns: int, number: int, sure: float) -> FaceScores:
    """Return what was `read`, but for one face: its quad is turned by so many quarters, and it is
    read as `number`, an index of the reader's, with the probability `sure`.
    """
    quads, numbers = read.quads.copy(), read.number.copy()
    quads[face] = np.roll(quads[face], turns, axis=0)
    rest = (1 - sure) / (numbers.shape[1] - 1)
    numbers[face] = np.log(np.where(np.arange(numbers.shape[1]) == number, sure, rest))
    return replace(read, quads=quads, number=numbers)


def changed(before: FaceScores, after: FaceScores) -> list[int]:
    return np.flatnonzero((before.number != after.number).any(axis=1)).tolist()


@pytest.mark.parametrize("turns", [1, 3])
def test_it_is_read_along_the_row(
    frame: Frame, reader: Reader, read: FaceScores, turns: int
) -> None:
    before = told(read, BLURRED, turns, number=0, sure=0.86)
    after = looked_along_row(reader, frame.pixels, before, ALL)
    assert changed(before, after) == [BLURRED]
    assert after.number[BLURRED].argmax() + 1 == NUMBERS[BLURRED]
    assert after.legible[BLURRED] > CONFIG.legible
    side = np.linalg.norm(QUADS[BLURRED, 1] - QUADS[BLURRED, 0])
    assert np.linalg.norm(after.quads[BLURRED] - QUADS[BLURRED], axis=1).max() < 0.1 * side


@pytest.mark.parametrize(
    ("face", "turns", "number", "sure"),
    [
        pytest.param(BLURRED, 1, 0, 0.98, id="surely read"),
        pytest.param(BLURRED, 1, JOKER, 0.86, id="a comodín"),
        pytest.param(BLURRED, 0, 0, 0.86, id="along the row"),
        pytest.param(BLURRED, 2, 0, 0.86, id="upside down"),
        pytest.param(0, 1, 0, 0.86, id="at the end of the row"),
    ],
)
def test_others_stay(
    frame: Frame,
    reader: Reader,
    read: FaceScores,
    face: int,
    turns: int,
    number: int,
    sure: float,
) -> None:
    before = told(read, face, turns, number, sure)
    assert changed(before, looked_along_row(reader, frame.pixels, before, ALL)) == []


@pytest.mark.parametrize("no_tile", [BLURRED, BLURRED - 1])
def test_only_tiles_are_a_row(frame: Frame, reader: Reader, read: FaceScores, no_tile: int) -> None:
    before = told(read, BLURRED, 1, number=0, sure=0.86)
    tiles = ALL.copy()
    tiles[no_tile] = False
    assert changed(before, looked_along_row(reader, frame.pixels, before, tiles)) == []


def test_a_digit_stays_where_nothing_is_seen_along_the_row(
    frame: Frame, reader: Reader, read: FaceScores
) -> None:
    pixels = frame.pixels.copy()
    x0, y0 = np.floor(QUADS[BLURRED].min(axis=0)).astype(int)
    x1, y1 = np.ceil(QUADS[BLURRED].max(axis=0)).astype(int)
    pixels[y0:y1, x0:x1] = 0
    before = told(read, BLURRED, 1, number=0, sure=0.86)
    assert changed(before, looked_along_row(reader, pixels, before, ALL)) == []
