"""What lies apart from a rack and turned against it is hardly of the same hand."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

import vision
from tests.places import SAMPLES
from vision.doubts import DoubtConfig
from vision.frame import load
from vision.off_rack import off_rack
from vision.pipeline import TableReader
from vision.reading import Doubt

WIDTH, HEIGHT = 40.0, 56.0  # pixels


def tile(x: float, y: float, degrees: float = 0.0) -> NDArray[np.float32]:
    """Return the quad of a tile with its middle at (x, y), given in widths, turned clockwise."""
    turn = np.radians(degrees)
    right = np.array([np.cos(turn), np.sin(turn)]) * WIDTH / 2
    down = np.array([-np.sin(turn), np.cos(turn)]) * HEIGHT / 2
    corners = np.stack([-right - down, right - down, right + down, down - right])
    return (corners + np.array([x, y]) * WIDTH).astype(np.float32)


def off(*tiles: NDArray[np.float32], unsure: tuple[int, ...] = ()) -> list[int]:
    sure = np.ones(len(tiles), bool)
    sure[list(unsure)] = False
    return np.flatnonzero(off_rack(np.stack(tiles), sure)).tolist()


RACK = [tile(x, y) for x in range(5) for y in (0.0, 1.6)]
UPSIDE_DOWN = [tile(x, y, 180) for x, y in ((0, 0), (1, 0), (2, 0))]


def test_pictures_on_a_box_lie_apart_and_turned() -> None:
    assert off(*RACK, tile(12, 3, 40), tile(13, 4, -30)) == [10, 11]


def test_one_that_happens_to_read_along_the_rack_lies_beside_one_that_does_not() -> None:
    assert off(*RACK, tile(12, 3, 40), tile(14, 4, 3)) == [10, 11]


def test_what_stands_farther_along_the_rack_is_of_the_hand() -> None:
    assert off(*RACK, tile(12, 0), tile(13, 0.1, 190)) == []


def test_a_tile_that_leans_beside_the_others_is_of_the_hand() -> None:
    assert off(*RACK, tile(5.4, 0, 40)) == []


def test_upside_down_tiles_make_a_rack_as_well() -> None:
    assert off(*UPSIDE_DOWN, tile(9, 3, 60)) == [3]
    assert off(*UPSIDE_DOWN, tile(9, 3, 170)) == []


def test_tiles_laid_anyhow_are_no_rack() -> None:
    assert off(*(tile(2 * i, i % 3, 50 * i) for i in range(8))) == []


def test_tiles_in_doubt_make_no_rack() -> None:
    turned = tile(12, 3, 40)
    assert off(*RACK[:4], turned, unsure=(0, 1)) == []
    assert off(*RACK[:5], turned, unsure=(0, 1)) == [5]


def test_without_tiles_nothing_lies_off_the_rack() -> None:
    assert off_rack(np.zeros((0, 4, 2), np.float32), np.zeros(0, bool)).shape == (0,)


def test_a_picture_of_a_tile_beside_a_rack_is_doubted() -> None:
    rack = load(SAMPLES / "rack-a.jpg").pixels.copy()
    table = load(SAMPLES / "melds-a.jpg").pixels
    reader = vision.open_reader()
    four = next(t for t in reader.read(SAMPLES / "melds-a.jpg").tiles if str(t.tile) == "4R")
    box = tile(2, 12, 40) * 2
    place = cv2.getPerspectiveTransform(four.corners.astype(np.float32), box)
    moved = cv2.warpPerspective(table, place, (rack.shape[1], rack.shape[0]))
    shape = cv2.fillConvexPoly(np.zeros(rack.shape[:2], np.uint8), box.astype(int), 1)
    rack[shape > 0] = moved[shape > 0]
    reading = reader.read(cv2.imencode(".png", rack[..., ::-1])[1].tobytes(), layout="loose")
    told = {str(t.tile): t.doubts for t in reading.tiles}
    assert told == {**dict.fromkeys(["12R", "6B", "3Y", "4K", "9K"], frozenset()), "4R": told["4R"]}
    assert Doubt.PRINTED in told["4R"]


def test_a_comodin_on_a_rack_must_be_surer_than_other_tiles() -> None:
    strict = TableReader(doubts=DoubtConfig(comodin_on_rack=1.1))
    for layout, doubts in (("loose", frozenset({Doubt.UNSURE})), ("melds", frozenset())):
        told = strict.read(SAMPLES / "rack-b.jpg", layout=layout).tiles
        assert {str(t.tile): t.doubts for t in told if t.doubts or str(t.tile) == "J"} == {
            "J": doubts
        }
