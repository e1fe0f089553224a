"""A picture at full size, half, a quarter and so on: levels are made when asked for, and places on
them agree with the docstring.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

import vision.pyramid as pyramid_module
from engine.pieces import Pieces
from tests.places import SAMPLES
from vision import notices, open_reader
from vision.detector import Detector
from vision.frame import Frame, load
from vision.modelfile import Network
from vision.pyramid import RGB, Pyramid, pyramid_of
from vision.reading import Layout


@pytest.mark.parametrize(
    ("most", "shrunk"),
    [(0.3, 1), (1.0, 1), (1.99, 1), (2.0, 2), (3.9, 2), (4.0, 4), (7.0, 4), (8.0, 8)],
)
def test_no_level_is_shrunk_by_more_than_asked(most: float, shrunk: int) -> None:
    level, by = Pyramid(np.zeros((96, 160, 3), np.uint8)).shrunk(most)
    assert (by, level.shape) == (shrunk, (96 // shrunk, 160 // shrunk, 3))


def test_it_ends_before_nothing_is_left() -> None:
    level, by = Pyramid(np.full((5, 37, 3), 7, np.uint8)).shrunk(1e9)
    assert (by, level.shape) == (4, (1, 9, 3))
    assert (level == 7).all()


@pytest.mark.parametrize("size", [(96, 128), (97, 131)])
def test_a_pixel_is_found_again_on_every_level(size: tuple[int, int]) -> None:
    """A blot's centre of mass lies where the level's scale puts it, also where halving leaves out
    an odd row or column.
    """
    picture = np.zeros((*size, 3), np.uint8)
    picture[40:48, 60:76] = 200
    pyramid = Pyramid(picture)
    for most in (1, 2, 4):
        level, by = pyramid.shrunk(most)
        weight = level[..., 0].astype(float)
        y, x = (float((weight * place).sum() / weight.sum()) for place in np.indices(weight.shape))
        assert (x, y) == pytest.approx(((67.5 + 0.5) / by - 0.5, (43.5 + 0.5) / by - 0.5))


def test_a_level_is_made_once() -> None:
    pyramid = Pyramid(np.zeros((64, 64, 3), np.uint8))
    assert pyramid.shrunk(4)[0] is pyramid.shrunk(5)[0]


def test_levels_that_are_there_are_taken() -> None:
    picture = np.zeros((64, 64, 3), np.uint8)
    pyramid = Pyramid(picture)
    assert pyramid_of(pyramid) is pyramid and pyramid.picture is picture
    assert pyramid_of(picture).picture is picture


def test_many_threads_are_given_the_same_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    halved = pyramid_module._halved

    def slowly(picture: RGB) -> RGB:
        time.sleep(0.01)  # other threads come meanwhile
        return halved(picture)

    monkeypatch.setattr(pyramid_module, "_halved", slowly)
    pyramid = Pyramid(np.zeros((64, 96, 3), np.uint8))
    with ThreadPoolExecutor(8) as threads:
        levels = list(threads.map(pyramid.shrunk, [8.0] * 8))
    assert {(level.shape, by) for level, by in levels} == {((8, 12, 3), 8)}
    assert all(level is levels[0][0] for level, _by in levels)


class Halvings:
    """Counts how often a picture of a size, (h, w), is halved."""

    def __init__(self, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
        self.count, self._size, self._halved = 0, size, pyramid_module._halved
        monkeypatch.setattr(pyramid_module, "_halved", self._counted)

    def _counted(self, picture: RGB) -> RGB:
        self.count += picture.shape[:2] == self._size
        return self._halved(picture)


def test_the_detector_halves_a_photograph_once_for_all_its_looks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where nothing is found it looks again at half the size."""
    cloth = np.full((2400, 3200, 3), (60, 110, 70), np.uint8)
    looks, run = list[tuple[int, ...]](), Network.run

    def looked(network: Network, batch: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        looks.append(batch.shape[2:])
        return run(network, batch)

    monkeypatch.setattr(Network, "run", looked)
    halvings = Halvings((2400, 3200), monkeypatch)
    Detector().detect(Pyramid(cloth))
    assert looks == [(960, 1280), (480, 640)]
    assert halvings.count == 1


@pytest.mark.pictures
@pytest.mark.parametrize(
    ("photo", "pieces", "layout"),
    [
        ("cards/melds-a.jpg", Pieces.CARDS, Layout.MELDS),
        ("cards/rack-a.jpg", Pieces.CARDS, Layout.LOOSE),
        ("rack-a.jpg", Pieces.TILES, Layout.LOOSE),
    ],
)
def test_a_photograph_is_halved_once_for_detector_reader_and_further_looks(
    photo: str, pieces: Pieces, layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sharpness is measured on a pyramid of its own, and is left out here."""
    pixels = load(SAMPLES / photo).pixels
    large = cv2.resize(pixels, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    halvings = Halvings(large.shape[:2], monkeypatch)
    monkeypatch.setattr(notices, "is_blurred", lambda *_args, **_more: False)
    assert open_reader(pieces=pieces).read(Frame.of(np.asarray(large, np.uint8)), layout).tiles
    assert halvings.count == 1
