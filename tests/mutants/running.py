"""Runs tests in a copy of the project: traced, and against a mutant."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.listing import Mutant
from tests.mutants.rooms import Room
from tests.mutants.tracing import Trace, able_to_notice, read_lines
from tests.places import PROJECT, SHARED

LEFT_OUT = shutil.ignore_patterns(
    ".git",
    ".venv",
    "var",
    "build",
    "dist",
    "node_modules",
    "__pycache__",
    ".*_cache",
    ".hypothesis",
)
QUICK = "not slow and not browser"
PYTEST = ("pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", QUICK)
ALREADY_IMPORTED = ("-W", "ignore::pytest.PytestAssertRewriteWarning")  # SlipCover is, by then
SLACK = 3.0  # times as long as without a mutation before a run counts as hanging
LEAST_TIMEOUT = 60.0  # seconds
NO_TESTS = 5  # pytest's exit status


@dataclass
class Copy:
    """A copy of the project in which one mutant after another is tried."""

    folder: Path  # holds the project, and beside it the shared material where there is some

    def __post_init__(self) -> None:
        shutil.copytree(PROJECT, self.project, ignore=LEFT_OUT)
        if SHARED.exists():
            (self.folder / SHARED.name).symlink_to(SHARED)
        # Python checks compiled modules by the content of their source, also those that it compiles
        # later: a mutant may be as long and as old as the file that it replaces.
        compile_all = (sys.executable, "-m", "compileall", "-q", "--invalidation-mode")
        subprocess.run([*compile_all, "checked-hash", "."], cwd=self.project, check=False)

    @property
    def project(self) -> Path:
        return self.folder / PROJECT.name

    def trace(self, test: str, room: Room) -> Trace:
        """Run a test file without a mutation, to see that it passes and what it executes.

        Raises RuntimeError with what pytest says where it fails.
        """
        out = self.folder / "lines.json"
        out.unlink(missing_ok=True)
        began = time.monotonic()
        traced = ["slipcover", "--json", f"--out={out}", f"--source={','.join(room.folders())}"]
        done = self._run([*traced, "-m", *PYTEST, *ALREADY_IMPORTED, test], None)
        if done.returncode not in (0, NO_TESTS):
            raise RuntimeError(f"{test} fails without a mutation:\n{done.stdout}{done.stderr}")
        return Trace(test, time.monotonic() - began, read_lines(out))

    def is_killed(self, mutant: Mutant, traces: Iterable[Trace]) -> bool:
        """Whether a test fails, or hangs, on the mutant; `traces` are those of its room."""
        able = able_to_notice(mutant.path, mutant.lines, traces)
        timeout = max(LEAST_TIMEOUT, SLACK * sum(trace.seconds for trace in able))
        file = self.project / mutant.path
        original = file.read_bytes()
        file.write_text(mutant.code, "utf-8")
        try:
            done = self._run([*PYTEST, *(trace.test for trace in able)], timeout)
        except subprocess.TimeoutExpired:
            print(f"hangs: {mutant.identity}", flush=True)
            return True
        finally:
            file.write_bytes(original)
        assert done.returncode != NO_TESTS, done.stdout
        return done.returncode != 0

    def _run(
        self, arguments: Sequence[str], timeout: float | None
    ) -> subprocess.CompletedProcess[str]:
        environment = os.environ | {
            "PYTHONPATH": str(self.project),
            "PYTHONHASHSEED": "0",
        }
        return subprocess.run(
            [sys.executable, "-m", *arguments],
            cwd=self.project,
            env=environment,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
