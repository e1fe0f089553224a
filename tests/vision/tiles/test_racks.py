"""Faint finds on a rack: those with a digit that stand in line with its tiles are tiles."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

import vision
from tests.places import SAMPLES
from vision.detector import Detections
from vision.doubts import DoubtConfig
from vision.frame import load
from vision.own_set.knowledge import OwnSet
from vision.pyramid import RGB
from vision.reading import Doubt
from vision.tiles.pipeline import TableReader
from vision.tiles.racks import LEAST, LEAST_DIGIT, read_in_line


def shelf(*columns: float, low: float = 0.0) -> NDArray[np.float32]:
    """Return quads (n, 4, 2) of tiles that stand on one shelf, `columns` of 36 px from its left
    end. The first tile is `low` pixels below the others.
    """
    tile = np.array([[0, 0], [30, 0], [30, 42], [0, 42]], np.float32)
    quads = np.stack([tile + [36 * column, 0] for column in columns])
    quads[0, :, 1] += low
    return quads.astype(np.float32)


def is_read(
    quads: NDArray[np.float32],
    score: float = 0.35,
    digit: float = 0.9,
    sure: tuple[int, ...] = (1, 2, 3),
) -> bool:
    """Tell whether the first of the `quads` is a tile, found with `score` and read with `digit`,
    where all others are tiles and those at the indices `sure` surely so.
    """
    tiles = np.arange(len(quads)) > 0
    scores = np.where(tiles, 0.9, score).astype(np.float32)
    digits = np.where(tiles, 0.99, digit).astype(np.float32)
    told = read_in_line(quads, scores, digits, tiles, np.isin(np.arange(len(quads)), sure))
    assert not told[1:].any()
    return bool(told[0])


def test_a_digit_beyond_a_gap_of_the_shelf_is_a_tile() -> None:
    assert is_read(shelf(5, 0, 1, 2))


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"score": LEAST - 0.01}, id="hardly found"),
        pytest.param({"digit": LEAST_DIGIT - 0.01}, id="no digit"),
        pytest.param({"sure": (1,)}, id="one sure tile alone"),
        pytest.param({"quads": shelf(5, 0, 1, 2, low=25)}, id="below the shelf"),
    ],
)
def test_what_is_hardly_a_digit_or_out_of_line_is_no_tile(changed: dict[str, object]) -> None:
    assert not is_read(**{"quads": shelf(5, 0, 1, 2), **changed})  # type: ignore[arg-type]


def test_a_picture_without_finds_has_no_tile_in_line() -> None:
    nothing = np.zeros(0, np.float32)
    told = read_in_line(np.zeros((0, 4, 2), np.float32), nothing, nothing, nothing > 0, nothing > 0)
    assert told.shape == (0,)


def test_a_faint_tile_beyond_a_gap_is_told_in_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last tile of a shelf is found faintly, and the one before it was taken away."""
    reader = TableReader()
    reader.second_look = None  # it would see that a tile is there
    rack = load(SAMPLES / "rack-b.jpg").pixels.copy()
    before = {str(t.tile): t for t in reader.read(SAMPLES / "rack-b.jpg", layout="loose").tiles}
    gone, last = before.pop("12Y"), before["13Y"]
    cv2.fillConvexPoly(rack, gone.corners.astype(int), np.median(rack, axis=(0, 1)).tolist())
    detect = reader.detector.detect

    def faintly(pixels: RGB, *, on_rack: bool, faintest: float | None) -> Detections:
        found = detect(pixels, on_rack=on_rack, faintest=faintest)
        middles = found.quads.mean(axis=1)
        at = np.linalg.norm(middles - last.corners.mean(axis=0), axis=1).argmin()
        scores = found.scores.copy()
        scores[at] = 0.32
        return replace(found, scores=scores)

    monkeypatch.setattr(reader.detector, "detect", faintly)
    reading = reader.read(cv2.imencode(".png", rack[..., ::-1])[1].tobytes(), layout="loose")
    after = {str(t.tile): t.doubts for t in reading.tiles}
    assert after.pop("13Y") == {Doubt.FAINT}
    assert after == {name: tile.doubts for name, tile in before.items() if name != "13Y"}


def test_the_lower_limit_of_doubt_holds_in_rows_of_tables_alone() -> None:
    reader = TableReader(doubts=DoubtConfig(unsure=1.1, unsure_in_row=0.0))
    table = reader.read(SAMPLES / "melds-a.jpg", layout="melds")
    rack = reader.read(SAMPLES / "rack-a.jpg", layout="loose")
    assert not any(tile.doubts for tile in table.tiles)
    assert all(tile.doubts == {Doubt.UNSURE} for tile in rack.tiles)


def test_a_set_that_needs_the_other_networks_has_no_lower_limit_in_rows() -> None:
    usual = vision.open_reader()
    odd = usual.knowing(cast(OwnSet, None), odd=True)
    assert odd.doubts.unsure_in_row == odd.doubts.unsure > usual.doubts.unsure_in_row
