"""Photographs of every kind in; one clear reason for what is none."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path

import numpy as np
import pi_heif
import pytest
from PIL import Image

from vision.errors import PhotoError, Reason
from vision.frame import HALVE_ABOVE, Frame, decode, load

WIDTH, HEIGHT = 120, 80


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
    seen = frame.pixels[[h // 4, h // 4, 3 * h // 4, 3 * h // 4], [w // 4, 3 * w // 4, w // 4, 3 * w // 4]].astype(int)
    assert np.abs(seen - [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)]).max() < 30


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "BMP", "TIFF"])
def test_formats(kind: str) -> None:
    assert_quarters(decode(encoded(quarters(), kind)))


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_orientation_is_applied(kind: str, orientation: int) -> None:
    undo = {2: 0, 3: 3, 4: 1, 5: 5, 6: 2, 7: 6, 8: 4}  # Image.Transpose that the orientation tag asks the viewer to reverse
    stored = quarters() if orientation == 1 else quarters().transpose(Image.Transpose(undo[orientation]))
    exif = Image.Exif()
    exif[0x0112] = orientation
    assert_quarters(decode(encoded(stored, kind, exif=exif)))


@pytest.mark.parametrize(
    "picture",
    [
        quarters().convert("RGBA"), quarters().convert("CMYK"), quarters().convert("P"), quarters().quantize(16),
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
    frame = decode(encoded(quarters(), "GIF", save_all=True, append_images=[Image.new("RGB", (WIDTH, HEIGHT), "red")]))
    assert frame.first_of_many
    assert_quarters(frame)


def test_heic() -> None:
    heic = pi_heif.from_pillow(quarters()) if hasattr(pi_heif, "HeifFile") else None
    if heic is None or not hasattr(heic, "save") or "HEIF" not in Image.SAVE:
        pytest.skip("the decoder-only HEIF library writes no sample")
    assert_quarters(decode(encoded(quarters(), "HEIF")))


def test_large_pictures_are_halved_and_say_so() -> None:
    side = int(HALVE_ABOVE**0.5) // 2 * 2 + 100
    frame = decode(encoded(Image.new("RGB", (side, side), "white"), "JPEG", quality=30))
    assert frame.scale == 2.0
    assert frame.width == side
    assert frame.pixels.shape == (side // 2, side // 2, 3)


def png_header(width: int, height: int) -> bytes:
    """A PNG that claims any size and holds next to nothing."""
    chunks = [b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0), b"IDAT" + zlib.compress(b"\0" * 99)]
    framed = [struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk)) for chunk in chunks]
    return b"\x89PNG\r\n\x1a\n" + b"".join(framed)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", Reason.EMPTY_FILE),
        (b"\x00" * 100, Reason.NOT_AN_IMAGE),
        (b"%PDF-1.7 hello", Reason.NOT_AN_IMAGE),
        (b"\xff\xd8\xff", Reason.NOT_AN_IMAGE),
        (png_header(20000, 15000), Reason.TOO_MANY_PIXELS),
        (png_header(60000, 60000), Reason.TOO_MANY_PIXELS),
        (encoded(quarters(), "JPEG")[:-200], Reason.TRUNCATED),
        (encoded(quarters(), "PNG")[:-60], Reason.TRUNCATED),
        (encoded(quarters(), "WEBP")[:-40], Reason.TRUNCATED),
        (encoded(Image.new("RGB", (8, 8)), "PNG"), Reason.TOO_FEW_PIXELS),
    ],
    ids=["empty", "zeros", "pdf", "jpeg stub", "300 MP", "3600 MP", "cut jpeg", "cut png", "cut webp", "tiny"],
)
def test_bad_input_has_one_reason(data: bytes, reason: Reason) -> None:
    with pytest.raises(PhotoError) as caught:
        decode(data)
    assert caught.value.reason is reason
    for language in ("es", "en", "it"):
        message = caught.value.message(language)
        assert message and "\n" not in message


def test_a_thumbnails_end_does_not_make_a_truncated_photo_whole() -> None:
    exif = Image.Exif()
    exif[0x010E] = "x\xff"  # the block that follows carries an end marker of its own
    whole = encoded(quarters(), "JPEG", exif=exif, comment=b"\xff\xd9 inside a comment")
    assert_quarters(decode(whole))
    with pytest.raises(PhotoError) as caught:
        decode(whole[:-200])
    assert caught.value.reason is Reason.TRUNCATED


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
