"""Training a detector further as one command; nothing is rendered or trained here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from datasets.scene import SceneConfig
from models.recipes import further
from models.recipes.stages import Round

from .test_stages import record_stages_and_processes

OPTIONS = {"tables": None, "low": "--low", "racks": "--rack-detector"}


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    return record_stages_and_processes(monkeypatch, further)


def test_every_view_is_known() -> None:
    assert further.VIEWS.keys() == OPTIONS.keys()


@pytest.mark.parametrize("name", OPTIONS)
def test_the_mean_of_before_and_after_takes_the_place_of_the_detector(
    name: str, tmp_path: Path, done: list[Any]
) -> None:
    view = further.VIEWS[name]
    further.run(view, tmp_path, tmp_path / "models", 10)
    (trained,) = (step for step in done if isinstance(step, Round))
    others = [step for step in done if step is not trained]
    names = [step if step is trained else step[0].split(".")[-1] for step in done]
    folders = len(view.scenes)
    assert names == [
        *["render"] * (1 + folders),
        *["mine"] * folders,
        *["warm", trained, "average", "export"],
    ]
    mined = [list(step[2:]) for step in others if step[0] == "mine"]
    assert mined == [["models", view.kind]] * folders
    assert (trained.kind, trained.networks) == (view.kind, ("detector",))
    assert trained.minutes < 10

    warm, average, export = (told for _module, told in others[-3:])
    before, after = average[average.index("--before") + 1], average[average.index("--after") + 1]
    assert before == str(tmp_path / "beginning/detector.pt")
    assert after == str(tmp_path / "trained/detector/checkpoint.pt")
    assert export[export.index("--out") + 1] == str(tmp_path / "models")
    assert export[export.index("--detector") + 1] == str(tmp_path / "mean/checkpoint.pt")
    for told in warm, export:
        assert [word for word in told if word in OPTIONS.values()] == (
            [OPTIONS[name]] if OPTIONS[name] else []
        )


def test_another_seed_gives_other_scenes(
    tmp_path: Path, done: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds: list[int] = []
    pretended = further.render

    def render(out: Path, seed: int, count: int, config: SceneConfig) -> Path:
        seeds.append(seed)
        return pretended(out, seed, count, config)

    monkeypatch.setattr(further, "render", render)
    for seed in 400, 500:
        further.run(further.VIEWS["tables"], tmp_path / str(seed), tmp_path / "models", 10, seed)
    assert seeds == [400, 400, 410, 500, 500, 510]  # a few first, to learn the pace


def test_a_run_that_is_done_or_was_begun_otherwise_is_refused(
    tmp_path: Path, done: list[Any]
) -> None:
    low, racks = further.VIEWS["low"], further.VIEWS["racks"]
    further.run(low, tmp_path, tmp_path / "models", 10, 400)
    done.clear()
    for view, seed, problem in (
        (low, 400, "is done"),
        (low, 500, "expected .*400.*, got .*500"),
        (racks, 400, "expected .*low_detector.*, got .*rack_detector"),
    ):
        with pytest.raises(SystemExit, match=problem):
            further.run(view, tmp_path, tmp_path / "models", 10, seed)
    assert done == []
