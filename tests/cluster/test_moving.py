"""A home moves into a cluster: its matches, hands and photographs are there by their old links."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import create_engine, text, update

from scorer_app import create_app
from scorer_app.cli import migrate
from scorer_app.cli.config_file import read_config
from scorer_app.config import AppConfig, Mode
from scorer_app.services import moving
from scorer_app.store import Hand, Match, Photo, PhotoState
from scorer_app.store.folder_lock import lock_folder
from scorer_app.web.application import close
from scorer_app.web.parts import parts_of
from tests.scorer_app.conftest import Scorer
from tests.scorer_app.hands import CANASTA, send, when_read
from tests.scorer_app.pictures import RecordedReader, picture_of

from .databases import KEY, empty_databases, in_schema


@pytest.fixture
def database() -> Iterator[str]:
    with empty_databases(1) as (schema,):
        yield in_schema(schema).render_as_string(hide_password=False)


@pytest.fixture
def file(tmp_path: Path, database: str) -> Path:
    """The configuration of the cluster."""
    path = tmp_path / "cluster.toml"
    photos = (tmp_path / "photographs").as_uri()
    path.write_text(f"database = {json.dumps(database)}\nphotos = {json.dumps(photos)}\n")
    return path


@pytest.fixture
def hand(scorer: Scorer, reader: RecordedReader) -> str:
    """Make a saved hand of a home, with a photograph and steps; return its id."""
    name = scorer.begin()
    send(scorer, name, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    when_read(scorer, name)
    scorer.tap(name, "A", "melds", CANASTA)
    scorer.close(name)
    assert scorer.post(f"/api/hands/{name}/save", json={"with_doubts": True}).status_code == 200
    return name


@pytest.fixture
def home(app: Flask, config: AppConfig, hand: str) -> Path:
    """Return the path of the home's database, whose server has ended."""
    close(app)
    return config.data_dir / "burako.sqlite3"


def moved(file: Path, home: Path, *more: str) -> int:
    return migrate.main(["--config", str(file), "--lang", "en", "--from", str(home), *more])


def cluster_at(file: Path, folder: Path) -> AppConfig:
    return replace(read_config(file), secret_key=KEY, data_dir=folder / "page")


def rows(database: str, table: str) -> int:
    server = create_engine(database)
    with server.connect() as connection:
        count: int = connection.execute(text(f'SELECT count(*) FROM "{table}"')).scalar_one()
    server.dispose()
    return count


def test_a_moved_match_is_opened_by_its_old_links(
    app: Flask, scorer: Scorer, hand: str, config: AppConfig, file: Path, tmp_path: Path
) -> None:
    before = scorer.hand(hand)
    match, photo = before["match"], before["photos"][0]["url"]
    with parts_of(app).store.reading() as session:
        link = f"/v/{session.get_one(Match, match).viewer_token}"
    tally = scorer.client.get(f"/matches/{match}/export.json").get_json()
    with scorer.client.get(photo) as answer:
        picture = answer.data
    close(app)
    folder = str(config.photo_dir)
    assert moved(file, config.data_dir / "burako.sqlite3", "--photos", folder) == 0
    there = create_app(cluster_at(file, tmp_path))
    device = Scorer.of(there)
    assert without_age(device.hand(hand)) == without_age(before)
    assert device.client.get(link).status_code == 200
    assert device.client.get(f"/matches/{match}").status_code == 200
    assert device.client.get(f"/matches/{match}/export.json").get_json() == tally
    with device.client.get(photo) as answer:
        assert answer.data == picture
    tile = next(iter(before["tiles"]))
    assert device.edit(hand, {"op": "set_tile", "tile": tile, "face": "J"}).status_code == 200
    assert device.post(f"/api/hands/{hand}/undo").status_code == 200
    assert without_age(device.hand(hand))["tiles"] == before["tiles"]
    assert device.begin(match) != hand
    close(there)


def without_age(view: Any) -> Any:
    """Return a hand as it is shown, without the numbers that count its changes."""
    return {key: value for key, value in view.items() if key not in ("version", "versions")}


