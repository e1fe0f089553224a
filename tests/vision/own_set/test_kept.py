"""What was worked out for a set is kept in a file and read from there the next time."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vision
from vision.own_set import kept
from vision.own_set.examples import TileSet
from vision.own_set.kept import MOST_FILES, reader_with_set
from vision.own_set.knowledge import OwnSet
from vision.tiles.pipeline import TableReader

from . import taught_samples


@pytest.fixture
def ours() -> TileSet:
    return TileSet("ours").with_examples(taught_samples.examples({}))


@pytest.fixture
def filled(tmp_path: Path, ours: TileSet) -> Path:
    """Return a folder that has the set's file."""
    folder = tmp_path / "prepared"
    reader_with_set(vision.open_reader(), ours, folder)
    return folder


@pytest.fixture
def idle(filled: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder that has the set's file, and make it an error to work out a set anew."""

    def refuse(tables: TableReader, tile_set: TileSet) -> TableReader:
        raise AssertionError("worked out anew")

    monkeypatch.setattr(TableReader, "with_set", refuse)
    return filled


def assert_same(one: Any, other: Any) -> None:
    if is_dataclass(one):
        assert type(one) is type(other)
        for field in fields(one):
            assert_same(getattr(one, field.name), getattr(other, field.name))
    elif isinstance(one, np.ndarray):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)
    else:
        assert (type(one), one) == (type(other), other)


def test_what_is_kept_is_what_was_worked_out(idle: Path, ours: TileSet) -> None:
    again = reader_with_set(vision.open_reader(), ours, idle)
    assert_same(again.own_set, OwnSet.of(ours, again.reader))
    assert again.for_other_sets is None


def test_a_set_for_the_odd_networks_is_read_with_them_again(
    tmp_path: Path, ours: TileSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = vision.open_reader()
    odd = tables.knowing(OwnSet.of(ours, tables.odd_networks()[1]), odd=True)
    monkeypatch.setattr(TableReader, "with_set", lambda tables, tile_set: odd)
    reader_with_set(tables, ours, tmp_path)
    monkeypatch.setattr(TableReader, "with_set", None)
    again = reader_with_set(tables, ours, tmp_path)
    assert again.reader is odd.reader
    assert again.for_other_sets is tables
    assert_same(again.own_set, odd.own_set)


@pytest.mark.parametrize("change", ["example", "face", "networks", "code"])
def test_a_file_counts_only_for_what_it_was_worked_out_from(
    filled: Path, ours: TileSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    if change == "example":
        ours = TileSet("ours").with_examples(ours.examples[1:])
    elif change == "face":
        ours = TileSet("ours").with_examples(taught_samples.examples(taught_samples.RIVAL))
    elif change == "networks":
        manifest = tmp_path / "manifest.json"
        manifest.write_text("{}")
        monkeypatch.setattr(kept, "default_folder", lambda: tmp_path)
    else:
        monkeypatch.setattr(kept, "_digest_of_code", lambda: b"other code")
    tables = vision.open_reader()
    expected = tables.with_set(ours)
    before = set(filled.iterdir())
    assert_same(reader_with_set(tables, ours, filled).own_set, expected.own_set)
    assert len(set(filled.iterdir()) - before) == 1


def test_a_damaged_file_costs_only_time(
    filled: Path, ours: TileSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever byte is changed, and wherever the file ends, it counts as it was or not at all."""
    (path,) = filled.iterdir()
    whole, rng = path.read_bytes(), np.random.default_rng(7)
    expected = taught_samples.ours()
    monkeypatch.setattr(TableReader, "with_set", lambda tables, tile_set: expected)
    monkeypatch.setattr(kept, "_write", lambda path, arrays: None)
    for number in range(300):
        damaged, at = bytearray(whole), int(rng.integers(len(whole)))
        damaged[at] ^= int(rng.integers(1, 256))
        path.write_bytes(damaged if number % 3 else damaged[:at])
        again = reader_with_set(vision.open_reader(), ours, filled)
        assert_same(again.own_set, expected.own_set)


def test_a_damaged_file_is_replaced(filled: Path, ours: TileSet) -> None:
    (path,) = filled.iterdir()
    whole = path.read_bytes()
    path.write_bytes(whole[:1000])
    reader_with_set(vision.open_reader(), ours, filled)
    assert path.read_bytes() == whole
    assert list(filled.iterdir()) == [path]


def test_a_folder_that_cannot_be_made_costs_only_time(tmp_path: Path, ours: TileSet) -> None:
    (tmp_path / "file").touch()
    again = reader_with_set(vision.open_reader(), ours, tmp_path / "file" / "prepared")
    assert_same(again.own_set, taught_samples.ours().own_set)


def test_few_files_are_kept(tmp_path: Path, ours: TileSet, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = taught_samples.ours()
    monkeypatch.setattr(TableReader, "with_set", lambda tables, tile_set: expected)
    for first in range(MOST_FILES + 3):
        some = TileSet("ours").with_examples(ours.examples[first:])
        reader_with_set(vision.open_reader(), some, tmp_path)
    assert len(list(tmp_path.iterdir())) == MOST_FILES


def test_a_set_with_too_few_faces_is_refused(tmp_path: Path, ours: TileSet) -> None:
    few = TileSet("ours").with_examples(ours.examples[:1])
    with pytest.raises(ValueError, match="at least two numbers"):
        reader_with_set(vision.open_reader(), few, tmp_path)
    assert not list(tmp_path.iterdir())
