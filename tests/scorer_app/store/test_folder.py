"""The data folder: one server at a time uses it, and its files belong to their owner alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from scorer_app.config import AppConfig
from scorer_app.store import Store, StoreUnavailable
from scorer_app.store.folder_lock import lock_database, lock_folder

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
    assert f"otro servidor de Burako usa {config.data_dir}: detenelo" in line
    Served(config.data_dir).kill()


@pytest.mark.process
def test_a_second_server_on_the_database_is_refused_though_it_has_a_folder_of_its_own(
    config: AppConfig,
) -> None:
    database = config.data_dir / "burako.sqlite3"
    first = Served(config.data_dir)
    try:
        second = subprocess.run(
            serve_command(
                config.data_dir.parent / "own", "0", "--database", f"sqlite:///{database}"
            ),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
    finally:
        first.kill()
    assert second.returncode == 1
    (line,) = second.stderr.splitlines()
    assert f"otro servidor de Burako usa {database}: detenelo" in line


def test_a_file_in_the_place_of_the_folder_is_told_as_that(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(StoreUnavailable, match="file: Not a directory"):
        lock_folder(tmp_path / "file")


def test_databases_in_one_folder_are_locked_apart(tmp_path: Path) -> None:
    one, other = (f"sqlite:///{(tmp_path / name).as_posix()}" for name in ("one.db", "two.db"))
    with lock_database(one), lock_database(other):
        for url in (one, other):
            with pytest.raises(StoreUnavailable, match="another server"):
                lock_database(url)
    lock_database(one).__exit__(None, None, None)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://user@host/name",
        "sqlite://",
        "sqlite:///file:one.db?uri=true",
        "sqlite:////nowhere/one.db",
        "no url",
    ],
)
def test_what_is_no_file_of_sqlite_is_not_locked(url: str) -> None:
    with lock_database(url), lock_database(url):
        pass


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
