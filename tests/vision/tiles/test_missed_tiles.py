"""Tiles that the detector misses are read where their row shows that they may lie."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.tiles import JOKER
from tests.places import SAMPLES
from vision import open_reader
from vision.detector import Detections
from vision.frame import Frame, load
from vision.quads import Quad
from vision.reading import Doubt, TableReading
from vision.tiles.filling import LOOKS_THERE
from vision.tiles.pipeline import TableReader

TABLES = [
    SAMPLES / line["photo"]
    for line in json.loads((SAMPLES / "hand.json").read_text("utf-8"))["photos"]
    if line.get("place") != "rack"
]


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return open_reader()


def blind_to(reader: TableReader, places: list[Quad], monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the reader's detector miss whatever lies at quads (4, 2) of the picture."""
    detect = reader.detector.detect

    def blinded(pixels: NDArray[np.uint8], *, on_rack: bool, faintest: float | None) -> Detections:
        found = detect(pixels, on_rack=on_rack, faintest=faintest)
        seen = np.ones(len(found.quads), bool)
        for place in places:
            away = np.linalg.norm(found.quads.mean(axis=1) - place.mean(axis=0), axis=1)
            there = away < 0.5 * np.linalg.norm(place[1] - place[0])
            assert there.any()
            seen &= ~there
        return found.take(np.flatnonzero(seen))

    monkeypatch.setattr(reader.detector, "detect", blinded)


def long_row(reading: TableReading) -> tuple[int, ...]:
    return next(meld.tiles for meld in reading.melds if len(meld.tiles) >= 4)


@pytest.mark.pictures
@pytest.mark.parametrize("photo", TABLES, ids=lambda path: path.name)
def test_one_within_a_row_is_read_in_doubt(
    reader: TableReader, photo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = reader.read(photo)
    missed = whole.tiles[long_row(whole)[1]]
    blind_to(reader, [missed.corners], monkeypatch)
    again = reader.read(load(photo))
    (there,) = (tile for tile in again.tiles if tile.tile == missed.tile and tile.doubts)
    assert np.abs(there.corners - missed.corners).max() < 5
    assert Doubt.FAINT in there.doubts
    assert len(again.tiles) == len(whole.tiles)


@pytest.fixture
def small(reader: TableReader) -> Frame:
    """A table whose tiles are about 17 pixels wide."""
    pixels = load(TABLES[0]).pixels
    corners = np.stack([tile.corners for tile in reader.read(Frame.of(pixels)).tiles])
    width = float(np.median(np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1)))
    shrunk = cv2.resize(pixels, None, fx=17 / width, fy=17 / width, interpolation=cv2.INTER_AREA)
    return Frame.of(np.asarray(shrunk, np.uint8))


@pytest.mark.pictures
@pytest.mark.parametrize("of_usual_size", [True, False])
def test_the_last_two_of_a_row_are_read_in_doubt(
    reader: TableReader, small: Frame, of_usual_size: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = load(TABLES[0]) if of_usual_size else small
    whole = reader.read(table)
    missed = [whole.tiles[place] for place in long_row(whole)[-2:]]
    blind_to(reader, [tile.corners for tile in missed], monkeypatch)
    again = reader.read(table)
    assert len(again.tiles) == len(whole.tiles)
    for tile in missed:
        away = [np.abs(tile.corners - other.corners).max() for other in again.tiles]
        there = again.tiles[int(np.argmin(away))]
        assert there.tile == tile.tile
        assert Doubt.FAINT in there.doubts


@pytest.mark.pictures
@pytest.mark.parametrize(("tint", "is_told"), [((1.0, 1.0, 1.0), True), ((1.0, 0.7, 1.0), False)])
def test_a_comodin_beyond_a_row_has_a_body_as_light_as_its_tiles(
    reader: TableReader,
    tint: tuple[float, float, float],
    is_told: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What looks like one may be a figure of a printed cloth."""
    pixels = load(TABLES[0]).pixels
    whole = reader.read(Frame.of(pixels))
    comodin = next(tile for tile in whole.tiles if tile.tile == JOKER)
    last = whole.tiles[long_row(whole)[-1]]
    corners = comodin.corners.astype(np.float32), last.corners.astype(np.float32)
    moved = cv2.warpPerspective(
        pixels, cv2.getPerspectiveTransform(*corners), (pixels.shape[1], pixels.shape[0])
    )
    shape = cv2.fillConvexPoly(
        np.zeros(pixels.shape[:2], np.uint8), np.rint(corners[1]).astype(int), 1
    )
    table = np.where(shape[:, :, None] > 0, moved * np.array(tint), pixels).astype(np.uint8)
    blind_to(reader, [last.corners], monkeypatch)
    told = reader.read(Frame.of(table)).tiles
    there = [tile for tile in told if np.abs(tile.corners - last.corners).max() < 8]
    assert [tile.tile for tile in there] == ([JOKER] if is_told else [])


@pytest.mark.pictures
@pytest.mark.parametrize(
    ("score", "is_told"), [(LOOKS_THERE + 0.05, True), (LOOKS_THERE - 0.05, False)]
)
def test_an_end_that_shows_no_face_is_told_if_something_was_found_there(
    reader: TableReader, score: float, is_told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of a comodín whose picture fills it: the row would be legal without it, too."""
    pixels = load(TABLES[0]).pixels.copy()
    whole = reader.read(Frame.of(pixels))
    last = whole.tiles[long_row(whole)[-1]]
    cv2.fillConvexPoly(pixels, np.rint(last.corners).astype(int), (196, 120, 60))
    detect = reader.detector.detect

    def faintly(pixels: NDArray[np.uint8], *, on_rack: bool, faintest: float | None) -> Detections:
        found = detect(pixels, on_rack=on_rack, faintest=faintest)
        away = np.linalg.norm(found.quads.mean(axis=1) - last.corners.mean(axis=0), axis=1)
        width = np.linalg.norm(last.corners[1] - last.corners[0])
        kept = found.take(np.flatnonzero(away > width / 2))
        points = np.concatenate([kept.points, last.corners[None]]).astype(np.float32)
        return Detections(points, np.append(kept.scores, np.float32(score)))

    monkeypatch.setattr(reader.detector, "detect", faintly)
    told = reader.read(Frame.of(pixels))
    there = [tile for tile in told.tiles if np.abs(tile.corners - last.corners).max() < 8]
    assert [(tile.doubtful, tile.meld is not None) for tile in there] == [(True, True)] * is_told
