"""A photograph, or a frame of a camera, is refused for what its header claims."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from scorer_app.services.photo_headers import checked_size, open_frame
from scorer_app.services.reading_queue import ReadingFailed
from tests.places import SAMPLES

RACK = SAMPLES / "rack-a.jpg"
WIDTH, HEIGHT = 160, 120


def refused(path: Path, most_pixels: int = 10**8) -> str:
    with pytest.raises(ReadingFailed) as caught:
        checked_size(path, most_pixels)
    return str(caught.value)


def picture(kind: str) -> bytes:
    """Return a grey picture, WIDTH x HEIGHT pixels, in a format of Pillow."""
    file = BytesIO()
    Image.new("RGB", (WIDTH, HEIGHT), (90, 90, 90)).save(file, kind)
    return file.getvalue()


def test_the_size_is_told_and_bounded() -> None:
    with Image.open(RACK) as photograph:
        width, height = photograph.size
    assert checked_size(RACK, width * height) == (width, height)
    assert refused(RACK, width * height - 1) == "too_many_pixels"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty_file"),
        (b"una lista de compras", "not_an_image"),
        (picture("GIF"), "not_an_image"),
        (RACK.read_bytes()[:20], "not_an_image"),
    ],
    ids=["empty", "text", "of another format", "a header cut short"],
)
def test_what_is_no_photograph_has_its_reason(tmp_path: Path, data: bytes, reason: str) -> None:
    (tmp_path / "photo.jpg").write_bytes(data)
    assert refused(tmp_path / "photo.jpg") == reason


def test_a_frame_is_a_jpeg_of_few_pixels() -> None:
    frame = open_frame(picture("JPEG"), WIDTH * HEIGHT)
    assert frame.shape == (HEIGHT, WIDTH, 3) and frame.dtype == np.uint8
    for data, most in ((picture("PNG"), WIDTH * HEIGHT), (picture("JPEG")[:-200], WIDTH * HEIGHT)):
        with pytest.raises(ReadingFailed, match="not_an_image"):
            open_frame(data, most)
    with pytest.raises(ReadingFailed, match="too_many_pixels"):
        open_frame(picture("JPEG"), WIDTH * HEIGHT - 1)
