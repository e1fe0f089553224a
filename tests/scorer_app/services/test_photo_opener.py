"""Photographs are opened in a child process, so that a hostile file harms no other photograph."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from scorer_app.services import photo_opener
from scorer_app.services.photo_opener import PhotoOpener, resident
from tests.places import SAMPLES
from vision.errors import PhotoError, Reason

RACK = SAMPLES / "rack-a.jpg"
posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals to send")


@pytest.fixture
def opener() -> Iterator[PhotoOpener]:
    opener = PhotoOpener(300 * 2**20)
    yield opener
    opener.close()


@pytest.fixture(scope="module")
def shared() -> Iterator[PhotoOpener]:
    """One opener for the tests that do no harm to its child process: starting one takes longer than
    they do.
    """
    opener = PhotoOpener(300 * 2**20)
    yield opener
    opener.close()


def child_of(opener: PhotoOpener) -> int:
    assert opener._child
    return opener._child.pid


def refused(opener: PhotoOpener, path: Path) -> Reason:
    with pytest.raises(PhotoError) as caught:
        opener.make_upright(path, path.with_suffix(".kept"), 3072)
    assert sorted(path.parent.glob("*.partial")) == []
    return caught.value.reason


def test_one_child_opens_one_photograph_after_another(shared: PhotoOpener, tmp_path: Path) -> None:
    for longest in (640, 3072):
        kept = tmp_path / f"{longest}.jpg"
        width, height = shared.make_upright(RACK, kept, longest)
        child = child_of(shared)
        with Image.open(kept) as picture:
            assert picture.size == (width, height)
            assert picture.getexif() == {}
        assert max(width, height) == min(longest, 1600)
    shared.make_upright(RACK, tmp_path / "more.jpg", 640)
    assert child_of(shared) == child
    assert resident(child) > 2**20


@pytest.mark.process
def test_a_photograph_that_takes_too_much_memory_costs_the_child(tmp_path: Path) -> None:
    small, large = PhotoOpener(150 * 2**20), tmp_path / "large.png"
    Image.new("RGB", (7000, 6000)).save(large, compress_level=1)
    assert refused(small, large) is Reason.TOO_HEAVY
    small.make_upright(RACK, tmp_path / "rack.jpg", 3072)
    small.close()


@pytest.mark.process
def test_a_photograph_that_takes_too_long_costs_the_child(
    opener: PhotoOpener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "large.png"
    Image.effect_noise((2000, 2000), 90).convert("RGB").save(path, compress_level=1)
    opener.make_upright(RACK, tmp_path / "rack.jpg", 640)
    monkeypatch.setattr(photo_opener, "WALL_SECONDS", 0.0)
    assert refused(opener, path) is Reason.TOO_HEAVY
    monkeypatch.undo()
    opener.make_upright(RACK, tmp_path / "rack.jpg", 3072)


@pytest.mark.process
@posix
@pytest.mark.parametrize("stop", ["SIGKILL", "SIGSEGV"])
def test_a_child_that_is_gone_is_replaced(opener: PhotoOpener, tmp_path: Path, stop: str) -> None:
    opener.make_upright(RACK, tmp_path / "rack.jpg", 3072)
    gone = child_of(opener)
    os.kill(gone, getattr(signal, stop))
    os.waitid(os.P_PID, gone, os.WEXITED | os.WNOWAIT)
    opener.make_upright(RACK, tmp_path / "rack.jpg", 3072)
    assert child_of(opener) != gone


def test_what_is_no_photograph_has_its_reason(shared: PhotoOpener, tmp_path: Path) -> None:
    (tmp_path / "text.jpg").write_text("una lista de compras")
    assert refused(shared, tmp_path / "text.jpg") is Reason.NOT_AN_IMAGE
    (tmp_path / "half.jpg").write_bytes(RACK.read_bytes()[:20000])
    assert refused(shared, tmp_path / "half.jpg") is Reason.TRUNCATED


def test_a_folder_that_cannot_be_written_is_the_disks_trouble(
    shared: PhotoOpener, tmp_path: Path
) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        shared.make_upright(RACK, tmp_path / "gone" / "rack.jpg", 3072)
    assert str(tmp_path) in str(caught.value.filename)


def test_what_a_decoder_prints_is_told_nobody(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    opener = PhotoOpener(300 * 2**20)
    with Image.open(RACK) as picture:
        picture.save(tmp_path / "whole.webp", method=0)
    whole = (tmp_path / "whole.webp").read_bytes()
    (tmp_path / "half.webp").write_bytes(whole[: len(whole) // 2])
    assert refused(opener, tmp_path / "half.webp") is Reason.TRUNCATED
    opener.close()
    assert capfd.readouterr() == ("", "")


def test_sixteen_bits_of_grey_are_kept_as_they_look(shared: PhotoOpener, tmp_path: Path) -> None:
    with Image.open(RACK) as picture:
        grey = np.asarray(picture.convert("L"))
    Image.fromarray(grey.astype(np.uint16) * 257).save(tmp_path / "grey.png", compress_level=1)
    shared.make_upright(tmp_path / "grey.png", tmp_path / "kept.jpg", 3072)
    with Image.open(tmp_path / "kept.jpg") as kept:
        assert abs(float(np.asarray(kept.convert("L")).mean()) - float(grey.mean())) < 2


def test_lines_of_one_pixel_keep_their_colours(shared: PhotoOpener, tmp_path: Path) -> None:
    lines = np.full((64, 64, 3), (200, 40, 40), np.uint8)
    lines[:, 1::2] = (40, 40, 200)
    Image.fromarray(lines).save(tmp_path / "lines.png")
    shared.make_upright(tmp_path / "lines.png", tmp_path / "kept.jpg", 3072)
    with Image.open(tmp_path / "kept.jpg") as kept:
        off = np.abs(np.asarray(kept.convert("RGB")).astype(int) - lines)
    assert off.mean() < 8
