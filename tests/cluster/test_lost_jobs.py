"""Photographs whose reader is killed, stopped or without its database are read by another, once."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import text

from scorer_app import create_app
from scorer_app.cli.config_file import read_config
from scorer_app.config import AppConfig
from scorer_app.services import lost_jobs
from scorer_app.services.cluster_worker import Work
from scorer_app.services.lost_jobs import give_away_lost
from scorer_app.services.photo_place import photo_files
from scorer_app.web.application import close
from scorer_app.web.parts import parts_of
from tests.cluster.postgresql import postgresql
from tests.cluster.queued import KEY, counted, write_configuration
from tests.cluster.readers import Readers, reading_here
from tests.cluster.weed import Weed
from tests.places import SAMPLES
from tests.scorer_app.conftest import Scorer, until
from tests.scorer_app.hands import faces, send, when_read
from tests.scorer_app.pictures import Picture, RecordedReader, picture_of

LEFT_BEHIND = text(  # a periodic job
    "INSERT INTO procrastinate_jobs (queue_name, task_name, lock, queueing_lock, args, status)"
    " SELECT 'upkeep', task, NULLIF(task, 'rescue'), task, '{\"timestamp\": 0}',"
    " CAST(:status AS procrastinate_job_status) FROM (SELECT CAST(:task AS text) AS task) AS named"
)
UNDER_WAY = "procrastinate_jobs WHERE args->>'timestamp' = '0' AND status = 'doing'"
OLD_SIGNS = text(  # two processes with a job each
    "WITH process AS (INSERT INTO procrastinate_workers (last_heartbeat)"
    " SELECT now() - interval '1 hour' FROM generate_series(1, 2) RETURNING id)"
    " INSERT INTO procrastinate_jobs (queue_name, task_name, status, worker_id) SELECT 'readings',"
    " (ARRAY['living', 'silent'])[row_number() OVER ()], 'doing', id FROM process"
)
GIVE_A_SIGN = text(
    "SELECT procrastinate_update_heartbeat_v1(worker_id) FROM procrastinate_jobs"
    " WHERE task_name = :process"
)


def test_a_process_killed_while_it_rescues_others_holds_up_nothing(
    pages: Flask, cluster: AppConfig, reader: RecordedReader
) -> None:
    """The killed process leaves three kinds of job: its own, under way; those that it was to
    rescue; and periodic work that waits.
    """
    scorer = Scorer.of(pages)
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    with parts_of(pages).store.writing() as session:
        session.execute(text("UPDATE procrastinate_jobs SET status = 'doing'"))
        for task in ("rescue", "look", "sweep"):
            for status in ("doing", "todo"):
                job = {"task": task, "status": status}
                session.execute(LEFT_BEHIND, job)
    with reading_here(cluster, reader):
        assert faces(when_read(scorer, hand)) == ["3R", "4R", "5R"]
        until(lambda: counted(pages, UNDER_WAY), lambda count: count == 0)


def test_a_process_that_lives_keeps_its_job_though_its_last_sign_is_old(
    pages: Flask, cluster: AppConfig, reader: RecordedReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All signs of life look old once the database's clock was set forward or the machine stood
    still, so a process is given time for a new one. Of two processes that look at once, one gives
    away the job of the process that is really gone.
    """
    monkeypatch.setattr(lost_jobs, "LOOKED_AT", 2.0)
    store, work = parts_of(pages).store, Work(cluster, reader)

    async def look() -> list[str]:
        async with work.app.open_async():
            looking = [asyncio.create_task(give_away_lost(work.app)) for _ in range(2)]
            await asyncio.sleep(1.0)
            store.write_alone(GIVE_A_SIGN, {"process": "living"})
            return [job["task_name"] for task in looking for job in await task]

    store.write_alone(OLD_SIGNS, {})
    try:
        assert asyncio.run(look()) == ["silent"]
    finally:
        work.close()
    kept = store.look(text("SELECT task_name, status FROM procrastinate_jobs"), {})
    assert {tuple(job) for job in kept} == {("silent", "todo"), ("living", "doing")}


