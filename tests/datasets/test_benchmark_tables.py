"""The benchmark's tables, comparison, drawings and command line, with a fabricated reader and
pictures made here.
"""

from __future__ import annotations

import csv
import dataclasses
import importlib
import re

import cv2
import numpy as np
import pytest

from datasets import photos
from datasets.benchmark import (
    cards,
    dealt_hands,
    live,
    odd_sets,
    ordinary_sets,
    own_set,
    promise,
    scenes,
    speed,
)
from datasets.benchmark.counting import PictureCount, count_picture
from datasets.benchmark.runner import FoldMissing, reader_in, reader_of_folds
from datasets.benchmark.sheet import tile_size, write_sheet
from datasets.benchmark.tables import (
    aligned,
    compare,
    read_table,
    tables,
    write_table,
    write_tables,
)
from datasets.labels import LabelledPicture, LabelledRow
from datasets.photos import PhotosMissing
from vision.errors import ModelError, Reason

from .fabricated import picture, reading, seen, truth

main_module = importlib.import_module("datasets.benchmark.__main__")


def row_of(*tiles: str, source: str = "other_sets", **more) -> LabelledPicture:
    placed = [truth(tile, 70 + 41 * i, 78, row=0) for i, tile in enumerate(tiles)]
    rows = (LabelledRow(tuple(range(len(tiles))), legal=False, kind="escalera"),)
    return picture(*placed, source=source, width=640, height=200, rows=rows, **more)


def read_as(*tiles: str | None, valid: bool | None = False, seconds: float = 0.125) -> dict:
    reported = [seen(tile, 70 + 41 * i, 78, tile is None, 0.97) for i, tile in enumerate(tiles)]
    meld = {"tiles": list(range(len(tiles))), "valid": valid}
    return reading(*reported, melds=[meld], seconds=seconds)


def one(truth: LabelledPicture, reading: dict) -> dict[str, list[PictureCount]]:
    return {truth.source: [count_picture(truth, reading)]}


PERFECT = one(row_of("7R", "8R", "10R"), read_as("7R", "8R", "10R"))
POOR = one(row_of("7R", "8R", "10R"), read_as("1R", "8R", None, valid=None))


def measure(rows: list[dict[str, str]], name: str) -> dict[str, str]:
    (row,) = (row for row in rows if row["measure"] == name and row["group"] == "all")
    return row


def test_the_summary_tells_counts_and_intervals():
    row = measure(tables(POOR)["summary.csv"], "tiles_exact")
    assert (row["count"], row["of"], row["value"]) == ("1", "3", "0.3333")
    assert (row["low"], row["high"]) == ("0.0615", "0.7923")  # Wilson of 1/3


def test_failures_and_confusions_name_what_was_read():
    made = tables(POOR)
    assert [(row["true"], row["read"], row["silent"]) for row in made["failures.csv"]] == [
        ("7R", "1R", "1"),
        ("10R", "", "0"),
    ]
    pairs = [(row["true"], row["read"], row["count"]) for row in made["confusions.csv"]]
    assert pairs == [("7R", "1R", "1"), ("8R", "8R", "1")]
    assert [(row["tiles"], row["legal"], row["told"]) for row in made["row_failures.csv"]] == [
        ("7R 8R 10R", "illegal", "")
    ]
    assert all(rows == [] for file, rows in tables(PERFECT).items() if "failures" in file)


def test_groups_are_shoots_then_styles():
    shoot = one(row_of("7R", shoot="one"), read_as("7R"))
    assert {row["group"] for row in tables(shoot)["summary.csv"]} == {"all", "one"}
    style = one(row_of("7R", style="ring below"), read_as("7R"))
    assert {row["group"] for row in tables(style)["summary.csv"]} == {"all", "ring below"}


def test_a_run_over_one_source_keeps_the_rows_of_the_others(tmp_path):
    write_tables(tables(POOR), POOR, tmp_path)
    renders = one(row_of("7R", source="burako_renders"), read_as("7R"))
    write_tables(tables(renders), renders, tmp_path)
    assert {row["source"] for row in read_table(tmp_path / "summary.csv")} == {
        "other_sets",
        "burako_renders",
    }
    write_tables(tables(PERFECT), PERFECT, tmp_path)
    assert read_table(tmp_path / "failures.csv") == []
    assert measure_of(tmp_path, "other_sets", "tiles_exact") == "3"


def measure_of(folder, source: str, name: str) -> str:
    rows = [row for row in read_table(folder / "summary.csv") if row["source"] == source]
    return measure(rows, name)["count"]


def test_what_is_written_reads_back_the_same(tmp_path):
    made = tables(POOR)
    write_tables(made, POOR, tmp_path)
    for file, rows in made.items():
        assert read_table(tmp_path / file) == rows
        assert "\r" not in (tmp_path / file).read_text(encoding="utf-8")


