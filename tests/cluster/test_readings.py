"""Photographs are read alike by the threads of one server and by other processes over a queue in
PostgreSQL, whichever of them dies.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import text

from scorer_app import create_app
from scorer_app.cli.config_file import read_config
from scorer_app.config import AppConfig
from scorer_app.services import lost_jobs
from scorer_app.services.cluster_jobs import ClusterJobs
from scorer_app.services.cluster_worker import Work
from scorer_app.services.lost_jobs import give_away_lost
from scorer_app.services.photo_place import photo_files
from scorer_app.store import tables
from scorer_app.web.application import close
from scorer_app.web.parts import parts_of
from tests.cluster.databases import empty_databases, in_schema
from tests.cluster.postgresql import postgresql
from tests.cluster.readers import Readers, reading_here
from tests.cluster.weed import Weed
from tests.places import SAMPLES
from tests.scorer_app.cli.commands import burako
from tests.scorer_app.conftest import Scorer, token_of, until
from tests.scorer_app.hands import faces, send, when_read
from tests.scorer_app.pictures import Picture, RecordedReader, picture_of
from tests.scorer_app.served import PATIENCE

KEY = "k" * 32
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
JOBS = text("SELECT lock, status FROM procrastinate_jobs WHERE queue_name = 'readings'")


@pytest.fixture
def file(tmp_path: Path, s3: Weed) -> Iterator[Path]:
    """Return the configuration file of a cluster over an empty database, with one reader on a
    machine.
    """
    with empty_databases(1) as (schema,):
        yield write_configuration(tmp_path, in_schema(schema).render_as_string(False), s3)


def schema_of(file: Path) -> str:
    found = re.search(r"search_path(?:=|%3D)(\w+)", file.read_text())
    assert found
    return found.group(1)


def write_configuration(folder: Path, database: str, s3: Weed) -> Path:
    file = folder / "cluster.toml"
    file.write_text(
        f'database = "{database}"\n'
        f'photos = "s3://burako/{secrets.token_hex(6)}"\n'
        f'endpoint = "{s3.endpoint}"\n'
        "processes = 1\n"
    )
    return file


@pytest.fixture
def cluster(file: Path, tmp_path: Path) -> AppConfig:
    (tmp_path / "data").mkdir(exist_ok=True)
    return replace(read_config(file), secret_key=KEY, data_dir=tmp_path / "data")


@pytest.fixture
def pages(cluster: AppConfig, reader: RecordedReader) -> Iterator[Flask]:
    """A page process of a cluster whose photographs nobody reads."""
    app = create_app(cluster, reader)
    yield app
    close(app)


@pytest.fixture(params=["threads", "queue"])
def app(request: pytest.FixtureRequest, reader: RecordedReader) -> Iterator[Flask]:
    """An application whose photographs its own threads read, or another process over a queue."""
    with ExitStack() as ending:
        if request.param == "queue":
            config: AppConfig = request.getfixturevalue("cluster")
            ending.enter_context(reading_here(config, reader))
        else:
            config = request.getfixturevalue("config")
        app = create_app(config, reader)
        yield app
        close(app)


def scorer_of(app: Flask) -> Scorer:
    client = app.test_client()
    return Scorer(client, token_of(client))


def jobs(app: Flask) -> list[Any]:
    return list(parts_of(app).store.look(JOBS, {}))


# --- the same on both ---


def test_a_photograph_is_read_and_its_tiles_are_there_once(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand, picture = scorer.begin(), reader.add(picture_of("3R 4R 5R"))
    for _ in range(3):  # as a phone without an answer sends it again
        send(scorer, hand, "A", "melds", picture, key="one-photograph")
    view = when_read(scorer, hand)
    assert (faces(view), len(view["photos"])) == (["3R", "4R", "5R"], 1)
    assert reader.layouts == ["melds"]


def test_how_far_a_reading_is_is_told(scorer: Scorer, reader: RecordedReader) -> None:
    reader.hold()
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    assert reader.begun.wait(PATIENCE)
    (photo,) = scorer.hand(hand)["photos"]
    assert (photo["state"], photo["text"]) == ("reading", "Leyendo las fichas…")
    reader.go_on.set()
    assert when_read(scorer, hand)["photos"][0]["text"].startswith("Leída")


def test_a_reading_that_takes_long_is_told_and_can_be_repeated(
    app: Flask, scorer: Scorer, reader: RecordedReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader.hold()
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    assert reader.begun.wait(PATIENCE)
    object.__setattr__(parts_of(app).config, "reading_limit", 0.0)
    (photo,) = scorer.hand(hand)["photos"]
    assert (photo["state"], photo["can_retry"]) == ("failed", True)
    scorer.post(f"/api/hands/{hand}/photos/{photo['id']}/read")
    reader.go_on.set()
    object.__setattr__(parts_of(app).config, "reading_limit", PATIENCE)
    assert faces(when_read(scorer, hand)) == ["3R", "4R", "5R"]


def test_what_cannot_be_read_fails_and_can_be_read_again(
    scorer: Scorer, reader: RecordedReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_arguments: object, **_more: object) -> None:
        raise ValueError("broken")

    hand = scorer.begin()
    with monkeypatch.context() as patched:
        patched.setattr(RecordedReader, "read_photo", broken)
        send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
        (photo,) = when_read(scorer, hand)["photos"]
    assert (photo["state"], photo["can_retry"]) == ("failed", True)
    scorer.post(f"/api/hands/{hand}/photos/{photo['id']}/read")
    assert until(lambda: faces(scorer.hand(hand)), lambda found: len(found) == 3)


def test_a_photograph_removed_while_it_is_read_leaves_nothing(
    app: Flask, scorer: Scorer, reader: RecordedReader
) -> None:
    reader.hold()
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    assert reader.begun.wait(PATIENCE)
    (photo,) = scorer.hand(hand)["photos"]
    scorer.client.delete(f"/api/hands/{hand}/photos/{photo['id']}", headers=scorer.headers)
    reader.go_on.set()
    files = parts_of(app).intake.files
    until(lambda: list(files.files()), lambda left: not left)
    assert (scorer.hand(hand)["tiles"], scorer.hand(hand)["photos"]) == ({}, [])


# --- the queue alone ---


def test_a_photograph_and_its_job_are_kept_together_or_not_at_all(
    pages: Flask, reader: RecordedReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    scorer, real = scorer_of(pages), ClusterJobs.note

    def fail_after(*arguments: Any) -> None:
        real(*arguments)
        raise ValueError("the process ends here")

    hand, picture = scorer.begin(), reader.add(picture_of("3R 4R 5R"))
    with monkeypatch.context() as patched:
        patched.setattr(ClusterJobs, "note", fail_after)
        assert send(scorer, hand, "A", "melds", picture).status_code == 500
    assert (scorer.hand(hand)["photos"], jobs(pages)) == ([], [])
    send(scorer, hand, "A", "melds", picture)
    (photo,) = scorer.hand(hand)["photos"]
    assert [(job.lock, job.status) for job in jobs(pages)] == [(photo["id"], "todo")]
    assert photo["text"] == "Recibida, esperando turno…"


def test_a_photograph_came_when_the_databases_clock_says(
    pages: Flask, reader: RecordedReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server whose clock is a year behind would else have its photographs deleted at once."""
    long_ago = datetime.now(UTC).replace(tzinfo=None) - timedelta(days=365)
    monkeypatch.setattr(tables, "_last", datetime.min)
    monkeypatch.setattr(tables, "_clock", lambda: long_ago)
    scorer = scorer_of(pages)
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    (photo,) = scorer.hand(hand)["photos"]
    recent = "photo WHERE received > timezone('utc', now()) - interval '5 minutes'"
    assert (counted(pages, recent), counted(pages, "photo")) == (1, 1)
    failed = text("UPDATE photo SET state = 'failed', received = received - interval '1 day'")
    with parts_of(pages).store.writing() as session:
        session.execute(failed)
    scorer.post(f"/api/hands/{hand}/photos/{photo['id']}/read")
    assert len(jobs(pages)) == 2
    assert counted(pages, recent) == 0  # reading it again makes it no newer


