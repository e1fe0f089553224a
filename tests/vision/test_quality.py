"""What is wrong with a photograph as a whole: blur and lost colours, and no false alarm about
others.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from tests.places import SAMPLES, SCENES, SHARED
from vision.quality import QualityConfig, is_blurred, is_colourless, is_moved, sharpness_of

PICTURES = sorted(
    [
        *SCENES.glob("*.jpg"),
        *SAMPLES.glob("*-?.jpg"),
    ]
)


@lru_cache(maxsize=len(PICTURES))
def pixels(path: Path) -> np.ndarray:
    return np.asarray(Image.open(path).convert("RGB"))


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.name)
def test_a_blur_is_seen_at_any_size(path: Path) -> None:
    sharp = pixels(path)
    assert not is_blurred(sharp)
    soft = cv2.GaussianBlur(sharp, (0, 0), 3 * max(sharp.shape) / QualityConfig.long_side)
    assert is_blurred(soft)
    assert is_blurred(cv2.resize(soft, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))


@pytest.mark.parametrize("path", PICTURES[:3], ids=lambda path: path.name)
def test_a_blur_is_seen_beneath_grain(path: Path) -> None:
    sharp = pixels(path)
    soft = cv2.GaussianBlur(sharp, (0, 0), 3 * max(sharp.shape) / QualityConfig.long_side)
    size = np.float32(soft.shape[1::-1]) * QualityConfig.long_side / max(soft.shape)
    small = cv2.resize(soft, tuple(size.astype(int).tolist()), interpolation=cv2.INTER_AREA)
    grain = np.random.default_rng(5).normal(0, 5, small.shape[:2])[..., None]
    grainy, fine = (
        np.clip(picture + grain, 0, 255).astype(np.uint8)
        for picture in (small, cv2.resize(sharp, small.shape[1::-1], interpolation=cv2.INTER_AREA))
    )
    assert is_blurred(grainy, beneath_grain=True) and not is_blurred(grainy)
    assert not is_blurred(fine, beneath_grain=True)


@pytest.mark.pictures
@pytest.mark.parametrize(
    ("path", "degrees"),
    list(zip(PICTURES[::2], [0, 20, 70, 135, 45, 110], strict=True)),
    ids=lambda one: one.name if isinstance(one, Path) else None,
)
def test_a_moved_camera_is_seen_whichever_way_it_moved(path: Path, degrees: float) -> None:
    sharp = pixels(path)
    assert not is_moved(sharp)
    length = int(max(sharp.shape) / 25) | 1
    line = np.zeros((length, length), np.float32)
    line[length // 2] = 1
    turn = cv2.getRotationMatrix2D((length // 2, length // 2), degrees, 1.0)
    line = cv2.warpAffine(line, turn, (length, length))
    assert is_moved(cv2.filter2D(sharp, -1, line / line.sum()))


@pytest.mark.pictures
@pytest.mark.parametrize("source", ["rummikub_ivory", "other_sets", "burako_renders"])
def test_no_labelled_photograph_is_called_blurred_or_colourless(source: str) -> None:
    paths = sorted(
        path
        for path in (SHARED / "photos" / source).rglob("*")
        if path.suffix in (".jpg", ".jpeg", ".png")
    )[::6]
    if not paths:
        pytest.skip(f"no photographs of {source} on this machine")
    assert [
        path.name for path in paths if is_blurred(pixels(path)) or is_colourless(pixels(path))
    ] == []


@pytest.mark.parametrize("value", [0, 128, 255])
def test_a_plain_picture_is_not_blurred(value: int) -> None:
    plain = np.full((480, 640, 3), value, np.uint8)
    assert not is_blurred(plain)
    assert not is_moved(plain)


def test_grey_is_colourless_and_hardly_any_colour_is_not() -> None:
    grey = pixels(PICTURES[0]).mean(axis=2, keepdims=True).repeat(3, axis=2).astype(np.uint8)
    assert is_colourless(grey)
    grey[:64, :64] = (120, 90, 60)
    assert not is_colourless(grey)


def drawn_tile() -> tuple[np.ndarray, np.ndarray]:
    """Draw a tile with a figure on a plain table; return the picture and the tile's corners."""
    picture = np.full((240, 320, 3), (40, 110, 60), np.uint8)
    cv2.rectangle(picture, (100, 80), (140, 140), (235, 228, 210), -1)
    cv2.putText(picture, "7", (110, 125), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (200, 30, 30), 3)
    return picture, np.array([[100, 80], [140, 80], [140, 140], [100, 140]], np.float32)


def test_a_blur_makes_the_places_of_tiles_softer_the_stronger_it_is() -> None:
    picture, tile = drawn_tile()
    measured = [sharpness_of(picture, [tile])]
    for deviation in (1.0, 2.0, 4.0):
        measured.append(sharpness_of(cv2.GaussianBlur(picture, (0, 0), deviation), [tile]))
    edges = [one.edges or 0.0 for one in measured]
    details = [one.detail for one in measured]
    assert edges == sorted(edges, reverse=True) and edges[2] < edges[0] / 2
    assert details == sorted(details, reverse=True)


def test_where_nothing_is_drawn_there_is_no_edge_whatever_else_is_in_the_picture() -> None:
    picture, tile = drawn_tile()
    assert sharpness_of(picture, [tile + 120]).edges is None
    assert sharpness_of(picture, []).edges is None
    assert sharpness_of(picture, []).detail == sharpness_of(picture, [tile]).detail > 0
