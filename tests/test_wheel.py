"""The wheel contains all that it needs: the program installed from it reads and judges, and nothing
else is installed with it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .places import PROJECT, SAMPLES

pytestmark = pytest.mark.process

INSTALLED = ("engine", "models", "scorer_app", "vision")
PATIENCE = 120.0  # seconds for each step: many times what a busy machine needs
BUILD = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"
# Runs a sub-command, then fails if a module of this project came from elsewhere than the wheel.
RUN = """
import sys
from scorer_app.cli.main import main
target, ours = sys.argv.pop(1), {"engine", "vision", "scorer_app", "models", "datasets"}
status = main(sys.argv[1:])
files = [module.__file__ for name, module in sys.modules.items() if name.split(".")[0] in ours]
assert files and all(file.startswith(target) for file in files), files
sys.exit(status)
"""


def files_of(folder: Path, *names: str) -> set[str]:
    """List the files in the named folders of `folder`, relative to it, without compiled modules."""
    found = {path for name in names for path in (folder / name).rglob("*") if path.is_file()}
    return {
        path.relative_to(folder).as_posix() for path in found if "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with nothing but this tree's wheel installed into it, without what it depends on."""
    source, wheels, target = (tmp_path_factory.mktemp(name) for name in ("tree", "wheel", "target"))
    unbuilt = shutil.ignore_patterns("__pycache__")
    for name in (*INSTALLED, "datasets"):
        shutil.copytree(PROJECT / name, source / name, ignore=unbuilt)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(PROJECT / name, source)
    run(source, sys.executable, "-c", BUILD, str(wheels))
    (wheel,) = wheels.glob("*.whl")
    pip = [sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--no-compile"]
    run(source, *pip, "--target", str(target), str(wheel))
    return target


def run(folder: Path, *command: str, **environment: str) -> str:
    """Run a command in `folder` and return what it prints; fails with its error output where it
    fails.
    """
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def burako(target: Path, folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-c", RUN, str(target), *arguments]
    return run(folder, *command, PYTHONPATH=str(target), PYTHONUTF8="1")


def test_it_installs_the_four_packages_and_nothing_beside_them(target: Path) -> None:
    packages = {path.name for path in target.iterdir() if not path.name.endswith(".dist-info")}
    assert packages - {"bin"} == set(INSTALLED)
    assert not (target / "models" / "recipes").exists()


def test_every_file_of_the_packages_is_in_it(target: Path) -> None:
    wanted = files_of(PROJECT, *INSTALLED)
    recipes = {path for path in wanted if path.startswith("models/recipes/")}
    assert recipes and files_of(target, *INSTALLED) == wanted - recipes


def test_it_judges(target: Path, tmp_path: Path) -> None:
    case = {"kind": "meld", "ruleset": "burako", "input": {"tiles": ["3R", "4R", "5R"]}}
    (tmp_path / "cases.jsonl").write_text(json.dumps(case))
    answer = json.loads(burako(target, tmp_path, "judge", "cases.jsonl", "--json"))
    assert (answer["valid"], answer["points"]) == (True, 15)


def test_it_reads_a_photograph(target: Path, tmp_path: Path) -> None:
    photograph = shutil.copy(SAMPLES / "rack-a.jpg", tmp_path)
    hand = json.loads((SAMPLES / "hand.json").read_text("utf-8"))
    (truth,) = (photo["tiles"] for photo in hand["photos"] if photo["photo"] == "rack-a.jpg")
    printed = burako(target, tmp_path, "read", str(photograph), "--as", "loose", "--json")
    answer = json.loads(printed)["tiles"]
    assert sorted(tile["tile"] for tile in answer) == sorted(tile["tile"] for tile in truth)
