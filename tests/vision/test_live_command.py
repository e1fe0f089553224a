"""`burako live` on sources and arguments that will not do: one line, and the right status."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest


def live(*arguments: str) -> subprocess.CompletedProcess[str]:
    start = "import sys; from scorer_app.cli import main; sys.exit(main())"
    return subprocess.run([sys.executable, "-c", start, "live", *arguments], capture_output=True, text=True, timeout=60)


def test_a_bad_file_is_one_line_on_standard_error(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    path.write_bytes(b"no video")
    done = live(str(path), "--json", "--lang", "en")
    assert done.returncode == 1
    assert done.stderr == f"burako live: The file is no video that can be read: {path}.\n"
    assert json.loads(done.stdout) == {
        "source": str(path), "error": "no_video", "message": f"The file is no video that can be read: {path}."
    }


@pytest.mark.parametrize(
    "arguments", [["x.mp4", "--side-line", "1,2,3"], ["x.mp4", "--side-line", "1,2,1,2"], ["x", "--rules", "y"], []]
)
def test_wrong_usage_is_status_2(arguments: list[str]) -> None:
    done = live(*arguments)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.count("\n") == 1


def test_a_line_may_start_outside_the_picture() -> None:
    done = live("none.mp4", "--side-line", "-10,20,30,40")
    assert done.returncode == 1 and "none.mp4" in done.stderr
