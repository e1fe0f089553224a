"""Tells whether a film's file was cut off, as by a copy that was broken off or a phone that ran out
of room: nothing of such an MP4 can be read, because its index stands at the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

HEADER_BYTES = 8  # of a box: its length, big-endian, and its kind
LONG_LENGTH_BYTES = 8  # a length that stands after the kind, where the first one is 1
TO_THE_END = 0  # the length of a box that goes on to the end of the file
BEGINNINGS = (b"ftyp", b"wide", b"mdat", b"free", b"skip")  # kinds of first boxes of MP4 and MOV
INDEX = b"moov"


def lost_its_end(path: str | Path) -> bool:
    """Whether the file is an MP4 or MOV film that lacks its end or its index. False for every other
    file, and for one that cannot be read.
    """
    try:
        with open(path, "rb") as file:
            size = file.seek(0, 2)
            boxes = list(_boxes(file, size))
    except OSError:
        return False
    if not boxes or boxes[0][0] not in BEGINNINGS:
        return False
    return boxes[-1][1] > size or INDEX not in (kind for kind, _end in boxes)


def _boxes(file: BinaryIO, size: int) -> Iterator[tuple[bytes, int]]:
    """Yield the kind of each of the file's outermost boxes, and where the box ends, in bytes. The
    last one may end behind the end of the file, which has `size` bytes.
    """
    at = 0
    while at + HEADER_BYTES <= size:
        file.seek(at)
        header = file.read(HEADER_BYTES + LONG_LENGTH_BYTES)
        length, kind = int.from_bytes(header[:4], "big"), header[4:HEADER_BYTES]
        if length == 1:
            length = int.from_bytes(header[HEADER_BYTES:], "big")
        end = size if length == TO_THE_END else at + length
        yield kind, end
        if end < at + HEADER_BYTES:  # no box
            return
        at = end
