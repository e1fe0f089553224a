"""Faint finds on a rack: those with a digit that stand in line with its tiles are tiles."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

import vision
from engine.rulesets import ruleset
from engine.tiles import BY_NOTATION, FACE_INDEX, FACES
from tests.places import SAMPLES
from vision.decoding import Decoded
from vision.detector import Detections
from vision.doubts import DoubtConfig
from vision.frame import load
from vision.own_set.knowledge import OwnSet
from vision.pyramid import RGB
from vision.reading import Doubt
from vision.seen import Rows, Seen
from vision.tiles.behind_rack import BehindRack
from vision.tiles.pipeline import TableReader
from vision.tiles.racks import (
    ABOUT_AS_WIDE,
    BESIDE,
    LEAST,
    LEAST_DIGIT,
    LOOKS_LIKE_DIGIT,
    LOOKS_THERE,
    behind,
    rack_doubts,
    read_in_line,
    seen_beside,
)

RULES = ruleset("burako")


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


def may_be_tile(
    score: float = 0.6, digit: float = 0.3, away: float = 2.5, wide: float = 1.0
) -> bool:
    """Tell whether a find may be a tile that lies so many widths to the right of three sure tiles,
    is so many times as `wide` and lies at any angle.
    """
    quads = shelf(0, 1, 2, 0)
    middle = quads[2].mean(axis=0) + [30 * away, 0]
    askew = np.array([[0.8, 0.6], [-0.6, 0.8]])
    quads[3] = middle + wide * (quads[3] - quads[3].mean(axis=0)) @ askew
    sure = np.array([True, True, True, False])
    told = seen_beside(quads, np.array([0.9] * 3 + [score]), np.array([0.99] * 3 + [digit]), sure)
    assert not told[:3].any()
    return bool(told[3])


def test_what_looks_like_a_face_beside_a_rack_may_be_a_tile_however_it_lies() -> None:
    assert may_be_tile()
    assert may_be_tile(wide=1 / ABOUT_AS_WIDE + 0.01)


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"score": LOOKS_THERE - 0.01}, id="hardly found"),
        pytest.param({"digit": LOOKS_LIKE_DIGIT - 0.01}, id="no digit"),
        pytest.param({"away": BESIDE + 0.1}, id="far away"),
        pytest.param({"wide": ABOUT_AS_WIDE + 0.1}, id="too wide"),
        pytest.param({"wide": 1 / ABOUT_AS_WIDE - 0.1}, id="too narrow"),
    ],
)
def test_other_things_beside_a_rack_are_none(changed: dict[str, float]) -> None:
    assert not may_be_tile(**changed)


def test_without_a_sure_tile_nothing_lies_beside_a_rack() -> None:
    nothing = np.zeros(0, np.float32)
    assert not len(seen_beside(np.zeros((0, 4, 2), np.float32), nothing, nothing, nothing > 0))
    score = np.full(2, 0.6, np.float32)
    assert not seen_beside(shelf(0, 1), score, score, np.zeros(2, bool)).any()


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
    limits = DoubtConfig(unsure=1.1, unsure_in_row=0.0, unsure_number_on_rack=1.1)
    reader = TableReader(doubts=limits)
    table = reader.read(SAMPLES / "melds-a.jpg", layout="melds")
    rack = reader.read(SAMPLES / "rack-a.jpg", layout="loose")
    assert not any(tile.doubts for tile in table.tiles)
    assert all(tile.doubts == {Doubt.UNSURE} for tile in rack.tiles)


def test_a_set_that_needs_the_other_networks_has_no_lower_limits() -> None:
    usual = vision.open_reader().doubts
    odd = vision.open_reader().knowing(cast(OwnSet, None), odd=True).doubts
    assert odd.unsure_in_row == odd.unsure > usual.unsure_in_row
    assert odd.unsure_number_on_rack == odd.unsure > usual.unsure_number_on_rack
    assert odd.unsure_six_or_nine_on_rack == odd.unsure > usual.unsure_six_or_nine_on_rack


@pytest.mark.parametrize(
    ("told", "in_doubt"),
    [
        ({"8R": 0.91, "3R": 0.08}, False),
        ({"8R": 0.89, "3R": 0.1}, True),
        ({"8R": 0.96, "8Y": 0.03}, True),  # the lamp may have changed its colour
        ({"8R": 0.96, "J": 0.03}, True),
        ({"9R": 0.81, "6R": 0.18}, False),
        ({"6R": 0.79, "9R": 0.2}, True),
        ({"6R": 0.81, "8R": 0.18}, True),
        ({"6R": 0.86, "9R": 0.08, "8R": 0.05}, True),
        ({"J": 0.994, "3R": 0.005}, True),  # or the back of a tile
        ({"J": 0.996, "3R": 0.003}, False),
    ],
)
def test_a_number_on_a_rack_may_be_less_sure_than_a_colour_or_a_comodin(
    told: dict[str, float], in_doubt: bool
) -> None:
    posterior = np.zeros((1, len(FACES)), np.float32)
    for face, share in told.items():
        posterior[0, FACE_INDEX[BY_NOTATION[face]]] = share
    no = np.zeros(1, bool)
    decoded = Decoded(posterior.argmax(axis=1), posterior, no, no)
    seen = Seen(np.ones(1, np.float32), shelf(0), np.log(posterior + 1e-6), Rows([]))
    unsure = frozenset({Doubt.UNSURE} if max(told.values()) < DoubtConfig.unsure else ())
    for others in (set[Doubt](), {Doubt.CUT_OFF}):
        doubts = [unsure | others]
        behind = BehindRack(no, no)
        (of_tile,) = rack_doubts(seen, decoded, doubts, behind, RULES, DoubtConfig())
        assert of_tile == (unsure if others else frozenset()) | others | (
            {Doubt.UNSURE} if in_doubt else set()
        )


@pytest.mark.parametrize("of_rack", [set(), {Doubt.UNSURE}])
def test_pictures_on_a_box_are_no_rack_however_large(of_rack: set[Doubt]) -> None:
    """Five large ones, each turned otherwise, nearer to the camera than the rack. A tile of the
    rack of which a 6 and a 9 are as likely surely is a tile.
    """
    rack = shelf(0, 1, 2, 3, 4, 5)
    pictures = []
    for at, degrees in enumerate((60, 70, 80, 65, 75)):
        turn = np.radians(degrees)
        square = 2 * (rack[0] - rack[0].mean(axis=0))
        turned = square @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        pictures.append(turned + [100 * at, 500])
    quads = np.concatenate([rack, np.float32(pictures)])
    count = len(quads)
    posterior = np.zeros((count, len(FACES)), np.float32)
    posterior[:, [FACE_INDEX[BY_NOTATION[face]] for face in ("6R", "9R")]] = 0.5
    no = np.zeros(count, bool)
    decoded = Decoded(posterior.argmax(axis=1), posterior, no, no)
    seen = Seen(np.ones(count, np.float32), quads, np.log(posterior + 1e-6), Rows([]))
    doubts = [frozenset(of_rack)] * 6 + [frozenset[Doubt]()] * 5
    lying = behind(seen, decoded, doubts, RULES)
    told = rack_doubts(seen, decoded, doubts, lying, RULES, DoubtConfig())
    assert [set(of_tile) for of_tile in told] == [of_rack] * 6 + [{Doubt.PRINTED}] * 5


def test_a_picture_is_no_copy_of_a_tile_on_the_rack() -> None:
    """The set has two 7R; another one is printed on a box beside the rack."""
    quads = shelf(9, 0, 1, 2, 3, 4)
    turn = np.radians(70)
    middle = quads[0].mean(axis=0)
    turned = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    picture = np.float32((quads[0] - middle) @ turned + middle + [0, 200])
    for lying, copies in ((picture, set[Doubt]()), (quads[0], {Doubt.COPIES})):
        shown = np.stack([lying, *quads[1:]])
        posterior = np.zeros((6, len(FACES)), np.float32)
        faces = [FACE_INDEX[BY_NOTATION[face]] for face in ("7R", "7R", "7R", "9K", "10K", "11K")]
        posterior[range(6), faces] = 1
        no = np.zeros(6, bool)
        decoded = Decoded(posterior.argmax(axis=1), posterior, no, no)
        seen = Seen(np.ones(6, np.float32), shown, np.log(posterior + 1e-6), Rows([]))
        doubts = [frozenset({Doubt.COPIES})] * 3 + [frozenset[Doubt]()] * 3
        told = rack_doubts(seen, decoded, doubts, BehindRack(no, no), RULES, DoubtConfig())
        assert [set(of_tile) for of_tile in told[1:]] == [copies, copies, *[set()] * 3]
        assert (Doubt.PRINTED in told[0]) is not bool(copies)