def test_the_next_photograph_is_opened_while_one_is_read(
    pages: Flask, cluster: AppConfig, reader: RecordedReader
) -> None:
    scorer = scorer_of(pages)
    hand, rows = scorer.begin(), ("3R 4R 5R", "7B 8B 9B", "1K 2K 3K")
    reader.hold()
    with reading_here(cluster, reader):
        for row in rows:
            send(scorer, hand, "A", "melds", reader.add(picture_of(row)))
        at_work = "photo WHERE stage = '{}' AND state = 'reading'"
        until(lambda: counted(pages, at_work.format("opening")), lambda count: count == 1)
        until(lambda: counted(pages, at_work.format("reading")), lambda count: count == 1)
        assert counted(pages, "photo WHERE state = 'queued'") == 1
        reader.go_on.set()
        assert sorted(faces(when_read(scorer, hand))) == sorted(" ".join(rows).split())


def test_taking_a_job_sorts_no_queue_whatever_its_statistics_say(pages: Flask) -> None:
    told = text(
        "SELECT proconfig FROM pg_proc WHERE proname = 'procrastinate_fetch_job_v2'"
        " AND pronamespace = current_schema()::regnamespace"
    )
    (row,) = parts_of(pages).store.look(told, {})
    assert {"enable_sort=off", "enable_seqscan=off"} <= set(row.proconfig)


