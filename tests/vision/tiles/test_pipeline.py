"""From a photograph to its reading with the networks of the repository, on the rendered pictures
kept beside the tests.
"""

from __future__ import annotations

import io
import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from engine import judge_meld, ruleset, tiles
from tests.answers import ANSWERS
from tests.places import SAMPLES as HAND
from tests.places import SCENES
from vision import open_reader
from vision.frame import Frame, load
from vision.quads import across
from vision.reading import Notice
from vision.tiles import pipeline
from vision.tiles.pipeline import TableReader

SAMPLES: list[dict[str, Any]] = json.loads((HAND / "hand.json").read_text("utf-8"))["photos"]
SCENE_LINES: list[dict[str, Any]] = [
    json.loads(line) for line in (SCENES / "labels.jsonl").read_text("utf-8").splitlines()
]
LINES = {line["photo"]: line for line in (*SAMPLES, *SCENE_LINES)}
PATHS = {
    line["photo"]: folder / line["photo"]
    for folder, lines in ((HAND, SAMPLES), (SCENES, SCENE_LINES))
    for line in lines
}

# Share of these 154 tiles, of sets it was not trained on, that a network must read exactly.
EXACT_FLOOR = 0.96
CORNER_LIMIT = 0.15  # mean distance of a tile's corners from the truth, in its widths


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return open_reader()


def layout_of(line: dict[str, Any]) -> str:
    return "loose" if line.get("place") == "rack" else "melds"


def name_of(line: dict[str, Any]) -> str:
    return str(line["photo"])


def pixels_of(line: dict[str, Any]) -> NDArray[np.uint8]:
    """Return the pixels of a labelled photograph, (h, w, 3) RGB."""
    return np.asarray(Image.open(PATHS[line["photo"]]).convert("RGB"))


def read(reader: TableReader, source: Any, line: dict[str, Any]) -> dict[str, Any]:
    # As whoever calls the command gets it.
    return json.loads(json.dumps(reader.read(source, layout_of(line)).to_json()))


@cache
def as_filed(photo: str) -> dict[str, Any]:
    """Return the reading of the unchanged file, which is read once for all tests that ask about
    it.
    """
    return read(open_reader(), PATHS[photo], LINES[photo])


@cache
def as_pixels(photo: str) -> dict[str, Any]:
    """Return the reading of the photograph's pixels, for the tests that change them."""
    return read(open_reader(), Frame.of(pixels_of(LINES[photo])), LINES[photo])


def what_lies(reading: dict[str, Any]) -> tuple[Counter[str], Counter[tuple[str, ...]]]:
    """Return the tiles and the rows of a reading, without their order."""
    return Counter(tile["tile"] for tile in reading["tiles"]), Counter(
        tuple(meld["laid"]) for meld in reading["melds"]
    )


def true_tiles(line: dict[str, Any]) -> Counter[str]:
    return Counter(tile["tile"] for tile in line["tiles"])


def true_rows(line: dict[str, Any]) -> set[frozenset[tuple[str, ...]]]:
    """Return each row in both directions: in which direction most of a row reads does not matter
    here.
    """
    rows = [
        tuple(line["tiles"][index]["tile"] for index in row["tiles"])
        for row in line["rows"]
        if row["kind"] != "rack"
    ]
    return {frozenset({row, row[::-1]}) for row in rows}


