"""Decodes photographs to upright RGB pixels. The orientation that the camera noted is applied here
and nowhere else.
"""

from __future__ import annotations

import io
import stat
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from vision.damage import is_damaged
from vision.errors import PhotoError, Reason
from vision.header import MOST_SCANS, Format, Header, read_header, webp_exif
from vision.jpeg import jpeg_pixels
from vision.orientation import forget_notes, orientation_of, read_orientation, turn_upright
from vision.pyramid import Pyramid
from vision.quality import is_colourless

# The largest phone sensors give 108 MP; above that it is no photograph of a table.
MAX_PIXELS = 120_000_000
MAX_BYTES = 128 * 2**20  # of a file; a 108 MP JPEG has 30-60 MB
# Pixels above which a picture is decoded at half scale, which keeps a 48 MP photograph within
# 400 MB.
HALVE_ABOVE = 24_000_000
OPEN_FILES = ("/dev/fd", "/proc/self/fd")  # folders of the files that this process has open
PART = 2**20  # bytes of a pipe that are read at once
SMALLEST_SIDE = 32  # pixels: one row of the detector's coarsest cells
MOST_OBLONG = 24  # longest side by shortest; a panorama has 10 at most
# Held while a JPEG in several scans is decoded: 2 bytes a sample, 240 MB for 80 MP at 4:2:0.
MOST_COEFFICIENT_BYTES = 240_000_000
# Scans times pixels: a second's work for each 100,000,000 or so. 48 MP in 12 scans come to 580.
MOST_SCANNED_PIXELS = 1_200_000_000
HEIF_BEGINNINGS = (b"ftypheic", b"ftypheix", b"ftypmif1", b"ftypavif")  # from the fifth byte
FEW_COLOURS = ("P", "PA")  # Pillow's modes with a palette of 256 colours
FORMATS = ("JPEG", "PNG", "WEBP", "HEIF", "AVIF", "GIF", "BMP", "TIFF")
STRIP = 512  # rows converted at a time, an even number


@dataclass(frozen=True)
class Frame:
    """An upright picture: `pixels`, (h, w, 3) uint8 RGB. Each pixel spans `scale` pixels of the
    original each way: 2 where the picture was decoded at half scale, otherwise 1.
    """

    pixels: NDArray[np.uint8]
    width: int  # of the original, upright
    height: int
    scale: float = 1.0
    first_of_many: bool = False  # the file holds several pictures: this is the first
    # A palette or greys: what was red, blue or black can no longer be told.
    few_colours: bool = False

    @cached_property
    def pyramid(self) -> Pyramid:
        """The picture at several sizes, shared by the detector, the reader and the networks that
        look again, since halving 12 megapixels takes 7 ms. `pixels` must not be changed once it was
        asked for.
        """
        return Pyramid(self.pixels)

    @classmethod
    def of(cls, pixels: NDArray[np.uint8]) -> Frame:
        """Make a frame of pixels straight from a camera: (h, w, 3) uint8 RGB. Raises ValueError for
        pixels of another shape or type.
        """
        if pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.dtype != np.uint8:
            raise ValueError(f"expected (h, w, 3) uint8 RGB, got {pixels.shape} {pixels.dtype}")
        return cls(pixels, pixels.shape[1], pixels.shape[0])


def load(source: str | Path | bytes) -> Frame:
    """Decode a photograph, given by its path or its bytes. Raises PhotoError for what is no usable
    picture.
    """
    return decode(source if isinstance(source, bytes) else read_file(source))


def read_file(path: str | Path) -> bytes:
    """Read the bytes of a photograph. Raises PhotoError for a file that is missing, too large or
    unreadable.

    Only regular files and pipes that are open already are read: opening a pipe, or reading a
    device, may never end.
    """
    try:
        found = Path(path).stat()
        if stat.S_ISREG(found.st_mode):
            _check_weight(found.st_size)
            return Path(path).read_bytes()
        if is_open_pipe(path):
            return _read_pipe(path)
        raise PhotoError(Reason.NOT_FOUND, "no file")
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL
        raise PhotoError(Reason.NOT_FOUND, str(getattr(error, "strerror", error))) from None


def _read_pipe(path: str | Path) -> bytes:
    """Read the bytes of a pipe, part by part: nobody knows beforehand how many there are."""
    data = bytearray()
    with open(path, "rb") as pipe:
        while part := pipe.read(PART):
            data += part
            _check_weight(len(data))
    return bytes(data)


def is_open_pipe(path: str | Path) -> bool:
    """Whether the path names a pipe that this process has open, as a shell writes `<(command)` and
    as `/dev/stdin` may be. Such a pipe can be read once. Raises OSError, and ValueError for a path
    with a NUL.
    """
    named = Path(path)
    is_open = named == Path("/dev/stdin") or str(named.parent) in OPEN_FILES
    return is_open and stat.S_ISFIFO(named.stat().st_mode)