def test_a_photograph_that_waits_without_a_job_gets_one(
    pages: Flask, cluster: AppConfig, reader: RecordedReader
) -> None:
    scorer = scorer_of(pages)
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    with parts_of(pages).store.writing() as session:
        session.execute(text("DELETE FROM procrastinate_jobs"))
    with reading_here(cluster, reader):
        assert faces(when_read(scorer, hand)) == ["3R", "4R", "5R"]


def test_a_process_killed_while_it_rescues_others_holds_up_nothing(
    pages: Flask, cluster: AppConfig, reader: RecordedReader
) -> None:
    """The killed process leaves three kinds of job: its own, under way; those that it was to
    rescue; and periodic work that waits.
    """
    scorer = scorer_of(pages)
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


def test_a_migrated_database_holds_the_queue_and_a_homes_photographs(
    file: Path, tmp_path: Path, pages: Flask
) -> None:
    with parts_of(pages).store.writing() as session:
        session.execute(text("DROP SCHEMA " + schema_of(file) + " CASCADE"))
        session.execute(text("CREATE SCHEMA " + schema_of(file)))
    home = tmp_path / "home"
    home.mkdir()
    (home / f"{'a' * 24}.jpg").write_bytes(b"a photograph")
    done = [burako("migrate", "--config", str(file), "--photos", str(home)) for _ in range(2)]
    assert [one.returncode for one in done] == [0, 0]
    assert "1 files of photographs copied, 0 were there" in done[0].stdout
    assert "0 files of photographs copied, 1 were there" in done[1].stdout
    assert parts_of(pages).intake.files.picture("a" * 24) == b"a photograph"
    assert counted(pages, "procrastinate_jobs") == counted(pages, "photo") == 0


def test_a_queue_of_an_older_version_is_brought_up_to_date(file: Path, pages: Flask) -> None:
    """The library's migration files that are newer than the tables are run, and no others;
    afterwards jobs leave no history either.
    """
    store, trigger = parts_of(pages).store, "procrastinate_trigger_status_events_update_v1"
    made = (
        f"pg_trigger JOIN pg_class ON pg_class.oid = tgrelid WHERE tgname = '{trigger}'"
        " AND relnamespace = current_schema()::regnamespace"
    )
    assert counted(pages, made) == 1
    with store.writing() as session:
        session.execute(text(f"DROP TRIGGER {trigger} ON procrastinate_jobs"))
    assert counted(pages, made) == 0
    newest = store.setting("queue_tables")
    store.set_setting("queue_tables", "03.04.00_01_pre_add_retry_failed_job_procedure")
    assert burako("migrate", "--config", str(file)).returncode == 0
    assert (counted(pages, made), store.setting("queue_tables")) == (1, newest)
    assert counted(pages, f"{made} AND tgenabled = 'D'") == 1


def test_tables_of_the_queue_that_another_version_tuned_are_tuned_anew(
    file: Path, pages: Flask
) -> None:
    store, enabled = parts_of(pages).store, "pg_trigger WHERE tgenabled = 'O' AND NOT tgisinternal"
    ours = f"{enabled} AND tgrelid = 'procrastinate_jobs'::regclass AND tgname LIKE '%status%'"
    with store.writing() as session:
        session.execute(text("ALTER TABLE procrastinate_jobs ENABLE TRIGGER USER"))
    assert counted(pages, ours) == 2
    store.set_setting("queue_tuned", store.setting("queue_tables"))  # as versions before wrote it
    assert burako("migrate", "--config", str(file)).returncode == 0
    assert counted(pages, ours) == 0


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


def counted(app: Flask, what: str) -> Any:
    ((number,),) = parts_of(app).store.look(text(f"SELECT count(*) FROM {what}"), {})
    return number


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
    scorer, readers = scorer_of(pages), start_readers()
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
    scorer, readers = scorer_of(pages), start_readers()
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
    scorer, stopped = scorer_of(pages), start_readers()
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
        scorer, readers = scorer_of(app), Readers(file)
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
