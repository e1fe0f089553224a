"""No photograph waits for ever: whatever write fails while it is read, it ends read or failed with
a sentence, and its hand can be saved.
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
from datetime import timedelta
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import update

from scorer_app import create_app
from scorer_app.config import AppConfig
from scorer_app.services.photo_opener import PhotoOpener
from scorer_app.services.reading_jobs import LEASE, MOST_ATTEMPTS, ReadingJobs
from scorer_app.services.reading_queue import ReadingFailed, ReadingQueue
from scorer_app.store import Photo, PhotoState, Store, StoreUnavailable, tables
from scorer_app.web.application import close
from scorer_app.web.parts import parts_of

from ..conftest import Scorer, until
from ..pictures import RecordedReader, picture_of
from ..served import PATIENCE
from ..web.test_hand_api import CANASTA, send, when_read

SENTENCES = {"read": "Leída", "failed": "La lectura falló. La foto quedó guardada"}


class Clock:
    """A monotonic clock that a test moves, seconds."""

    def __init__(self) -> None:
        self.moment = 0.0

    def __call__(self) -> float:
        return self.moment


def jobs_of(app: Flask) -> tuple[ReadingJobs, Clock]:
    jobs, clock = parts_of(app).intake.jobs, Clock()
    jobs.clock = clock
    return jobs, clock


def settled(app: Flask, scorer: Scorer, hand: str, patience: float = 60.0) -> Any:
    """The hand's only photograph once it waits no longer; time passes for the looks alone."""
    jobs, clock = jobs_of(app)
    end = clock.moment + patience
    while True:
        idle(app)
        (photo,) = scorer.hand(hand)["photos"]
        if photo["state"] in SENTENCES or clock.moment > end:
            return photo
        clock.moment += 2.0
        jobs.look()


def idle(app: Flask) -> None:
    queue: ReadingQueue = parts_of(app).queue
    until(lambda: queue._stages, lambda stages: not stages)


def saved(scorer: Scorer, hand: str) -> bool:
    """Whether the hand can be saved once the closing has been told."""
    scorer.tap(hand, "A", "melds", CANASTA)
    scorer.close(hand)
    for question in scorer.hand(hand)["questions"]:
        if question["ask"] == "tapped":
            scorer.edit(hand, {"op": "keep_tapped", "photo": question["subject"]})
    answer = scorer.post(f"/api/hands/{hand}/save", json={"with_doubts": True})
    return bool(answer.status_code == 200)


class FailingWrites:
    """Lets the writes of the job fail, from number `first` on, `count` of them."""

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
    assert photo["state"] == ("read" if outcome == "read" and count < 30 else photo["state"])
    assert photo["state"] in SENTENCES
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


# --- leases ---


@pytest.fixture
def waiting(
    app: Flask, scorer: Scorer, reader: RecordedReader, monkeypatch: pytest.MonkeyPatch
) -> str:
    """A hand with a photograph that is queued and that no job knows."""
    hand = scorer.begin()
    with monkeypatch.context() as nobody_reads:
        nobody_reads.setattr(ReadingQueue, "submit", lambda *_arguments: None)
        send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    return hand


def leased(app: Flask, reader: str | None, attempts: int) -> None:
    with parts_of(app).store.writing() as session:
        held = {"state": PhotoState.READING, "lease": reader, "attempts": attempts}
        session.execute(update(Photo).values(**held))


