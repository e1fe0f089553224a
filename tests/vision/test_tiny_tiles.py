"""Tiles of about ten pixels are found in a picture that is no finer than what the detector sees."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.places import SAMPLES
from vision.detector import Detector, DetectorConfig
from vision.frame import load
from vision.kinds import TILES
from vision.quads import sides

PHOTOS = [
    SAMPLES / line["photo"]
    for line in json.loads((SAMPLES / "hand.json").read_text("utf-8"))["photos"]
]
SIZE = 1280, 960  # width and height, in pixels, of what the detector sees of a picture
TINY = 10.0  # short side of the tiles, in pixels of the picture


def from_far_away(
    pixels: NDArray[np.uint8], quads: NDArray[np.float32]
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Return the picture so small that its tiles (n, 4, 2) are TINY, in a corner of a grey one of
    SIZE, and the middles (n, 2) of the tiles there.
    """
    scale = TINY / float(np.median(np.minimum(*sides(quads))))
    far = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    picture = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    picture[: far.shape[0], : far.shape[1]] = far
    return picture, quads.mean(axis=1) * scale


def found_at(detector: Detector, picture: NDArray[np.uint8], middles: NDArray[np.float32]) -> int:
    """Count the tiles with these middles (n, 2) that score enough to be taken for tiles."""
    found = detector.detect(picture)
    places = found.quads[found.scores > TILES.doubts.tile].mean(axis=1)
    away = np.linalg.norm(places[None] - middles[:, None], axis=2)
    return int((away.min(axis=1, initial=np.inf) < TINY / 2).sum())


@pytest.mark.pictures
@pytest.mark.parametrize("photo", PHOTOS, ids=lambda path: path.name)
def test_tiles_of_ten_pixels_are_found_by_a_second_look(photo: Path) -> None:
    detector = Detector()
    picture = load(photo).pixels
    near = detector.detect(picture)
    tiles = near.quads[near.scores > TILES.doubts.surely_a_tile]
    far, middles = from_far_away(picture, tiles)
    whole_picture_alone = Detector(config=DetectorConfig(tiny_face=0.0))
    seen = found_at(detector, far, middles)
    assert seen >= len(tiles) - 1
    assert seen > found_at(whole_picture_alone, far, middles)
