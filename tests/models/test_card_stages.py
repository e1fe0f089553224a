"""The training of the networks of cards as one command; nothing is rendered or trained here."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from engine.pieces import Pieces
from models.recipes import cards as recipe
from models.recipes import mine
from models.recipes.scenes import BLANKS
from models.recipes.stages import Round
from vision.kinds import CARDS

from .test_stages import TEMPERATURES, record_stages


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the command asks for, in order."""
    asked = record_stages(monkeypatch, recipe)

    def export(checkpoints: Any, out: Path, temperatures: str = "{}", kind: Any = None) -> Path:
        asked.append(("export", out.name, json.loads(temperatures), kind.pieces))
        return out

    def mined(folder: Path, models: Path, kind: Any) -> int:
        (folder / BLANKS).write_text("{}")
        asked.append(("mine", folder.name, models.name, kind.pieces))
        return 7

    def begun(command: list[str], check: bool) -> subprocess.CompletedProcess[str]:
        asked.append(("begin", command[2], command[command.index("--models") + 1]))
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(recipe, "export", export)
    monkeypatch.setattr(mine, "mine", mined)
    monkeypatch.setattr(subprocess, "run", begun)
    return asked


def test_the_stages_come_in_order_and_begin_from_the_networks_of_tiles(
    tmp_path: Path, done: list[Any]
) -> None:
    models = tmp_path / "models"
    recipe.run(tmp_path, models, 10)
    assert [step[1] for step in done[:3]] == ["scenes", "scenes", "kept-back"]
    assert done[3] == ("begin", "models.recipes.warm", str(models))
    base, tuned = (step for step in done if isinstance(step, Round))
    assert base.kind is CARDS and tuned.kind is CARDS and base.minutes + tuned.minutes < 10
    assert base.start == {
        "detector": tmp_path / "beginning" / "card_detector.pt",
        "reader": tmp_path / "beginning" / "card_reader.pt",
    }
    assert tuned.start == base.checkpoints and tuned.out != base.out
    assert done[4:] == [
        base,
        ("export", "base", {}, Pieces.CARDS),
        ("mine", "scenes", "base", Pieces.CARDS),
        tuned,
        ("export", "tuned", {}, Pieces.CARDS),
        ("export", "models", TEMPERATURES, Pieces.CARDS),
    ]


def test_a_run_taken_up_again_does_not_begin_anew(tmp_path: Path, done: list[Any]) -> None:
    recipe.run(tmp_path, tmp_path / "models", 10)
    (tmp_path / "beginning").mkdir()
    for net in ("detector", "reader"):
        (tmp_path / "beginning" / f"card_{net}.pt").touch()
    done.clear()
    recipe.run(tmp_path, tmp_path / "models", 10)
    assert not any(isinstance(step, tuple) and step[0] in ("begin", "mine") for step in done)
    with pytest.raises(SystemExit, match="expected --minutes 10"):
        recipe.run(tmp_path, tmp_path / "models", 20)


def test_the_detector_of_cards_has_a_recipe_of_its_own(tmp_path: Path) -> None:
    a_round = Round((Path("a"),), tmp_path, 3, 1e-3, kind=CARDS)
    assert a_round.command("detector")[2] == "models.recipes.train_card_detector"
    assert a_round.command("reader")[2] == "models.recipes.train_reader"
