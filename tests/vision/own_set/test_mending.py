"""Faces of a taught set that the detector saw badly are found again."""

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.places import SAMPLES
from vision.detector import Detections
from vision.frame import Frame, load
from vision.own_set.mending import Mending
from vision.pyramid import Pyramid
from vision.quads import across, overlap, scaled
from vision.tiles.pipeline import TableReader

from . import taught_samples

SURE = 0.9


class Glances:
    """A detector that sees these quads, in a picture of any size."""

    def __init__(self, quads: NDArray[np.float32]) -> None:
        self.quads = quads

    def detect(self, _picture: NDArray[np.uint8], *, on_rack: bool) -> Detections:
        self.on_rack = on_rack
        return found_at(self.quads)

    def glance(self, _picture: NDArray[np.uint8], _share: float, _threshold: float) -> Detections:
        return found_at(self.quads)


NOTHING = Glances(np.zeros((0, 4, 2), np.float32))


@pytest.fixture(scope="module")
def frame() -> Frame:
    return load(SAMPLES / "melds-a.jpg")


@pytest.fixture(scope="module")
def truth(frame: Frame) -> NDArray[np.float32]:
    """Return the quads of the tiles that lie there, (n, 4, 2)."""
    photos = json.loads((SAMPLES / "hand.json").read_text("utf-8"))["photos"]
    tiles = next(photo["tiles"] for photo in photos if photo["photo"] == "melds-a.jpg")
    corners = np.array([tile["corners"] for tile in tiles], np.float32)
    return np.asarray((corners + 0.5) / np.float32(frame.scale) - 0.5, np.float32)


def found_at(quads: NDArray[np.float32]) -> Detections:
    return Detections(quads, np.full(len(quads), SURE, np.float32))


def mended(
    frame: Frame,
    quads: NDArray[np.float32],
    glances: Glances,
    trust: float = 1.0,
    other: Glances | None = None,
) -> Detections:
    """Return what a reader finds that knows the set and first saw faces at these quads.

    `trust` is how far the network can read the set by itself, and `other` a detector that is asked
    where something is amiss.
    """
    tables: TableReader = taught_samples.ours()
    assert tables.own_set is not None
    seen = tables.reader.look(Pyramid(frame.pixels), quads)
    mending = Mending(
        replace(tables.own_set.prototypes, trust=trust),
        glances,  # type: ignore[arg-type]
        tables.reader,
        frame.pixels,
        other_detector=other,  # type: ignore[arg-type]
        on_rack=True,
    )
    found, scores = mending.mended(found_at(quads), seen)
    assert len(found) == len(scores)
    assert (found.quads == scores.quads).all()
    return found


def best_overlap(quad: NDArray[np.float32], others: NDArray[np.float32]) -> float:
    """Return the largest intersection over union of the quad with one of the others."""
    shares = []
    for other in others:
        smaller, larger = sorted(abs(area(one)) for one in (quad, other))
        common = overlap(quad, other) * smaller
        shares.append(common / (smaller + larger - common))
    return max(shares)


def area(quad: NDArray[np.float32]) -> float:
    x, y = quad.T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


def test_what_shows_whole_faces_stays(frame: Frame, truth: NDArray[np.float32]) -> None:
    found = mended(frame, truth, NOTHING)
    assert sorted(found.quads.tolist()) == sorted(truth.tolist())


def test_middles_of_tiles_become_whole_tiles(frame: Frame, truth: NDArray[np.float32]) -> None:
    quads = truth.copy()
    quads[::8] = scaled(truth[::8], 0.7)
    found = mended(frame, quads, NOTHING)
    assert len(found) == len(truth)
    assert min(best_overlap(quad, found.quads) for quad in truth[::8]) > 0.75


def test_part_of_a_face_becomes_a_whole_one(frame: Frame, truth: NDArray[np.float32]) -> None:
    quads = truth.copy()
    quads[3, 2:] = 0.6 * truth[3, 2:] + 0.4 * truth[3, 1::-1]  # the lower two fifths are missing
    assert best_overlap(truth[3], mended(frame, quads, NOTHING).quads) > 0.75


def test_a_face_between_others_is_found_though_the_detector_misses_it(
    frame: Frame, truth: NDArray[np.float32]
) -> None:
    found = mended(frame, np.delete(truth, 4, axis=0), NOTHING)
    assert len(found) == len(truth)
    assert best_overlap(truth[4], found.quads) > 0.75


def test_faces_that_show_in_a_small_picture_are_found(
    frame: Frame, truth: NDArray[np.float32]
) -> None:
    """The network cannot read this set by itself, and finds its faces well only in a
    small picture.
    """
    badly = scaled(truth, 0.45)
    assert best_overlap(truth[0], badly) < 0.25
    found = mended(frame, badly, Glances(truth), trust=0.0)
    assert min(best_overlap(quad, found.quads) for quad in truth) > 0.75


def test_what_another_detector_finds_replaces_what_is_amiss_and_nothing_else(
    frame: Frame, truth: NDArray[np.float32]
) -> None:
    """Half of the faces were found as small parts, which tell no shape to look for."""
    badly = truth.copy()
    badly[::2] = scaled(truth[::2], 0.35)
    away = across(truth)[:, None] * 0.1
    alone = mended(frame, badly, NOTHING)
    other = Glances(truth - away)
    found = mended(frame, badly, NOTHING, other=other)
    assert other.on_rack
    overlaps = [best_overlap(quad, found.quads) for quad in truth]
    assert min(overlaps) > 0.75 > min(best_overlap(quad, alone.quads) for quad in truth)
    assert [float(overlap) for overlap in overlaps[1::2]] == pytest.approx([1.0] * len(truth[1::2]))


def test_small_things_of_another_body_are_no_tiles(
    frame: Frame, truth: NDArray[np.float32]
) -> None:
    """A quad on the bare table, as small as a key of a calculator."""
    corner = np.array([[4, 4], [16, 4], [16, 20], [4, 20]], np.float32)
    found = mended(frame, np.concatenate([truth, corner[None]]), NOTHING)
    assert len(found) == len(truth)


def test_blurred_tiles_in_the_dark_are_tiles_though_no_taught_face_looks_like_them(
    frame: Frame, truth: NDArray[np.float32]
) -> None:
    """Half of the table lies out of focus and in shadow, and there the detector finds tiles too
    small.
    """
    middle = frame.pixels.shape[1] // 2
    blurred = cv2.GaussianBlur(frame.pixels, (0, 0), 5)
    pixels = frame.pixels.copy()
    pixels[:, middle:] = blurred[:, middle:] // 2
    far = truth[:, :, 0].min(axis=1) > middle
    quads = np.concatenate([truth[~far], scaled(truth[far], 0.77)])
    found = mended(Frame.of(pixels), quads, NOTHING)
    kept = [max(overlap(one, other) for other in found.quads) > 0.5 for one in truth[far]]
    assert np.mean(kept) > 0.9
