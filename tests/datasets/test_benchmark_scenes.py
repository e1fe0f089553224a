"""The benchmark of rendered scenes: photographs of fresh seeds, hands made of them, and the tables
written of both.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from datasets.benchmark import scenes
from datasets.benchmark.promise import Hand
from datasets.benchmark.scenes import Slice, render
from datasets.benchmark.tables import read_table
from datasets.labels import LabelledPicture

HANDS, SEED = 2, 3
SMALL = Slice(
    (replace(scenes.TABLE, width=480, height=360, tile_px=(14, 20), easy=1.0),),
    (replace(scenes.RACK, width=320, height=240, tile_px=(16, 22), easy=1.0),),
)


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> list[LabelledPicture]:
    """Render the photographs of two hands."""
    return list(render(SMALL, HANDS, SEED, tmp_path_factory.mktemp("photographs")))


@pytest.mark.pictures
def test_tables_and_racks_are_rendered_anew_for_each_seed(
    pictures: list[LabelledPicture], tmp_path: Path
) -> None:
    tables = ["table-000", "table-001", "table-002", "table-003"]
    assert [picture.name for picture in pictures] == [*tables, "rack-000", "rack-001"]
    assert [picture.rack for picture in pictures] == [False] * 4 + [True] * 2
    again, other = (list(render(SMALL, 1, seed, tmp_path)) for seed in (SEED, SEED + 1))
    names = [picture.name for picture in again]
    assert names == [picture.name for picture in other] == ["table-000", "table-001", "rack-000"]
    first = [picture for picture in pictures if picture.name in names]
    for picture in first:
        assert picture.path is not None
        assert cv2.imread(picture.path).shape == (picture.height, picture.width, 3)
        assert picture.rows

    def tiles(rendered: Any) -> list[list[str]]:
        return [[tile.tile for tile in picture.tiles] for picture in rendered]

    assert tiles(first) == tiles(again) != tiles(other)


@pytest.mark.pictures
def test_both_slices_are_told_apart(
    pictures: list[LabelledPicture], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program is sure of itself: right on the first slice, and wrong on the second."""
    scored: list[Hand] = []

    def score(hand: Hand) -> dict[str, Any]:
        wrong_by = 0 if len(scored) < HANDS else 5
        scored.append(hand)
        told = {side: total + wrong_by for side, total in hand.truth().items()}
        spans = {side: [total, total] for side, total in told.items()}
        totals = {side: {"total": total} for side, total in told.items()}
        return {**totals, "interval": spans, "doubtful": []}

    def rendered(kinds: Slice, hands: int, seed: int, folder: Path) -> list[LabelledPicture]:
        assert (hands, seed, folder.is_dir()) == (HANDS, SEED, True)
        return pictures if kinds is SMALL else []

    monkeypatch.setattr(scenes, "render", rendered)
    monkeypatch.setattr(scenes, "SLICES", {"ordinary": SMALL, "hard": SMALL})
    asked = ["--hands", str(HANDS), "--seed", str(SEED), "--out", str(tmp_path), "--plots"]
    scenes.main(asked, score)

    summary = read_table(tmp_path / "scenes_summary.csv")
    told = {(row["slice"], row["melds"], row["measure"]): row for row in summary}
    for name, wrong in (("ordinary", 0), ("hard", HANDS)):
        assert told[name, "", "hands_open"]["count"] == "0"
        sure_and_wrong = told[name, "", "hands_sure_and_wrong"]
        assert (sure_and_wrong["count"], sure_and_wrong["of"]) == (str(wrong), str(HANDS))
        assert int(told[name, "", "tiles_exact"]["of"]) > 20
        assert told[name, "", "photos_asked_again"]["of"] == str(3 * HANDS)
    assert len(read_table(tmp_path / "scenes.csv")) == 2 * HANDS * 2
    bins = read_table(tmp_path / "scenes_reliability.csv")
    assert {row["source"] for row in bins} == {"ordinary", "hard"}
    assert np.ptp(cv2.imread(str(tmp_path / "scenes_reliability.png"))) > 0
