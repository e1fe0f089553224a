"""Tells whether a part of a photograph is lost, where its decoder does not: it fills that part in,
and tiles that lay there would be missed without a word. JPEGs are checked in `vision.jpeg`.
"""

from __future__ import annotations

from zlib import crc32

from vision.header import Format

# Bytes of zero at the end of the coded picture that say that its copying was broken off: programs
# that copy often reserve the whole file first. Coded pictures hardly have two zeros in a row.
MOST_ZEROS = 1024
MOST_PARTS = 100_000  # chunks of a PNG, boxes of a HEIC; photographs have up to some thousands
_PADDING = (b"free", b"skip")  # kinds of boxes that hold nothing


def is_damaged(data: bytes, kind: Format) -> bool:
    """Tell whether a part of a picture of this kind is lost: whether pixels of a PNG differ from
    their check sums, or the coded picture of a WebP, HEIC or AVIF ends in zeros.
    """
    if kind is Format.PNG:
        return not _check_sums_hold(data)
    if kind is Format.JPEG:
        return False
    end = 8 + int.from_bytes(data[4:8], "little") if kind is Format.WEBP else _end_of_boxes(data)
    last = data[max(end - MOST_ZEROS, 0) : end]
    return len(last) == MOST_ZEROS and not any(last)


def _check_sums_hold(data: bytes) -> bool:
    at, parts = 8, memoryview(data)
    for _ in range(MOST_PARTS):
        length, name = int.from_bytes(data[at : at + 4], "big"), data[at + 4 : at + 8]
        end = at + 8 + length
        if end + 4 > len(data):
            break
        if name == b"IDAT" and crc32(parts[at + 4 : end]) != int.from_bytes(data[end : end + 4]):
            return False
        at = end + 4
    return True


def _end_of_boxes(data: bytes) -> int:
    """Return where the last box of a HEIC or AVIF ends, in bytes; boxes of padding are passed
    over.
    """
    at, end = 0, 0
    for _ in range(MOST_PARTS):
        size, name = int.from_bytes(data[at : at + 4], "big"), data[at + 4 : at + 8]
        if size == 1:
            size = int.from_bytes(data[at + 8 : at + 16], "big")
        elif size == 0 and any(name):  # the box goes to the end of the file
            return len(data)
        if size < 8:
            break
        at += size
        end = end if name in _PADDING else at
    return end
