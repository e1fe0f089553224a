"""The trainings of the detector for views from low and of that for racks, each as one command;
nothing is rendered or trained here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from datasets.scene import SceneConfig
from models.recipes import low, rack_detector, view_detectors
from models.recipes.stages import Round
from vision.kinds import LOW_TILES, TILES

from .test_stages import record_stages_and_processes


@dataclass(frozen=True)
class Command:
    module: ModuleType
    folders: tuple[str, ...]  # of scenes
    begins_with: tuple[str, ...]  # the option that means the networks it begins with
    option: str  # that means its own network


COMMANDS = (
    Command(low, ("scenes", "prints"), (), "--low"),
    Command(rack_detector, ("scenes",), ("--low",), "--rack-detector"),
)


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    return record_stages_and_processes(monkeypatch, view_detectors)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.option)
def test_the_stages_come_in_order_and_train_the_detector_alone(
    command: Command, tmp_path: Path, done: list[Any]
) -> None:
    command.module.run(tmp_path, tmp_path / "models", 10)
    base, tuned = (step for step in done if isinstance(step, Round))
    names = [step if isinstance(step, Round) else step[0].split(".")[-1] for step in done]
    folders = len(command.folders)
    assert names == [*["render"] * (1 + folders), "warm"] + [
        *[base, "export", *["mine"] * folders, tuned, "average", "export"]
    ]
    assert [step[1] for step in done[1 : 1 + folders]] == list(command.folders)
    assert base.scenes == tuned.scenes == tuple(tmp_path / name for name in command.folders)
    assert base.networks == tuned.networks == ("detector",)
    assert base.start is not None
    assert base.start["detector"] == tmp_path / "beginning" / "detector.pt"
    assert tuned.start == base.checkpoints and tuned.out != base.out
    assert base.real == tuned.real == tmp_path / "photographs"
    assert base.minutes + tuned.minutes < 10


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.option)
def test_each_folder_gets_scenes_of_its_own(
    command: Command, tmp_path: Path, done: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered: dict[str, tuple[int, int, SceneConfig]] = {}
    pretended = view_detectors.render

    def render(out: Path, seed: int, count: int, config: SceneConfig) -> Path:
        rendered[out.name] = seed, count, config
        return pretended(out, seed, count, config)

    monkeypatch.setattr(view_detectors, "render", render)
    command.module.run(tmp_path, tmp_path / "models", 10)
    seeds, counts, configs = zip(*rendered.values(), strict=True)
    assert len(set(seeds)) == len(seeds)
    scenes = command.module.SCENES
    assert list(configs) == [one.config for one in scenes]
    assert list(counts) == [round(counts[0] * one.share) for one in scenes]


def test_the_first_folder_is_that_in_which_the_pace_is_tried(tmp_path: Path) -> None:
    others = [replace(one, folder="tables") for one in low.SCENES]
    with pytest.raises(ValueError, match="expected scenes, got tables"):
        view_detectors.train_detector_of(LOW_TILES, TILES, others, tmp_path, tmp_path, 10)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.option)
def test_a_training_begins_with_the_networks_it_names_and_writes_its_own_detector_alone(
    command: Command, tmp_path: Path, done: list[Any]
) -> None:
    command.module.run(tmp_path, tmp_path / "models", 10)
    warm = next(told for module, *told in done if module == "models.recipes.warm")[0]
    assert tuple(word for word in warm if word in ("--odd", "--low", "--rack-detector")) == (
        command.begins_with
    )
    module, told = done[-1]
    assert module == "models.recipes.export" and command.option in told
    assert told[told.index("--out") + 1] == str(tmp_path / "models")
    assert told[told.index("--detector") + 1] == str(tmp_path / "mean/checkpoint.pt")
    assert "--reader" not in told
