"""What lies apart from a rack is hardly of the same hand where it is turned against the rack, and
doubtful where it lies in front of the shelves or behind them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

import vision
from engine.rulesets import ruleset
from engine.tiles import FACES
from tests.places import SAMPLES
from vision.decoding import Decoded
from vision.doubts import DoubtConfig
from vision.frame import load
from vision.reading import Doubt
from vision.seen import Rows, Seen
from vision.tiles.behind_rack import BehindRack
from vision.tiles.off_rack import off_rack
from vision.tiles.pipeline import TableReader
from vision.tiles.racks import rack_doubts

WIDTH, HEIGHT = 40.0, 56.0  # pixels


def tile(x: float, y: float, degrees: float = 0.0) -> NDArray[np.float32]:
    """Return the quad of a tile with its middle at (x, y), given in widths, turned clockwise."""
    turn = np.radians(degrees)
    right = np.array([np.cos(turn), np.sin(turn)]) * WIDTH / 2
    down = np.array([-np.sin(turn), np.cos(turn)]) * HEIGHT / 2
    corners = np.stack([-right - down, right - down, right + down, down - right])
    return (corners + np.array([x, y]) * WIDTH).astype(np.float32)


def off(*tiles: NDArray[np.float32], unsure: tuple[int, ...] = (), unread: int = -1) -> list[int]:
    sure, read = np.ones((2, len(tiles)), bool)
    sure[list(unsure)] = False
    if unread >= 0:
        sure[unread] = read[unread] = False
    return np.flatnonzero(off_rack(np.stack(tiles), sure, read).turned).tolist()


def beyond(*tiles: NDArray[np.float32]) -> list[int]:
    told = off_rack(np.stack(tiles), *np.ones((2, len(tiles)), bool))
    return np.flatnonzero(told.beyond).tolist()


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


def askew(*tiles: NDArray[np.float32]) -> list[int]:
    told = off_rack(np.stack(tiles), *np.ones((2, len(tiles)), bool))
    return np.flatnonzero(told.askew).tolist()


def test_what_is_askew_beside_the_rack_is_doubtful_with_what_lies_there() -> None:
    """Pictures on a box that touches the rack; the last one happens to lie as its shelves do."""
    assert askew(*RACK) == []
    assert askew(*RACK, tile(5.4, 0, 40)) == [10]
    assert askew(*RACK, tile(6, 0, 40), tile(7, 1, 60), tile(9, 0, 5)) == [10, 11, 12]
    assert askew(*RACK, tile(5.4, 0, 90)) == []  # laid down on the shelf


def test_of_a_heap_nothing_is_askew() -> None:
    heap = [tile(i % 6, i // 6 * 1.5, 40 * (i % 5)) for i in range(24)]
    assert askew(*RACK, *heap) == []


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
    nothing = off_rack(np.zeros((0, 4, 2), np.float32), *np.zeros((2, 0), bool))
    assert nothing.turned.shape == nothing.beyond.shape == (0,)


def test_what_is_unread_puts_no_neighbour_off_the_rack() -> None:
    turned, beside_it = tile(12, 0, 84), tile(13, 0)
    assert off(*RACK, turned, beside_it, unsure=(10,)) == [10, 11]
    assert off(*RACK, turned, beside_it, unread=10) == []


@pytest.mark.parametrize("far", [8, -7])
def test_a_few_tiles_in_front_of_the_shelves_or_behind_them_are_told(far: int) -> None:
    group, alone = [tile(1, far), tile(2, far + 1)], tile(9, far)
    assert beyond(*RACK, *group, alone) == [10, 11, 12]
    assert off(*RACK, *group, alone) == []


def test_a_further_shelf_is_of_the_rack_and_so_is_what_stands_far_along() -> None:
    assert beyond(*RACK, tile(9, 3.2), tile(20, 0)) == []


def test_what_reads_along_a_rack_near_it_is_no_part_of_it_two_heights_in_front() -> None:
    assert beyond(*RACK, tile(2, 4.6)) == [10]
    assert beyond(*RACK, tile(2, -2.9), tile(3, -2.9)) == [10, 11]
    assert beyond(*RACK, *(tile(x, 4.6) for x in range(3))) == []


def test_many_tiles_beyond_the_shelves_may_be_a_rack_themselves() -> None:
    other = [tile(x, 9) for x in range(6)]
    assert beyond(*RACK, *other) == []
    assert beyond(*RACK, *other[:5]) == [10, 11, 12, 13, 14]


def test_what_reads_along_the_rack_and_lies_in_front_of_it_is_asked_about() -> None:
    told = reading_beside_rack(tile(1.5, 9.6) * 2.6)
    assert Doubt.OFF_RACK in told["4R"] and Doubt.PRINTED not in told["4R"]
    assert told == {**dict.fromkeys(["12R", "6B", "3Y", "4K", "9K"], frozenset()), "4R": told["4R"]}


def test_a_picture_of_a_tile_beside_a_rack_is_doubted() -> None:
    told = reading_beside_rack(tile(2, 12, 40) * 2)
    assert Doubt.PRINTED in told.pop("4R")
    assert told == dict.fromkeys(["12R", "6B", "3Y", "4K", "9K"], frozenset())


@pytest.mark.parametrize(
    ("of_find", "alone", "told"),
    [
        pytest.param({Doubt.SIZE}, True, Doubt.PRINTED, id="small and alone"),
        pytest.param({Doubt.SIZE, Doubt.UNSURE}, False, Doubt.PRINTED, id="small, hardly read"),
        pytest.param({Doubt.SIZE, Doubt.UNREAD}, False, Doubt.PRINTED, id="small, not read"),
        pytest.param({Doubt.SIZE}, False, Doubt.OFF_RACK, id="small, surely read, in a row"),
        pytest.param({Doubt.UNSURE}, True, Doubt.OFF_RACK, id="as large as a tile of the rack"),
    ],
)
def test_what_is_alone_or_hardly_read_beyond_the_shelves_and_of_other_size_is_no_tile_of_the_rack(
    of_find: set[Doubt], alone: bool, told: Doubt
) -> None:
    quads = np.stack([*RACK, tile(1, 8)])
    row = (len(RACK) - 1, len(RACK))
    nowhere = np.zeros(len(quads), bool)
    posterior = np.ones((len(quads), len(FACES)))
    doubts = rack_doubts(
        cast(Seen, SimpleNamespace(quads=quads, table=Rows([] if alone else [row]))),
        cast(Decoded, SimpleNamespace(face=[0] * len(quads), posterior=posterior)),
        [frozenset()] * len(RACK) + [frozenset(of_find)],
        BehindRack(nowhere, nowhere),
        ruleset("burako"),
        DoubtConfig(),
    )
    assert doubts == [frozenset()] * len(RACK) + [frozenset({*of_find, told})]


def reading_beside_rack(box: NDArray[np.float32]) -> dict[str, frozenset[Doubt]]:
    """Return the doubts about each tile of a photographed rack, and about a 4R that is laid beside
    it at the quad `box`, in pixels.
    """
    rack = load(SAMPLES / "rack-a.jpg").pixels.copy()
    table = load(SAMPLES / "melds-a.jpg").pixels
    reader = vision.open_reader()
    four = next(t for t in reader.read(SAMPLES / "melds-a.jpg").tiles if str(t.tile) == "4R")
    place = cv2.getPerspectiveTransform(four.corners.astype(np.float32), box)
    moved = cv2.warpPerspective(table, place, (rack.shape[1], rack.shape[0]))
    shape = cv2.fillConvexPoly(np.zeros(rack.shape[:2], np.uint8), box.astype(int), 1)
    rack[shape > 0] = moved[shape > 0]
    reading = reader.read(cv2.imencode(".png", rack[..., ::-1])[1].tobytes(), layout="loose")
    return {str(t.tile): t.doubts for t in reading.tiles}


def test_a_comodin_on_a_rack_must_be_surer_than_other_tiles() -> None:
    strict = TableReader(doubts=DoubtConfig(comodin_on_rack=1.1))
    for layout, doubts in (("loose", frozenset({Doubt.UNSURE})), ("melds", frozenset())):
        told = strict.read(SAMPLES / "rack-b.jpg", layout=layout).tiles
        assert {str(t.tile): t.doubts for t in told if t.doubts or str(t.tile) == "J"} == {
            "J": doubts
        }
