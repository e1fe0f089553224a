"""Bytes in, upright RGB pixels out. EXIF is applied here, once; every later stage sees RGB,
upright.
"""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from vision.errors import PhotoError, Reason
from vision.quality import is_colourless

MAX_PIXELS = (
    120_000_000  # the largest phone sensors give 108 MP; above that it is no photograph of a table
)
HALVE_ABOVE = (
    24_000_000  # pixels: decoded at half scale, which keeps a 48 MP photograph within 400 MB
)
SMALLEST_SIDE = 32  # pixels: one row of the detector's coarsest cells
HEIF_BEGINNINGS = (b"ftypheic", b"ftypheix", b"ftypmif1", b"ftypavif")  # from the fifth byte
FEW_COLOURS = ("P", "PA")  # Pillow's modes with a palette of 256 colours
FORMATS = ("JPEG", "PNG", "WEBP", "HEIF", "AVIF", "GIF", "BMP", "TIFF")


@dataclass(frozen=True)
class Frame:
    """An upright picture. `pixels` (h, w, 3) uint8 RGB; `scale`: original pixels a pixel of it (1,
    or 2 if decoded at half).
    """

    pixels: NDArray[np.uint8]
    width: int  # of the original, upright
    height: int
    scale: float = 1.0
    first_of_many: bool = False  # an animation: this is its first picture
    few_colours: bool = (
        False  # a palette or greys: what was red, blue or black can no longer be told
    )

    @classmethod
    def of(cls, pixels: NDArray[np.uint8]) -> Frame:
        """A frame straight from a camera: (h, w, 3) uint8 RGB."""
        if pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.dtype != np.uint8:
            raise ValueError(f"expected (h, w, 3) uint8 RGB, got {pixels.shape} {pixels.dtype}")
        return cls(pixels, pixels.shape[1], pixels.shape[0])


def load(source: str | Path | bytes) -> Frame:
    """A photograph from a path or its bytes. Raises PhotoError."""
    if not isinstance(source, bytes):
        try:
            source = Path(source).read_bytes()
        except OSError as error:
            raise PhotoError(Reason.NOT_FOUND, str(error.strerror or error)) from None
    return decode(source)


def decode(data: bytes) -> Frame:
    """JPEG, PNG, WebP or HEIC bytes, told by content. The size is checked in the header, before
    any pixel is decoded.
    """
    if not data:
        raise PhotoError(Reason.EMPTY_FILE)
    picture = _open(data)
    width, height = picture.size
    if width * height > MAX_PIXELS:
        raise PhotoError(
            Reason.TOO_MANY_PIXELS,
            f"{width} x {height} = {width * height / 1e6:.0f} MP > {MAX_PIXELS / 1e6:.0f} MP",
        )
    if min(width, height) < SMALLEST_SIDE:
        raise PhotoError(Reason.TOO_FEW_PIXELS, f"{width} x {height} < {SMALLEST_SIDE} px")
    if picture.format in ("JPEG", "MPO") and picture.mode in ("RGB", "L"):
        return _decode_jpeg(data, picture)
    return _decode_other(picture)


@cache
def _register_formats() -> None:
    import pi_heif

    pi_heif.register_heif_opener()
    Image.init()


def _open(data: bytes) -> Image.Image:
    _register_formats()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore"
            )  # sizes are judged by us, a DecompressionBombWarning would only repeat it
            return Image.open(io.BytesIO(data), formats=FORMATS)
    except Image.DecompressionBombError:
        raise PhotoError(Reason.TOO_MANY_PIXELS, f"> {MAX_PIXELS / 1e6:.0f} MP") from None
    except UnidentifiedImageError:
        if data[4:12] in HEIF_BEGINNINGS:  # its header may stand at the end, and be lost
            raise PhotoError(Reason.TRUNCATED, "HEIF") from None
        raise PhotoError(Reason.NOT_AN_IMAGE, f"{data[:8]!r}...") from None
    except Exception as error:  # a broken header can raise nearly anything inside a decoder
        raise PhotoError(Reason.TRUNCATED, type(error).__name__) from None


def _upright_size(picture: Image.Image) -> tuple[int, int]:
    quarter_turned = picture.getexif().get(0x0112, 1) in (5, 6, 7, 8)
    return (picture.height, picture.width) if quarter_turned else picture.size


def _jpeg_is_whole(data: bytes) -> bool:
    """Whether an end-of-image marker follows the start of the scan. OpenCV fills what is missing
    with grey and says nothing.

    Segments before the scan are stepped over by their lengths, since a thumbnail in them has an
    end marker of its own.
    """
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        if data[at + 1] == 0xDA:
            return data.rfind(b"\xff\xd9", at) >= 0
        if data[at + 1] == 0xFF:  # fill byte
            at += 1
            continue
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return False


def _decode_jpeg(data: bytes, picture: Image.Image) -> Frame:
    if not _jpeg_is_whole(data):
        raise PhotoError(Reason.TRUNCATED, "JPEG")
    try:
        width, height = _upright_size(picture)
    except Exception:  # unreadable EXIF: OpenCV ignores it as well
        width, height = picture.size
    halve = picture.width * picture.height > HALVE_ABOVE
    flags = cv2.IMREAD_REDUCED_COLOR_2 if halve else cv2.IMREAD_COLOR
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    if pixels is None:
        raise PhotoError(Reason.TRUNCATED, "JPEG")
    cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB, dst=pixels)
    rgb = np.asarray(pixels, np.uint8)
    return Frame(rgb, width, height, width / rgb.shape[1], few_colours=is_colourless(rgb))


def _decode_other(picture: Image.Image) -> Frame:
    try:
        many = getattr(picture, "n_frames", 1) > 1 and picture.format != "MPO"
        picture.load()
        upright = ImageOps.exif_transpose(picture)
        pixels = _eight_bit_rgb(upright)
    except (OSError, SyntaxError, ValueError, EOFError, MemoryError) as error:
        told = " ".join(str(error).split())  # libheif ends its sentences with a line break
        raise PhotoError(Reason.TRUNCATED, f"{picture.format}: {told}") from None
    height, width = pixels.shape[:2]
    if width * height > HALVE_ABOVE:
        pixels = cv2.resize(pixels, (width // 2, height // 2), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    few_colours = picture.mode in FEW_COLOURS or is_colourless(pixels)
    return Frame(pixels, width, height, width / pixels.shape[1], many, few_colours)


def _eight_bit_rgb(picture: Image.Image) -> NDArray[np.uint8]:
    if (
        picture.mode.startswith("I") or picture.mode == "F"
    ):  # 16 bit or more a channel: to 8 by its own range of values
        values = np.asarray(picture, np.float32)
        top = 65535.0 if values.max() > 255 else 255.0
        grey = np.clip(values / top * 255, 0, 255).astype(np.uint8)
        return np.repeat(grey[:, :, None], 3, axis=2)
    if picture.has_transparency_data:
        picture = Image.alpha_composite(
            Image.new("RGBA", picture.size, "white"), picture.convert("RGBA")
        )
    return np.array(picture.convert("RGB"))
