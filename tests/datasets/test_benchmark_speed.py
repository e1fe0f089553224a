"""What the timings rest on: drawn tables with a known number of tiles, and processes measured from
outside.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from datasets.benchmark import speed
from datasets.benchmark.drawn_table import drawn_face, drawn_table, jpeg, rows_of, table_of_cards
from datasets.benchmark.speed import Timing, launched, timed
from datasets.benchmark.tables import read_table
from datasets.photos import PhotosMissing
from engine.pieces import Pieces
from engine.tiles import FACES
from vision import open_reader
from vision.errors import ModelError, Reason
from vision.frame import decode
from vision.reading import Layout


def test_the_whole_set_has_two_of_each():
    tiles = sorted(tile for row in rows_of(106) for tile in row)
    assert tiles == sorted(2 * [str(face) for face in FACES])


def test_forty_tiles_are_eight_escaleras():
    assert [len(row) for row in rows_of(40)] == [5] * 8


def test_other_numbers_are_refused():
    with pytest.raises(ValueError, match=r"expected one of \[40, 106\] tiles, got 41"):
        rows_of(41)


@pytest.mark.parametrize("tiles", [40, 106])
def test_a_drawn_table_shows_as_much_pale_face_as_it_has_tiles(tiles):
    picture = drawn_table(tiles, 1280, 960)
    assert picture.shape == (960, 1280, 3) and picture.dtype == np.uint8
    pale = (picture.min(axis=2) > 190).sum()
    face = (drawn_face("7R").min(axis=2) > 190).mean()
    widest = max(map(len, rows_of(tiles))) + 1
    width = min(
        1280 / (widest * (2 if tiles == 40 else 1)),
        960 / len(rows_of(tiles)) * (2 if tiles == 40 else 1) / 1.7,
    )
    assert pale == pytest.approx(tiles * face * width**2 * 1.4, rel=0.15)


def test_a_drawn_table_is_the_same_every_time():
    assert (drawn_table(40, 640, 480) == drawn_table(40, 640, 480)).all()


def test_all_cards_of_the_table_of_cards_are_found():
    """Timings would say little of a picture of which half is found."""
    photo = jpeg(table_of_cards(2000, 1500))
    reading = open_reader(pieces=Pieces.CARDS).read(photo)
    assert len(reading.tiles) == 48 and len(reading.melds) == 9


def test_a_drawn_photograph_can_be_decoded():
    assert decode(jpeg(drawn_table(40, 640, 480))).pixels.shape == (480, 640, 3)


def test_runs_that_warm_up_do_not_count():
    calls = []
    assert len(timed(lambda: calls.append(1), 3)) == 3 and len(calls) == 5


def test_a_timing_tells_both_quantiles():
    row = Timing("photo", tuple(float(value) for value in range(101)), "ms", 250.0, 40).row()
    assert (row["p50"], row["p95"], row["goal"], row["runs"], row["tiles_found"]) == (
        "50",
        "95",
        "250",
        "101",
        "40",
    )


def test_what_could_not_be_measured_is_told_and_nothing_is_written(monkeypatch, tmp_path, capsys):
    def breaks(models, runs):
        yield Timing("photo", (1.0, 2.0), "ms", 250.0, 40)
        raise ModelError(Reason.MODEL_MISSING, "reader.onnx.gz")

    monkeypatch.setattr(speed, "warm", breaks)
    assert speed.main(["--out", str(tmp_path / "results")]) == 1
    told = capsys.readouterr()
    assert (
        "photo" in told.out and "reader.onnx.gz" in told.err and not (tmp_path / "results").exists()
    )


def test_the_table_is_written(monkeypatch, tmp_path):
    monkeypatch.setattr(
        speed, "warm", lambda models, runs: [Timing("photo", (1.0, 2.0), "ms", 250.0, 40)]
    )
    monkeypatch.setattr(speed, "cold", lambda models: [])
    monkeypatch.setattr(speed, "of_cards", lambda models, runs: [])
    monkeypatch.setattr(
        speed, "of_photographs", lambda models: [Timing("photographs", (1.0,), "ms", 250.0)]
    )
    assert speed.main(["--out", str(tmp_path)]) == 0
    rows = read_table(tmp_path / "speed.csv")
    assert [row["what"] for row in rows] == ["photo", "photographs"]


class Timed:
    """A reader that notes in which layouts it is asked for photographs."""

    def __init__(self) -> None:
        self.read_as = Counter()

    def read(self, path, layout):
        self.read_as[Path(path).name, layout] += 1


def test_each_photograph_is_timed_once_as_what_it_shows(monkeypatch):
    reader = Timed()
    monkeypatch.setattr("vision.open_reader", lambda models: reader)
    shown = [SimpleNamespace(path=f"{name}.jpg", rack=name == "rack") for name in ("melds", "rack")]
    monkeypatch.setattr(speed, "load_burako_renders", lambda: shown)
    monkeypatch.setattr(speed, "load_rummikub_ivory", lambda: [])
    timings = list(speed.of_photographs(None))
    assert [(one.what, len(one.values)) for one in timings] == [
        ("photographs of tables", 1),
        ("photographs of racks", 1),
    ]
    # Each was read once more before, to warm up.
    assert reader.read_as == {("melds.jpg", Layout.MELDS): 2, ("rack.jpg", Layout.LOOSE): 2}


def test_without_photographs_none_is_timed(monkeypatch, capsys):
    def missing():
        raise PhotosMissing("no photographs")

    monkeypatch.setattr(speed, "load_burako_renders", missing)
    assert list(speed.of_photographs(None)) == []
    assert "no photographs" in capsys.readouterr().err


def test_networks_of_tiles_alone_are_timed_without_cards(monkeypatch, tmp_path, capsys):
    def missing(models, pieces):
        raise ModelError(Reason.MODEL_MISSING, "card_reader.onnx.gz")

    monkeypatch.setattr("vision.open_reader", missing)
    assert list(speed.of_cards(tmp_path, 1)) == []
    assert "card_reader.onnx.gz" in capsys.readouterr().err


needs_wait4 = pytest.mark.skipif(not hasattr(os, "wait4"), reason="this platform has no wait4")


@needs_wait4
def test_the_peak_of_a_process_is_its_own_not_its_parents():
    ballast = np.ones(60_000_000, np.uint8)  # held here while a small process is measured
    _, small = launched([sys.executable, "-c", "pass"])
    _, large = launched(
        [sys.executable, "-c", "b = bytearray(80_000_000); b[::4096] = b'x' * len(b[::4096])"]
    )
    assert ballast.any() and small < 40 and large > small + 70


@needs_wait4
def test_a_command_that_fails_is_told():
    with pytest.raises(subprocess.CalledProcessError) as failed:
        launched([sys.executable, "-c", "raise SystemExit(3)"])
    assert failed.value.returncode == 3
