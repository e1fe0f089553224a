"""A table seen from another side or from farther away reads the same, and each corner is where the
change put it.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tests.places import SAMPLES as HAND
from vision import open_reader
from vision.frame import Frame

PHOTOS: dict[str, dict[str, Any]] = {
    photo["photo"]: photo for photo in json.loads((HAND / "hand.json").read_text("utf-8"))["photos"]
}
# Largest mean distance of corners between the two readings, in tile widths; a comodín moves most.
SURE, DOUBTFUL = (0.15, 0.25)


def pixels(photo: str) -> NDArray[np.uint8]:
    return np.asarray(Image.open(HAND / photo).convert("RGB"))


def read(picture: NDArray[np.uint8], photo: str) -> dict[str, Any]:
    layout = "loose" if PHOTOS[photo]["place"] == "rack" else "melds"
    return open_reader().read(Frame.of(picture), layout).to_json()


@cache
def as_it_is(photo: str) -> dict[str, Any]:
    """Return the reading of the unchanged photograph, which is read once for all changes."""
    return read(pixels(photo), photo)


def changed(
    picture: NDArray[np.uint8], degrees: float, factor: float
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Turn and scale a picture on more cloth of one colour, so that nothing is cut off. Returns it
    with the 2x3 map of its pixels.
    """
    height, width = picture.shape[:2]
    matrix = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), degrees, factor)
    reach = np.abs(matrix[:, :2]) @ (width, height)
    matrix[:, 2] += (reach - (width, height)) / 2
    size = (int(np.ceil(reach[0])), int(np.ceil(reach[1])))
    cloth = np.median(picture[:8].reshape(-1, 3), axis=0).tolist()
    return np.asarray(
        cv2.warpAffine(picture, matrix, size, flags=cv2.INTER_LINEAR, borderValue=cloth)
    ), matrix


def laid(reading: dict[str, Any]) -> Counter[tuple[str, ...]]:
    return Counter(tuple(meld["laid"]) for meld in reading["melds"])


@pytest.mark.pictures
@pytest.mark.parametrize(
    ("photo", "degrees", "factor"),
    [
        ("melds-a.jpg", -38, 0.9),
        ("melds-a.jpg", 155, 0.8),
        ("melds-b.jpg", 61, 1.0),
        ("melds-b.jpg", -38, 0.9),
        ("rack-a.jpg", 155, 0.8),
        ("rack-b.jpg", 9, 1.0),
    ],
)
def test_a_scene_turned_by_any_angle_reads_the_same(
    photo: str, degrees: float, factor: float
) -> None:
    turned, matrix = changed(pixels(photo), degrees, factor)
    before, after = as_it_is(photo), read(turned, photo)
    corners = np.array([tile["corners"] for tile in after["tiles"]])
    for tile in before["tiles"]:
        expected = np.array(tile["corners"]) @ matrix[:, :2].T + matrix[:, 2]
        width = np.linalg.norm(expected[1] - expected[0])
        gaps = np.linalg.norm(corners - expected, axis=2).mean(axis=1) / width
        nearest = int(gaps.argmin())
        found = after["tiles"][nearest]
        assert found["tile"] == tile["tile"]
        assert gaps[nearest] < (DOUBTFUL if found["doubtful"] else SURE), tile["tile"]
    assert laid(after) == laid(before)
