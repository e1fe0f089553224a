"""The lease that a reader holds on a photograph: it runs out by itself, and another reader then
takes the photograph over.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import update

from scorer_app import create_app
from scorer_app.config import AppConfig
from scorer_app.services.reading_jobs import LEASE
from scorer_app.services.reading_queue import ReadingQueue
from scorer_app.services.readings import MOST_ATTEMPTS
from scorer_app.store import Match, Photo, PhotoState, tables
from scorer_app.web.application import close
from scorer_app.web.parts import parts_of

from ..conftest import Scorer, until
from ..hands import send, when_read
from ..pictures import RecordedReader, picture_of
from ..served import PATIENCE
from .readings import idle, jobs_of, saved


@pytest.fixture
def waiting(
    app: Flask, scorer: Scorer, reader: RecordedReader, monkeypatch: pytest.MonkeyPatch
) -> str:
    """Make a hand with a photograph that is queued and that no job knows; return the hand's id."""
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
    with parts_of(app).store.writing() as session:  # as earlier versions deleted a match
        session.execute(update(Match).values(deleted=True))
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
