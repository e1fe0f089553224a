"""Processes of one kind: one that dies is replaced, and all end together, even if their parent is
killed.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from scorer_app.serving import processes
from tests.places import PROJECT

from ..conftest import until
from ..served import PATIENCE

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform == "win32", reason="ends processes by signals"),
]
# Each process notes its number while it lives. They import nothing of the tests, which takes long.
# Each of them dies young, however late a busy machine ends it: it begins in the far future.
PARENT = """
import math
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path

from scorer_app.serving import processes

begin = processes._begin


def begin_young(target, start, running):
    begin(target, start, running)
    running.update({one: replace(life, begun=math.inf) for one, life in running.items()})


def wait_for_the_end(folder):
    (Path(folder) / str(os.getpid())).touch()
    try:
        signal.pause()
    finally:
        (Path(folder) / str(os.getpid())).unlink()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in a shell's background
    processes.SHORT_LIFE = float(sys.argv[2])
    processes._begin = begin_young
    processes.stop_on_signals()
    processes.keep_running(wait_for_the_end, 2 * [(sys.argv[1],)])
"""


def living(folder: Path) -> set[int]:
    return {int(path.name) for path in folder.iterdir()}


@pytest.fixture
def short_life() -> float:
    """Return the seconds after which a process is replaced that dies young like the one before."""
    return 2.0


@pytest.fixture
def parent(tmp_path: Path, short_life: float) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    folder = tmp_path / "living"
    folder.mkdir()
    (tmp_path / "parent.py").write_text(PARENT)
    process = subprocess.Popen(
        [sys.executable, tmp_path / "parent.py", folder, str(short_life)],
        env=os.environ | {"PYTHONPATH": str(PROJECT)},
    )
    until(lambda: len(living(folder)), lambda count: count == 2)
    yield process, folder
    process.kill()
    process.wait(PATIENCE)
    for number in living(folder):
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)


def replaced(folder: Path, killed: int) -> int:
    """Kill one of two processes, and return the process id of the one that takes its place."""
    os.kill(killed, signal.SIGKILL)
    (folder / str(killed)).unlink()
    (staying,) = living(folder)
    (new,) = until(lambda: living(folder), lambda alive: len(alive) == 2) - {staying}
    return new


@pytest.mark.parametrize("short_life", [3600.0])
def test_who_is_killed_once_is_replaced_at_once(
    parent: tuple[subprocess.Popen[bytes], Path],
) -> None:
    _process, folder = parent
    killed = min(living(folder))
    assert replaced(folder, killed) != killed


def test_who_dies_young_a_second_time_is_replaced_later(
    parent: tuple[subprocess.Popen[bytes], Path], short_life: float
) -> None:
    _process, folder = parent
    second = replaced(folder, min(living(folder)))
    began = time.monotonic()
    replaced(folder, second)
    assert time.monotonic() - began > short_life


@pytest.mark.parametrize(
    ("lived", "after_short_life", "later"),
    [(4.9, False, 0.0), (4.9, True, 5.0), (5.0, True, 0.0), (5.0, False, 0.0)],
)
def test_only_the_second_of_two_short_lives_delays_what_follows(
    monkeypatch: pytest.MonkeyPatch, lived: float, after_short_life: bool, later: float
) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 100.0 + lived)
    start = processes._replacement(processes._Life(("a",), 100.0, after_short_life))
    assert start == processes._Start(100.0 + lived + later, ("a",), lived < processes.SHORT_LIFE)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_all_end_with_the_parent(
    how: signal.Signals, parent: tuple[subprocess.Popen[bytes], Path]
) -> None:
    process, folder = parent
    process.send_signal(how)
    assert process.wait(PATIENCE) == (-how if how == signal.SIGKILL else 0)
    assert until(lambda: living(folder), lambda alive: not alive) == set()
