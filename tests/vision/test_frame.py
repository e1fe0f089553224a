"""Photographs of every kind are opened: formats, orientations, colours, headers, paths."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from vision.errors import PhotoError, Reason
from vision.frame import HALVE_ABOVE, Frame, decode, load
from vision.header import Format, read_header

from .photographs import HEIC, HEIGHT, WIDTH, assert_quarters, encoded, quarters


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "BMP", "TIFF"])
def test_formats(kind: str) -> None:
    assert_quarters(decode(encoded(quarters(), kind)))


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "AVIF", "TIFF"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_orientation_is_applied(kind: str, orientation: int) -> None:
    # Image.Transpose that the orientation tag asks the viewer to reverse.
    undo = {2: 0, 3: 3, 4: 1, 5: 5, 6: 2, 7: 6, 8: 4}
    stored = (
        quarters() if orientation == 1 else quarters().transpose(Image.Transpose(undo[orientation]))
    )
    exif = Image.Exif()
    exif[0x0112] = orientation
    assert_quarters(decode(encoded(stored, kind, exif=exif)))


def odd_exif(chance: random.Random, orientation: int = 6) -> bytes:
    """Make EXIF data of an orientation, and entries of any tag, type, count and value around it."""
    entries = [(0x0112, 3, 1, orientation)]
    for _ in range(chance.randrange(1, 6)):
        tag = chance.choice(
            [0x010F, 0x0132, 0x011A, 0x8769, 0x8825, chance.randrange(0x0113, 2**16)]
        )
        count = chance.choice([0, 1, 2, 2**16, 2**32 - 1])
        entries.append((tag, chance.randrange(0, 14), count, chance.randrange(2**32)))
    packed = b"".join(struct.pack("<HHII", *entry) for entry in sorted(entries))
    head = b"II*\0" + struct.pack("<IH", 8, len(entries))
    return b"Exif\0\0" + head + packed + struct.pack("<I", chance.choice([0, 4, 2**31]))


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_of_odd_exif_the_orientation_alone_is_read(kind: str, seed: int) -> None:
    stored = quarters().transpose(Image.Transpose.ROTATE_90)
    exif = odd_exif(random.Random(seed))
    assert_quarters(decode(encoded(stored, kind, exif=exif)))


@pytest.mark.parametrize("orientation", [1, 3, 6])
def test_odd_directories_do_not_stop_a_tiff_from_being_turned(orientation: int) -> None:
    undo = {1: None, 3: Image.Transpose.ROTATE_180, 6: Image.Transpose.ROTATE_90}[orientation]
    stored = quarters() if undo is None else quarters().transpose(undo)
    tags = {0x0112: orientation, 0x8769: 0x7FFFFFF0, 0x8825: 3, 0x02BC: b"<no xmp", 0x9999: "?"}
    assert_quarters(decode(encoded(stored, "TIFF", tiffinfo=tags)))


@pytest.mark.parametrize("value", [0, 9, 65535])
def test_an_orientation_that_does_not_exist_turns_nothing(value: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = value
    for kind in ("JPEG", "PNG", "WEBP"):
        assert_quarters(decode(encoded(quarters(), kind, exif=exif)))


@pytest.mark.parametrize(
    "picture",
    [
        quarters().convert("RGBA"),
        quarters().convert("CMYK"),
        quarters().convert("P"),
        quarters().quantize(16),
    ],
    ids=["alpha", "cmyk", "palette", "quantised"],
)
def test_colour_modes(picture: Image.Image) -> None:
    kind = "TIFF" if picture.mode == "CMYK" else "PNG"
    assert_quarters(decode(encoded(picture, kind)))


def test_cmyk_jpeg() -> None:
    frame = decode(encoded(quarters().convert("CMYK"), "JPEG"))
    assert frame.pixels[HEIGHT // 4, WIDTH // 4].tolist() == pytest.approx([255, 0, 0], abs=40)


def test_sixteen_bits_keep_their_range() -> None:
    ramp = np.linspace(0, 65535, WIDTH, dtype=np.uint16)[None].repeat(HEIGHT, axis=0)
    frame = decode(encoded(Image.fromarray(ramp), "PNG"))
    assert frame.pixels[0, 0].tolist() == [0, 0, 0]
    assert frame.pixels[0, -1].tolist() == [255, 255, 255]
    assert abs(int(frame.pixels[0, WIDTH // 2, 0]) - 128) < 3


def test_grey_jpeg() -> None:
    assert decode(encoded(quarters().convert("L"), "JPEG")).pixels.shape == (HEIGHT, WIDTH, 3)


def test_animation_gives_its_first_picture() -> None:
    frame = decode(
        encoded(
            quarters(),
            "GIF",
            save_all=True,
            append_images=[Image.new("RGB", (WIDTH, HEIGHT), "red")],
        )
    )
    assert frame.first_of_many
    assert_quarters(frame)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_heic_is_turned_once(orientation: int) -> None:
    """Written as phones do: turned by the container's own transformation, and by EXIF, which then
    must not count again.
    """
    assert_quarters(load(HEIC / f"orientation_{orientation}.heic"))


def test_exif_alone_does_not_turn_heic() -> None:
    """ISO/IEC 23008-12: only the container's transformations turn the picture."""
    frame = load(HEIC / "exif_alone.heic")
    assert (frame.width, frame.height) == (HEIGHT, WIDTH)


