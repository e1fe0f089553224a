"""The training of the networks of odd sets as one command; nothing is rendered or trained here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from models.recipes import odd
from models.recipes.stages import Round
from vision.kinds import ODD_TILES

from .test_stages import TEMPERATURES, record_stages_and_processes


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    return record_stages_and_processes(monkeypatch, odd)


def test_the_stages_come_in_order_and_begin_from_the_usual_networks(
    tmp_path: Path, done: list[Any]
) -> None:
    models = tmp_path / "models"
    odd.run(tmp_path, models, 10)
    base, tuned = (step for step in done if isinstance(step, Round))
    names = [step if isinstance(step, Round) else step[0].split(".")[-1] for step in done]
    assert names == [*["render"] * 5, "warm"] + [
        *[base, "export", "mine", tuned, "export", "export", "whole_numbers"]
    ]
    assert [step[1] for step in done[1:5]] == ["scenes", "racks", "low", "kept-back"]
    warm = done[5][1]
    assert warm[warm.index("--models") + 1] == str(models) and "--odd" not in warm
    beginning = tmp_path / "beginning"
    assert base.start == {"detector": beginning / "detector.pt", "reader": beginning / "reader.pt"}
    assert (
        base.scenes == tuned.scenes == tuple(tmp_path / one for one in ("scenes", "racks", "low"))
    )
    assert base.real == tuned.real == tmp_path / "photographs"
    assert tuned.start == base.checkpoints and tuned.out != base.out
    assert base.minutes + tuned.minutes < 10


def test_all_that_is_written_is_of_odd_sets_and_the_last_carries_the_temperatures(
    tmp_path: Path, done: list[Any]
) -> None:
    odd.run(tmp_path, tmp_path / "models", 10)
    tuples = [step for step in done if isinstance(step, tuple)]
    exports = [step[1] for step in tuples if step[0] == "models.recipes.export"]
    assert all("--odd" in told for told in exports)
    written = [Path(told[told.index("--out") + 1]).name for told in exports]
    assert written == ["base", "tuned", "models"]
    told = [options[options.index("--temperatures") + 1] for options in exports]
    assert told == ["{}", "{}", str(TEMPERATURES).replace("'", '"')]
    assert ("mine", "scenes", "base", ODD_TILES) in done


def test_a_run_taken_up_again_begins_with_the_checkpoints_it_has(
    tmp_path: Path, done: list[Any]
) -> None:
    (tmp_path / "beginning").mkdir()
    for net in ("detector", "reader"):
        (tmp_path / "beginning" / f"{net}.pt").touch()
    odd.run(tmp_path, tmp_path / "models", 10)
    assert not any(step[0] == "models.recipes.warm" for step in done if isinstance(step, tuple))
