"""The training of the detector for views from low as one command; nothing is rendered or trained
here.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from models.recipes import low
from models.recipes.stages import Round

from .test_stages import record_stages_and_processes


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    return record_stages_and_processes(monkeypatch, low)


def test_the_stages_come_in_order_and_train_the_detector_alone(
    tmp_path: Path, done: list[Any]
) -> None:
    low.run(tmp_path, tmp_path / "models", 10)
    base, tuned = (step for step in done if isinstance(step, Round))
    names = [step if isinstance(step, Round) else step[0].split(".")[-1] for step in done]
    assert names == [*["render"] * 3, "warm"] + [
        *[base, "export", "mine", "mine", tuned, "average", "export"]
    ]
    assert [step[1] for step in done[1:3]] == ["scenes", "prints"]
    assert base.networks == tuned.networks == ("detector",)
    assert base.start is not None
    assert base.start["detector"] == tmp_path / "beginning" / "detector.pt"
    assert tuned.start == base.checkpoints and tuned.out != base.out
    assert base.real == tuned.real == tmp_path / "photographs"
    assert base.minutes + tuned.minutes < 10


def test_no_network_but_the_detector_for_low_views_is_written_to_the_models(
    tmp_path: Path, done: list[Any]
) -> None:
    low.run(tmp_path, tmp_path / "models", 10)
    module, told = done[-1]
    assert module == "models.recipes.export" and "--low" in told
    assert told[told.index("--out") + 1] == str(tmp_path / "models")
    assert told[told.index("--detector") + 1] == str(tmp_path / "mean/checkpoint.pt")
    assert "--reader" not in told
