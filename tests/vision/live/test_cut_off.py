"""A film that was cut off is told from a file that is no film."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.live.cut_off import lost_its_end
from vision.live.sources import SourceError, SourceProblem, frames


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return an MP4 of a second, whose index stands at its end."""
    path = tmp_path_factory.mktemp("films") / "film.mp4"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 10, (160, 120))
    chance = np.random.default_rng(1)
    for _ in range(10):
        writer.write(chance.integers(0, 255, (120, 160, 3), np.uint8))
    writer.release()
    return path.read_bytes()


def box(kind: bytes, content: bytes) -> bytes:
    return (8 + len(content)).to_bytes(4, "big") + kind + content


LONG = (1).to_bytes(4, "big") + b"mdat" + (20).to_bytes(8, "big") + b"1234"
Change = Callable[[bytes], bytes]


@pytest.mark.parametrize("cut", [lambda data: data[: len(data) // 2], lambda data: data[:-100]])
def test_a_film_that_was_cut_off_says_so(film: bytes, tmp_path: Path, cut: Change) -> None:
    path = tmp_path / "cut.mp4"
    path.write_bytes(cut(film))
    with pytest.raises(SourceError) as raised:
        list(frames(str(path)))
    assert raised.value.problem is SourceProblem.CUT_OFF


def test_a_whole_film_was_not_cut_off(film: bytes, tmp_path: Path) -> None:
    path = tmp_path / "whole.mp4"
    path.write_bytes(film)
    assert not lost_its_end(path)
    assert len(list(frames(str(path)))) == 10


@pytest.mark.parametrize(
    ("data", "lost"),
    [
        (b"", False),
        (b"no film at all, only words", False),
        (box(b"ftyp", b"isom") + box(b"mdat", b"12345678"), True),  # its index never came
        (box(b"ftyp", b"isom") + box(b"mdat", b"12345678") + box(b"moov", b""), False),
        (box(b"ftyp", b"isom") + LONG + box(b"moov", b""), False),
        (box(b"ftyp", b"isom") + LONG, True),
        (box(b"ftyp", b"isom") + b"\0\0\0\0mdat...", True),  # a box that goes on to the end
        (box(b"ftyp", b"isom") + b"\0\0\0\3mdat", True),  # a box shorter than its head
    ],
)
def test_outer_boxes_tell_whether_the_end_is_there(tmp_path: Path, data: bytes, lost: bool) -> None:
    path = tmp_path / "film"
    path.write_bytes(data)
    assert lost_its_end(path) is lost
    assert not lost_its_end(tmp_path / "missing")
