"""Makes, from a seed, files that a hostile or broken device may send for a photograph.

Each is an honest picture in some format, then changed: bits flipped, cut, a part lost or doubled, a
header that lies about its size, notes of a camera that make no sense; or a bomb, whose few bytes
ask for much memory or time.
"""

from __future__ import annotations

import io
import random
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from tests.places import SAMPLES

HEIC = Path(__file__).resolve().parents[1] / "data" / "heic"
BOMB_SHARE = 0.03  # of the files; each costs a hundred times what another does
HONEST_SHARE = 0.03  # left as they are: these must be read


@dataclass(frozen=True)
class BadImage:
    """One file, made from a picture.

    `name` tells how it was made. If `whole`, it was left as it was and must be read. The bytes of a
    bomb are made when they are asked for, which takes up to a second.
    """

    name: str
    make: Callable[[], bytes]
    whole: bool = False

    @property
    def data(self) -> bytes:
        return self.make()


def bad_image(seed: int, number: int) -> BadImage:
    """Make the file of this seed and number, the same whatever was made before."""
    chance = random.Random(f"{seed} {number}")
    if chance.random() < BOMB_SHARE:
        name = chance.choice(sorted(BOMBS))
        return BadImage(f"{number} bomb {name}", BOMBS[name])
    kind = chance.choice(sorted(honest()))
    data = honest()[kind]
    if chance.random() < HONEST_SHARE:
        return BadImage(f"{number} {kind} whole", lambda: data, whole=True)
    names = [chance.choice(sorted(CHANGES)) for _ in range(chance.choice((1, 1, 1, 2, 3)))]
    for name in names:
        data = CHANGES[name](data, chance)
    return BadImage(f"{number} {kind} {' '.join(names)}", lambda: data)


# --- honest pictures ---


@cache
def honest() -> dict[str, bytes]:
    """Return a small picture of the samples' rack in every format and colour mode that is read, by
    name.
    """
    with Image.open(SAMPLES / "rack-a.jpg") as sample:
        rgb = sample.convert("RGB").resize((400, 300))
    alpha, grey = rgb.copy(), rgb.convert("L")
    alpha.putalpha(Image.linear_gradient("L").resize(rgb.size))
    deep = Image.fromarray(np.asarray(grey).astype(np.uint16) * 257)
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010F] = "attack"
    made = {
        "JPEG": encoded(rgb, "JPEG", quality=85),
        "JPEG exif": encoded(rgb, "JPEG", exif=exif),
        "JPEG progressive": encoded(rgb, "JPEG", progressive=True, subsampling=0),
        "JPEG restarts": encoded(rgb, "JPEG", restart_marker_rows=2),
        "JPEG grey": encoded(grey, "JPEG"),
        "JPEG CMYK": encoded(rgb.convert("CMYK"), "JPEG"),
        "MPO": encoded(rgb, "MPO", **several(rgb)),
        "PNG": encoded(rgb, "PNG", exif=exif),
        "PNG alpha": encoded(alpha, "PNG"),
        "PNG palette": encoded(rgb.quantize(32), "PNG"),
        "PNG 16": encoded(deep, "PNG"),
        "PNG animated": encoded(rgb, "PNG", **several(rgb)),
        "WEBP": encoded(rgb, "WEBP", exif=exif),
        "WEBP lossless": encoded(rgb, "WEBP", lossless=True),
        "WEBP alpha": encoded(alpha, "WEBP"),
        "WEBP animated": encoded(rgb, "WEBP", **several(rgb)),
        "AVIF": encoded(rgb, "AVIF", exif=exif, speed=10),
        "AVIF animated": encoded(rgb, "AVIF", speed=10, **several(rgb)),
        "TIFF": encoded(rgb, "TIFF", tiffinfo={0x0112: 6, 0x9999: "attack"}),
        "TIFF LZW": encoded(rgb, "TIFF", compression="tiff_lzw"),
        "TIFF deflate": encoded(deep, "TIFF", compression="tiff_deflate"),
        "TIFF JPEG": encoded(rgb, "TIFF", compression="jpeg"),
        "TIFF pages": encoded(rgb, "TIFF", **several(rgb)),
        "GIF": encoded(rgb, "GIF", **several(rgb)),
        "BMP": encoded(rgb, "BMP"),
    }
    for path in sorted(HEIC.glob("*.heic")):
        made[f"HEIC {path.stem}"] = path.read_bytes()
    return made


def several(first: Image.Image) -> dict[str, Any]:
    """Return the options by which two more pictures are saved with the first.

    They are made anew for each file, since saving changes them.
    """
    return {"save_all": True, "append_images": [first.rotate(90), first.rotate(180)]}


def encoded(picture: Image.Image, kind: str, **options: Any) -> bytes:
    buffer = io.BytesIO()
    picture.copy().save(buffer, kind, **options)
    return buffer.getvalue()


# --- changes ---


def flip_bits(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.choice((1, 3, 20, 200))):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def spoil_head(data: bytes, chance: random.Random) -> bytes:
    """Change 1 to 8 of the first 200 bytes, where formats keep sizes and types."""
    changed = bytearray(data)
    for _ in range(chance.choice((1, 2, 8))):
        changed[chance.randrange(min(len(changed), 200))] = chance.randrange(256)
    return bytes(changed)


def cut_end(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(1, len(data) + 1)]


def cut_middle(data: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(data))
    return data[:start] + data[start + chance.choice((1, 40, 3000)) :] or b"\0"


def double(data: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(data))
    part = data[start : start + chance.choice((2, 100, 5000))]
    return data[:start] + part * chance.choice((1, 2, 50)) + data[start:]


def insert_noise(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data))
    return data[:at] + chance.randbytes(chance.choice((1, 30, 4000))) + data[at:]


