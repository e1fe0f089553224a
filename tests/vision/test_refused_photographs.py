"""A file that is no photograph, is damaged or takes too much is refused, with one clear reason."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import pytest
from PIL import Image

from vision.damage import is_damaged
from vision.errors import PhotoError, Reason
from vision.frame import MAX_BYTES, MOST_OBLONG, decode, load
from vision.header import MOST_SCANS, MOST_SEGMENTS, Format, read_header

from .photographs import HEIC, assert_quarters, bombs, encoded, noisy, patched, png_header, quarters


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


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "AVIF", "HEIC"])
@pytest.mark.parametrize("padding", [b"", bytes(4096)])
def test_a_picture_whose_copying_was_broken_off_is_refused(kind: str, padding: bytes) -> None:
    """Programs that copy reserve the whole file first, whose end then is zeros."""
    whole = (HEIC / "rack.heic").read_bytes() if kind == "HEIC" else noisy(kind)
    decode(whole + padding)
    lost = len(whole) // 2
    with pytest.raises(PhotoError) as caught:
        decode(whole[:-lost] + bytes(lost) + padding)
    assert caught.value.reason is Reason.TRUNCATED


@pytest.mark.parametrize("size", [0, 1])
def test_of_a_heic_the_box_of_the_picture_may_tell_its_length_otherwise(size: int) -> None:
    """0: it goes to the end of the file; 1: eight bytes more hold the length."""
    boxes = ftyp_and_mdat(size)
    assert not is_damaged(boxes, Format.HEIF)
    assert is_damaged(boxes[:-1500] + bytes(1500), Format.HEIF)


def ftyp_and_mdat(size: int) -> bytes:
    coded = bytes(range(1, 256)) * 10
    length = struct.pack(">Q", 16 + len(coded)) if size else b""
    return struct.pack(">I", 12) + b"ftypheic" + struct.pack(">I", size) + b"mdat" + length + coded


def test_a_box_of_padding_at_the_end_of_a_heic_is_no_damage() -> None:
    whole = (HEIC / "rack.heic").read_bytes()
    free = struct.pack(">I", 8 + 4096) + b"free" + bytes(4096)
    assert decode(whole + free).width == decode(whole).width


@pytest.mark.parametrize("where", [1 / 4, 1 / 2, 3 / 4])
def test_a_png_whose_pixels_were_changed_is_refused(where: float) -> None:
    """Its decoder goes on with other pixels."""
    data = bytearray(noisy("PNG"))
    data[int(len(data) * where)] ^= 0x55
    with pytest.raises(PhotoError) as caught:
        decode(bytes(data))
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


def test_a_header_of_very_many_segments_is_read_in_no_time() -> None:
    segments = b"\xff\xfe\0\2" * (100 * MOST_SEGMENTS)
    assert read_header(b"\xff\xd8" + segments + noisy("JPEG")[2:]) is None
    assert read_header(b"\xff\xd8" + b"\xff" * 2**20) is None
