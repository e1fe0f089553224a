"""The training of the network for 6s and 9s on racks as one command; nothing is rendered or
trained here.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from datasets.scene import FaceBank, SceneConfig, render_scene
from models.recipes import directions, racks
from models.recipes.scenes import DIRECTIONS
from models.recipes.stages import Round

from .test_stages import record_stages_and_processes


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    asked = record_stages_and_processes(monkeypatch, racks)

    def collected(folder: Path, models: Path | None) -> int:
        (folder / DIRECTIONS).write_text("{}")
        asked.append(("collect", folder.name, models))
        return 5

    monkeypatch.setattr(directions, "collect", collected)
    return asked


def test_the_stages_come_in_order_and_train_this_network_alone(
    tmp_path: Path, done: list[Any]
) -> None:
    models = tmp_path / "models"
    racks.run(tmp_path, models, 10)
    (trained,) = (step for step in done if isinstance(step, Round))
    names = [step if isinstance(step, Round) else step[0].split(".")[-1] for step in done]
    assert names == ["render", "render", "collect", trained, "export"]
    assert done[2] == ("collect", "scenes", models)
    assert trained.networks == ("direction",) and trained.start is None and trained.minutes < 10
    assert "models.recipes.train_direction" in trained.command("direction")
    told = done[-1][1]
    assert told[told.index("--direction") + 1] == str(tmp_path / "trained/direction/checkpoint.pt")
    assert told[told.index("--out") + 1] == str(models)
    assert "--reader" not in told and "--detector" not in told


def test_what_was_collected_before_is_taken_as_it_is(tmp_path: Path, done: list[Any]) -> None:
    for _ in range(2):
        racks.run(tmp_path, tmp_path / "models", 10)
    assert [step[0] for step in done if not isinstance(step, Round)].count("collect") == 1


def test_most_tiles_of_such_racks_are_sixes_and_nines() -> None:
    shown, bank = [], FaceBank.random(3, width=48)
    for seed in range(6):
        config = SceneConfig(320, 240, tile_px=(14, 18), fill=racks.sixes_and_nines, empty=0.0)
        _, picture = render_scene(np.random.default_rng(seed), config, bank=bank)
        shown += [tile.tile for tile in picture.tiles]
    assert len(shown) > 20
    assert np.mean([tile in directions.FACES for tile in shown]) > 0.4
