"""The store over PostgreSQL: the same tests as over SQLite.

`make test-cluster` starts one and runs them;
`BURAKO_TEST_POSTGRESQL=postgresql+psycopg://user@host/database pytest
tests/scorer_app/store/test_postgresql.py` takes another. Each test has a schema of its own there.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier
from typing import Any

import numpy as np
import pytest
from flask import Flask
from sqlalchemy import create_engine, event, make_url, text
from sqlalchemy.orm import Session
from sqlalchemy.schema import CreateSchema, DropSchema

from scorer_app.config import AppConfig
from scorer_app.services import hands, sets, steps, undoing
from scorer_app.services.purging import purge_match
from scorer_app.services.reading_jobs import ReadingJobs
from scorer_app.services.set_values import KeptSet, SetError, SetTrouble
from scorer_app.store import Hand
from scorer_app.web.parts import parts_of
from vision.own_set.examples import FaceExample, Origin

from ..conftest import Scorer, until
from ..hands import faces, saved_hand, when_read
from ..pictures import RecordedReader, picture_of
from ..served import PATIENCE
from ..services import (
    readings,
    test_copies,
    test_corrections,
    test_dataset,
    test_exchange,
    test_learning,
    test_leases,
    test_match_options,
    test_matches,
    test_newer_versions,
    test_orders_to_read,
    test_retention,
    test_sets,
    test_steps,
    test_stuck,
)
from ..services.test_leases import waiting  # noqa: F401  (fixture)
from ..services.test_retention import keeper, photographed  # noqa: F401  (fixtures)
from ..watch import test_kept_tables
from ..watch.test_kept_tables import camera, elsewhere  # noqa: F401  (fixtures)
from ..web import (
    test_hand_api,
    test_public_limits,
    test_public_links,
    test_public_routes,
    test_removed_photos,
)
from ..web.public import held, in_public, stranger  # noqa: F401  (fixtures)
from ..web.test_public_limits import few  # noqa: F401  (fixture)
from . import test_store

URL = os.environ.get("BURAKO_TEST_POSTGRESQL", "")
if not URL:
    pytest.skip("BURAKO_TEST_POSTGRESQL names no database to try", allow_module_level=True)

OF_SQLITE = (
    "test_a_database_locked_while",
    "test_a_server_with_another_database",
    "test_a_disk_that_fills_while",
    "test_a_folder_that_cannot_be_written",  # reads the SQLite file by --data
    "test_a_set_that_cannot_be_written",
    "test_kill_9_while_teaching",
)
OF_PUBLIC = (test_public_limits, test_public_links, test_public_routes)
for module in (
    test_copies,
    test_corrections,
    test_dataset,
    test_exchange,
    test_hand_api,
    test_kept_tables,
    test_learning,
    test_leases,
    test_match_options,
    test_matches,
    test_newer_versions,
    test_orders_to_read,
    *OF_PUBLIC,
    test_removed_photos,
    test_retention,
    test_sets,
    test_steps,
    test_store,
    test_stuck,
):
    globals().update(
        {
            name: found
            for name, found in vars(module).items()
            if name.startswith("test_") and not name.startswith(OF_SQLITE)
        }
    )


@pytest.fixture
def config(config: AppConfig, request: pytest.FixtureRequest) -> Iterator[AppConfig]:
    if request.function.__module__ in [module.__name__ for module in OF_PUBLIC]:
        config = in_public(config)
    (config.data_dir / "burako.sqlite3").unlink()  # a copy of an empty one that saves time
    url, schema = make_url(URL), f"burako_{secrets.token_hex(6)}"
    server = create_engine(url)
    with server.begin() as connection:
        connection.execute(CreateSchema(schema))
    own = url.update_query_dict({"options": f"-csearch_path={schema}", "application_name": schema})
    yield replace(config, database_url=own.render_as_string(hide_password=False))
    with server.begin() as connection:
        connection.execute(DropSchema(schema, cascade=True))
    server.dispose()


CUT = text(
    "select pg_terminate_backend(pid) from pg_stat_activity"
    " where pid <> pg_backend_pid() and application_name = :name and state <> 'idle'"
)


@pytest.mark.parametrize("cuts", [1, 3])
def test_connections_cut_while_a_photograph_is_read_leave_it_read(
    cuts: int,
    config: AppConfig,
    app: Flask,
    scorer: Scorer,
    reader: RecordedReader,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Cut between the statements that keep the reading, `cuts` times running."""
    left, server = [cuts], create_engine(URL)
    own = {"name": make_url(config.database).query["application_name"]}
    real = ReadingJobs._take_in

    def cut(*arguments: Any) -> None:
        jobs: ReadingJobs = arguments[0]
        with jobs.hands.store.writing() as session:
            session.execute(text("select 1"))
            if left[0]:
                left[0] -= 1
                with server.connect() as connection:
                    connection.execute(CUT, own)
            session.execute(text("select 1"))
        real(*arguments)

    monkeypatch.setattr(ReadingJobs, "_take_in", cut)
    hand = scorer.begin()
    test_hand_api.send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    assert readings.settled(app, scorer, hand)["state"] == "read"
    assert left == [0]
    assert readings.saved(scorer, hand)
    server.dispose()