def blank(data: bytes, chance: random.Random) -> bytes:
    start, length = chance.randrange(len(data)), chance.choice((4, 64, 4096))
    return data[:start] + bytes([chance.choice((0, 255))]) * length + data[start + length :]


def lie_about_size(data: bytes, chance: random.Random) -> bytes:
    """Change the picture's size, as it is written in the file in either byte order, to
    another one.
    """
    claim = chance.choice((0, 1, 2, 65535, 16383, 12000, 40000, 2**31 - 1, 2**32 - 1))
    for side in (300, 400):
        for form in (">I", "<I", ">H", "<H"):
            wide = form.endswith("I")
            told = struct.pack(form, claim & (0xFFFFFFFF if wide else 0xFFFF))
            if chance.random() < 0.7:
                data = data.replace(struct.pack(form, side), told, 1)
    return data


def spoil_notes(data: bytes, chance: random.Random) -> bytes:
    """Change 1 to 16 bytes near the beginning of the camera's notes (EXIF)."""
    starts = [
        at
        for mark in (b"Exif\0\0", b"eXIf", b"EXIF", b"II*\0", b"MM\0*")
        if (at := data.find(mark)) >= 0
    ]
    if not starts:
        return spoil_head(data, chance)
    changed, start = bytearray(data), chance.choice(starts) + 8
    for _ in range(chance.choice((1, 4, 16))):
        at = start + chance.randrange(100)
        if at < len(changed):
            changed[at] = chance.choice((0, 1, 255, chance.randrange(256)))
    return bytes(changed)


CHANGES: dict[str, Callable[[bytes, random.Random], bytes]] = {
    change.__name__: change
    for change in (
        flip_bits,
        spoil_head,
        cut_end,
        cut_middle,
        double,
        insert_noise,
        blank,
        lie_about_size,
        spoil_notes,
    )
}


# --- bombs ---


@cache
def tiny_webp() -> bytes:
    """Return a WebP file of 34 bytes that claims 62 MP."""
    size = struct.pack("<HH", 9000, 6900)
    frame = b"\x10\x00\x00\x9d\x01\x2a" + size
    return b"RIFF" + struct.pack("<I", 26) + b"WEBPVP8 " + struct.pack("<I", 14) + frame + b"\0" * 4


def png_of(width: int, height: int, bits: int, colour: int) -> bytes:
    """Make a PNG of one colour, whose header tells its true size: a few hundred
    kilobytes at most.
    """
    channels = {0: 1, 2: 3, 6: 4}[colour]
    pixels = deflated_zeros(height * (1 + (width * bits * channels + 7) // 8))
    head = struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, 0)
    chunks = [b"IHDR" + head, b"IDAT" + pixels, b"IEND"]
    framed = [
        struct.pack(">I", len(one) - 4) + one + struct.pack(">I", zlib.crc32(one)) for one in chunks
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(framed)


def deflated_zeros(count: int) -> bytes:
    """Return the zlib stream (RFC 1950) of `count` zero bytes.

    A megabyte of them is compressed once and repeated, which a block that ends with a full flush
    allows.
    """
    megabyte = 2**20
    pack = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    block = pack.compress(bytes(megabyte)) + pack.flush(zlib.Z_FULL_FLUSH)
    rest = pack.compress(bytes(count % megabyte)) + pack.flush()
    checksum = count % 65521 << 16 | 1  # Adler-32 of zeros
    return b"\x78\xda" + block * (count // megabyte) + rest + struct.pack(">I", checksum)


@cache
def large_png() -> bytes:
    return png_of(8000, 7900, 8, 2)


@cache
def large_png_of_16_bits() -> bytes:
    return png_of(8000, 7900, 16, 6)


@cache
def large_png_of_bits() -> bytes:
    return png_of(10800, 10800, 1, 0)


@cache
def many_scans() -> bytes:
    """Return a progressive JPEG of 12 MP whose last scan comes 2,000 times."""
    whole = encoded(Image.new("RGB", (4000, 3000), "green"), "JPEG", progressive=True)
    last = whole.rindex(b"\xff\xda")
    return whole[:-2] + whole[last:-2] * 2000 + whole[-2:]


@cache
def large_progressive() -> bytes:
    picture = Image.new("RGB", (8000, 7900), "green")
    return encoded(picture, "JPEG", progressive=True, subsampling=0)


@cache
def large_jpeg() -> bytes:
    return encoded(Image.new("RGB", (12000, 8900), "green"), "JPEG")


@cache
def large_webp() -> bytes:
    return encoded(Image.new("RGB", (8000, 7900), "green"), "WEBP", method=0, quality=10)


@cache
def strip() -> bytes:
    return encoded(Image.new("RGB", (60_000, 60), "green"), "JPEG")


@cache
def many_segments() -> bytes:
    return b"\xff\xd8" + b"\xff\xfe\0\2" * 2_000_000 + honest()["JPEG"][2:]


@cache
def many_pictures() -> bytes:
    """Return a GIF of 3,000 pictures."""
    first = Image.new("P", (400, 300))
    return encoded(first, "GIF", save_all=True, append_images=[first.copy() for _ in range(3000)])


def empty() -> bytes:
    return b""


BOMBS: dict[str, Callable[[], bytes]] = {
    "tiny webp": tiny_webp,
    "large png": large_png,
    "large png of 16 bits": large_png_of_16_bits,
    "large png of bits": large_png_of_bits,
    "many scans": many_scans,
    "large progressive": large_progressive,
    "large jpeg": large_jpeg,
    "large webp": large_webp,
    "strip": strip,
    "many segments": many_segments,
    "many pictures": many_pictures,
    "empty": empty,
}
