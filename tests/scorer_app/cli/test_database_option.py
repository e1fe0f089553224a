"""The option `--database`: what is no URL of a database is wrong usage, told in one sentence that
shows no password, and so is a server that gives no connection.
"""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from scorer_app import create_app
from scorer_app.cli.database_url import database_url
from scorer_app.config import AppConfig
from scorer_app.web.application import close

from ..conftest import Scorer
from ..hands import send, when_read
from ..pictures import RecordedReader, picture_of
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


def test_matches_lie_in_the_named_database_and_photographs_in_the_named_folder(
    tmp_path: Path,
) -> None:
    folder, file = tmp_path / "data", tmp_path / "matches.sqlite3"
    reader = RecordedReader()
    app = create_app(AppConfig(folder, database_url=f"sqlite:///{file.as_posix()}"), reader)
    scorer = Scorer.of(app)
    send(scorer, scorer.begin(), "A", "melds", reader.add(picture_of("3R 4R 5R")))
    when_read(scorer, scorer.begin())
    close(app)
    assert [path.suffix for path in (folder / "photos").iterdir()] == [".jpg"]
    assert file.is_file() and not (folder / "burako.sqlite3").exists()


def test_a_database_in_the_folder_beside_the_named_one_is_told_to_be_unused(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "burako.sqlite3").touch()
    named = f"sqlite:///{(tmp_path / 'none' / 'burako.sqlite3').as_posix()}"
    for language, told in (("es", "no se usa."), ("en", "is not used."), ("it", "non si usa.")):
        done = burako(
            *(
                "serve",
                "--data",
                str(folder),
                "--database",
                named,
                "--lang",
                language,
                "--port",
                "0",
            )
        )
        assert f"{folder / 'burako.sqlite3'} {told}" in done.stderr


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    path = tmp_path / "none" / "burako.sqlite3"
    url = f"sqlite:///{path.as_posix()}"
    done = burako("serve", "--data", str(tmp_path / "data"), "--database", url)
    assert (done.returncode, done.stdout) == (1, "")
    assert only_line(done.stderr).endswith(f"{path}: unable to open database file")
