"""Comodines are taught where they lie apart from the rows, and nothing else is for one."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.teaching_scenes import Truth, wrong
from vision import open_reader
from vision.detector import Detections
from vision.frame import Frame
from vision.own_set.teaching import teach
from vision.pyramid import Pyramid
from vision.reader import FaceScores, Reader


class HardlyFinds:
    """A detector that is sure of every tile but those that show `hard`: of these it has the lower
    two thirds, with a low score.
    """

    def __init__(self, truth: Truth, hard: str) -> None:
        self.quads = np.array([corners for _face, corners in truth], np.float32)
        self.scores = np.full(len(truth), 0.9, np.float32)
        for at, (face, corners) in enumerate(truth):
            if face == hard:
                self.quads[at, :2] += (corners[[3, 2]] - corners[:2]) / 3
                self.scores[at] = 0.2

    def detect(self, _picture: NDArray[np.uint8], _threshold: float) -> Detections:
        return Detections(self.quads, self.scores)


class FindsFigures:
    """A detector that is sure of every tile but the comodín. There, and `beside` it at other
    places, (k, 4, 2), it finds a small part of a tile in its middle, with a `score` of its own.
    """

    def __init__(self, truth: Truth, score: float, beside: NDArray[np.float64]) -> None:
        tiles = np.array([corners for face, corners in truth if face != "J"])
        comodines = np.concatenate([[dict(truth)["J"]], beside])
        middles = comodines.mean(axis=1, keepdims=True)
        figures = middles + 0.35 * (comodines - middles)
        self.quads = np.concatenate([tiles, figures]).astype(np.float32)
        self.scores = np.repeat(np.float32([0.9, score]), [len(tiles), len(figures)])

    def detect(self, _picture: NDArray[np.uint8], _threshold: float) -> Detections:
        return Detections(self.quads, self.scores)


@pytest.mark.pictures
@pytest.mark.parametrize(("score", "motifs", "taught"), [(0.5, 0, 1), (0.3, 0, 0), (0.5, 4, 0)])
def test_a_comodin_of_which_the_figure_alone_is_found_is_taught_where_it_is_no_motif(
    rendered: tuple[Frame, Truth], score: float, motifs: int, taught: int
) -> None:
    frame, truth = rendered
    pixels = frame.pixels.copy()
    comodin = dict(truth)["J"]
    step = round(1.4 * float(np.ptp(comodin[:, 0])))
    away = np.array([[[at * step, 0.0]] for at in range(1, 5)])
    beside = comodin + away[:motifs]
    for corners in beside:
        pixels[_box(corners)] = pixels[_box(comodin)]
    tables = copy(open_reader())
    tables.detector = FindsFigures(truth, score, beside)  # type: ignore[assignment]
    comodines = [one for one in teach(tables, Frame.of(pixels)).faces if one.example.face == "J"]
    assert len(comodines) == taught
    width = np.linalg.norm(comodin[1] - comodin[0])
    for one in comodines:
        assert np.abs(one.corners - comodin).max() < width / 3


@pytest.mark.pictures
def test_a_comodin_that_the_edge_of_the_picture_cuts_is_not_taught(
    rendered: tuple[Frame, Truth],
) -> None:
    """What is left of it may be a sliver of anything. All rows lie above it."""
    frame, truth = rendered
    corners = dict(truth)["J"]
    height = np.linalg.norm(corners[3] - corners[0])
    for share, taught in ((1.3, 1), (0.6, 0)):
        pixels = frame.pixels[: round(float(corners[:, 1].min() + share * height))].copy()
        faces = teach(open_reader(), Frame.of(pixels)).faces
        assert len(faces) > 40
        assert [one.example.face for one in faces].count("J") == taught


def wiped(pixels: NDArray[np.uint8]) -> None:
    """Leave nothing but the body of a tile, as its back shows."""
    pixels[:] = np.percentile(pixels.reshape(-1, 3), 75, axis=0)


def darkened(pixels: NDArray[np.uint8]) -> None:
    """Make a tile half as light, as some other small thing may be."""
    pixels[:] = pixels // 2


def untouched(_pixels: NDArray[np.uint8]) -> None:
    """Leave a comodín as it is."""


@pytest.mark.pictures
@pytest.mark.parametrize(("change", "taught"), [(untouched, 1), (wiped, 0), (darkened, 0)])
def test_a_comodin_that_is_hardly_found_is_taught_by_its_body_and_its_figure(
    rendered: tuple[Frame, Truth], change: Callable[[NDArray[np.uint8]], None], taught: int
) -> None:
    frame, truth = rendered
    pixels = frame.pixels.copy()
    corners = dict(truth)["J"]
    change(pixels[_box(corners)])
    tables = copy(open_reader())
    tables.detector = HardlyFinds(truth, "J")  # type: ignore[assignment]
    comodines = [one for one in teach(tables, Frame.of(pixels)).faces if one.example.face == "J"]
    assert len(comodines) == taught
    width = np.linalg.norm(corners[1] - corners[0])
    for one in comodines:
        assert np.abs(one.corners - corners).max() < width / 3


@pytest.mark.pictures
def test_a_name_on_the_back_of_a_tile_is_no_comodin_beside_one_that_is_surely_seen(
    rendered: tuple[Frame, Truth],
) -> None:
    frame, truth = rendered
    pixels = frame.pixels.copy()
    comodin = dict(truth)["J"]
    back = comodin + 2 * (comodin[1] - comodin[0])
    body = np.percentile(frame.pixels[_box(comodin)].reshape(-1, 3), 75, axis=0)
    cv2.fillConvexPoly(pixels, np.rint(back).astype(np.int32), body.tolist())
    x, y = np.rint((back[0] + back[3]) / 2).astype(int)
    for line, word in enumerate(("Bu", "ra", "ko")):
        at = (x + 14, y + 30 * line - 14)
        cv2.putText(pixels, word, at, cv2.FONT_HERSHEY_SIMPLEX, 1.1, (90, 30, 20), 6)
    tables = copy(open_reader())
    tables.detector = HardlyFinds([*truth, ("back", back)], "back")  # type: ignore[assignment]
    taught = teach(tables, Frame.of(pixels))
    assert [one.example.face for one in taught.faces].count("J") == 1
    assert wrong(taught, truth) == []


class CannotReadNumbers:
    """The reader of a set whose digits it has never seen: any number is equally likely."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.read = reader.read

    def look(self, pyramid: Pyramid, quads: NDArray[np.float32]) -> FaceScores:
        seen = self.reader.look(pyramid, quads)
        number = np.full_like(seen.number, -np.log(seen.number.shape[1]))
        return replace(seen, number=number)


@pytest.mark.pictures
@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_another_copy_of_a_tile_that_lies_beside_the_rows_is_no_comodin(
    rendered: tuple[Frame, Truth], turns: int
) -> None:
    frame, truth = rendered
    pixels = frame.pixels.copy()
    corners = dict(truth)
    comodin = corners["J"]
    copied = np.rot90(pixels[_box(corners["7K"])], turns)
    x, y = (comodin.mean(axis=0) + 3 * (comodin[1] - comodin[0])).astype(int)
    high, wide = copied.shape[0], copied.shape[1]
    pixels[y - high // 2 :, x - wide // 2 :][:high, :wide] = copied
    tables = copy(open_reader())
    tables.reader = CannotReadNumbers(tables.reader)  # type: ignore[assignment]
    taught = teach(tables, Frame.of(pixels))
    assert [one.example.face for one in taught.faces].count("J") == 1
    assert wrong(taught, truth) == []


def _box(corners: NDArray[np.float64]) -> tuple[slice, slice]:
    (left, top), (right, bottom) = corners.min(axis=0).astype(int), corners.max(axis=0).astype(int)
    return slice(top, bottom + 1), slice(left, right + 1)
