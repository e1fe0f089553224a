"""The training of the networks of cards as one command; nothing is rendered or trained here."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from datasets.cards import hands
from datasets.cards.hands import HANDS, HandConfig
from engine.pieces import Pieces
from models.recipes import cards as recipe
from models.recipes.scenes import LABELS
from models.recipes.stages import Round
from vision.kinds import CARDS

from .test_stages import TEMPERATURES, record_stages


@pytest.fixture
def exported() -> dict[str, Any]:
    """Return a dictionary from folder names to the checkpoints exported there, filled while the
    command runs.
    """
    return {}


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch, exported: dict[str, Any]) -> list[Any]:
    """List what the command asks for, in order; filled while it runs."""
    asked = record_stages(monkeypatch, recipe)

    def export(checkpoints: Any, out: Path, temperatures: str = "{}", kind: Any = None) -> Path:
        exported[out.name] = checkpoints
        asked.append(("export", out.name, json.loads(temperatures), kind.pieces))
        return out

    def ran(command: list[str], check: bool) -> subprocess.CompletedProcess[str]:
        options = dict[str, list[str]]()
        for word in command[3:]:
            if word.startswith("--"):
                options[word] = []
            else:
                options[next(reversed(options))].append(word)
        asked.append((command[2], options))
        return subprocess.CompletedProcess(command, 0)

    def rendered(out: Path, count: int, seed: int, config: HandConfig) -> None:
        assert config == HandConfig()
        out.mkdir(parents=True)
        (out / HANDS).touch()
        (out / LABELS).touch()
        asked.append(("hands", out.name, count))

    monkeypatch.setattr(recipe, "export", export)
    monkeypatch.setattr(hands, "render_all", rendered)
    monkeypatch.setattr(subprocess, "run", ran)
    return asked


def test_the_stages_come_in_order_and_begin_from_the_networks_of_tiles(
    tmp_path: Path, done: list[Any], exported: dict[str, Any]
) -> None:
    models = tmp_path / "models"
    recipe.run(tmp_path, models, 10)
    assert [step[1] for step in done[:3]] == ["scenes", "scenes", "kept-back"]
    assert done[3][0] == "models.recipes.warm" and done[3][1]["--models"] == [str(models)]
    rounds = [step for step in done if isinstance(step, Round)]
    base, tuned, on_hands = rounds
    assert all(one.kind is CARDS for one in rounds) and sum(one.minutes for one in rounds) < 10
    assert base.start == {
        "detector": tmp_path / "beginning" / "card_detector.pt",
        "reader": tmp_path / "beginning" / "card_reader.pt",
    }
    assert tuned.start == base.checkpoints and tuned.out != base.out
    assert done[4:] == [
        base,
        ("export", "base", {}, Pieces.CARDS),
        ("mine", "scenes", "base", CARDS),
        tuned,
        ("hands", "hands-of-detector", max(1, done[1][2] // 20)),
        on_hands,
        ("models.recipes.average", options_of_average(tmp_path)),
        ("render", "further", done[1][2] // 4),
        ("hands", "hands", max(1, done[1][2] // 80)),
        ("export", "tuned", {}, Pieces.CARDS),
        ("models.recipes.refit", options_of_refit(tmp_path)),
        ("export", "refitted", {}, Pieces.CARDS),
        ("hands", "hands-kept-back", round(done[1][2] / 320)),
        ("export", "models", TEMPERATURES, Pieces.CARDS),
        ("models.recipes.whole_numbers", {"--models": [str(tmp_path / "models")]}),
    ]
    assert exported["tuned"]["reader"] == tuned.checkpoints["reader"]
    assert exported["models"] == exported["refitted"] | {
        "detector": tmp_path / "on-hands" / "mean" / "checkpoint.pt",
        "reader": tmp_path / "tuned" / "refit" / "checkpoint.pt",
    }


def test_the_detector_alone_learns_whole_hands_as_often_as_scenes(
    tmp_path: Path, done: list[Any]
) -> None:
    recipe.run(tmp_path, tmp_path / "models", 10)
    tuned, on_hands = [step for step in done if isinstance(step, Round)][1:]
    assert on_hands.networks == ("detector",) and on_hands.start == tuned.checkpoints
    assert on_hands.checkpoints == tuned.checkpoints | {
        "detector": tmp_path / "on-hands" / "detector" / "checkpoint.pt"
    }
    scenes, *hands_drawn = on_hands.scenes
    assert scenes == tmp_path / "scenes"
    assert hands_drawn == [tmp_path / "on-hands" / "hands-of-detector"] * 4


def options_of_average(out: Path) -> dict[str, list[str]]:
    """Return the options by which the tuned detector and the one trained further on hands are
    averaged.
    """
    return {
        "--before": [str(out / "tuned" / "detector" / "checkpoint.pt")],
        "--after": [str(out / "on-hands" / "detector" / "checkpoint.pt")],
        "--out": [str(out / "on-hands" / "mean")],
        "--pieces": ["cards"],
    }


def options_of_refit(out: Path) -> dict[str, list[str]]:
    """Return the options by which the last layers are fitted: on further scenes and hands, with the
    tuned networks.
    """
    return {
        "--scenes": [str(out / "further"), str(out / "hands")],
        "--models": [str(out / "tuned")],
        "--from": [str(out / "tuned" / "reader" / "checkpoint.pt")],
        "--out": [str(out / "tuned" / "refit")],
        "--pieces": ["cards"],
    }


def test_a_run_taken_up_again_does_not_begin_anew(tmp_path: Path, done: list[Any]) -> None:
    recipe.run(tmp_path, tmp_path / "models", 10)
    (tmp_path / "beginning").mkdir()
    for net in ("detector", "reader"):
        (tmp_path / "beginning" / f"card_{net}.pt").touch()
    (tmp_path / "tuned" / "refit").mkdir(parents=True)
    (tmp_path / "tuned" / "refit" / "checkpoint.pt").touch()
    done.clear()
    recipe.run(tmp_path, tmp_path / "models", 10)
    begun = ("models.recipes.warm", "mine", "hands", "models.recipes.refit")
    assert not any(isinstance(step, tuple) and step[0] in begun for step in done)
    with pytest.raises(SystemExit, match="expected --minutes 10"):
        recipe.run(tmp_path, tmp_path / "models", 20)


def test_the_detector_of_cards_has_a_recipe_of_its_own(tmp_path: Path) -> None:
    a_round = Round((Path("a"),), tmp_path, 3, 1e-3, kind=CARDS)
    assert a_round.command("detector")[2] == "models.recipes.train_card_detector"
    assert a_round.command("reader")[2] == "models.recipes.train_reader"
