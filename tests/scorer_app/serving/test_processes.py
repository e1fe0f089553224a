"""Processes of one kind: who dies is replaced, and all end together, even with a killed parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.places import PROJECT

from ..conftest import until
from ..served import PATIENCE

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="ends processes by signals")
# Each process notes its number while it lives. They import nothing of the tests, which takes long.
PARENT = """
import os
import signal
import sys
from pathlib import Path

from scorer_app.serving import processes


def wait_for_the_end(folder):
    (Path(folder) / str(os.getpid())).touch()
    try:
        signal.pause()
    finally:
        (Path(folder) / str(os.getpid())).unlink()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in a shell's background
    processes.SHORT_LIFE = 0.2
    processes.stop_on_signals()
    processes.keep_running(wait_for_the_end, 2 * [(sys.argv[1],)])
"""


def living(folder: Path) -> set[int]:
    return {int(path.name) for path in folder.iterdir()}


@pytest.fixture
def parent(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    folder = tmp_path / "living"
    folder.mkdir()
    (tmp_path / "parent.py").write_text(PARENT)
    process = subprocess.Popen(
        [sys.executable, tmp_path / "parent.py", folder],
        env=os.environ | {"PYTHONPATH": str(PROJECT)},
    )
    until(lambda: len(living(folder)), lambda count: count == 2)
    yield process, folder
    process.kill()
    process.wait(PATIENCE)
    for number in living(folder):
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)


def test_who_is_killed_is_replaced(
    parent: tuple[subprocess.Popen[bytes], Path],
) -> None:
    _process, folder = parent
    killed = min(living(folder))
    os.kill(killed, signal.SIGKILL)
    (folder / str(killed)).unlink()
    assert killed not in until(lambda: living(folder), lambda alive: len(alive) == 2)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_all_end_with_the_parent(
    how: signal.Signals, parent: tuple[subprocess.Popen[bytes], Path]
) -> None:
    process, folder = parent
    process.send_signal(how)
    assert process.wait(PATIENCE) == (-how if how == signal.SIGKILL else 0)
    assert until(lambda: living(folder), lambda alive: not alive) == set()
