"""Which test files execute which lines, found once by running each without a mutation.

Each file is traced in a process of its own: what one test keeps for others, such as a cache or a
picture that a whole session shares, would hide that they need the same lines.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.rooms import ARCHITECTURE, own_tests_of


@dataclass(frozen=True)
class Trace:
    """The run of one test file: the seconds it took, and the lines that it executed."""

    test: str
    seconds: float
    lines: Mapping[Path, frozenset[int]]  # by file of code, relative to the project

    def executes(self, path: Path, lines: range) -> bool:
        return not self.lines.get(path, frozenset()).isdisjoint(lines)


def read_lines(file: Path) -> dict[Path, frozenset[int]]:
    """Read the lines executed, by file, from what SlipCover writes."""
    found = json.loads(file.read_text("utf-8"))["files"]
    return {Path(name): frozenset(lines["executed_lines"]) for name, lines in found.items()}


def able_to_notice(path: Path, lines: range, traces: Iterable[Trace]) -> list[Trace]:
    """Choose the test files that can notice a change of a file: those that execute its lines.

    The file's own tests come first, then the quickest. Last come those of the architecture, which
    do not execute the code but read it.
    """
    able = [trace for trace in traces if trace.executes(path, lines) or trace.test == ARCHITECTURE]
    own = own_tests_of(path)
    return sorted(
        able, key=lambda one: (one.test == ARCHITECTURE, one.test not in own, one.seconds)
    )
