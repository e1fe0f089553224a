"""Faults of disks, databases, processes and ports: each has a clear sentence, and nothing that was
saved is lost.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import socket
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from sqlalchemy import event

from scorer_app import create_app
from scorer_app.config import AppConfig
from scorer_app.services.photo_files import FolderPhotos
from scorer_app.services.reading_queue import ReadingFailed
from scorer_app.store import Store, StoreUnavailable, connections
from scorer_app.web.application import close
from scorer_app.web.parts import parts_of

from ..conftest import Scorer, until
from ..hands import CANASTA, saved_hand, send, totals, when_read
from ..pictures import RecordedReader, picture_of
from ..served import PATIENCE, Served, serve_command


def test_a_full_disk_is_told_and_nothing_saved_is_lost(scorer: Scorer) -> None:
    _hand, match = saved_hand(scorer)
    hand = scorer.begin()
    engine = parts_of(scorer.client.application).store.engine
    with engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
    limit = f"PRAGMA max_page_count={pages}"

    def fill(connection: Any, _record: Any) -> None:
        connection.execute(limit)

    event.listen(engine, "connect", fill)
    engine.dispose()  # a connection that another thread holds now does not come back, either
    last = [scorer.tap(hand, "A", "melds", CANASTA) for _ in range(20)][-1]
    assert (last.status_code, last.get_json()["error"]) == (503, "store")
    assert totals(scorer.client, match) == ["445", "−150"]
    event.remove(engine, "connect", fill)


def test_no_room_for_a_photograph_leaves_no_half_photograph(
    scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = scorer.begin()

    def full(*_arguments: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(FolderPhotos, "receive", full)
    refused = send(scorer, hand, "A", "melds", picture_of("3R 4R 5R"))
    assert (refused.status_code, refused.get_json()["error"]) == (507, "disk")
    assert scorer.hand(hand)["photos"] == []


@pytest.mark.parametrize(
    ("number", "in_the_data", "status", "code"),
    [
        (errno.EDQUOT, True, 507, "disk"),
        (errno.EROFS, True, 507, "disk_refused"),
        (errno.EIO, True, 507, "disk_refused"),
        (errno.EACCES, True, 507, "disk_refused"),
        (errno.EACCES, False, 500, "broken"),
        (errno.EMFILE, True, 503, "used_up"),
        (errno.ENOTCONN, True, 500, "broken"),
    ],
)
def test_each_refusal_of_the_system_is_told_for_what_it_is(
    number: int,
    in_the_data: bool,
    status: int,
    code: str,
    scorer: Scorer,
    config: AppConfig,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hand = scorer.begin()
    path = config.photo_dir / "photo.upload" if in_the_data else Path("elsewhere").absolute()

    def refuse(*_arguments: object) -> None:
        raise OSError(number, os.strerror(number), str(path))

    monkeypatch.setattr(FolderPhotos, "receive", refuse)
    refused = send(scorer, hand, "A", "melds", picture_of("3R 4R 5R"))
    assert (refused.status_code, refused.get_json()["error"]) == (status, code)
    assert os.strerror(number) not in refused.text
    assert "Lo guardado" in refused.text or code == "disk_refused"


@pytest.mark.parametrize(
    ("number", "told"), [(errno.ENOSPC, "No hay lugar"), (errno.EROFS, "carpeta de fotos")]
)
def test_a_disk_that_refuses_while_a_photograph_is_opened_is_told(
    number: int, told: str, scorer: Scorer, monkeypatch: pytest.MonkeyPatch, reader: RecordedReader
) -> None:
    real = Path.replace

    def refuse(path: Path, target: Path) -> Path:
        if target.suffix == ".jpg":
            raise OSError(number, os.strerror(number))
        return real(path, target)

    picture = reader.add(picture_of("3R 4R 5R"))
    hand = scorer.begin()
    monkeypatch.setattr(Path, "replace", refuse)
    send(scorer, hand, "A", "melds", picture)
    (photo,) = when_read(scorer, hand)["photos"]
    assert (photo["state"], told in photo["text"]) == ("failed", True)
    monkeypatch.undo()
    scorer.post(f"/api/hands/{hand}/photos/{photo['id']}/read")
    assert until(lambda: scorer.hand(hand), lambda view: len(view["tiles"]) == 3)


def test_a_locked_database_is_told(config: AppConfig, reader: RecordedReader) -> None:
    app = create_app(replace(config, lock_patience=0.05), reader)
    scorer = Scorer.of(app)
    hand = scorer.begin()
    with contextlib.closing(
        sqlite3.connect(config.data_dir / "burako.sqlite3", isolation_level=None)
    ) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert scorer.tap(hand, "A", "melds", "3R").status_code == 503
        assert scorer.client.get(f"/api/hands/{hand}").status_code == 200  # looking needs no lock
    assert scorer.tap(hand, "A", "melds", "3R").status_code == 200
    close(app)


@pytest.mark.parametrize(
    "damage",
    [b"this is no database, whatever it is called" * 40, b"SQLite format 3\x00" + bytes(4000)],
)
def test_a_damaged_database_is_left_alone_and_told(config: AppConfig, damage: bytes) -> None:
    path = config.data_dir / "burako.sqlite3"
    path.write_bytes(damage)
    with pytest.raises(StoreUnavailable):
        create_app(config)
    assert path.read_bytes()[: len(damage)] == damage


def test_an_emptied_database_is_left_alone_and_told(config: AppConfig) -> None:
    path = config.data_dir / "burako.sqlite3"
    path.write_bytes(b"")
    with pytest.raises(StoreUnavailable, match="holds nothing"):
        create_app(config)
    assert path.read_bytes() == b""


def test_a_first_start_on_a_full_disk_leaves_no_empty_database(
    config: AppConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next start, once there is room, would take it for a database that was emptied."""
    path = config.data_dir / "burako.sqlite3"
    path.unlink()

    def fill(*_connection: Any) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as full:
        full.setattr(connections, "_prepare_sqlite", fill)
        with pytest.raises(StoreUnavailable, match="full"):
            create_app(config)
    assert not path.exists()
    close(create_app(config))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("update alembic_version set version_num = '9999'", "newer version of Burako"),
        ("drop table alembic_version", "another program's"),
    ],
)
def test_a_database_of_a_newer_version_or_of_another_program_is_left_alone_and_told(
    config: AppConfig, change: str, told: str
) -> None:
    path = config.data_dir / "burako.sqlite3"
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute(change)
        before = list(database.iterdump())
    with pytest.raises(StoreUnavailable, match=told):
        create_app(config)
    with contextlib.closing(sqlite3.connect(path)) as database:
        assert list(database.iterdump()) == before


def test_a_database_with_a_damaged_page_is_left_alone_and_told(
    config: AppConfig, reader: RecordedReader
) -> None:
    path = config.data_dir / "burako.sqlite3"
    pages = path.read_bytes()
    damaged = pages[:4096] + b"\x55" * 4096 + pages[8192:]
    path.write_bytes(damaged)
    with pytest.raises(StoreUnavailable, match=r"damaged|malformed"):
        create_app(config, reader)
    assert path.read_bytes() == damaged


def test_a_data_directory_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreUnavailable):
        create_app(AppConfig(data_dir=tmp_path / "file" / "data"))


def test_a_read_only_disk_is_told_at_the_start(
    config: AppConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_only(path: Path, *_options: object, **_more: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    monkeypatch.setattr(Path, "mkdir", read_only)
    with pytest.raises(StoreUnavailable, match="Read-only"):
        create_app(replace(config, data_dir=tmp_path / "elsewhere"))


@pytest.mark.parametrize(
    "url",
    [
        "no url at all",
        "postgresql+psycopg://me:secret@127.0.0.1:port/x",
        "sqlite:////tmp/x.sqlite3?timeout=late",
        "sqlite://",
        "sqlite:////no/such/folder/burako.sqlite3",
        "postgresql+no_such_driver://me:secret@127.0.0.1/x",
        "postgresql+psycopg://me:secret@127.0.0.1:9/x",
    ],
)
def test_a_database_that_cannot_be_opened_is_told_without_its_password(
    config: AppConfig, url: str
) -> None:
    with pytest.raises(StoreUnavailable) as told:
        create_app(replace(config, database_url=url))
    assert len(str(told.value).splitlines()) == 1
    assert "secret" not in str(told.value)


def test_a_data_directory_may_have_any_name(tmp_path: Path, reader: RecordedReader) -> None:
    folder = tmp_path / "what? 100% #1 ñandú"
    close(create_app(AppConfig(data_dir=folder), reader))
    assert (folder / "burako.sqlite3").is_file()


def test_a_key_cut_short_while_it_was_made_is_made_anew(
    config: AppConfig, reader: RecordedReader
) -> None:
    (config.data_dir / "secret.partial").write_bytes(b"half")
    close(create_app(config, reader))
    assert [path.name for path in config.data_dir.glob("secret.*")] == ["secret.key"]
    assert len((config.data_dir / "secret.key").read_bytes()) == 32


@pytest.mark.parametrize("left", [0, 31])
def test_a_key_of_which_a_power_cut_left_nothing_or_a_part_is_made_anew(
    config: AppConfig, reader: RecordedReader, left: int
) -> None:
    """Without a key no page could be shown, until somebody deleted the file."""
    (config.data_dir / "secret.key").write_bytes(b"k" * left)
    app = create_app(config, reader)
    assert app.test_client().get("/").status_code == 200
    close(app)
    key = (config.data_dir / "secret.key").read_bytes()
    assert len(key) == 32 and b"kkk" not in key


def test_writers_take_turns_and_the_impatient_is_told(config: AppConfig) -> None:
    store = Store(config.database, lock_patience=0.05)
    started, go_on = Event(), Event()

    def write_slowly() -> None:
        with store.writing():
            started.set()
            go_on.wait(PATIENCE)

    slow = Thread(target=write_slowly)
    slow.start()
    assert started.wait(20)
    with pytest.raises(StoreUnavailable, match="took longer"):
        store.set_setting("photo_days", 7)
    go_on.set()
    slow.join()
    store.set_setting("photo_days", 7)
    store.close()


def test_a_read_only_database_still_shows_the_tally(
    config: AppConfig, reader: RecordedReader
) -> None:
    first = create_app(config, reader)
    scorer = Scorer.of(first)
    _hand, match = saved_hand(scorer)
    close(first)
    url = f"sqlite:///file:{(config.data_dir / 'burako.sqlite3').as_posix()}?mode=ro&uri=true"
    app = create_app(replace(config, database_url=url), reader)
    scorer = Scorer.of(app)
    assert totals(scorer.client, match) == ["445", "−150"]
    assert scorer.form("/score").status_code == 503
    close(app)


def test_a_missing_model_is_told_and_the_photograph_kept(
    scorer: Scorer, reader: RecordedReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_model(*_arguments: object) -> dict[str, Any]:
        raise ReadingFailed("model_missing")

    monkeypatch.setattr(reader, "read_photo", no_model)
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", picture_of("3R 4R 5R"))
    (photo,) = when_read(scorer, hand)["photos"]
    assert (photo["state"], "modelo" in photo["text"], photo["can_retry"]) == ("failed", True, True)
    scorer.client.get(photo["url"]).close()
    assert scorer.tap(hand, "A", "melds", CANASTA).status_code == 200


def test_a_reader_that_breaks_fails_that_photograph_alone(
    scorer: Scorer, reader: RecordedReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_arguments: object) -> dict[str, Any]:
        raise ZeroDivisionError

    monkeypatch.setattr(reader, "read_photo", broken)
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", picture_of("3R 4R 5R"))
    photo = when_read(scorer, hand)["photos"][0]
    assert (photo["state"], photo["can_retry"]) == ("failed", True)
    monkeypatch.undo()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    assert len(when_read(scorer, hand)["tiles"]) == 3


def test_a_reading_past_its_time_says_so_keeps_the_photograph_and_is_still_taken_in(
    config: AppConfig, reader: RecordedReader
) -> None:
    reader.hold()
    app = create_app(replace(config, reading_limit=0.01), reader)
    scorer = Scorer.of(app)
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    view = until(lambda: scorer.hand(hand), lambda view: view["photos"][0]["state"] == "failed")
    assert ("diez segundos" in view["photos"][0]["text"], view["photos"][0]["can_retry"]) == (
        True,
        True,
    )
    reader.go_on.set()
    close(app)
    later = create_app(config, reader)
    (photo,) = later.test_client().get(f"/api/hands/{hand}").get_json()["photos"]
    assert photo["state"] == "read"
    close(later)


# --- whole processes ---


@pytest.fixture
def data(config: AppConfig) -> Path:
    return config.data_dir


@pytest.mark.process
def test_a_port_in_use_is_told_in_one_sentence(data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ended = subprocess.run(
            serve_command(data, port), capture_output=True, text=True, timeout=60
        )
    assert ended.returncode == 1
    assert port in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM to send")
def test_it_stops_gracefully_when_asked_and_ends_the_streams_that_follow_it(data: Path) -> None:
    server = Served(data)
    hand = server.post("/score").rsplit("/", 1)[1]
    with server.opener.open(f"{server.base}/api/hands/{hand}/events", timeout=PATIENCE) as stream:
        assert b"event: change" in b"".join(stream.readline() for _ in range(3))
        server.process.send_signal(signal.SIGTERM)
        stream.read()  # to its end: it is not cut
    server.close()
    assert server.process.returncode == 0
