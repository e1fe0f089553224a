"""Makes the tables of the queue in PostgreSQL and brings them up to date, by the SQL files that
come with the library procrastinate.

The library's function that takes the next job is made to use the index that holds the jobs in
order. The statistics of a queue are always out of date: PostgreSQL takes a queue that has just
filled for empty and would sort all waiting jobs for each job taken, which takes 44 ms where 2,500
wait.

The library's history of jobs is switched off: nobody reads it, and writing and deleting it would
take a part of PostgreSQL's time.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from zlib import crc32

import psycopg
from procrastinate.schema import SchemaManager
from procrastinate.sql import queries

from scorer_app.store.database import MIGRATIONS_TURN, Store, StoreUnavailable
from scorer_app.store.tables import Setting

_DONE = "queue_tables"  # setting: the name of the newest file that has been run
_TUNED = "queue_tuned"  # setting: the newest file and a checksum of `_TUNING` as it was run last
_TAKING = re.findall(r"procrastinate_fetch_job_v\d+", queries["fetch_job"])[0]
_NO_HISTORY = """DO $$ DECLARE found name; BEGIN
    FOR found IN SELECT tgname FROM pg_trigger WHERE tgrelid = 'procrastinate_jobs'::regclass
        AND tgname LIKE 'procrastinate_trigger_status_events_%'
    LOOP EXECUTE format('ALTER TABLE procrastinate_jobs DISABLE TRIGGER %I', found); END LOOP;
END $$"""
_TUNING = "; ".join(
    (
        _NO_HISTORY,
        "CREATE INDEX IF NOT EXISTS burako_jobs_lock ON procrastinate_jobs (lock)"
        " WHERE status IN ('todo', 'doing')",
        *(
            f"ALTER FUNCTION {_TAKING} SET enable_{way} = off"
            for way in ("sort", "seqscan", "bitmapscan", "hashjoin", "mergejoin")
        ),
    )
)


def migrate_queue(store: Store) -> None:
    """Make the queue's tables, or bring those of an earlier version up to date.

    Where several processes start at once, one does it and the others wait. Raises StoreUnavailable.
    """
    files = sorted(Path(SchemaManager.get_migrations_path()).glob("*.sql"))
    newest = files[-1].stem
    tuned = f"{newest} {crc32(_TUNING.encode()):08x}"
    if (store.setting(_DONE), store.setting(_TUNED)) == (newest, tuned):
        return
    try:
        with store.writing() as session:
            connection: Any = session.connection().connection.driver_connection
            session.execute(MIGRATIONS_TURN)
            known = session.get(Setting, _DONE, populate_existing=True)
            if known is None:
                connection.execute(SchemaManager.get_schema())
            else:
                for file in files:
                    if file.stem > str(known.value):
                        connection.execute(file.read_text("utf-8"))
            connection.execute(_TUNING)
            session.merge(Setting(key=_DONE, value=newest))
            session.merge(Setting(key=_TUNED, value=tuned))
    except psycopg.Error as error:
        raise StoreUnavailable(f"the queue's tables: {error}") from error
