"""Photographs as files: believed only once decoded, turned upright, without any of the camera's
notes (place, time, owner).
"""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image, ImageOps, UnidentifiedImageError

from scorer_app.services.reading_queue import ReadingFailed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FORMATS = ("JPEG", "PNG", "WEBP", "HEIF")  # HEIF: what iPhones send, whatever the file is called
PARTIAL = ".partial"
_QUALITY = 90


def sniff(data: bytes, most_pixels: int) -> tuple[int, int]:
    """Width and height as the header tells them, without decoding. Raises ReadingFailed for what
    is no photograph.
    """
    if not data:
        raise ReadingFailed("empty_file")
    with _open(io.BytesIO(data), most_pixels) as image:
        return image.size


def open_frame(data: bytes, most_pixels: int) -> NDArray[np.uint8]:
    """(h, w, 3) RGB of one frame of a camera, a JPEG. Raises ReadingFailed for what is none."""
    import numpy as np

    with _open(io.BytesIO(data), most_pixels) as image:
        try:
            return np.asarray(image.convert("RGB"))
        except (OSError, ValueError, SyntaxError) as error:
            raise ReadingFailed("not_an_image") from error


def make_upright(
    source: Path, target: Path, longest_side: int, most_pixels: int
) -> tuple[int, int]:
    """Writes the upright JPEG that is kept and read; returns its width and height in pixels.

    Re-encoding is what strips the location: nothing but pixels is carried over.
    """
    with _open(io.BytesIO(source.read_bytes()), most_pixels) as image:
        try:
            image.draft(
                "RGB", (longest_side, longest_side)
            )  # lets libjpeg shrink while decoding, where it can
            upright = ImageOps.exif_transpose(image).convert("RGB")
        except (OSError, ValueError, SyntaxError) as error:
            raise ReadingFailed("truncated") from error  # it began as a photograph
    upright.thumbnail((longest_side, longest_side))
    clean = Image.new("RGB", upright.size)
    clean.paste(upright)
    partial = target.with_suffix(PARTIAL)
    try:
        clean.save(partial, "JPEG", quality=_QUALITY)
        partial.replace(target)
    except OSError:
        partial.unlink(missing_ok=True)
        raise
    return clean.size


def _open(file: io.BytesIO, most_pixels: int) -> Image.Image:
    _allow_heif()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", Image.DecompressionBombWarning
            )  # our own limit is stricter
            image = Image.open(file, formats=FORMATS)
    except (
        UnidentifiedImageError,
        OSError,
        ValueError,
        SyntaxError,
        Image.DecompressionBombError,
    ) as error:
        raise ReadingFailed("not_an_image") from error
    if image.width * image.height > most_pixels:
        raise ReadingFailed("too_many_pixels")
    return image


def _allow_heif() -> None:
    if "HEIF" not in Image.OPEN:
        from pi_heif import register_heif_opener

        register_heif_opener()
