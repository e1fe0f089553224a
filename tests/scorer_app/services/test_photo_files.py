"""Files of photographs in a folder: what is kept survives a power cut, and what goes is no
error.
"""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from scorer_app.services.photo_files import FolderPhotos, Kind

ONE = "0123456789abcdef01234567"


@pytest.fixture
def on_disk(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that takes the number (inode) of each file that is brought to the disk."""
    numbers: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda file: numbers.append(os.fstat(file).st_ino))
    return numbers


def test_an_upload_is_on_the_disk_once_it_is_kept(tmp_path: Path, on_disk: list[int]) -> None:
    files = FolderPhotos(tmp_path)
    files.keep_upload(ONE, files.receive(ONE, io.BytesIO(b"a photograph")))
    with files.at_hand(ONE) as at_hand:
        assert at_hand.upload.read_bytes() == b"a photograph"
        assert at_hand.upload.stat().st_ino in on_disk
    assert os.name == "nt" or tmp_path.stat().st_ino in on_disk


def test_an_upload_goes_only_once_its_jpeg_is_on_the_disk(
    tmp_path: Path, on_disk: list[int]
) -> None:
    files = FolderPhotos(tmp_path)
    files.keep_upload(ONE, files.receive(ONE, io.BytesIO(b"a photograph")))
    with files.at_hand(ONE) as at_hand:
        at_hand.jpeg.write_bytes(b"upright")
        files.keep_upright(ONE, at_hand)
    assert [one.kind for one in files.files()] == [Kind.JPEG]
    assert at_hand.jpeg.stat().st_ino == on_disk[-1 if os.name == "nt" else -2]


def test_a_photograph_deleted_while_it_is_opened_leaves_nothing(tmp_path: Path) -> None:
    files = FolderPhotos(tmp_path)
    files.keep_upload(ONE, files.receive(ONE, io.BytesIO(b"a photograph")))
    with files.at_hand(ONE) as at_hand:
        files.erase(ONE)
        files.keep_upright(ONE, at_hand)
    assert list(files.files()) == []


def test_a_file_that_goes_while_sizes_are_added_up_counts_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An upload is deleted as soon as its photograph has been opened."""
    files, listed = FolderPhotos(tmp_path), Path.iterdir
    files.keep_upload(ONE, files.receive(ONE, io.BytesIO(b"a photograph")))
    monkeypatch.setattr(Path, "iterdir", lambda path: [*listed(path), path / "gone.upload"])
    assert files.stored_bytes() == len(b"a photograph")
