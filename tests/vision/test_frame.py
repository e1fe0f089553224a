"""Photographs of every kind in; one clear reason for what is none."""

from __future__ import annotations

import io
import os
import random
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from vision.errors import PhotoError, Reason
from vision.frame import HALVE_ABOVE, MAX_BYTES, MOST_OBLONG, Frame, decode, load
from vision.header import MOST_SCANS, MOST_SEGMENTS, Format, read_header

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
    """An orientation, and entries of any tag, type, count and value around it."""
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
    """Return the file with `sizes` written over what stands `skip` bytes behind the start of the
    first `mark`.
    """
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


# --- what takes too much, or is no file ---


def noisy(kind: str, **options: object) -> bytes:
    pixels = np.random.default_rng(5).integers(0, 256, (480, 640, 3), np.uint8)
    return encoded(Image.fromarray(pixels), kind, **options)


@pytest.mark.parametrize("progressive", [False, True])
@pytest.mark.parametrize("share", [0.2, 0.5, 0.95])
def test_a_jpeg_that_lost_its_middle_is_refused(progressive: bool, share: float) -> None:
    """Its end marker is there, and a decoder fills what is lost with one colour."""
    whole = noisy("JPEG", quality=90, progressive=progressive)
    at = int(len(whole) * share)
    for damaged in (whole[:at] + b"\xff\xd9", whole[:at] + whole[at + 3000 :]):
        with pytest.raises(PhotoError) as caught:
            decode(damaged)
        assert caught.value.reason is Reason.TRUNCATED


def test_harmless_oddities_of_a_jpeg_are_no_damage() -> None:
    whole = noisy("JPEG", quality=90)
    for odd in (whole[:-2] + b"abc\xff\xd9", whole[:-3] + b"\xff\xd9", whole + b"more"):
        assert decode(odd).pixels.shape == (480, 640, 3)


def with_scans(count: int) -> bytes:
    """Return a progressive JPEG in which the last scan is repeated `count` times."""
    whole = encoded(quarters(), "JPEG", progressive=True)
    last = whole.rindex(b"\xff\xda")
    return whole[:-2] + whole[last:-2] * count + whole[-2:]


def test_a_jpeg_of_very_many_scans_is_refused_from_its_header(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert_quarters(decode(with_scans(20)))
    monkeypatch.setattr("vision.jpeg.simplejpeg.decode_jpeg", None)
    for data in (with_scans(MOST_SCANS), with_scans(2000)):
        with pytest.raises(PhotoError) as caught:
            decode(data)
        assert caught.value.reason is Reason.TOO_HEAVY


def test_a_progressive_jpeg_that_needs_too_much_memory_is_refused_from_its_header() -> None:
    data = encoded(quarters(), "JPEG", progressive=True, subsampling=0)
    claim = patched(data, b"\xff\xc2", 5, struct.pack(">HH", 7000, 9000))
    with pytest.raises(PhotoError) as caught:
        decode(claim)
    assert caught.value.reason is Reason.TOO_HEAVY


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF"])
@pytest.mark.parametrize("upright", [False, True])
def test_a_strip_is_refused(kind: str, upright: bool) -> None:
    size = (40, 40 * (MOST_OBLONG + 1))
    with pytest.raises(PhotoError) as caught:
        decode(encoded(Image.new("RGB", size if upright else size[::-1]), kind))
    assert caught.value.reason is Reason.ODD_SHAPE


def test_only_files_of_a_bearable_size_are_opened(tmp_path: Path) -> None:
    (tmp_path / "huge.jpg").touch()
    os.truncate(tmp_path / "huge.jpg", MAX_BYTES + 1)
    paths = {str(tmp_path / "huge.jpg"): Reason.TOO_HEAVY, "nul\0.jpg": Reason.NOT_FOUND}
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        paths |= {str(tmp_path / "pipe"): Reason.NOT_FOUND, "/dev/zero": Reason.NOT_FOUND}
    for path, reason in paths.items():
        with pytest.raises(PhotoError) as caught:
            load(path)
        assert caught.value.reason is reason


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


def test_a_header_of_very_many_segments_is_read_in_no_time() -> None:
    segments = b"\xff\xfe\0\2" * (100 * MOST_SEGMENTS)
    assert read_header(b"\xff\xd8" + segments + noisy("JPEG")[2:]) is None
    assert read_header(b"\xff\xd8" + b"\xff" * 2**20) is None
