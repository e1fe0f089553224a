"""Temporary folders of a process: deleted when it ends, or later where it was killed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from scorer_app.services.scratch import delete_abandoned, scratch_folder
from scorer_app.web.metrics import SHARED, shared_by_processes

WORKING = """
import sys
from pathlib import Path
from scorer_app.services.scratch import scratch_folder
with scratch_folder(Path(sys.argv[1])) as folder:
    (folder / "file").touch()
    print("there", flush=True)
    sys.stdin.read()
"""


def begin_to_work(parent: Path) -> subprocess.Popen[bytes]:
    run = [sys.executable, "-c", WORKING, str(parent)]
    process = subprocess.Popen(run, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout and process.stdout.readline() == b"there\n"
    return process


def files(parent: Path) -> list[str]:
    return [path.name for path in parent.rglob("*") if not path.is_dir()]


def test_a_folder_goes_with_the_work(tmp_path: Path) -> None:
    with scratch_folder(tmp_path / "work") as folder:
        (folder / "file").touch()
        assert folder.parent == tmp_path / "work"
    assert list((tmp_path / "work").iterdir()) == []


@pytest.mark.process
def test_a_folder_stays_while_its_process_lives_and_goes_when_it_was_killed(tmp_path: Path) -> None:
    process = begin_to_work(tmp_path)
    try:
        assert delete_abandoned(tmp_path) == 0
        assert "file" in files(tmp_path)
    finally:
        process.kill()
        process.communicate()
    assert "file" in files(tmp_path)
    assert delete_abandoned(tmp_path) == 1
    assert list(tmp_path.iterdir()) == []


def test_nothing_to_delete_is_no_fault(tmp_path: Path) -> None:
    assert delete_abandoned(tmp_path / "never made") == 0


@pytest.mark.process
def test_counts_of_a_server_that_was_killed_are_deleted_by_the_next(tmp_path: Path) -> None:
    process = begin_to_work(tmp_path)
    process.kill()
    process.communicate()
    with shared_by_processes(tmp_path):
        assert [str(path) for path in tmp_path.iterdir() if path.is_dir()] == [os.environ[SHARED]]
        assert "file" not in files(tmp_path)
    assert SHARED not in os.environ
    assert list(tmp_path.iterdir()) == []
