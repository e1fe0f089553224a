"""Processes that start at the same time on one empty database all come up, on the same tables."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from multiprocessing.synchronize import Barrier

import pytest
from sqlalchemy import create_engine, text

from scorer_app.store import Match, Store
from scorer_app.store.queue_tables import migrate_queue
from tests.places import PROJECT

from .databases import ADDRESS, empty_databases, in_schema

PROCESSES, ROUNDS = 8, 20
PATIENCE = 120  # seconds for all of them to come up once


@pytest.fixture
def schemas() -> Iterator[list[str]]:
    with empty_databases(ROUNDS) as names:
        yield names


def come_up(schemas: list[str], together: Barrier, told: multiprocessing.Queue[str]) -> None:
    """Open the store of each schema at the same moment as the other processes, and write to it."""
    for schema in schemas:
        together.wait(PATIENCE)
        try:
            store = Store(in_schema(schema).render_as_string(hide_password=False))
            migrate_queue(store)
            with store.writing() as session:
                session.add(Match(side_a="A", side_b="B", ruleset="burako"))
            store.close()
        except Exception as error:
            told.put(f"{schema}: {error!r}")


def test_eight_processes_that_start_at_once_all_come_up(schemas: list[str]) -> None:
    fresh = multiprocessing.get_context("spawn")
    together, told = fresh.Barrier(PROCESSES), fresh.Queue()
    processes = [
        fresh.Process(target=come_up, args=(schemas, together, told)) for _ in range(PROCESSES)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join(PATIENCE * ROUNDS)
        assert process.exitcode == 0
    assert told.empty(), told.get()
    server = create_engine(ADDRESS)
    with server.connect() as connection:
        for schema in schemas:
            versions = connection.execute(text(f"SELECT version_num FROM {schema}.alembic_version"))
            newest = max((PROJECT / "scorer_app/store/migrations/versions").glob("0*.py")).name
            assert versions.scalars().all() == [newest[:4]]
            matches = connection.execute(text(f"SELECT count(*) FROM {schema}.match"))
            assert matches.scalar() == PROCESSES
            jobs = connection.execute(text(f"SELECT count(*) FROM {schema}.procrastinate_jobs"))
            assert jobs.scalar() == 0
    server.dispose()