@pytest.mark.parametrize(
    ("name", "lost"), [("exif_alone", 50), ("orientation_1", 200), ("rack", 20000), ("rack", 200)]
)
def test_a_broken_heic_file_says_so_in_one_line(name: str, lost: int) -> None:
    with pytest.raises(PhotoError) as caught:
        decode((HEIC / f"{name}.heic").read_bytes()[:-lost])
    assert caught.value.reason is Reason.TRUNCATED and "\n" not in caught.value.what


@pytest.mark.parametrize(
    ("picture", "kind", "few"),
    [
        (quarters(), "JPEG", False),
        (quarters(), "PNG", False),
        (quarters(), "WEBP", False),
        (quarters().convert("L"), "JPEG", True),
        (quarters().convert("L"), "PNG", True),
        (quarters().convert("LA"), "PNG", True),
        (quarters().convert("1"), "PNG", True),
        (quarters().convert("L").convert("RGB"), "JPEG", True),
        (quarters().convert("P"), "PNG", True),
        (quarters(), "GIF", True),
    ],
    ids=[
        "jpeg",
        "png",
        "webp",
        "grey jpeg",
        "grey png",
        "grey alpha",
        "bits",
        "grey as rgb",
        "palette",
        "gif",
    ],
)
def test_lost_colours_are_told(picture: Image.Image, kind: str, few: bool) -> None:
    assert decode(encoded(picture, kind)).few_colours is few


def test_large_pictures_are_halved_and_say_so() -> None:
    side = int(HALVE_ABOVE**0.5) // 2 * 2 + 100
    frame = decode(encoded(Image.new("RGB", (side, side), "white"), "JPEG", quality=30))
    assert frame.scale == 2.0
    assert frame.width == side
    assert frame.pixels.shape == (side // 2, side // 2, 3)


def test_paths(tmp_path: Path) -> None:
    path = tmp_path / "photo.txt"  # the name tells nothing
    path.write_bytes(encoded(quarters(), "PNG"))
    assert_quarters(load(path))
    with pytest.raises(PhotoError) as caught:
        load(tmp_path / "absent.jpg")
    assert caught.value.reason is Reason.NOT_FOUND


def test_camera_frames_are_checked() -> None:
    assert Frame.of(np.zeros((4, 6, 3), np.uint8)).width == 6
    with pytest.raises(ValueError, match="expected"):
        Frame.of(np.zeros((4, 6), np.uint8))


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "AVIF"])
def test_the_header_tells_the_size_and_never_breaks(kind: str) -> None:
    options = {"lossless": True} if kind == "WEBP" else {}
    data = encoded(quarters(), kind, **options)
    header = read_header(data)
    assert header and (header.format, header.width, header.height) == (Format[kind], WIDTH, HEIGHT)
    chance = random.Random(7)
    for _ in range(300):
        at = chance.randrange(len(data))
        read_header(data[:at])
        read_header(data[:at] + chance.randbytes(3) + data[at + 3 :])
