"""The page's scripts and styles are formatted as prettier does it, and the scripts' types pass
TypeScript.

Both tools come from npm, which nothing else needs: `npm install` in tests/js installs them, and
where they are not installed these tests are skipped.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.places import PROJECT

HERE = Path(__file__).parent
STATIC = PROJECT / "scorer_app" / "web" / "static"
LONGEST_LINE, LONGEST_FILE = 100, 300
SCRIPTS = sorted([*(STATIC / "js").glob("*.js"), *HERE.glob("*.?s")])


@pytest.mark.process
@pytest.mark.parametrize("check", ["format", "types"])
def test_the_scripts_pass(check: str) -> None:
    npm = shutil.which("npm")
    if npm is None or not (HERE / "node_modules").is_dir():
        pytest.skip("`npm install` in tests/js has not installed prettier and TypeScript")
    command = [npm, "run", "--silent", f"check:{check}"]
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_no_script_is_long_or_wide(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    if path.parent != HERE:
        assert len(lines) <= LONGEST_FILE
    assert [line for line in lines if len(line) > LONGEST_LINE] == []


def test_no_address_of_a_download_is_kept() -> None:
    assert not (HERE / "package-lock.json").exists()