LOCKED = text(
    "select count(*) from pg_stat_activity"
    " where application_name = :name and wait_event_type = 'Lock'"
)


def until_one_waits(config: AppConfig) -> None:
    """Wait until a statement of this test's schema waits for a lock of another one."""
    server = create_engine(URL)
    own = {"name": make_url(config.database).query["application_name"]}
    with server.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        until(lambda: connection.execute(LOCKED, own).scalar(), bool)
    server.dispose()


def test_undo_takes_back_the_first_tap_alone_though_a_reading_waited_for_it(
    config: AppConfig,
    app: Flask,
    scorer: Scorer,
    reader: RecordedReader,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = hands.forget_old_steps

    def end_slowly(session: Session, hand: Hand) -> None:
        reader.go_on.set()
        until_one_waits(config)
        real(session, hand)

    hand = scorer.begin()
    reader.hold()
    test_hand_api.send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    assert reader.begun.wait(PATIENCE)
    with monkeypatch.context() as slow:
        slow.setattr(hands, "forget_old_steps", end_slowly)
        scorer.tap(hand, "B", "rack", "9K")
    assert faces(when_read(scorer, hand)) == ["9K", "3R", "4R", "5R"]
    scorer.post(f"/api/hands/{hand}/undo")
    assert faces(scorer.hand(hand)) == ["3R", "4R", "5R"]


def test_no_tap_holds_up_points_that_another_phone_counts(
    config: AppConfig, app: Flask, scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tap locks its hand and then the match. Whoever locked the match first would wait for the
    tap, and the tap for the match.
    """
    _hand, match = saved_hand(scorer)
    draft, real = scorer.begin(match), hands.Hands._next_position

    def count_slowly(*arguments: Any) -> int:
        tapping.append(pool.submit(Scorer.of(app).tap, draft, "A", "melds", "3R"))
        until_one_waits(config)
        return real(*arguments)

    tapping: list[Future[Any]] = []
    with ThreadPoolExecutor(1) as pool:
        monkeypatch.setattr(hands.Hands, "_next_position", count_slowly)
        fields = {"base_A": "300", "puntos_A": "100", "base_B": "0", "puntos_B": "0"}
        assert scorer.form(f"/matches/{match}/count", **fields).status_code == 303
        assert tapping[0].result().status_code == 200
    assert faces(scorer.hand(draft)) == ["3R"]


def test_no_tap_holds_up_a_step_that_another_phone_undoes(
    config: AppConfig, app: Flask, scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand, match = saved_hand(scorer)
    step = next(one for one in steps.steps_of(parts_of(app).store, match) if one.can_undo)
    real = undoing._put_back

    def undo_slowly(*arguments: Any) -> None:
        tapping.append(pool.submit(Scorer.of(app).tap, hand, "A", "melds", "10R"))
        until_one_waits(config)
        real(*arguments)

    tapping: list[Future[Any]] = []
    with ThreadPoolExecutor(1) as pool:
        monkeypatch.setattr(undoing, "_put_back", undo_slowly)
        undo = f"/matches/{match}/history/{step.id}/undo"
        assert scorer.form(undo).status_code == 303
        assert tapping[0].result().status_code == 200


def test_no_tap_holds_up_the_end_of_a_match(config: AppConfig, app: Flask, scorer: Scorer) -> None:
    hand = scorer.begin()
    match, known = scorer.hand(hand)["match"], parts_of(app)

    def delete_slowly(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        if statement.startswith("DELETE FROM edit"):
            tapping.append(pool.submit(Scorer.of(app).tap, hand, "A", "melds", "3R"))
            until_one_waits(config)

    tapping: list[Future[Any]] = []
    with ThreadPoolExecutor(1) as pool:
        event.listen(known.store.engine, "before_cursor_execute", delete_slowly)
        purge_match(known.store, known.intake.files, match)
        assert tapping[0].result().status_code == 404


def test_lost_tiles_of_a_set_are_noted_beside_rules_that_are_changed_meanwhile(
    config: AppConfig, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, real = parts_of(app), sets.options_noted
    seven = FaceExample("7R", np.zeros((64, 48, 3), np.uint8), Origin.TAUGHT)
    own = sets.Sets(made.store).create("One", [seven])
    names = {"side_a": "Ana", "side_b": "Beto", "ruleset": "burako"}
    match = made.matches.create(tile_set_id=own.id, options={}, **names)

    def note_slowly(*arguments: Any) -> dict[str, Any]:
        changing.append(pool.submit(made.matches.change, match, side_a="Anita"))
        until_one_waits(config)
        return real(*arguments)

    changing: list[Future[None]] = []
    with ThreadPoolExecutor(1) as pool:
        monkeypatch.setattr(sets, "options_noted", note_slowly)
        sets.Sets(made.store).count(own.id, {"7R": 1})
        changing[0].result()
    found = made.matches.tally(match).match
    assert (found.side_a, found.options, found.version) == ("Anita", {"copies": {"7R": 1}}, 3)


@pytest.mark.parametrize(
    ("names", "step"), [(("Casa", "casa"), "_new"), (("Casa", "Playa"), "_use")]
)
def test_two_phones_that_make_their_first_set_at_once_both_have_it(
    names: tuple[str, str], step: str, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, real, both = parts_of(app).store, getattr(sets, step), Barrier(2)
    sevens = [
        FaceExample("7R", np.full((64, 48, 3), shade, np.uint8), Origin.TAUGHT)
        for shade in (0, 200)
    ]

    def make_together(*arguments: Any) -> Any:
        both.wait(PATIENCE)
        return real(*arguments)

    def teach(name: str, seven: FaceExample) -> KeptSet:
        return sets.Sets(store).teach(name, [seven])

    monkeypatch.setattr(sets, step, make_together)
    with ThreadPoolExecutor(2) as pool:
        made = [*pool.map(teach, names, sevens)]
    kept = sets.Sets(store).listed()
    assert {one.id for one in made} == {one.id for one in kept}
    assert sum(one.counts["7R"] for one in kept) == 2


def test_a_set_that_another_phone_makes_at_the_same_moment_is_taken(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, real, both = parts_of(app).store, sets._new, Barrier(2)

    def make_together(*arguments: Any) -> Any:
        both.wait(PATIENCE)
        return real(*arguments)

    def create(name: str) -> str:
        try:
            return sets.Sets(store).create(name, []).name
        except SetError as error:
            return error.reason

    monkeypatch.setattr(sets, "_new", make_together)
    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(create, ("Casa", "Casa"))) == ["Casa", SetTrouble.TAKEN]
