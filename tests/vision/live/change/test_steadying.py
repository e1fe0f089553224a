"""Where a camera stands that is never quite still."""

from __future__ import annotations

from math import cos, radians, sin

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.live.change.steadying import EYE, Steadier, shrink

SIZE = (640, 360)
FACTOR = 2
CORNERS = np.array([[40, 40], [600, 40], [600, 320], [40, 320]], np.float64)


def table() -> NDArray[np.uint8]:
    rng = np.random.default_rng(3)
    picture = np.full((SIZE[1], SIZE[0], 3), (40, 110, 60), np.uint8)
    for x in range(30, 600, 80):
        for y in range(30, 320, 90):
            cv2.rectangle(picture, (x, y), (x + 24, y + 34), (235, 228, 210), -1)
            number = str(rng.integers(10))
            cv2.putText(picture, number, (x + 5, y + 24), cv2.FONT_HERSHEY_SIMPLEX, 0.7, 0, 2)
    return picture


def camera(x: float, y: float, turn: float = 0.0) -> NDArray[np.float64]:
    """A motion about the middle, pixels and degrees."""
    c, s = cos(radians(turn)), sin(radians(turn))
    middle = np.array(SIZE) / 2
    shift = middle - np.array([[c, -s], [s, c]]) @ middle + np.array([x, y])
    return np.array([[c, -s, shift[0]], [s, c, shift[1]], [0, 0, 1.0]])


def filmed(motion: NDArray[np.float64]) -> NDArray[np.uint8]:
    picture = cv2.warpPerspective(table(), motion, SIZE, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(picture, np.uint8)


def followed(steadier: Steadier, frame: NDArray[np.uint8], rounds: int = 3) -> float:
    """How far the corners of the picture are off after the frame was followed, in its pixels."""
    known = shrink(table(), FACTOR)
    for _ in range(rounds):
        steadier.follow(known, steadier.shrunk(frame, FACTOR), FACTOR)
    found = cv2.perspectiveTransform(CORNERS[None], steadier.motion)[0]
    return float(np.abs(found - CORNERS).max())


@pytest.mark.parametrize(
    "motion",
    [camera(0.5, -0.5), camera(2, 1.3, 0.2), camera(-14, 9, -0.5)],
    ids=["half a pixel", "drift", "knock"],
)
def test_a_motion_is_found_to_a_fraction_of_a_pixel(motion: NDArray[np.float64]) -> None:
    steadier = Steadier()
    followed(steadier, filmed(motion))
    true = cv2.perspectiveTransform(CORNERS[None], motion)
    assert np.abs(cv2.perspectiveTransform(CORNERS[None], steadier.motion) - true).max() < 0.25


def test_a_hand_over_much_of_the_table_is_no_motion_of_the_camera() -> None:
    steadier, frame = Steadier(), filmed(camera(1.5, 1.0))
    frame[:, 250:520] = (215, 160, 130)
    followed(steadier, frame)
    assert np.abs(steadier.motion[:2, 2] - [1.5, 1.0]).max() < 0.15


def test_a_camera_at_rest_keeps_every_pixel() -> None:
    steadier = Steadier()
    noise = np.random.default_rng(1).normal(0, 3, table().shape)
    noisy = np.clip(table() + noise, 0, 255).astype(np.uint8)
    noisy[100:200, 100:200] = (215, 160, 130)
    assert followed(steadier, noisy) == 0.0
    assert steadier.motion is EYE
    assert np.array_equal(steadier.shrunk(noisy, FACTOR), shrink(noisy, FACTOR))


def test_what_is_no_motion_of_a_stand_is_left_alone() -> None:
    steadier = Steadier()
    followed(steadier, filmed(camera(0, 0, 20)))
    assert steadier.motion is EYE
    blank = np.full((360, 640, 3), 90, np.uint8)
    assert steadier.follow(shrink(blank, 2), shrink(table(), 2), 2) == 0.0
