"""The whole training as one command: its stages in order, what it takes up again, and how it ends
when something fails.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from datasets.photos import PhotosMissing
from models.recipes import __main__ as whole
from models.recipes import calibrate, inks, mine, real
from models.recipes.scenes import BLANKS
from models.recipes.stages import Round
from vision.kinds import TILES, Kind

TEMPERATURES = {"number": 1.3, "colour": 1.1}


def record_stages(monkeypatch: pytest.MonkeyPatch, command: ModuleType) -> list[Any]:
    """Let a command of the training render, label, mine, train and calibrate nothing, and return
    the list of what it asks for; labelling is not listed.
    """
    asked: list[Any] = []

    def render(out: Path, _seed: int, count: int) -> Path:
        asked.append(("render", out.name, count))
        out.mkdir(parents=True, exist_ok=True)
        (out / "labels.jsonl").write_text("")
        return out

    def mined(folder: Path, models: Path, kind: Kind = TILES) -> int:
        (folder / BLANKS).write_text("{}")
        asked.append(("mine", folder.name, models.name, kind))
        return 7

    def labelled(out: Path, _models: Path, _leave_out: object) -> None:
        out.mkdir()
        (out / "labels.jsonl").write_text("")

    monkeypatch.setattr(command, "render", render)
    monkeypatch.setattr(mine, "mine", mined)
    monkeypatch.setattr(real, "label", labelled)
    monkeypatch.setattr(calibrate, "temperatures", lambda *_: TEMPERATURES)
    monkeypatch.setattr(Round, "run", lambda self: asked.append(self) or self.checkpoints)
    return asked


def record_stages_and_processes(monkeypatch: pytest.MonkeyPatch, command: ModuleType) -> list[Any]:
    """Do as `record_stages` with a command that renders scenes of several kinds and starts
    processes. Of a process, the module's name and the arguments are listed.
    """
    asked = record_stages(monkeypatch, command)
    plain = command.render

    def render(out: Path, seed: int, count: int, _config: object = None) -> Path:
        return Path(plain(out, seed, count))

    def ran(arguments: list[str], check: bool) -> subprocess.CompletedProcess[str]:
        asked.append((arguments[2], arguments[3:]))
        return subprocess.CompletedProcess(arguments, 0)

    monkeypatch.setattr(command, "render", render)
    monkeypatch.setattr(subprocess, "run", ran)
    return asked


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """List what the command asks for, in order, filled while it runs; nothing is rendered or
    trained.
    """
    asked = record_stages(monkeypatch, whole)

    def export(checkpoints: Any, out: Path, temperatures: str = "{}") -> Path:
        asked.append(
            ("export", checkpoints["reader"].parts[-3], out.name, json.loads(temperatures))
        )
        return out

    monkeypatch.setattr(whole, "export", export)
    monkeypatch.setattr(
        whole,
        "let_compute_in_whole_numbers",
        lambda models: asked.append(("whole numbers", models.name)),
    )
    monkeypatch.setattr(inks, "fitted", lambda _scenes, models: f"inks of {models.name}")
    return asked


def test_all_stages_come_in_order_and_the_last_export_carries_the_temperatures(
    tmp_path: Path, done: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    whole.run(tmp_path, tmp_path / "models", 10)
    assert "inks of models" in capsys.readouterr().out
    base, tuned = (step for step in done if isinstance(step, Round))
    first, then = ["render"] * 3, ["export", "mine", tuned, "export", "export", "whole numbers"]
    assert [step if isinstance(step, Round) else step[0] for step in done] == [*first, base, *then]
    assert (base.start, base.real) == (None, None)
    assert tuned.start == base.checkpoints and tuned.real == tmp_path / "photographs"
    assert base.minutes + tuned.minutes < 10
    assert done[-2:] == [
        ("export", "tuned", "models", TEMPERATURES),
        ("whole numbers", "models"),
    ]


def test_a_run_taken_up_again_keeps_its_plan_and_what_was_mined(
    tmp_path: Path, done: list[Any]
) -> None:
    whole.run(tmp_path, tmp_path / "models", 10)
    plan = json.loads((tmp_path / "plan.json").read_text())
    done.clear()
    whole.run(tmp_path, tmp_path / "models", 10)
    assert [step[2] for step in done if isinstance(step, tuple) and step[0] == "render"] == [
        plan["scenes"],
        plan["kept_back"],
    ]
    assert not any(isinstance(step, tuple) and step[0] == "mine" for step in done)
    with pytest.raises(
        SystemExit, match=r"expected --minutes 10, as the run in .* was begun, got 20"
    ):
        whole.run(tmp_path, tmp_path / "models", 20)


def test_without_photographs_the_tuning_goes_on_with_renders(
    tmp_path: Path,
    done: list[Any],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def missing(*_: object) -> None:
        raise PhotosMissing("expected the labels of rummikub_ivory: no photographs on this machine")

    monkeypatch.setattr(real, "label", missing)
    whole.run(tmp_path, tmp_path / "models", 10)
    _, tuned = (step for step in done if isinstance(step, Round))
    assert tuned.real is None
    assert "training on rendered scenes alone: expected the labels" in capsys.readouterr().out


def test_a_round_tells_its_trainers_all(tmp_path: Path) -> None:
    start = {"detector": Path("d.pt"), "reader": Path("r.pt")}
    command = Round((Path("a"), Path("b")), tmp_path, 3, 5e-4, Path("real"), 0.2, start).command(
        "reader"
    )
    told = " ".join(command[2:])
    assert told.startswith("models.recipes.train_reader --scenes a b --out")
    assert "--minutes 3 --rate 0.0005" in told and told.endswith(
        "--real real --real-share 0.2 --from r.pt"
    )


def test_when_one_trainer_fails_the_other_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = {"detector": "import time; time.sleep(120)", "reader": "raise SystemExit(3)"}
    monkeypatch.setattr(Round, "command", lambda _, net: [sys.executable, "-c", commands[net]])
    begun, start = [], subprocess.Popen
    monkeypatch.setattr(
        subprocess, "Popen", lambda command: begun.append(start(command)) or begun[-1]
    )
    with pytest.raises(SystemExit, match="training of the reader failed"):
        Round((), tmp_path, 1, 1e-3).run()
    # Neither went on to its end.
    assert [process.returncode == 0 for process in begun] == [False, False]
