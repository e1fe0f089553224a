"""Small photographs for the tests of what opens them: painted here, in every format."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from PIL import Image

from vision.frame import Frame

WIDTH, HEIGHT = 120, 80
# Drawn and rendered here, encoded once with libheif.
HEIC = Path(__file__).resolve().parents[1] / "data" / "heic"


def quarters() -> Image.Image:
    """Red, green, blue and white quarters: tells every rotation and mirroring apart."""
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
