"""Photographs are read alike by the threads of one server and by other processes over a queue in
PostgreSQL.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import text

from engine.pieces import Pieces
from scorer_app import create_app
from scorer_app.config import AppConfig
from scorer_app.services.cluster_jobs import ClusterJobs
from scorer_app.store import tables
from scorer_app.web.application import close
from scorer_app.web.parts import parts_of
from tests.cluster.queued import counted
from tests.cluster.readers import reading_here
from tests.scorer_app.conftest import Scorer, until
from tests.scorer_app.hands import faces, new_match, send, when_read
from tests.scorer_app.pictures import RecordedReader, picture_of
from tests.scorer_app.served import PATIENCE

JOBS = text("SELECT lock, status FROM procrastinate_jobs WHERE queue_name = 'readings'")


# --- the same on both ---


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


def test_a_reading_under_way_is_not_kept_where_the_match_changes_to_cards(
    scorer: Scorer, reader: RecordedReader
) -> None:
    match = new_match(scorer)
    hand = scorer.begin(match)
    reader.hold()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    assert reader.begun.wait(PATIENCE)
    fields = {"side_a": "Ana", "side_b": "Beto", "ruleset": "burraco_it", "pieces": "cards"}
    scorer.form(f"/matches/{match}/edit", **fields)
    reader.go_on.set()
    assert faces(when_read(scorer, hand)) == ["3R", "4R", "5R"]
    assert reader.pieces == [Pieces.TILES, Pieces.CARDS]


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
    scorer.form(f"/hands/{hand}/undone", undone="yes")  # nobody can bring it back now
    reader.go_on.set()
    files = parts_of(app).intake.files
    until(lambda: list(files.files()), lambda left: not left)
    assert (scorer.hand(hand)["tiles"], scorer.hand(hand)["photos"]) == ({}, [])


# --- the queue alone ---


def jobs(app: Flask) -> list[Any]:
    return list(parts_of(app).store.look(JOBS, {}))


def test_a_photograph_and_its_job_are_kept_together_or_not_at_all(
    pages: Flask, reader: RecordedReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    scorer, real = Scorer.of(pages), ClusterJobs.note

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
    scorer = Scorer.of(pages)
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
    scorer = Scorer.of(pages)
    hand, rows = scorer.begin(), ("3R 4R 5R", "7B 8B 9B", "1K 2K 3K")
    reader.hold()
    with reading_here(cluster, reader):
        for row in rows:
            send(scorer, hand, "A", "melds", reader.add(picture_of(row)))
        states = (
            "photo WHERE state = 'reading' AND stage = 'reading'",
            "photo WHERE state = 'reading' AND stage = 'opening'",
            "photo WHERE state = 'queued'",
        )
        # Together: the first photograph is being opened, too, before the second one is taken.
        until(lambda: [counted(pages, one) for one in states], lambda counts: counts == [1, 1, 1])
        reader.go_on.set()
        assert sorted(faces(when_read(scorer, hand))) == sorted(" ".join(rows).split())


def test_a_photograph_that_waits_without_a_job_gets_one(
    pages: Flask, cluster: AppConfig, reader: RecordedReader
) -> None:
    scorer = Scorer.of(pages)
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    with parts_of(pages).store.writing() as session:
        session.execute(text("DELETE FROM procrastinate_jobs"))
    with reading_here(cluster, reader):
        assert faces(when_read(scorer, hand)) == ["3R", "4R", "5R"]


def test_a_photograph_that_waits_tells_how_many_are_read_before_it(
    pages: Flask, reader: RecordedReader
) -> None:
    """One that is ordered again waits at the end of the queue, though it came first."""
    scorer = Scorer.of(pages)
    hand = scorer.begin()

    def told() -> list[str]:
        return [photo["text"] for photo in scorer.hand(hand)["photos"]]

    for row in ("3R 4R 5R", "7B 8B 9B", "1K 2K 3K"):
        send(scorer, hand, "A", "melds", reader.add(picture_of(row)))
    next_one, second, third = (
        "Recibida, esperando turno…",
        "Recibida. Antes se lee otra foto…",
        "Recibida. Antes se leen otras 2 fotos…",
    )
    assert told() == [next_one, second, third]
    first = scorer.hand(hand)["photos"][0]["id"]
    begun = text("UPDATE procrastinate_jobs SET status = 'doing' WHERE lock = :photo")
    being_read = text("UPDATE photo SET state = 'reading', stage = 'reading' WHERE id = :photo")
    with parts_of(pages).store.writing() as session:
        session.execute(begun, {"photo": first})
        session.execute(being_read, {"photo": first})
    assert told() == ["Leyendo las fichas…", second, third]
    parts_of(pages).intake.jobs.order_again(first, anew=True)
    assert told() == [third, second, third]  # the reading of no more use is still under way
    ended = text("DELETE FROM procrastinate_jobs WHERE status = 'doing'")
    with parts_of(pages).store.writing() as session:
        session.execute(ended)
    assert told() == [third, next_one, second]
    retried = text("UPDATE procrastinate_jobs SET scheduled_at = now() + interval '1 minute'")
    with parts_of(pages).store.writing() as session:
        session.execute(retried)
    assert told() == [next_one] * 3