def test_a_table_that_cannot_be_written_whole_leaves_the_earlier_one(tmp_path):
    resource = pytest.importorskip("resource", reason="this platform cannot limit a file's size")
    table = tmp_path / "summary.csv"
    write_table(table, ("source",), [{"source": "earlier"}])
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))  # as little as on a full disk
    try:
        with pytest.raises(OSError):
            write_table(table, ("source",), [{"source": "later"}] * 10_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert read_table(table) == [{"source": "earlier"}]
    assert list(tmp_path.iterdir()) == [table]


def test_changes_are_told_with_their_direction():
    perfect, poor = (tables(counted)["summary.csv"] for counted in (PERFECT, POOR))
    worse = {change.measure: change for change in compare(perfect, poor)}
    better = {change.measure: change for change in compare(poor, perfect)}
    for name in ("tiles_exact", "photos_exact", "silent", "wrong", "illegal_told"):
        assert worse[name].worse and not better[name].worse, name
    assert (worse["tiles_exact"].before, worse["tiles_exact"].after) == ("3/3", "1/3")
    assert worse["tiles_exact"].clear
    assert compare(poor, poor) == [] and compare([], poor) == []


def test_a_change_inside_the_old_interval_is_not_clear():
    two_of_three = tables(one(row_of("7R", "8R", "10R"), read_as("1R", "8R", "10R")))["summary.csv"]
    changes = {
        change.measure: change for change in compare(two_of_three, tables(POOR)["summary.csv"])
    }
    assert changes["tiles_exact"].worse and not changes["tiles_exact"].clear


def test_times_are_no_change():
    slower = one(row_of("7R", "8R", "10R"), read_as("7R", "8R", "10R", seconds=9.0))
    assert compare(tables(PERFECT)["summary.csv"], tables(slower)["summary.csv"]) == []


def test_the_print_says_which_goals_are_met():
    poor, perfect = (
        aligned(tables(counted)["summary.csv"]).splitlines() for counted in (POOR, PERFECT)
    )
    assert poor[0].split()[:4] == ["source", "group", "photos_exact", "tiles_exact"]
    assert poor[1].split()[:4] == ["other_sets", "all", "0/1", "1/3"]
    (line,) = (line for line in poor[2:] if "tiles_exact" in line)
    assert " ".join(line.split()) == "other_sets tiles_exact 33.33% 6.15% - 79.23% >= 0.98 MISSED"
    (line,) = (line for line in perfect[2:] if "tiles_exact" in line)
    assert line.endswith("met")


@pytest.fixture
def photographed(tmp_path) -> LabelledPicture:
    path = tmp_path / "made.png"
    path.write_bytes(cv2.imencode(".png", np.full((200, 640, 3), 90, np.uint8))[1].tobytes())
    return dataclasses.replace(row_of("7R", "8R", "10R"), path=str(path))


def test_the_contact_sheet_has_one_cell_a_failure(photographed, tmp_path):
    counted = one(photographed, read_as("1R", "8R", None))
    assert write_sheet(counted, tmp_path / "var" / "sheet.png") == 2
    assert cv2.imread(str(tmp_path / "var" / "sheet.png")).shape == (244, 8 * 200, 3)


def test_without_failures_there_is_no_sheet(photographed, tmp_path):
    assert write_sheet(one(photographed, read_as("7R", "8R", "10R")), tmp_path / "sheet.png") == 0
    assert not (tmp_path / "sheet.png").exists()


def test_tile_size_is_taken_from_what_is_known():
    known = row_of("7R", "8R")
    assert tile_size(known) == 56
    bare = tuple(dataclasses.replace(tile, corners=None) for tile in known.tiles)
    assert tile_size(dataclasses.replace(known, tiles=bare)) == pytest.approx(1.4 * 41)
    assert tile_size(dataclasses.replace(known, tiles=bare[:1])) == pytest.approx(640 / 12)


def run_main(monkeypatch, picture: LabelledPicture, reading: dict, *arguments: str) -> int:
    monkeypatch.setitem(main_module.SOURCES, "other_sets", lambda root: [picture])
    monkeypatch.setattr(main_module, "reader_in", lambda models: lambda labelled: reading)
    return main_module.main(["--sources", "other_sets", *arguments])


def test_the_command_writes_tables_plots_and_sheet(monkeypatch, photographed, tmp_path, capsys):
    pytest.importorskip("matplotlib", reason="plots need the dev extra")
    out, sheet = tmp_path / "results", tmp_path / "sheet.png"
    asked = ("--out", str(out), "--plots", "--sheet", str(sheet))
    assert run_main(monkeypatch, photographed, read_as("1R", "8R", None), *asked) == 0
    tables = {f"{name}.csv" for name in ("summary", "confusions", "failures", "row_failures")}
    drawn = {"reliability.csv", "reliability.png", "confusions.png"}
    assert {path.name for path in out.iterdir()} == tables | drawn
    assert "tiles_exact" in capsys.readouterr().out and sheet.is_file()


def test_a_second_run_tells_what_became_worse(monkeypatch, photographed, tmp_path, capsys):
    monkeypatch.setattr(main_module, "RESULTS", tmp_path)
    for read, worse in ((("7R", "8R", "10R"), False), (("1R", "8R", "10R"), True)):
        run_main(monkeypatch, photographed, read_as(*read), "--out", str(tmp_path))
        told = capsys.readouterr().out
        assert all((word in told) == worse for word in ("WORSE", "2/3")) and "3/3" in told


def test_a_dry_run_writes_nothing(monkeypatch, photographed, tmp_path):
    assert (
        run_main(
            monkeypatch,
            photographed,
            read_as("7R"),
            "--dry-run",
            "--out",
            str(tmp_path / "results"),
        )
        == 0
    )
    assert not (tmp_path / "results").exists()


def test_photographs_without_folds_go_by_another_name(monkeypatch, photographed, tmp_path):
    monkeypatch.setitem(main_module.SOURCES, "rummikub_ivory", lambda root: [photographed])
    monkeypatch.setattr(
        main_module, "reader_in", lambda models: lambda labelled: read_as("7R", "8R", "10R")
    )
    assert main_module.main(["--sources", "rummikub_ivory", "--out", str(tmp_path)]) == 0
    with (tmp_path / "summary.csv").open(encoding="utf-8") as file:
        assert {row["source"] for row in csv.DictReader(file)} == {"rummikub_ivory_seen"}


def test_absent_photographs_are_left_out_with_a_message(monkeypatch, tmp_path, capsys):
    def absent(root):
        raise PhotosMissing("expected the labels of other_sets in nowhere")

    monkeypatch.setitem(main_module.SOURCES, "other_sets", absent)
    monkeypatch.setattr(main_module, "reader_in", lambda models: lambda labelled: read_as())
    assert main_module.main(["--sources", "other_sets", "--out", str(tmp_path / "results")]) == 0
    assert "other_sets is left out: expected the labels" in capsys.readouterr().err
    assert not (tmp_path / "results").exists()


def test_a_wrong_folder_and_missing_models_are_told_in_one_sentence(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(main_module, "reader_in", lambda models: lambda labelled: read_as())
    assert main_module.main(["--photos", str(tmp_path), "--dry-run"]) == 1
    assert "no photographs on this machine" in capsys.readouterr().err

    def missing(models):
        raise ModelError(Reason.MODEL_MISSING, "detector.onnx.gz")

    monkeypatch.setattr(main_module, "reader_in", missing)
    assert main_module.main(["--dry-run"]) == 1
    assert "detector.onnx.gz" in capsys.readouterr().err


def test_without_photographs_of_a_set_no_teaching_is_measured(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(photos, "PHOTOS", tmp_path / "photos")
    assert own_set.main(["--out", str(tmp_path / "results")]) == 0
    assert capsys.readouterr().err.startswith("left out: expected the labels of strange_sets/S1")
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize(
    "main", [cards.main, live.main, odd_sets.main, ordinary_sets.main, own_set.main]
)
def test_a_benchmark_without_networks_ends_with_a_sentence(main, tmp_path):
    told = f"nothing can be measured: model_missing: {tmp_path / 'manifest.json'}"
    with pytest.raises(SystemExit, match=re.escape(told)):
        main(["--models", str(tmp_path)])


@pytest.mark.parametrize(
    ("main", "option", "number", "least"),
    [
        (cards.main, "--sample", "-1", 1),
        (dealt_hands.main, "--hands", "0", 1),
        (dealt_hands.main, "--seed", "-1", 0),
        (live.main, "--frames", "0", 1),
        (odd_sets.main, "--seed", "-1", 0),
        (odd_sets.main, "--sets", "0", 1),
        (ordinary_sets.main, "--seed", "-1", 0),
        (ordinary_sets.main, "--sets", "0", 1),
        (ordinary_sets.main, "--sets", "many", 1),
        (promise.main, "--hands", "0", 1),
        (promise.main, "--seed", "-1", 0),
        (scenes.main, "--hands", "0", 1),
        (scenes.main, "--seed", "-1", 0),
        (speed.main, "--runs", "0", 1),
    ],
)
def test_a_number_with_which_nothing_can_be_measured_is_wrong_usage(
    main, option, number, least, tmp_path, capsys
):
    with pytest.raises(SystemExit) as ended:
        main([option, number, "--out", str(tmp_path / "results"), "--models", str(tmp_path)])
    assert ended.value.code == 2
    told = f"{option}: expected a whole number from {least} on, got '{number}'\n"
    assert capsys.readouterr().err.endswith(told)
    assert not (tmp_path / "results").exists()


def test_a_shoot_without_its_fold_is_refused(tmp_path):
    with pytest.raises(FoldMissing, match="never saw shoot 'rummy'"):
        reader_of_folds(tmp_path, None)(row_of("7R", shoot="rummy"))


@pytest.mark.parametrize(("rack", "layout"), [(True, "loose"), (False, "melds")])
def test_racks_are_read_as_loose(monkeypatch, rack, layout):
    asked = []

    class FakeReader:
        def read(self, source, layout):
            asked.append((source, str(layout)))
            return self

        def to_json(self):
            return read_as("7R")

    monkeypatch.setattr("vision.open_reader", lambda models: FakeReader())
    assert reader_in(None)(row_of("7R", path="made.jpg", rack=rack)) == read_as("7R")
    assert asked == [("made.jpg", layout)]
