"""How a camera that is never quite still is found to stand."""

from __future__ import annotations

from math import cos, radians, sin
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.live.change import steadying
from vision.live.change.steadying import EYE, Steadier, _found_again, shrink

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
    """Return the motion, (3, 3), of a camera that is moved by (x, y) pixels and turned by `turn`
    degrees about the middle.
    """
    c, s = cos(radians(turn)), sin(radians(turn))
    middle = np.array(SIZE) / 2
    shift = middle - np.array([[c, -s], [s, c]]) @ middle + np.array([x, y])
    return np.array([[c, -s, shift[0]], [s, c, shift[1]], [0, 0, 1.0]])


def filmed(motion: NDArray[np.float64]) -> NDArray[np.uint8]:
    picture = cv2.warpPerspective(table(), motion, SIZE, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(picture, np.uint8)


def followed(steadier: Steadier, frame: NDArray[np.uint8], rounds: int = 3) -> float:
    """Let the steadier follow a frame of the table; return how far the picture's corners are off
    then, in its pixels.
    """
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


@pytest.mark.parametrize("drift", [(0.0, 0.0), (0.8, -0.6)])
def test_many_tiles_that_are_slid_along_are_no_motion_of_the_camera(
    drift: tuple[float, float],
) -> None:
    frame, around = table(), np.full((SIZE[1], SIZE[0], 3), (40, 110, 60), np.uint8)
    slid = np.concatenate([around[:, :20], frame[:, :400]], axis=1)
    frame[:, :420] = slid  # five of seven columns of tiles
    moved = cv2.warpPerspective(frame, camera(*drift), SIZE, borderMode=cv2.BORDER_REPLICATE)
    steadier = Steadier()
    followed(steadier, np.asarray(moved, np.uint8))
    true = cv2.perspectiveTransform(CORNERS[None], camera(*drift))
    assert np.abs(cv2.perspectiveTransform(CORNERS[None], steadier.motion) - true).max() < 0.5


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


Points = NDArray[np.float32]  # (n, 2) small pixels
GRID = np.array([[40 + 30 * (at % 8), 30 + 25 * (at // 8)] for at in range(48)], np.float32)


def stepped(
    monkeypatch: pytest.MonkeyPatch, corners: int, source: Points, target: Points
) -> tuple[float, NDArray[np.float64]]:
    """Let a steadier follow a frame where `corners` corners are known and the `source` points are
    found again at `target`.

    Returns how far off the camera seems to be, and its motion, (3, 3).
    """
    known = GRID[:corners].reshape(-1, 1, 2)
    monkeypatch.setattr(cv2, "goodFeaturesToTrack", lambda *_: known if corners else None)
    monkeypatch.setattr(steadying, "_found_again", lambda *_: (source, target))
    monkeypatch.setattr(steadying, "fits_better_at_rest", lambda *_: False)
    steadier, small = Steadier(), shrink(table(), FACTOR)
    off = steadier.follow(small, small, FACTOR)
    assert steadier.is_steady is (off == 0.0)
    return off, steadier.motion


@pytest.mark.parametrize(
    ("corners", "found", "followed"),
    [
        (8, 8, True),
        (7, 7, False),  # too few to know anything
        (9, 7, False),
        (20, 8, True),  # two fifths of all
        (21, 8, False),
        (0, 8, False),
    ],
)
def test_enough_corners_have_to_agree(
    monkeypatch: pytest.MonkeyPatch, corners: int, found: int, followed: bool
) -> None:
    source = GRID[:found]
    off, motion = stepped(monkeypatch, corners, source, source + np.float32([0.5, 0]))
    assert off == pytest.approx(0.5 if followed else 0.0, abs=0.01)
    assert motion[0, 2] == pytest.approx(0.5 * FACTOR if followed else 0.0, abs=0.05)


def test_corners_that_left_the_picture_are_not_found_again() -> None:
    known = cv2.cvtColor(shrink(table(), FACTOR), cv2.COLOR_RGB2GRAY)
    corners = cv2.goodFeaturesToTrack(known, 200, 0.01, 3)
    now = np.roll(known, -18, axis=1)
    source, target = _found_again(known, now, corners)
    assert 0 < len(source) == len(target) < len(corners)
    assert source[:, 0].min() > 17


@pytest.mark.parametrize(("shift", "followed"), [(0.05, False), (0.09, True)])
def test_what_is_less_than_a_cameras_noise_is_no_motion(
    monkeypatch: pytest.MonkeyPatch, shift: float, followed: bool
) -> None:
    off, _motion = stepped(monkeypatch, 48, GRID, GRID + np.float32([0, shift]))
    assert off == pytest.approx(shift if followed else 0.0, abs=0.01)


def test_corners_that_went_another_way_have_no_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """A third of the corners moved otherwise, by less than a small pixel."""
    target = GRID + np.float32([2, 0])
    target[::3] += np.float32([0, 0.9])
    off, motion = stepped(monkeypatch, 48, GRID, target)
    assert off == pytest.approx(2.0, abs=0.01)
    np.testing.assert_allclose(motion[:2, 2], [2 * FACTOR, 0], atol=0.05)


@pytest.mark.parametrize(("radians_turned", "followed"), [(0.05, True), (0.07, False)])
def test_a_stand_that_gives_way_turns_a_little(
    monkeypatch: pytest.MonkeyPatch, radians_turned: float, followed: bool
) -> None:
    c, s = cos(radians_turned), sin(radians_turned)
    turned = (GRID @ np.array([[c, s], [-s, c]])).astype(np.float32)
    off, _motion = stepped(monkeypatch, 48, GRID, turned)
    assert (off > 1.0) is followed


def test_what_is_left_over_right_and_below_whole_blocks_is_cut_off() -> None:
    frame = np.random.default_rng(2).integers(0, 255, (9, 11, 3), np.uint8)
    for factor, height, width in ((2, 8, 10), (4, 8, 8)):
        small = shrink(frame, factor)
        assert small.shape == (height // factor, width // factor, 3)
        np.testing.assert_array_equal(small, shrink(frame[:height, :width], factor))


@pytest.mark.parametrize(("factor", "taken_out_at"), [(1, 1), (2, 1), (4, 2), (8, 4)])
def test_a_motion_is_taken_out_at_twice_the_small_size(
    monkeypatch: pytest.MonkeyPatch, factor: int, taken_out_at: int
) -> None:
    steadier = Steadier()
    followed(steadier, filmed(camera(2, 1)), rounds=1)
    sizes, warp = list[tuple[int, ...]](), cv2.warpPerspective

    def noted(picture: NDArray[np.uint8], *rest: Any, **named: Any) -> NDArray[np.uint8]:
        sizes.append(picture.shape[1::-1])
        return np.asarray(warp(picture, *rest, **named), np.uint8)

    monkeypatch.setattr(cv2, "warpPerspective", noted)
    small = steadier.shrunk(table(), factor)
    assert small.shape[1::-1] == (SIZE[0] // factor, SIZE[1] // factor)
    assert sizes == [(SIZE[0] // taken_out_at, SIZE[1] // taken_out_at)]