def answering(reading: dict[str, Any], true: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the reported tiles whose quads hold the middle of a true one."""
    x, y = np.mean(true["corners"], axis=0)
    inside = [
        cv2.pointPolygonTest(np.array(t["corners"], np.float32), (float(x), float(y)), False) >= 0
        for t in reading["tiles"]
    ]
    return [tile for tile, is_inside in zip(reading["tiles"], inside, strict=True) if is_inside]


# --- what is read ---


@pytest.mark.pictures
def test_nearly_every_tile_of_the_scenes_is_read_exactly() -> None:
    exact = total = invented = 0
    for line in SCENE_LINES:
        reading = as_filed(line["photo"])
        found = [answering(reading, true) for true in line["tiles"]]
        exact += sum(
            [tile["tile"] for tile in tiles] == [true["tile"]]
            for tiles, true in zip(found, line["tiles"], strict=True)
        )
        invented += max(0, len(reading["tiles"]) - len(line["tiles"]))
        total += len(line["tiles"])
    assert total == 154
    assert exact / total >= EXACT_FLOOR, f"{exact} of {total} tiles exact"
    assert invented <= 2


@pytest.mark.parametrize("line", SAMPLES, ids=name_of)
def test_the_sample_hand_is_read_exactly(line: dict[str, Any]) -> None:
    reading = as_filed(line["photo"])
    assert what_lies(reading)[0] == true_tiles(line)
    assert not any(tile["doubtful"] for tile in reading["tiles"])
    assert reading["notices"] == []
    if line["place"] == "melds":
        rows = {
            frozenset({tuple(meld["laid"]), tuple(meld["laid"][::-1])}) for meld in reading["melds"]
        }
        assert rows == true_rows(line) and reading["loose"] == []


@pytest.mark.parametrize("line", SAMPLES, ids=name_of)
def test_corners_run_from_the_top_left_as_one_reads(line: dict[str, Any]) -> None:
    """The photographs hold tiles that lie upside down: their corners begin at the bottom right in
    the picture.
    """
    reading = as_filed(line["photo"])
    for true in line["tiles"]:
        (tile,) = answering(reading, true)
        corners = np.array(true["corners"])
        width = np.linalg.norm(np.subtract(*true["corners"][:2]))
        error = np.linalg.norm(np.array(tile["corners"]) - corners, axis=1).mean() / width
        assert error < CORNER_LIMIT, f"{true['tile']}: {error:.2f} widths"


def test_a_table_of_tiles_face_down_has_no_tiles() -> None:
    (line,) = (line for line in SCENE_LINES if not line["tiles"])
    reading = as_filed(line["photo"])
    assert (reading["tiles"], reading["melds"], reading["loose"], reading["notices"]) == (
        [],
        [],
        [],
        ["no_tiles"],
    )


@pytest.mark.pictures
def test_a_table_seen_from_15_degrees_is_read(reader: TableReader) -> None:
    picture = load(HAND / "melds-a.jpg").pixels
    low = cv2.resize(picture, None, fx=1, fy=0.28, interpolation=cv2.INTER_AREA)
    tiles = reader.read(Frame.of(low)).tiles
    assert len(tiles) == 31 and not any(tile.doubtful for tile in tiles)
    above = reader.read(Frame.of(picture)).tiles
    assert sorted(str(tile.tile) for tile in tiles) == sorted(str(tile.tile) for tile in above)


def test_an_empty_picture_has_no_tiles(reader: TableReader) -> None:
    reading = reader.read(Frame.of(np.full((480, 640, 3), 128, np.uint8))).to_json()
    assert (reading["tiles"], reading["notices"]) == ([], ["no_tiles"])


# --- what must not matter ---


# By how many quarters of a turn. `test_turned_scenes.py` turns the sample hand by other angles.
TURNED = [
    *(("touching.jpg", quarters) for quarters in (1, 2, 3)),
    ("melds-a.jpg", 3),
    ("rack-a.jpg", 2),
    ("top_down.jpg", 1),
]


@pytest.mark.pictures
@pytest.mark.parametrize(("photo", "quarters"), TURNED)
def test_a_picture_turned_reads_the_same(reader: TableReader, photo: str, quarters: int) -> None:
    line = LINES[photo]
    turned = np.ascontiguousarray(np.rot90(pixels_of(line), quarters))
    assert what_lies(read(reader, Frame.of(turned), line)) == what_lies(as_pixels(line["photo"]))


@pytest.mark.pictures
@pytest.mark.parametrize(
    ("photo", "factor"),
    [("melds-a.jpg", 0.75), ("melds-b.jpg", 1.5), ("rack-a.jpg", 1.5), ("rack-b.jpg", 0.75)],
)
def test_a_picture_rescaled_reads_the_same(reader: TableReader, photo: str, factor: float) -> None:
    line = LINES[photo]
    pixels = pixels_of(line)
    flags = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    scaled = np.asarray(
        cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=flags), np.uint8
    )
    reading = read(reader, Frame.of(scaled), line)
    assert what_lies(reading) == what_lies(as_pixels(line["photo"]))
    assert (reading["width"], reading["height"]) == (round(1600 * factor), round(1200 * factor))


# What undoes an EXIF orientation, so that a file stored this way is shown as the plain one.
# `test_frame.py` looks at the pixels of all eight.
STORED = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
}


def jpeg(picture: Image.Image, orientation: int = 1) -> bytes:
    exif = Image.Exif()
    exif[0x0112] = orientation
    data = io.BytesIO()
    picture.save(data, "JPEG", quality=97, subsampling=0, exif=exif)
    return data.getvalue()


@pytest.fixture(scope="module")
def upright(reader: TableReader) -> dict[str, Any]:
    """Return the reading of the photograph stored upright, without EXIF."""
    return read(reader, jpeg(Image.open(PATHS["melds-b.jpg"])), LINES["melds-b.jpg"])


@pytest.mark.pictures
@pytest.mark.parametrize("orientation", STORED)
def test_a_file_turned_or_mirrored_by_its_exif_reads_as_the_plain_one(
    reader: TableReader, upright: dict[str, Any], orientation: int
) -> None:
    stored = Image.open(PATHS["melds-b.jpg"]).transpose(STORED[orientation])
    told = read(reader, jpeg(stored, orientation), LINES["melds-b.jpg"])
    assert what_lies(told) == what_lies(upright)
    assert (told["width"], told["height"]) == (1600, 1200)
    for tile in upright["tiles"]:
        (same,) = answering(told, tile)
        np.testing.assert_allclose(same["corners"], tile["corners"], atol=3)


@pytest.mark.pictures
def test_threads_do_not_disturb_each_other(reader: TableReader) -> None:
    def at_once(line: dict[str, Any]) -> dict[str, Any]:
        return {**read(reader, PATHS[line["photo"]], line), "seconds": None}

    lines = [*SAMPLES[2:], *SCENE_LINES[:2]]
    alone = [{**as_filed(line["photo"]), "seconds": None} for line in lines]
    with ThreadPoolExecutor(4) as pool, ANSWERS.worked_out_anew():
        assert list(pool.map(at_once, lines)) == alone


# --- the public shape ---


@pytest.mark.parametrize(
    "line",
    [*SAMPLES, *(pytest.param(line, marks=pytest.mark.pictures) for line in SCENE_LINES)],
    ids=name_of,
)
def test_reading_keeps_to_the_contract(line: dict[str, Any]) -> None:
    reading = as_filed(line["photo"])
    assert {"width", "height", "tiles", "melds", "loose", "notices", "seconds"} <= reading.keys()
    assert (reading["width"], reading["height"]) == (line["width"], line["height"])
    for tile in reading["tiles"]:
        assert_tile(tile)
    for number, meld in enumerate(reading["melds"]):
        assert_meld(meld, number, reading["tiles"], judged=layout_of(line) == "melds")
    in_rows = [index for meld in reading["melds"] for index in meld["tiles"]]
    assert sorted(in_rows + reading["loose"]) == list(range(len(reading["tiles"])))
    assert all(reading["tiles"][index]["meld"] is None for index in reading["loose"])
    assert set(reading["notices"]) <= {
        "no_tiles",
        "too_dark",
        "too_blurred",
        "too_small",
        "cut_off",
    }
    assert {"decode", "detect", "read", "group", "total"} <= reading["seconds"].keys()
    assert all(isinstance(value, float) and value >= 0 for value in reading["seconds"].values())


def assert_tile(tile: dict[str, Any]) -> None:
    keys = {
        "tile",
        "number",
        "colour",
        "joker",
        "corners",
        "confidence",
        "doubtful",
        "alternatives",
        "meld",
    }
    assert keys <= tile.keys()
    if tile["tile"] is None:
        assert (tile["number"], tile["colour"], tile["joker"], tile["doubtful"]) == (
            None,
            None,
            False,
            True,
        )
    elif tile["tile"] == "J":
        assert (tile["number"], tile["colour"], tile["joker"]) == (None, None, True)
    else:
        assert tile["tile"] == f"{tile['number']}{tile['colour']}" and tile["joker"] is False
        assert tile["number"] in range(1, 14) and tile["colour"] in "RBKY"
    corners = np.array(tile["corners"], np.float32)
    assert corners.shape == (4, 2) and cv2.contourArea(corners, oriented=True) > 0, (
        "clockwise: no face is mirrored"
    )
    assert 0 <= tile["confidence"] <= 1 and isinstance(tile["doubtful"], bool)
    for other, share in tile["alternatives"]:
        assert other != tile["tile"] and 0 <= share <= 1 and len(tiles(other)) == 1


def assert_meld(
    meld: dict[str, Any], number: int, all_tiles: list[dict[str, Any]], judged: bool
) -> None:
    assert {
        "tiles",
        "laid",
        "valid",
        "kind",
        "canasta",
        "points",
        "reason",
        "doubtful",
    } <= meld.keys()
    assert len(meld["tiles"]) >= 2 and all(
        all_tiles[index]["meld"] == number for index in meld["tiles"]
    )
    assert meld["laid"] == [all_tiles[index]["tile"] for index in meld["tiles"]]
    assert meld["doubtful"] == any(all_tiles[index]["doubtful"] for index in meld["tiles"])
    if not judged or None in meld["laid"]:
        assert meld["valid"] is None
        return
    verdict = judge_meld(tiles(" ".join(meld["laid"])), ruleset("burako"))
    assert (meld["valid"], meld["kind"], meld["canasta"], meld["points"], meld["reason"]) == (
        verdict.valid,
        verdict.kind,
        verdict.canasta,
        verdict.points,
        verdict.reason,
    )


def test_loose_tiles_are_grouped_but_not_judged(reader: TableReader) -> None:
    line = next(line for line in SAMPLES if line["photo"] == "melds-a.jpg")
    reading = reader.read(PATHS[line["photo"]], "loose").to_json()
    assert len(reading["melds"]) == 6
    assert {meld["valid"] for meld in reading["melds"]} == {None}


# --- what is taken for a tile ---


def test_small_finds_that_are_told_nowhere_ask_for_another_photograph(
    reader: TableReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not if they are so small beside the tiles of the melds that they are writing."""
    photo = load(PATHS[SAMPLES[0]["photo"]]).pixels
    quads = [tile.corners for tile in reader.read(PATHS[SAMPLES[0]["photo"]]).tiles]
    width = float(np.median(np.linalg.norm(across(np.array(quads)), axis=1)))
    smaller = cv2.resize(photo, None, fx=19 / width, fy=19 / width, interpolation=cv2.INTER_AREA)
    _, png = cv2.imencode(".png", smaller[..., ::-1])
    assert not reader.read(png.tobytes()).notices
    for side, notices in ((14, (Notice.TOO_SMALL,)), (8, ())):
        small = np.array([[0, 0], [1, 0], [1, 1.4], [0, 1.4]], np.float32) * side + 200
        monkeypatch.setattr(
            pipeline, "finds_left_out", lambda *_, small=small: np.stack([small] * 60)
        )
        assert reader.read(png.tobytes()).notices == notices