def test_the_links_of_tallies_open_on_a_public_server_too(
    app: Flask, hand: str, home: Path, file: Path, tmp_path: Path
) -> None:
    with parts_of(app).store.reading() as session:
        (match,) = session.query(Match)
    assert moved(file, home) == 0
    there = create_app(replace(cluster_at(file, tmp_path), mode=Mode.PUBLIC))
    assert there.test_client().get(f"/v/{match.viewer_token}").status_code == 200
    assert there.test_client().get(f"/matches/{match.id}").status_code == 404
    assert there.test_client().get(f"/m/{match.scorer_token}").status_code == 303
    close(there)


def test_what_waited_and_what_is_damaged_moves_too(
    app: Flask, scorer: Scorer, hand: str, config: AppConfig, file: Path, tmp_path: Path
) -> None:
    damaged = scorer.begin()
    waiting = {"state": PhotoState.READING, "lease": "a reader of the home", "attempts": 2}
    with parts_of(app).store.writing() as session:
        session.execute(update(Photo).values(waiting))
        broken = "UPDATE hand SET draft = '{\"tiles\": NaN}' WHERE id = :hand"
        session.execute(text(broken), {"hand": damaged})
    close(app)
    assert moved(file, config.data_dir / "burako.sqlite3") == 0
    there = create_app(cluster_at(file, tmp_path))
    with parts_of(there).store.reading() as session:
        (photo,) = session.query(Photo)
        assert (photo.state, photo.lease, photo.attempts) == (PhotoState.QUEUED, None, 0)
        assert session.get_one(Hand, damaged).draft == '{"tiles": NaN}'
    device = Scorer.of(there)
    assert device.client.get(f"/api/hands/{damaged}").status_code == 409  # which tells so
    assert device.hand(hand)["tiles"]
    close(there)


def test_a_database_that_holds_matches_is_refused(
    home: Path, file: Path, database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [moved(file, home), moved(file, home)] == [0, 1]
    told = "burako migrate: The database to copy into must be empty, and has rows in match.\n"
    assert capsys.readouterr().err == told
    assert rows(database, "match") == 1


def test_what_is_broken_off_leaves_nothing(
    home: Path,
    file: Path,
    database: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    as_new = moving._as_new

    def spoilt(table: Any, row: dict[str, Any]) -> dict[str, Any]:
        return as_new(table, row) | ({"key": "k" * 41} if table is Photo.__table__ else {})

    with monkeypatch.context() as patch:
        patch.setattr(moving, "_as_new", spoilt)
        assert moved(file, home) == 1
    (line,) = capsys.readouterr().err.splitlines()
    told = "burako migrate: Nothing was copied: the table photo refuses a row: value too"
    assert line.startswith(told)
    assert [rows(database, name) for name in ("match", "hand", "edit")] == [0, 0, 0]
    assert moved(file, home) == 0


def test_long_copying_tells_how_far_it_is(
    home: Path, file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(migrate, "TELL_EVERY", 0.0)
    monkeypatch.setattr(moving, "AT_ONCE", 2)
    assert moved(file, home) == 0
    *told, last = capsys.readouterr().out.splitlines()
    done = [int(line.split()[3]) for line in told]
    assert done == sorted(done) and len(done) > 3
    assert told[-1] == f"Burako: Rows copied: {done[-1]} of {done[-1]}"
    assert last == f"Burako: Matches copied from {home}: 1"


def test_a_home_that_is_not_there_or_in_use_is_told_in_a_sentence(
    home: Path, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.sqlite3"
    assert moved(file, other) == 1
    other.write_bytes(b"no database at all")
    assert moved(file, other) == 1
    with lock_folder(home.parent):
        assert moved(file, home) == 1
    shutil.copy(home, tmp_path / "elsewhere.sqlite3")
    missing, damaged, used = capsys.readouterr().err.splitlines()
    no_file = "expected the database of a home server, and there is no such file"
    assert missing == f"burako migrate: {other}: {no_file}"
    assert damaged.startswith("burako migrate: The data cannot be opened: ")
    assert used.endswith(
        f"another Burako server is using {home.parent}: stop it, or choose other data"
    )
    assert moved(file, tmp_path / "elsewhere.sqlite3") == 0
