"""Runs a mutant against the tests of its room, in a copy of the project."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.mutants.listing import Mutant
from tests.mutants.rooms import Room, own_tests_of, room_of
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
PYTEST = (sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", QUICK)
SLACK = 3.0  # times as long as without a mutation before a run counts as hanging
LEAST_TIMEOUT = 60.0  # seconds
NO_TESTS = 5  # pytest's exit status


@dataclass
class Copy:
    """A copy of the project in which one mutant after another is tried."""

    folder: Path  # holds the project, and beside it the shared material where there is some
    timeouts: dict[str, float] = field(default_factory=dict)  # seconds, by room

    def __post_init__(self) -> None:
        shutil.copytree(PROJECT, self.project, ignore=LEFT_OUT)
        if SHARED.exists():
            (self.folder / SHARED.name).symlink_to(SHARED)
        # Compiled modules are told apart by content: a mutant may be as long and as old as the
        # file that it replaces.
        compile_all = (sys.executable, "-m", "compileall", "-q", "--invalidation-mode")
        subprocess.run([*compile_all, "checked-hash", "."], cwd=self.project, check=False)

    @property
    def project(self) -> Path:
        return self.folder / PROJECT.name

    def check(self, room: Room) -> None:
        """Run the room's tests without a mutation, to see that they pass and how long they take.

        Raises RuntimeError with what pytest says where they fail.
        """
        began = time.monotonic()
        done = self._test(room.tests, None)
        if done.returncode:
            raise RuntimeError(f"the tests of {room.name} fail without a mutation:\n{done.stdout}")
        self.timeouts[room.name] = max(LEAST_TIMEOUT, SLACK * (time.monotonic() - began))

    def is_killed(self, mutant: Mutant) -> bool:
        """Whether a test fails, or hangs, on the mutant.

        The tests of its own file go first: they kill most mutants, in a small part of the time.
        """
        room = room_of(mutant.path)
        if room.name not in self.timeouts:
            self.check(room)
        file = self.project / mutant.path
        original = file.read_bytes()
        file.write_text(mutant.code, "utf-8")
        try:
            return any(
                self._fails(tests, self.timeouts[room.name])
                for tests in filter(None, (own_tests_of(mutant.path), room.tests))
            )
        finally:
            file.write_bytes(original)

    def _fails(self, tests: Sequence[str], timeout: float) -> bool:
        try:
            done = self._test(tests, timeout)
        except subprocess.TimeoutExpired:
            return True
        assert done.returncode != NO_TESTS, done.stdout
        return done.returncode != 0

    def _test(
        self, tests: Sequence[str], timeout: float | None
    ) -> subprocess.CompletedProcess[str]:
        environment = os.environ | {
            "PYTHONPATH": str(self.project),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": "0",
        }
        return subprocess.run(
            [*PYTEST, *tests],
            cwd=self.project,
            env=environment,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
