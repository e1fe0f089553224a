"""Reads and writes the pictures of a set's faces: PNG files without loss, of a crop's size."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator

import numpy as np
from PIL import Image

from vision.crops import CROP_HEIGHT, CROP_WIDTH
from vision.pyramid import RGB

MOST_BYTES = 12_000  # of one file; the 9,216 values of a crop, not compressed at all, take 9,400
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
# Width, height, bits of a value, colour type (RGB), compression, filters, not interlaced.
_HEADER = struct.pack(">IIBBBBB", CROP_WIDTH, CROP_HEIGHT, 8, 2, 0, 0, 0)


def to_png(crop: RGB) -> bytes:
    """Return the bytes of a PNG file that holds a crop, (64, 48, 3) uint8 RGB."""
    file = io.BytesIO()
    # A higher level takes twice as long and makes the file of a real crop 1 % smaller.
    Image.fromarray(crop).save(file, "PNG", compress_level=6)
    return file.getvalue()


def from_png(data: bytes) -> RGB:
    """Read a crop, (64, 48, 3) uint8 RGB, from the bytes of a PNG file that `to_png` made.

    The bytes may come from a stranger, so they are decoded only if they hold nothing but pixels and
    have exactly that size. Raises ValueError for any other file.
    """
    if len(data) > MOST_BYTES:
        raise ValueError(f"expected at most {MOST_BYTES} bytes, got {len(data)}")
    chunks = list(_chunks(data))
    names = [name for name, _body in chunks]
    pixels = names[1:-1]
    if names[:1] != [b"IHDR"] or names[-1:] != [b"IEND"] or set(pixels) != {b"IDAT"}:
        raise ValueError(f"expected the chunks IHDR, IDAT, IEND, got {names[:9]}")
    if chunks[0][1] != _HEADER:
        raise ValueError(f"expected {CROP_WIDTH} x {CROP_HEIGHT} pixels of RGB, got another header")
    try:
        with Image.open(io.BytesIO(data), formats=("PNG",)) as picture:
            return np.array(picture)
    except (OSError, ValueError, SyntaxError, struct.error) as error:
        raise ValueError(f"expected a whole PNG file, got a broken one ({error})") from error


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the name and the body of each chunk of a PNG file. Raises ValueError for data that are
    no PNG file, or that end within a chunk.
    """
    if not data.startswith(_SIGNATURE):
        raise ValueError(f"expected a PNG file, got {data[:8]!r}...")
    at = len(_SIGNATURE)
    while at < len(data):
        if at + 12 > len(data):
            raise ValueError("expected a whole chunk, got the file's end")
        (length,) = struct.unpack_from(">I", data, at)
        end = at + 12 + length  # length, name, body, checksum
        if end > len(data):
            raise ValueError(f"expected {length} bytes of a chunk, got the file's end")
        yield data[at + 4 : at + 8], data[at + 8 : end - 4]
        at = end
