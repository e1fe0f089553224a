"""The training of the network for a second look as one command; nothing is trained here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from datasets.scene import FaceBank, SceneConfig, render_scene
from models.recipes import finds, second_look
from models.recipes.scenes import FINDS, load_scenes
from models.recipes.stages import Round

from .test_stages import record_stages_and_processes


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    asked = record_stages_and_processes(monkeypatch, second_look)

    def collected(folder: Path, models: Path | None, *, racks: bool) -> int:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / FINDS).write_text("{}")
        asked.append(("collect", folder.name, models, racks))
        return 5

    monkeypatch.setattr(finds, "collect", collected)
    return asked


def test_the_stages_come_in_order_and_train_this_network_alone(
    tmp_path: Path, done: list[Any]
) -> None:
    models = tmp_path / "models"
    second_look.run(tmp_path, models, 10)
    (trained,) = (step for step in done if isinstance(step, Round))
    names = [step if isinstance(step, Round) else step[0].split(".")[-1] for step in done]
    assert names == ["render", "render", "collect", "collect", trained, "export"]
    assert done[2:4] == [("collect", "tables", models, False), ("collect", "racks", models, True)]
    assert trained.networks == ("second_look",) and trained.start is None and trained.minutes < 10
    assert "models.recipes.train_second_look" in trained.command("second_look")
    told = done[-1][1]
    path = str(tmp_path / "trained/second_look/checkpoint.pt")
    assert told[told.index("--second_look") + 1] == path
    assert told[told.index("--out") + 1] == str(models)
    assert "--reader" not in told and "--detector" not in told


def test_what_was_collected_before_is_taken_as_it_is(tmp_path: Path, done: list[Any]) -> None:
    for _ in range(2):
        second_look.run(tmp_path, tmp_path / "models", 10)
    assert [step[0] for step in done if not isinstance(step, Round)].count("collect") == 2


@pytest.mark.parametrize("name", second_look.CONFIGS)
def test_tables_show_melds_and_racks_a_rack(name: str) -> None:
    bank, kinds = FaceBank.random(3, width=48), set[str]()
    for seed in range(6):
        config = SceneConfig(
            320, 240, tile_px=(14, 18), fill=second_look.CONFIGS[name].fill, empty=0.0
        )
        _, picture = render_scene(np.random.default_rng(seed), config, bank=bank)
        kinds |= {row.kind for row in picture.rows}
    assert ("rack" in kinds) == (name == "racks") and kinds


def test_half_of_the_scenes_are_racks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = SceneConfig(96, 96, tile_px=(14, 18), easy=1.0, jpeg=False)
    monkeypatch.setattr(second_look, "CONFIGS", {"tables": small, "racks": small})
    monkeypatch.setattr(second_look, "WORKERS", 1)
    second_look.render(tmp_path, 5, 16)
    assert [len(load_scenes(tmp_path / name)) for name in ("tables", "racks")] == [8, 8]
