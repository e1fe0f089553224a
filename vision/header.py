"""What the first bytes of a photograph claim, without any decoder: format, size, and what decoding
would cost.

A header costs nothing to write, and some decoders reserve the memory that it asks for as soon as
they open the file. So the size is read, and refused if it is too large, before a decoder sees the
file.
"""

from __future__ import annotations

import mmap
import re
import struct
from dataclasses import dataclass
from enum import StrEnum
from math import prod

Data = bytes | mmap.mmap


class Format(StrEnum):
    JPEG = "JPEG"
    PNG = "PNG"
    WEBP = "WEBP"
    HEIF = "HEIF"
    AVIF = "AVIF"


@dataclass(frozen=True)
class Header:
    """What a picture's header tells. `width` and `height` are in pixels as stored, before the
    picture is turned upright.
    """

    format: Format
    width: int
    height: int
    components: int = 3  # of a JPEG: 1 grey, 3 colours, 4 CMYK
    scans: int = 1  # of a JPEG
    coefficient_bytes: int = 0  # that a decoder holds of a JPEG in several scans
    whole: bool = True  # a JPEG's end marker is there
    animated: bool = False  # a WebP of several pictures

    @property
    def pixels(self) -> int:
        return self.width * self.height


MOST_SEGMENTS = 5000  # of a JPEG; photographs have about 20, in a film strip of previews 200
MOST_SCANS = 100  # a progressive JPEG has about 10
# Any marker but a stuffed zero and the restart markers, which stand inside a scan.
_MARKER = re.compile(rb"\xff([\x01-\xcf\xd8-\xfe])", re.DOTALL)
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_PROGRESSIVE = frozenset({0xC2, 0xC6, 0xCA, 0xCE})
_START_OF_SCAN, _END, _START, _TEMPORARY = 0xDA, 0xD9, 0xD8, 0x01
_HEIF_BRANDS = frozenset({b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1"})
_AVIF_BRANDS = frozenset({b"avif", b"avis"})
_EXTENT = re.compile(rb"ispe\0\0\0\0(.{4})(.{4})", re.DOTALL)
MOST_EXTENTS = 10_000


def read_header(data: Data) -> Header | None:
    """Read the header of a picture; None for an unknown format or a broken header."""
    header = _read(data)
    return header if header and header.width and header.height else None


def _read(data: Data) -> Header | None:
    start = data[:32]
    try:
        if start[:3] == b"\xff\xd8\xff":
            return _jpeg(data)
        if start[:8] == b"\x89PNG\r\n\x1a\n" and start[12:16] == b"IHDR":
            return Header(Format.PNG, *struct.unpack(">II", start[16:24]))
        if start[:4] == b"RIFF" and start[8:12] == b"WEBP":
            return _webp(start)
        if start[4:8] == b"ftyp":
            return _heif(data, start[8:12])
    except (struct.error, IndexError):  # the file ends within its header
        pass
    return None


def _jpeg(data: Data) -> Header | None:
    """Return the header of a JPEG; None where `data` does not hold the picture's size and the
    beginning of a scan.

    Segments are stepped over by their lengths, since a thumbnail inside a segment has markers of
    its own.
    """
    at, scans, whole = 2, 0, False
    frame: tuple[int, int, int, int, float] | None = None
    for _ in range(MOST_SEGMENTS):
        found = _MARKER.search(data, at)
        if not found:
            break
        marker, at = found[1][0], found.end()
        if marker == _END:
            whole = True
            break
        if marker in (_START, _TEMPORARY):
            continue
        scans += marker == _START_OF_SCAN
        if scans > MOST_SCANS:
            break
        if marker in _FRAMES and frame is None:
            frame = _jpeg_frame(marker, data[at : at + 8 + 3 * 4])
        at += struct.unpack(">H", data[at : at + 2])[0] if at + 2 <= len(data) else 2
    if frame is None or not scans:
        return None
    marker, height, width, components, samples = frame
    buffered = marker in _PROGRESSIVE or scans > 1
    coefficients = int(2 * samples * width * height) if buffered else 0
    return Header(Format.JPEG, width, height, components, scans, coefficients, whole)


def _jpeg_frame(marker: int, segment: bytes) -> tuple[int, int, int, int, float]:
    """Return five values of a JPEG: the given `marker`, its height and width in pixels, its number
    of components, and how many samples it stores for each pixel. `segment` is the frame header that
    follows the marker.
    """
    height, width, components = struct.unpack(">HHB", segment[3:8])
    factors = [divmod(segment[9 + 3 * i], 16) for i in range(min(components, 4))]
    most = prod(max(axis, default=1) or 1 for axis in zip(*factors, strict=True))
    return marker, height, width, components, sum(h * v for h, v in factors) / most


def _webp(start: bytes) -> Header | None:
    kind = start[12:16]
    if kind == b"VP8X":
        width, height = (int.from_bytes(start[at : at + 3], "little") + 1 for at in (24, 27))
    elif kind == b"VP8 ":
        width, height = (side & 0x3FFF for side in struct.unpack("<HH", start[26:30]))
    elif kind == b"VP8L":
        (packed,) = struct.unpack("<I", start[21:25])
        width, height = (packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1
    else:
        return None
    animated = kind == b"VP8X" and bool(start[20] & 0x02)
    return Header(Format.WEBP, width, height, animated=animated)


def webp_exif(data: bytes) -> bytes | None:
    """Return the EXIF block of a WebP; None where the file holds no such block."""
    at = 12
    for _ in range(MOST_SEGMENTS):
        name, length = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "little")
        if len(name) < 4:
            return None
        if name == b"EXIF":
            return data[at + 8 : at + 8 + length]
        at += 8 + length + length % 2
    return None


def _heif(data: Data, brand: bytes) -> Header | None:
    """Return a header with the largest size that a HEIF file names for its picture or for one of
    the picture's parts. Returns None where `brand`, the file's brand, is that of another kind of
    file, and where the file names too many sizes.
    """
    if brand not in _HEIF_BRANDS | _AVIF_BRANDS:
        return None
    largest = (0, 0)
    for count, found in enumerate(_EXTENT.finditer(data)):
        if count > MOST_EXTENTS:
            return None
        width, height = (int.from_bytes(side, "big") for side in found.groups())
        largest = max(largest, (width, height), key=prod)
    return Header(Format.AVIF if brand in _AVIF_BRANDS else Format.HEIF, *largest)
