"""Checks photographs and frames of cameras by their headers before anything is decoded."""

from __future__ import annotations

import mmap
from pathlib import Path
from typing import TYPE_CHECKING

from scorer_app.services.reading_queue import ReadingFailed
from vision.errors import PhotoError
from vision.header import Data, Format, Header, read_header

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# HEIF: what iPhones send, whatever the file is called.
FORMATS = frozenset({Format.JPEG, Format.PNG, Format.WEBP, Format.HEIF})


def checked_size(path: Path, most_pixels: int) -> tuple[int, int]:
    """Read width and height, in pixels, from the header of a photograph. Raises ReadingFailed for
    what is no photograph, for one of more than `most_pixels`, and for one that would take too much
    to open.
    """
    if not path.stat().st_size:
        raise ReadingFailed("empty_file")
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        header = _bearable(data, most_pixels)
    return header.width, header.height


def open_frame(data: bytes, most_pixels: int) -> NDArray[np.uint8]:
    """Decode one frame of a camera, a JPEG, to (h, w, 3) RGB. Raises ReadingFailed for anything
    else, and for a frame of more than `most_pixels`.
    """
    from vision.jpeg import jpeg_pixels

    header = _bearable(data, most_pixels)
    if header.format is not Format.JPEG or header.components not in (1, 3):
        raise ReadingFailed("not_an_image")
    try:
        return jpeg_pixels(data, header, halve=False)
    except PhotoError as error:
        raise ReadingFailed("not_an_image") from error


def _bearable(data: Data, most_pixels: int) -> Header:
    """Return the header of a photograph, once it is checked that opening the photograph takes no
    more than this machine can bear.

    Raises ReadingFailed for a photograph that takes more, that has more than `most_pixels`, or that
    is in no known format.
    """
    from vision.frame import check_cost, check_size

    header = read_header(data)
    if header is None or header.format not in FORMATS:
        raise ReadingFailed("not_an_image")
    if header.pixels > most_pixels:
        raise ReadingFailed("too_many_pixels")
    try:
        check_size(header.width, header.height)
        check_cost(header)
    except PhotoError as error:
        raise ReadingFailed(error.reason.value) from error
    return header