def sample(name: str = "melds-a.jpg") -> Picture:
    return Picture((SAMPLES / name).read_bytes(), {}, (0, 0))


@pytest.fixture
def start_readers(file: Path) -> Iterator[Callable[[], Readers]]:
    started: list[Readers] = []

    def start() -> Readers:
        started.append(Readers(file))
        return started[-1]

    yield start
    for readers in started:
        assert readers.close() == 0, (file.parent / "work.log").read_text()


def begin_and_stop(app: Flask, scorer: Scorer, readers: Readers) -> str:
    """Return a hand with a photograph whose only reader was stopped in the middle of reading it."""
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", sample())
    until(lambda: counted(app, "photo WHERE stage = 'reading'"), lambda count: count == 1)
    readers.send(signal.SIGSTOP)
    return hand


def check_it_is_read_once(app: Flask, scorer: Scorer, hand: str) -> None:
    until(lambda: counted(app, "photo WHERE state = 'read'"), lambda count: count == 1)
    view = scorer.hand(hand)
    in_rows = [name for row in view["rows"] for name in row["tiles"]]
    assert len(in_rows) == len(set(in_rows)) == len(view["tiles"]) > 10
    assert counted(app, "edit") == 1


def test_another_reads_what_a_killed_reader_had_in_hand(
    pages: Flask, start_readers: Callable[[], Readers]
) -> None:
    scorer, readers = Scorer.of(pages), start_readers()
    hand = begin_and_stop(pages, scorer, readers)
    readers.send(signal.SIGKILL)
    check_it_is_read_once(pages, scorer, hand)
    assert len(readers.processes) == 1


def test_a_killed_reader_leaves_no_photograph_on_its_machine(
    cluster: AppConfig,
    pages: Flask,
    start_readers: Callable[[], Readers],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Its copy of the photograph stays while it lives, though another process starts in the same
    folder; the first one that starts after its death deletes it.
    """
    there = replace(cluster, data_dir=tmp_path / "reader")
    monkeypatch.setenv("BURAKO_DATA", str(there.data_dir))
    scorer, readers = Scorer.of(pages), start_readers()
    hand = begin_and_stop(pages, scorer, readers)
    photo_files(there)
    assert [path.name for path in there.data_dir.rglob("*.jpg")] == [
        f"{scorer.hand(hand)['photos'][0]['id']}.jpg"
    ]
    readers.send(signal.SIGKILL)
    check_it_is_read_once(pages, scorer, hand)
    until(
        lambda: [path for path in there.data_dir.rglob("*") if path.is_file()],
        lambda left: not left,
    )


def test_a_reader_that_goes_on_after_another_has_its_job_writes_nothing(
    pages: Flask, start_readers: Callable[[], Readers]
) -> None:
    scorer, stopped = Scorer.of(pages), start_readers()
    hand = begin_and_stop(pages, scorer, stopped)
    start_readers()
    check_it_is_read_once(pages, scorer, hand)
    stopped.send(signal.SIGCONT)
    send(scorer, hand, "B", "rack", sample("rack-a.jpg"))
    until(lambda: counted(pages, "edit"), lambda count: count == 2)
    time.sleep(3)  # for what the one that goes on might write
    assert counted(pages, "edit") == 2


def test_readers_outlive_a_restart_of_the_database(tmp_path: Path, s3: Weed) -> None:
    """With a PostgreSQL of the test's own, which ends as in a power cut."""
    with postgresql() as server:
        file = write_configuration(tmp_path, server.url, s3)
        app = create_app(replace(read_config(file), secret_key=KEY, data_dir=tmp_path / "data"))
        scorer, readers = Scorer.of(app), Readers(file)
        try:
            hand = scorer.begin()
            send(scorer, hand, "A", "melds", sample())
            until(lambda: counted(app, "photo WHERE stage = 'reading'"), lambda count: count == 1)
            server.stop("immediate")
            assert scorer.client.get(f"/api/hands/{hand}").status_code == 503
            server.start()
            check_it_is_read_once(app, scorer, hand)
        finally:
            assert readers.close() == 0
            close(app)
