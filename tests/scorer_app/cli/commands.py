"""Runs the command `burako` with the sample photographs, in this process or in one of its own."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

from scorer_app.cli.main import main
from tests.places import SAMPLES

Command = Callable[..., subprocess.CompletedProcess[str]]

MELDS_A, MELDS_B, RACK_A, RACK_B = (
    str(SAMPLES / name) for name in ("melds-a.jpg", "melds-b.jpg", "rack-a.jpg", "rack-b.jpg")
)

# The sample hand: what `burako score` is given of it.
SCORED = [
    "--melds-a",
    MELDS_A,
    "--melds-b",
    MELDS_B,
    "--rack-a",
    RACK_A,
    "--rack-b",
    RACK_B,
    "--closed-by",
    "A",
    "--muerto",
    "A",
]


def burako(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in this process, where the networks are loaded once for all tests, and return
    what it did.
    """
    with io.TextIOWrapper(io.BytesIO(), "utf-8") as out, io.StringIO() as err:
        with redirect_stdout(out), redirect_stderr(err):
            try:
                status = main(arguments)
            except SystemExit as ended:
                status = int(ended.code or 0)
        out.seek(0)
        return subprocess.CompletedProcess(arguments, status, out.read(), err.getvalue())


def program(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command as a process of its own, and return what it did."""
    command = [
        sys.executable,
        "-c",
        "from scorer_app.cli.main import main; raise SystemExit(main())",
        *arguments,
    ]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=240, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    return done


def only_line(text: str) -> str:
    (line,) = text.splitlines()
    return line


def answer(done: subprocess.CompletedProcess[str]) -> Any:
    """Return what a command that did well printed as JSON."""
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(only_line(done.stdout))
