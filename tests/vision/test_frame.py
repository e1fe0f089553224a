"""Photographs of every kind in; one clear reason for what is none."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from vision.errors import PhotoError, Reason
from vision.frame import HALVE_ABOVE, Frame, decode, load

WIDTH, HEIGHT = 120, 80
HEIC = (
    Path(__file__).resolve().parents[1] / "data" / "heic"
)  # drawn and rendered here, encoded once with libheif


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


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "BMP", "TIFF"])
def test_formats(kind: str) -> None:
    assert_quarters(decode(encoded(quarters(), kind)))


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_orientation_is_applied(kind: str, orientation: int) -> None:
    undo = {
        2: 0,
        3: 3,
        4: 1,
        5: 5,
        6: 2,
        7: 6,
        8: 4,
    }  # Image.Transpose that the orientation tag asks the viewer to reverse
    stored = (
        quarters() if orientation == 1 else quarters().transpose(Image.Transpose(undo[orientation]))
    )
    exif = Image.Exif()
    exif[0x0112] = orientation
    assert_quarters(decode(encoded(stored, kind, exif=exif)))


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


def png_header(width: int, height: int) -> bytes:
    """A PNG that claims any size and holds next to nothing."""
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
    """The file with other sizes written `skip` bytes behind the first `mark`."""
    at = data.index(mark) + skip
    return data[:at] + sizes + data[at + len(sizes) :]


def bombs(width: int, height: int) -> dict[str, bytes]:
    """Small files of each format whose headers claim so many pixels."""
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


@pytest.mark.parametrize(("kind", "data"), bombs(20000, 15000).items())
def test_a_bomb_is_refused_from_its_header(
    kind: str, data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """300 megapixels: neither decoder is even asked for pixels."""

    def never(*_: object, **__: object) -> None:
        raise AssertionError("a pixel was decoded")

    monkeypatch.setattr("vision.frame.cv2.imdecode", never)
    for opener in Image.OPEN.values():
        monkeypatch.setattr(opener[0], "load", never, raising=False)
    with pytest.raises(PhotoError) as caught:
        decode(data)
    assert caught.value.reason is Reason.TOO_MANY_PIXELS


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", Reason.EMPTY_FILE),
        (b"\x00" * 100, Reason.NOT_AN_IMAGE),
        (b"%PDF-1.7 hello", Reason.NOT_AN_IMAGE),
        (b"\xff\xd8\xff", Reason.NOT_AN_IMAGE),
        (png_header(60000, 60000), Reason.TOO_MANY_PIXELS),
        (png_header(0, 0), Reason.NOT_AN_IMAGE),
        (png_header(0, 600), Reason.NOT_AN_IMAGE),
        (encoded(quarters(), "JPEG")[:-200], Reason.TRUNCATED),
        (encoded(quarters(), "PNG")[:-60], Reason.TRUNCATED),
        (encoded(quarters(), "WEBP")[:-40], Reason.TRUNCATED),
        (encoded(Image.new("RGB", (8, 8)), "PNG"), Reason.TOO_FEW_PIXELS),
    ],
    ids=[
        "empty",
        "zeros",
        "pdf",
        "jpeg stub",
        "3600 MP",
        "zero size",
        "zero width",
        "cut jpeg",
        "cut png",
        "cut webp",
        "tiny",
    ],
)
def test_bad_input_has_one_reason(data: bytes, reason: Reason) -> None:
    with pytest.raises(PhotoError) as caught:
        decode(data)
    assert caught.value.reason is reason
    assert "\n" not in caught.value.what


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
