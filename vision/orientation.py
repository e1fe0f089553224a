"""Reads which way up a camera was held. Nothing else that the camera noted in the file is read."""

from __future__ import annotations

import struct

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

ORIENTATION, SHORT = 0x0112, 3  # EXIF tag, its type
ENTRY, MOST_ENTRIES = 12, 100  # bytes of an entry of an EXIF directory, entries looked at
# EXIF tags that lead to further directories, which nobody here reads: Exif, GPS, interoperability.
DIRECTORIES = (0x8769, 0x8825, 0xA005)
NOTES = ("exif", "Raw profile type exif", "xmp", "XML:com.adobe.xmp")  # Pillow's names


def read_orientation(picture: Image.Image) -> int:
    """Return the EXIF orientation of a picture, 1-8; 1 where none is noted, or none that is valid.
    Damaged EXIF data are no reason to refuse the picture.
    """
    try:
        told = picture.getexif().get(ORIENTATION)
    except Exception:  # a broken directory can raise nearly anything
        told = None
    if told is None:
        return orientation_of(picture.info.get("exif"))
    return told if isinstance(told, int) and 1 <= told <= 8 else 1


def orientation_of(exif: object) -> int:
    """Return the orientation, 1-8, that the first directory of an EXIF block tells; 1 where `exif`
    is no such block, or has no orientation.

    Other entries are stepped over, however odd they are.
    """
    if not isinstance(exif, bytes):
        return 1
    block = exif.removeprefix(b"Exif\0\0")
    order = {b"II": "<", b"MM": ">"}.get(block[:2])
    if order is None or len(block) < 10:
        return 1
    (start,) = struct.unpack_from(f"{order}I", block, 4)
    directory = block[start + 2 :]
    for at in range(0, min(len(directory), MOST_ENTRIES * ENTRY) - ENTRY + 1, ENTRY):
        tag, kind, _count, value = struct.unpack_from(f"{order}HHIH", directory, at)
        if tag == ORIENTATION and kind == SHORT:
            return int(value) if 1 <= value <= 8 else 1
    return 1


def forget_notes(picture: Image.Image) -> None:
    """Remove everything that a camera noted except the orientation.

    Pillow turns a TIFF upright while loading it and then writes the notes anew, which fails where a
    note is odd.
    """
    for name in NOTES:
        picture.info.pop(name, None)
    try:
        exif = picture.getexif()
        for tag in DIRECTORIES:
            if tag in exif:
                del exif[tag]
    except Exception:  # what cannot be read cannot be written either
        return


def turn_upright(pixels: NDArray[np.uint8], orientation: int) -> NDArray[np.uint8]:
    """Return the (h, w, 3) picture turned and mirrored as its EXIF orientation, 1-8, demands."""
    if orientation in (5, 7):
        pixels = np.asarray(cv2.transpose(pixels), np.uint8)
    flip = {2: 1, 4: 0, 7: -1}.get(orientation)
    if flip is not None:
        return np.asarray(cv2.flip(pixels, flip), np.uint8)
    turn = {
        3: cv2.ROTATE_180,
        6: cv2.ROTATE_90_CLOCKWISE,
        8: cv2.ROTATE_90_COUNTERCLOCKWISE,
    }.get(orientation)
    return pixels if turn is None else np.asarray(cv2.rotate(pixels, turn), np.uint8)