def test_a_lease_is_left_alone_until_it_has_expired(
    app: Flask, scorer: Scorer, waiting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By this process's own monotonic clock: the calendar's is put back a year meanwhile."""
    jobs, clock = jobs_of(app)
    leased(app, "another", 1)
    states = []
    long_ago = tables._clock() - timedelta(days=365)
    monkeypatch.setattr(tables, "_clock", lambda: long_ago)
    for moment in (0.0, LEASE - 1, LEASE):
        clock.moment = moment
        jobs.look()
        idle(app)
        states.append(scorer.hand(waiting)["photos"][0]["state"])
    assert states == ["reading", "reading", "read"]


def test_a_lease_that_is_renewed_has_not_expired(app: Flask, scorer: Scorer, waiting: str) -> None:
    jobs, clock = jobs_of(app)
    for attempt in (1, 2, 3):
        leased(app, "another", attempt)
        jobs.look()
        clock.moment += LEASE - 1
    idle(app)
    assert scorer.hand(waiting)["photos"][0]["state"] == "reading"


def test_whose_lease_was_taken_over_keeps_nothing(
    app: Flask, scorer: Scorer, reader: RecordedReader
) -> None:
    reader.hold()
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    assert reader.begun.wait(PATIENCE)
    leased(app, "another", 2)
    reader.go_on.set()
    idle(app)
    view = scorer.hand(hand)
    assert (view["photos"][0]["state"], view["tiles"]) == ("reading", {})


@pytest.mark.parametrize(("lease", "attempts"), [(None, 0), ("killed", 1), ("killed", 3)])
def test_a_start_takes_up_what_a_killed_reader_had(
    app: Flask,
    scorer: Scorer,
    waiting: str,
    lease: str | None,
    attempts: int,
    config: AppConfig,
    reader: RecordedReader,
) -> None:
    leased(app, lease, attempts)
    later = create_app(config, reader)
    assert when_read(scorer, waiting)["photos"][0]["state"] == "read"
    assert saved(scorer, waiting)
    close(later)


def test_a_photograph_that_ended_every_reader_is_given_up(
    app: Flask, scorer: Scorer, waiting: str, config: AppConfig, reader: RecordedReader
) -> None:
    leased(app, "killed", MOST_ATTEMPTS)
    later = create_app(config, reader)
    (photo,) = when_read(scorer, waiting)["photos"]
    assert (photo["state"], photo["can_retry"]) == ("failed", True)
    assert saved(scorer, waiting)
    scorer.post(f"/api/hands/{waiting}/photos/{photo['id']}/read")
    assert len(until(lambda: scorer.hand(waiting), lambda view: len(view["tiles"]) > 7)["tiles"])
    close(later)


def test_the_photographs_of_a_deleted_match_wait_for_nobody(
    app: Flask, scorer: Scorer, waiting: str, config: AppConfig
) -> None:
    parts_of(app).matches.delete(scorer.hand(waiting)["match"])
    parts_of(app).intake.jobs.look()
    idle(app)
    with parts_of(app).store.reading() as session:
        assert [photo.state for photo in session.query(Photo)] == [PhotoState.FAILED]
    assert list(config.photo_dir.iterdir()) == []


def test_it_looks_by_itself(
    app: Flask, scorer: Scorer, waiting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorer_app.services.reading_jobs.LOOK", 0.01)
    parts_of(app).intake.jobs.start()
    assert when_read(scorer, waiting)["photos"][0]["state"] == "read"


# --- orders and files ---


def test_a_photograph_under_way_is_not_read_twice(
    app: Flask, scorer: Scorer, reader: RecordedReader
) -> None:
    reader.hold()
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    (photo,) = scorer.hand(hand)["photos"]
    for _ in range(20):
        assert scorer.post(f"/api/hands/{hand}/photos/{photo['id']}/read").status_code == 202
    reader.go_on.set()
    when_read(scorer, hand)
    idle(app)
    assert len(reader.layouts) == 1


def test_an_order_that_comes_while_a_failed_reading_ends_is_not_lost(
    app: Flask, scorer: Scorer, reader: RecordedReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told to have failed a moment before its job is over."""
    hand, ending, go_on = scorer.begin(), Event(), Event()
    real = ReadingJobs._note_failure

    def end_slowly(*arguments: Any) -> None:
        real(*arguments)
        ending.set()
        assert go_on.wait(PATIENCE)

    monkeypatch.setattr(ReadingJobs, "_note_failure", end_slowly)
    with monkeypatch.context() as broken:
        broken.setattr(reader, "read_photo", None)
        send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
        assert ending.wait(PATIENCE)
    (photo,) = scorer.hand(hand)["photos"]
    for _ in range(3):
        scorer.post(f"/api/hands/{hand}/photos/{photo['id']}/read")
    go_on.set()
    idle(app)
    assert (len(scorer.hand(hand)["tiles"]), len(reader.layouts)) == (3, 1)


def test_orders_to_read_again_have_a_limit(config: AppConfig, reader: RecordedReader) -> None:
    app = create_app(replace(config, uploads_per_minute=5), reader)
    scorer = Scorer.of(app)
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    (photo,) = when_read(scorer, hand)["photos"]
    again = f"/api/hands/{hand}/photos/{photo['id']}/read"
    assert [scorer.post(again).status_code for _ in range(6)] == [202] * 4 + [429] * 2
    close(app)


@pytest.mark.parametrize(
    ("reason", "kept"), [("truncated", 0), ("too_many_pixels", 0), ("disk", 1), ("no_reader", 1)]
)
def test_what_the_camera_noted_is_kept_only_for_a_photograph_that_may_yet_be_opened(
    scorer: Scorer, config: AppConfig, monkeypatch: pytest.MonkeyPatch, reason: str, kept: int
) -> None:
    def refuse(*_arguments: object) -> tuple[int, int]:
        raise ReadingFailed(reason)

    monkeypatch.setattr("scorer_app.services.photo_opener.PhotoOpener.make_upright", refuse)
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", picture_of("3R 4R 5R"))
    when_read(scorer, hand)
    assert until(lambda: len(list(config.photo_dir.iterdir())), lambda count: count == kept) == kept


def test_a_photograph_removed_while_it_is_opened_leaves_no_file_and_no_failure(
    scorer: Scorer,
    app: Flask,
    config: AppConfig,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    real = PhotoOpener._ask

    def removed_meanwhile(opener: PhotoOpener, order: Any) -> Any:
        answer = real(opener, order)
        (photo,) = scorer.hand(hand)["photos"]
        path = f"/api/hands/{hand}/photos/{photo['id']}"
        assert scorer.client.delete(path, headers=scorer.headers).status_code == 200
        return answer

    monkeypatch.setattr(PhotoOpener, "_ask", removed_meanwhile)
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", picture_of("3R 4R 5R"))
    idle(app)
    assert scorer.hand(hand)["photos"] == []
    assert list(config.photo_dir.iterdir()) == []
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []
