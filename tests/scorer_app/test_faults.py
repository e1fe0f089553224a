"""What goes wrong with disks, databases, processes and ports: a clear sentence, and nothing that was saved is lost."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import random
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from http.cookiejar import CookieJar
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from scorer_app import create_app
from scorer_app.application import close
from scorer_app.config import AppConfig
from scorer_app.recognition import ReadingFailed
from scorer_app.store import StoreUnavailable

from .conftest import Scorer, token_of
from .pictures import RecordedReader, picture_of
from .test_hand_api import CANASTA, send, when_read
from .test_matches import saved_hand, totals


def test_a_full_disk_is_told_and_nothing_saved_is_lost(scorer: Scorer) -> None:
    _hand, match = saved_hand(scorer)
    hand = scorer.begin()
    engine = scorer.client.application.extensions["store"].engine
    with engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
    limit = f"PRAGMA max_page_count={pages}"
    engine.pool.dispose()
    from sqlalchemy import event

    def fill(connection: Any, _record: Any) -> None:
        connection.execute(limit)

    event.listen(engine, "connect", fill)
    last = [scorer.tap(hand, "A", "melds", CANASTA) for _ in range(20)][-1]
    assert (last.status_code, last.get_json()["error"]) == (503, "store")
    assert totals(scorer.client, match) == ["445", "−150"]
    event.remove(engine, "connect", fill)


def test_no_room_for_a_photograph_leaves_no_half_photograph(scorer: Scorer, monkeypatch: pytest.MonkeyPatch) -> None:
    hand = scorer.begin()

    def full(_path: Path, _data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    refused = send(scorer, hand, "A", "melds", picture_of("3R 4R 5R"))
    assert (refused.status_code, refused.get_json()["error"]) == (507, "disk")
    assert scorer.hand(hand)["photos"] == []


def test_a_locked_database_is_told(config: AppConfig, reader: RecordedReader) -> None:
    app = create_app(replace(config, lock_patience=0.05), reader)
    scorer = Scorer(app.test_client(), "")
    scorer.token = token_of(scorer.client)
    hand = scorer.begin()
    with contextlib.closing(sqlite3.connect(config.data_dir / "burako.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert scorer.tap(hand, "A", "melds", "3R").status_code == 503
        assert scorer.client.get(f"/api/hands/{hand}").status_code == 200  # looking needs no lock
    assert scorer.tap(hand, "A", "melds", "3R").status_code == 200
    close(app)


@pytest.mark.parametrize("damage", [b"this is no database, whatever it is called" * 40, b"SQLite format 3\x00" + bytes(4000)])
def test_a_damaged_database_is_left_alone_and_told(config: AppConfig, damage: bytes) -> None:
    path = config.data_dir / "burako.sqlite3"
    path.write_bytes(damage)
    with pytest.raises(StoreUnavailable):
        create_app(config)
    assert path.read_bytes()[: len(damage)] == damage


def test_a_data_directory_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreUnavailable):
        create_app(AppConfig(data_dir=tmp_path / "file" / "data"))


def test_a_read_only_database_still_shows_the_tally(config: AppConfig, reader: RecordedReader) -> None:
    first = create_app(config, reader)
    scorer = Scorer(first.test_client(), "")
    scorer.token = token_of(scorer.client)
    _hand, match = saved_hand(scorer)
    close(first)
    url = f"sqlite:///file:{(config.data_dir / 'burako.sqlite3').as_posix()}?mode=ro&uri=true"
    app = create_app(replace(config, database_url=url), reader)
    scorer = Scorer(app.test_client(), "")
    scorer.token = token_of(scorer.client)
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
    assert (photo["state"], "modelo" in photo["text"]) == ("failed", True)
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
    assert when_read(scorer, hand)["photos"][0]["state"] == "failed"
    monkeypatch.undo()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    time.sleep(0.05)
    assert len(when_read(scorer, hand)["tiles"]) == 3


def test_a_reading_past_its_time_says_so_keeps_the_photograph_and_is_still_taken_in(
    config: AppConfig, reader: RecordedReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = Event()
    quick = reader.read_photo

    def slow(*arguments: Any) -> dict[str, Any]:
        go_on.wait(20)
        return quick(*arguments)

    monkeypatch.setattr(reader, "read_photo", slow)
    app = create_app(replace(config, reading_limit=0.01), reader)
    scorer = Scorer(app.test_client(), "")
    scorer.token = token_of(scorer.client)
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    for _ in range(200):
        (photo,) = scorer.hand(hand)["photos"]
        if photo["state"] == "failed":
            break
        time.sleep(0.02)
    assert "diez segundos" in photo["text"]
    go_on.set()
    close(app)
    assert create_app(config, reader).test_client().get(f"/api/hands/{hand}").get_json()["photos"][0]["state"] == "read"


# --- whole processes --------------------------------------------------------------------------------------------------


def serve_command(data: Path, port: str, *options: str) -> list[str]:
    run = "import sys; from scorer_app.cli import main; sys.exit(main())"
    return [sys.executable, "-c", run, "serve", "--host", "127.0.0.1", "--port", port, "--data", str(data), *options]


class Served:
    """`burako serve` in a process of its own, and a client that keeps its cookie."""

    def __init__(self, data: Path, *options: str) -> None:
        command = serve_command(data, "0", *options)
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.base = self._address()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self.token = self.get("/api/session")["csrf"]

    def _address(self) -> str:
        assert self.process.stdout
        for line in self.process.stdout:
            if found := re.search(r"http://127\S+(?=/)", line):
                return found.group()
        raise AssertionError("the server did not say where it is")

    def get(self, path: str) -> Any:
        return self._ask(urllib.request.Request(self.base + path))

    def post(self, path: str, body: object = None) -> Any:
        headers = {"X-CSRF-Token": self.token, "Content-Type": "application/json"}
        return self._ask(urllib.request.Request(self.base + path, json.dumps(body).encode(), headers))

    def _ask(self, request: urllib.request.Request) -> Any:
        with self.opener.open(request, timeout=10) as answer:
            text = answer.read().decode()
            return json.loads(text) if answer.headers.get_content_type() == "application/json" else answer.geturl()

    def kill(self) -> None:
        self.process.kill()
        self.close()

    def close(self) -> None:
        self.process.wait(20)
        assert self.process.stdout
        self.process.stdout.close()


@pytest.fixture
def data(config: AppConfig) -> Path:
    return config.data_dir


def save_hands(server: Served, acknowledged: list[str]) -> None:
    """One hand after another, until the server is gone; what it said was saved is noted."""
    with contextlib.suppress(urllib.error.URLError, OSError, ValueError):
        while True:
            hand = server.post("/score").rsplit("/", 1)[1]
            taps = [{"key": f"k{place}", "op": "add_tile", "side": "A", "place": "melds", "face": face}
                    for place, face in enumerate(CANASTA.split())]  # fmt: skip
            ending = {"key": "end", "op": "set_end", "end": "close", "closed_by": "A"}
            muerto = {"key": "muerto", "op": "set_muerto", "side": "B", "taken": False}
            server.post(f"/api/hands/{hand}/edits", {"edits": [*taps, ending, muerto]})
            if server.post(f"/api/hands/{hand}/save")["state"] == "saved":
                acknowledged.append(hand)


def killed_at_random(data: Path, times: int, seed: int) -> Iterator[tuple[list[str], dict[str, str]]]:
    """After each kill: the hands acknowledged so far, and every hand in the store with its state."""
    chance, acknowledged = random.Random(seed), list[str]()
    for _ in range(times):
        server = Served(data)
        thread = Thread(target=save_hands, args=(server, acknowledged))
        thread.start()
        time.sleep(chance.uniform(0.0, 0.6))
        server.kill()
        thread.join(20)
        with contextlib.closing(sqlite3.connect(data / "burako.sqlite3")) as store:
            found = dict(store.execute("select id, state from hand").fetchall())
            records = store.execute("select record from hand where state = 'saved'").fetchall()
        assert all(len(json.loads(record)["tiles"]) == 7 for (record,) in records), "a half hand"
        yield acknowledged, found


@pytest.mark.parametrize("times", [3, pytest.param(200, marks=[pytest.mark.slow, pytest.mark.timeout(3000)])])
def test_kill_9_while_hands_are_saved_loses_none_that_was_acknowledged(data: Path, times: int) -> None:
    for acknowledged, found in killed_at_random(data, times, seed=5):
        assert [hand for hand in acknowledged if found.get(hand) != "saved"] == []
        assert list(found.values()).count("draft") <= 1


def test_a_port_in_use_is_told_in_one_sentence(data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ended = subprocess.run(serve_command(data, port), capture_output=True, text=True, timeout=60)
    assert ended.returncode == 1
    assert port in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM to send")
def test_it_stops_gracefully_when_asked(data: Path) -> None:
    server = Served(data)
    server.process.send_signal(signal.SIGTERM)
    server.close()
    assert server.process.returncode == 0
