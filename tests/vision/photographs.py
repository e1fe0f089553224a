"""Small photographs for the tests of opening files: painted here in every format, and files that
claim to be large ones.
"""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path

import numpy as np
from PIL import Image

from vision.frame import Frame

WIDTH, HEIGHT = 120, 80
# Drawn and rendered here, encoded once with libheif.
HEIC = Path(__file__).resolve().parents[1] / "data" / "heic"


def quarters() -> Image.Image:
    """Paint a picture of red, green, blue and white quarters, which tells every rotation and
    mirroring apart.
    """
    pixels = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    pixels[: HEIGHT // 2, : WIDTH // 2] = (255, 0, 0)
    pixels[: HEIGHT // 2, WIDTH // 2 :] = (0, 255, 0)
    pixels[HEIGHT // 2 :, : WIDTH // 2] = (0, 0, 255)
    pixels[HEIGHT // 2 :, WIDTH // 2 :] = (255, 255, 255)
    return Image.fromarray(pixels)


def encoded(picture: Image.Image, kind: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, kind, **options)
    return buffer.getvalue()


def assert_quarters(frame: Frame) -> None:
    assert (frame.width, frame.height) == (WIDTH, HEIGHT)
    h, w = frame.pixels.shape[:2]
    seen = frame.pixels[
        [h // 4, h // 4, 3 * h // 4, 3 * h // 4], [w // 4, 3 * w // 4, w // 4, 3 * w // 4]
    ].astype(int)
    assert np.abs(seen - [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)]).max() < 30


def noisy(kind: str, **options: object) -> bytes:
    pixels = np.random.default_rng(5).integers(0, 256, (480, 640, 3), np.uint8)
    return encoded(Image.fromarray(pixels), kind, **options)


def png_header(width: int, height: int) -> bytes:
    """Return a PNG that claims any size and holds next to nothing."""
    chunks = [
        b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0),
        b"IDAT" + zlib.compress(b"\0" * 99),
    ]
    framed = [
        struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
        for chunk in chunks
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(framed)


def patched(data: bytes, mark: bytes, skip: int, sizes: bytes) -> bytes:
    """Return the file with `sizes` written over the bytes that begin `skip` bytes after the start
    of the first `mark`.
    """
    at = data.index(mark) + skip
    return data[:at] + sizes + data[at + len(sizes) :]


def bombs(width: int, height: int) -> dict[str, bytes]:
    """Return a small file of each format whose header claims this size."""
    heic = (HEIC / "orientation_1.heic").read_bytes()
    lossy = encoded(quarters(), "WEBP")  # at most 14 bits a side
    return {
        "png": png_header(width, height),
        "jpg": patched(
            encoded(quarters(), "JPEG"), b"\xff\xc0", 5, struct.pack(">HH", height, width)
        ),
        "webp": patched(
            lossy, b"\x9d\x01\x2a", 3, struct.pack("<HH", min(width, 16383), min(height, 16383))
        ),
        "heic": patched(heic, b"ispe", 8, struct.pack(">II", width, height)),
    }
