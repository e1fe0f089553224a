"""The option `--database`: what is no URL of a database is wrong usage, told in one sentence that
shows no password, and so is a server that gives no connection.
"""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from scorer_app.cli.database_url import database_url

from .commands import burako, only_line

EXPECTED = (
    "expected a URL such as postgresql://user@host/name, or sqlite:////folder/file.sqlite3 for a"
    " file, got "
)


@pytest.mark.parametrize(
    ("text", "got"),
    [
        ("nonsense", "'nonsense'"),
        ("/srv/burako.sqlite3", "'/srv/burako.sqlite3'"),
        ("sqlite://", "'sqlite://'"),
        ("sqlite:///:memory:", "'sqlite://...'"),
        ("sqlite:///file:hands?mode=memory&uri=true", "'sqlite://...'"),
        ("postgres://user@host/name", "'postgres://...'"),
        ("mysql://user:secret@host/name", "'mysql://...'"),
        ("postgresql+unheard://host/name", "'postgresql+unheard://host/name'"),
        ("postgresql://user:secret@host:port/name", "'postgresql://...'; a port is a number"),
        ("host=there password=secret", "another text"),
        ("user:secret@host", "another text"),
    ],
)
@pytest.mark.parametrize("command", ["serve", "set list"])
def test_what_is_no_database_is_wrong_usage(
    command: str, text: str, got: str, tmp_path: Path
) -> None:
    done = burako(*command.split(), "--data", str(tmp_path / "data"), "--database", text)
    assert (done.returncode, done.stdout) == (2, "")
    assert only_line(done.stderr) == f"burako {command}: argument --database: {EXPECTED}{got}"
    assert not (tmp_path / "data").exists()


def test_a_postgresql_without_a_driver_gets_the_one_that_is_brought() -> None:
    assert database_url("postgresql://a:b@h/n?x=1") == "postgresql+psycopg://a:b@h/n?x=1"
    for text in ("postgresql+psycopg://h/n", "sqlite:////a%20b.sqlite3", "sqlite:///b"):
        assert database_url(text) == text


@pytest.mark.parametrize("command", ["serve", "set list", "migrate", "work"])
def test_a_server_that_gives_no_connection_is_named(command: str, tmp_path: Path) -> None:
    pytest.importorskip("psycopg")
    pytest.importorskip("procrastinate")
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    url = f"postgresql://ana:secret@127.0.0.1:{port}/burako"
    config = tmp_path / "burako.toml"
    config.write_text(f'database = "{url}"')
    is_told_by_file = command in ("migrate", "work")
    more = ["--config", str(config)] if is_told_by_file else ["--database", url]
    if not is_told_by_file:
        more += ["--data", str(tmp_path)]
    done = burako(*command.split(), *more)
    assert (done.returncode, done.stdout) == (1, "")
    told = f"the database server at 127.0.0.1:{port} gives no connection (Connection refused)"
    assert only_line(done.stderr).endswith(told)


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    path = tmp_path / "none" / "burako.sqlite3"
    url = f"sqlite:///{path.as_posix()}"
    done = burako("serve", "--data", str(tmp_path / "data"), "--database", url)
    assert (done.returncode, done.stdout) == (1, "")
    assert only_line(done.stderr).endswith(f"{path}: unable to open database file")
