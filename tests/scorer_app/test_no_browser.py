"""On a machine without a browser the run of the tests succeeds, and its last line says what did not
run.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import PROJECT

NONE_INSTALLED = """
from tests.scorer_app import devices


def none_found():
    raise devices.NoBrowser
    yield


devices.start_browser = none_found
"""


@pytest.mark.process
def test_the_last_line_says_how_many_tests_did_not_run_and_how_to_get_a_browser(
    tmp_path: Path,
) -> None:
    (tmp_path / "none_installed.py").write_text(NONE_INSTALLED, "utf-8")
    left_out = {"BURAKO_TEST_BROWSER", "PYTEST_ADDOPTS"}
    environment = {name: told for name, told in os.environ.items() if name not in left_out}
    environment["PYTHONPATH"] = f"{PROJECT}{os.pathsep}{tmp_path}"
    asked = ["-q", "-n", "1", "-p", "none_installed", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *asked, "tests/scorer_app/browser/test_repeats.py"],
        cwd=PROJECT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    last = done.stdout.rstrip().splitlines()[-1]
    count, _, told = last.partition(" tests did not run: ")
    assert int(count) > 0
    assert "To install one: " in told
