"""Decodes JPEGs, and tells whether all of their pixels are there."""

from __future__ import annotations

import re

import cv2
import numpy as np
import simplejpeg
from numpy.typing import NDArray

from vision.errors import PhotoError, Reason
from vision.header import Header

# What libjpeg says where a part of the picture is lost; its other warnings are harmless.
DAMAGE = ("Huffman", "instead of RST", "Premature end of JPEG file", "arithmetic", "EOI")
CUT_SHORT = "premature end of data segment"
FLAT = 4  # grey levels: what a decoder fills in for lost data differs by less
BLOCK = 8  # pixels: a side of a JPEG's blocks
EXTRANEOUS = re.compile(r"(\d+) extraneous bytes")
MOST_EXTRANEOUS = 64  # bytes between two segments; careless programs leave a few


def jpeg_pixels(data: bytes, header: Header, halve: bool) -> NDArray[np.uint8]:
    """Decode the bytes `data` of a JPEG to (h, w, 3) RGB as stored, not turned upright; at half
    scale if `halve` is True. `header` is what `vision.header` read in its first bytes.

    Raises PhotoError where a part of the picture is lost, which decoders fill in with one colour.
    """
    least = ((header.height + 1) // 2, (header.width + 1) // 2) if halve else (0, 0)
    options = (False, False, *least, 2 if halve else 1, None)
    try:
        return np.asarray(simplejpeg.decode_jpeg(data, "RGB", *options, True), np.uint8)
    except MemoryError:
        raise PhotoError(Reason.TOO_HEAVY, "JPEG") from None
    except ValueError as error:
        warning = str(error)
    strays = EXTRANEOUS.search(warning)
    if any(sign in warning for sign in DAMAGE) or (strays and int(strays[1]) > MOST_EXTRANEOUS):
        raise PhotoError(Reason.TRUNCATED, "JPEG")
    try:
        pixels = np.asarray(simplejpeg.decode_jpeg(data, "RGB", *options, False), np.uint8)
    except (MemoryError, ValueError):  # a layout of colours that only OpenCV's decoder knows
        return _pixels_of_opencv(data, halve)
    if CUT_SHORT in warning and (header.coefficient_bytes or _ends_filled(pixels)):
        raise PhotoError(Reason.TRUNCATED, "JPEG")
    return pixels


def _ends_filled(pixels: NDArray[np.uint8]) -> bool:
    """Whether the lower right corner of the picture, (h, w, 3), which is the last block of the
    JPEG, has one colour: a decoder fills in one colour where data is lost.
    """
    corner = pixels[-BLOCK:, -BLOCK:].reshape(-1, 3)
    return int(np.ptp(corner, axis=0).max()) <= FLAT


def _pixels_of_opencv(data: bytes, halve: bool) -> NDArray[np.uint8]:
    size = cv2.IMREAD_REDUCED_COLOR_2 if halve else cv2.IMREAD_COLOR
    flags = size | cv2.IMREAD_IGNORE_ORIENTATION
    try:
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error:
        pixels = None
    if pixels is None:
        raise PhotoError(Reason.TRUNCATED, "JPEG")
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB), np.uint8)
