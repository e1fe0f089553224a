"""The data folder: one server at a time uses it, and its files belong to their owner alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from scorer_app.config import AppConfig
from scorer_app.store import Store

from ..served import PATIENCE, Served, serve_command


@pytest.mark.process
def test_a_second_server_on_the_folder_is_refused_until_the_first_is_killed(
    config: AppConfig,
) -> None:
    first = Served(config.data_dir)
    try:
        second = subprocess.run(
            serve_command(config.data_dir, "0"), capture_output=True, text=True, timeout=PATIENCE
        )
    finally:
        first.kill()
    assert second.returncode == 1
    (line,) = second.stderr.splitlines()
    assert str(config.data_dir) in line and "another server" in line
    Served(config.data_dir).kill()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps no such modes")
def test_the_database_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "burako.sqlite3"
    store = Store(f"sqlite:///{path.as_posix()}")
    store.set_setting("join_code", "ABCDEF")
    assert {one.stat().st_mode & 0o077 for one in tmp_path.iterdir()} == {0}
    store.close()
    path.chmod(0o644)
    Store(f"sqlite:///{path.as_posix()}").close()
    assert path.stat().st_mode & 0o077 == 0