def _check_weight(count: int) -> None:
    if count > MAX_BYTES:
        told = f"{count / 2**20:.0f} MB > {MAX_BYTES / 2**20:.0f} MB"
        raise PhotoError(Reason.TOO_HEAVY, told)


def decode(data: bytes) -> Frame:
    """Decode the bytes of a JPEG, PNG, WebP, HEIC or other picture, whatever its file was called.

    Size and cost are checked in the header, before any pixel is decoded. Raises PhotoError for what
    is no usable picture.
    """
    if not data:
        raise PhotoError(Reason.EMPTY_FILE)
    header = read_header(data)
    if header is not None:
        check_size(header.width, header.height)
        check_cost(header)
        if is_damaged(data, header.format):
            raise PhotoError(Reason.TRUNCATED, header.format)
    if header and header.format is Format.JPEG and header.components in (1, 3):
        return _decode_jpeg(data, header)
    if header and header.format is Format.WEBP:
        return _decode_webp(data, header)
    picture = _open(data)
    check_size(*picture.size)
    return _decode_other(picture)


def check_size(width: int, height: int) -> None:
    """Raise PhotoError for a size, in pixels, that no photograph of a table has: too large, too
    small, or too long and narrow.
    """
    if width * height > MAX_PIXELS:
        raise PhotoError(
            Reason.TOO_MANY_PIXELS,
            f"{width} x {height} = {width * height / 1e6:.0f} MP > {MAX_PIXELS / 1e6:.0f} MP",
        )
    if min(width, height) < SMALLEST_SIDE:
        raise PhotoError(Reason.TOO_FEW_PIXELS, f"{width} x {height} < {SMALLEST_SIDE} px")
    if max(width, height) > MOST_OBLONG * min(width, height):
        raise PhotoError(Reason.ODD_SHAPE, f"{width} x {height} > {MOST_OBLONG}:1")


def check_cost(header: Header) -> None:
    """Raise PhotoError for a JPEG whose decoding would take too much time or memory."""
    if header.scans > MOST_SCANS or header.scans * header.pixels > MOST_SCANNED_PIXELS:
        raise PhotoError(Reason.TOO_HEAVY, f"JPEG, {header.scans} scans")
    if header.coefficient_bytes > MOST_COEFFICIENT_BYTES:
        told = f"{header.coefficient_bytes / 1e6:.0f} MB > {MOST_COEFFICIENT_BYTES / 1e6:.0f} MB"
        raise PhotoError(Reason.TOO_HEAVY, f"JPEG, {told}")


@cache
def _register_formats() -> None:
    import pi_heif

    pi_heif.register_heif_opener()
    Image.init()
    # Pillow warns of every odd note of a camera; none of them matters here.
    warnings.filterwarnings("ignore", module=r"PIL\.")


def _open(data: bytes) -> Image.Image:
    _register_formats()
    try:
        with warnings.catch_warnings():
            # Sizes are judged above; a DecompressionBombWarning would only repeat it.
            warnings.simplefilter("ignore")
            return Image.open(io.BytesIO(data), formats=FORMATS)
    except Image.DecompressionBombError:
        raise PhotoError(Reason.TOO_MANY_PIXELS, f"> {MAX_PIXELS / 1e6:.0f} MP") from None
    except UnidentifiedImageError:
        if data[4:12] in HEIF_BEGINNINGS:  # its header may stand at the end, and be lost
            raise PhotoError(Reason.TRUNCATED, "HEIF") from None
        raise PhotoError(Reason.NOT_AN_IMAGE, f"{data[:8]!r}...") from None
    except MemoryError:
        raise PhotoError(Reason.TOO_HEAVY, "MemoryError") from None
    except Exception as error:  # a broken header can raise nearly anything inside a decoder
        raise PhotoError(Reason.TRUNCATED, type(error).__name__) from None


def _frame(
    stored: NDArray[np.uint8],
    size: tuple[int, int],
    orientation: int,
    *,
    first_of_many: bool = False,
    few_colours: bool = False,
) -> Frame:
    """Make a frame of (h, w, 3) RGB pixels that are not yet turned upright.

    `size` is the width and height of the original as stored, `orientation` the EXIF orientation,
    1-8. `first_of_many` tells that the file holds several pictures, of which this is the first.
    `few_colours` is True where the format of the file already shows that its colours cannot be
    relied on. Where it is False, the pixels decide: the colours of a grey picture cannot be relied
    on either.
    """
    pixels = turn_upright(stored, orientation)
    width, height = size[::-1] if orientation >= 5 else size
    few_colours = few_colours or is_colourless(pixels)
    return Frame(pixels, width, height, width / pixels.shape[1], first_of_many, few_colours)


