"""No photograph waits for ever: whatever write to the store fails while it is read, it ends as read
or as failed with a sentence, and its hand can be saved.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from flask import Flask

from scorer_app import create_app
from scorer_app.config import AppConfig
from scorer_app.services.reading_jobs import ReadingJobs
from scorer_app.services.reading_queue import ReadingFailed
from scorer_app.services.readings import MOST_ATTEMPTS
from scorer_app.store import Store, StoreUnavailable
from scorer_app.web.application import close
from scorer_app.web.parts import parts_of

from ..conftest import Scorer, until
from ..hands import CANASTA, send
from ..pictures import RecordedReader, picture_of
from ..served import PATIENCE
from .readings import SENTENCES, idle, saved, settled


class FailingWrites:
    """Lets `count` writes to the store fail, beginning with the one numbered `first`."""

    def __init__(self, store: Store, first: int, count: int, *, at_end: bool) -> None:
        self.real, self.first, self.count, self.at_end = store.writing, first, count, at_end
        self.made = 0

    @contextlib.contextmanager
    def __call__(self, *, durable: bool = True) -> Iterator[Any]:
        fails = self.first <= self.made < self.first + self.count
        self.made += 1
        if fails and not self.at_end:
            raise StoreUnavailable("no write today")
        with contextlib.ExitStack() as undone:
            session = undone.enter_context(self.real(durable=durable))
            yield session
            if fails:
                session.rollback()
                raise StoreUnavailable("no commit today")


@pytest.mark.parametrize("at_end", [False, True], ids=["begin", "commit"])
@pytest.mark.parametrize("count", [1, 30])
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("outcome", ["read", "refused", "broken"])
def test_a_write_that_fails_leaves_no_photograph_waiting(
    app: Flask,
    scorer: Scorer,
    reader: RecordedReader,
    monkeypatch: pytest.MonkeyPatch,
    outcome: str,
    first: int,
    count: int,
    at_end: bool,
) -> None:
    hand, store = scorer.begin(), parts_of(app).store
    real, picture = reader.read_photo, reader.add(picture_of("3R 4R 5R"))

    def read_photo(*arguments: Any) -> dict[str, Any]:
        if outcome == "refused":
            raise ReadingFailed("too_few_pixels")
        return real(*arguments) if outcome == "read" else {}

    monkeypatch.setattr(reader, "read_photo", read_photo)
    released = Event()
    job = ReadingJobs._read
    monkeypatch.setattr(
        ReadingJobs, "_read", lambda *arguments: released.wait(PATIENCE) and job(*arguments)
    )
    send(scorer, hand, "A", "melds", picture)
    monkeypatch.setattr(store, "writing", FailingWrites(store, first, count, at_end=at_end))
    released.set()
    photo = settled(app, scorer, hand, patience=120.0)
    monkeypatch.undo()
    assert photo["state"] in SENTENCES
    if outcome == "read" and count < 30:
        assert photo["state"] == "read"
    assert outcome == "refused" or photo["can_retry"] is (photo["state"] == "failed")
    assert saved(scorer, hand)


def test_results_that_can_never_be_kept_end_as_a_failure_that_can_be_repeated(
    app: Flask, scorer: Scorer, reader: RecordedReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(*_arguments: object) -> None:
        raise StoreUnavailable("database or disk is full")

    hand = scorer.begin()
    monkeypatch.setattr(ReadingJobs, "_take_in", no_room)
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    photo = settled(app, scorer, hand)
    assert (photo["state"], photo["can_retry"]) == ("failed", True)
    assert SENTENCES["failed"] in photo["text"]
    assert len(reader.layouts) == MOST_ATTEMPTS
    monkeypatch.undo()
    scorer.post(f"/api/hands/{hand}/photos/{photo['id']}/read")
    assert len(until(lambda: scorer.hand(hand), lambda view: view["tiles"])["tiles"]) == 3
    assert saved(scorer, hand)


def test_a_database_locked_while_a_photograph_is_read_takes_its_reading_in_later(
    config: AppConfig, reader: RecordedReader
) -> None:
    app = create_app(replace(config, lock_patience=0.05), reader)
    scorer = Scorer.of(app)
    reader.hold()
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    assert reader.begun.wait(PATIENCE)
    with contextlib.closing(
        sqlite3.connect(config.data_dir / "burako.sqlite3", isolation_level=None)
    ) as other:
        other.execute("BEGIN EXCLUSIVE")
        reader.go_on.set()
        idle(app)
        assert scorer.hand(hand)["photos"][0]["state"] == "reading"
    assert settled(app, scorer, hand)["state"] == "read"
    assert saved(scorer, hand)
    close(app)


@pytest.mark.skipif(
    sys.platform != "linux" or not hasattr(os, "geteuid") or os.geteuid() != 0,
    reason="only root mounts a small disk",
)
def test_a_disk_that_fills_while_a_photograph_is_read_and_is_freed(
    tmp_path: Path, empty_database: Path, reader: RecordedReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("this machine mounts no tmpfs")
    try:
        shutil.copy(empty_database, disk / "burako.sqlite3")
        _fill_and_free(AppConfig(data_dir=disk), reader, monkeypatch)
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def _fill_and_free(
    config: AppConfig, reader: RecordedReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = create_app(config, reader)
    scorer = Scorer.of(app)
    hand, real, filler = scorer.begin(), reader.read_photo, config.data_dir / "filler"

    def fill(*arguments: Any) -> dict[str, Any]:
        with contextlib.suppress(OSError), filler.open("ab", buffering=0) as file:
            while True:
                file.write(bytes(4096))
        return real(*arguments)

    monkeypatch.setattr(reader, "read_photo", fill)
    send(
        scorer,
        hand,
        "A",
        "melds",
        reader.add(picture_of(*[CANASTA.replace("R", ink) for ink in "BKY"])),
    )
    idle(app)
    monkeypatch.undo()
    assert scorer.hand(hand)["photos"][0]["state"] == "reading"  # nothing can be written
    filler.unlink()
    assert settled(app, scorer, hand)["state"] == "read"
    assert saved(scorer, hand)
    close(app)