def _decode_jpeg(data: bytes, header: Header) -> Frame:
    if not header.whole:
        raise PhotoError(Reason.TRUNCATED, "JPEG")
    try:
        orientation = read_orientation(_open(data))
    except PhotoError:  # something in its notes; the pixels may be sound
        orientation = 1
    halve = header.pixels > HALVE_ABOVE
    return _frame(jpeg_pixels(data, header, halve), (header.width, header.height), orientation)


def _decode_webp(data: bytes, header: Header) -> Frame:
    """Decode a WebP by OpenCV, which takes a third of the memory that Pillow takes for the same
    pixels. `header` is what `vision.header` read in its first bytes.
    """
    size = (header.width, header.height)
    try:
        stored = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    except (cv2.error, MemoryError):
        raise PhotoError(Reason.TOO_HEAVY, "WEBP") from None
    if stored is None or stored.ndim != 3 or stored.shape[1::-1] != size:
        raise PhotoError(Reason.TRUNCATED, "WEBP")
    orientation = orientation_of(webp_exif(data))
    strips = (
        _on_white(np.asarray(stored[top : top + STRIP], np.uint8))
        for top in range(0, size[1], STRIP)
    )
    return _frame(_joined(strips, size), size, orientation, first_of_many=header.animated)


def _on_white(strip: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Convert (h, w, 3) BGR to RGB, or (h, w, 4) BGRA to RGB with transparent parts laid on
    white.
    """
    if strip.shape[2] == 3:
        return np.asarray(cv2.cvtColor(strip, cv2.COLOR_BGR2RGB), np.uint8)
    return _eight_bit_rgb(Image.fromarray(cv2.cvtColor(strip, cv2.COLOR_BGRA2RGBA)))


def _decode_other(picture: Image.Image) -> Frame:
    try:
        many = bool(getattr(picture, "is_animated", False)) and picture.format != "MPO"
        orientation = 1 if picture.format == "TIFF" else read_orientation(picture)
        forget_notes(picture)
        picture.load()
        check_size(*picture.size)
        strips = (_eight_bit_rgb(strip) for strip in _strips(picture))
        stored = _joined(strips, picture.size)
    except MemoryError:
        raise PhotoError(Reason.TOO_HEAVY, str(picture.format)) from None
    except PhotoError:
        raise
    except Exception as error:  # damaged data can raise nearly anything inside a decoder
        # libheif ends its sentences with a line break.
        told = " ".join(str(error).split())[:200]
        raise PhotoError(Reason.TRUNCATED, f"{picture.format}: {told}") from None
    few = picture.mode in FEW_COLOURS
    return _frame(stored, picture.size, orientation, first_of_many=many, few_colours=few)


def _strips(picture: Image.Image) -> Iterator[Image.Image]:
    """Yield the picture in strips of STRIP rows, from the top, each converted to 8 bits a channel
    if the picture has 16 or more. Converted as a whole, the picture would be held in memory several
    times.
    """
    if picture.mode.startswith("I") or picture.mode == "F":
        # 16 bits or more a channel: to 8 by the range of values of the whole picture
        top = 65535.0 if float(picture.getextrema()[1]) > 255 else 255.0  # type: ignore[arg-type]
        for strip in _cut(picture):
            values = np.nan_to_num(np.asarray(strip, np.float32) / top * 255)
            yield Image.fromarray(np.clip(values, 0, 255).astype(np.uint8))
    else:
        yield from _cut(picture)


def _cut(picture: Image.Image) -> Iterator[Image.Image]:
    for top in range(0, picture.height, STRIP):
        yield picture.crop((0, top, picture.width, min(top + STRIP, picture.height)))


def _joined(strips: Iterator[NDArray[np.uint8]], size: tuple[int, int]) -> NDArray[np.uint8]:
    """Join strips, (rows, w, 3) each, the topmost first, to one picture, (h, w, 3). `size` is the
    width and height of the picture that the strips make; if it has more than HALVE_ABOVE pixels, it
    is returned at half scale.
    """
    width, height = size
    halve = width * height > HALVE_ABOVE
    if halve:
        width, height = width // 2, height // 2
    joined, top = np.empty((height, width, 3), np.uint8), 0
    for strip in strips:
        rows = min(strip.shape[0] // 2 if halve else strip.shape[0], height - top)
        if rows:
            joined[top : top + rows] = (
                cv2.resize(strip, (width, rows), interpolation=cv2.INTER_AREA) if halve else strip
            )
        top += rows
    return joined


def _eight_bit_rgb(picture: Image.Image) -> NDArray[np.uint8]:
    """Convert a picture to (h, w, 3) RGB of 8 bits, with transparent parts laid on white."""
    if picture.has_transparency_data:
        white = Image.new("RGBA", picture.size, "white")
        picture = Image.alpha_composite(white, picture.convert("RGBA"))
    return np.array(picture.convert("RGB"))
