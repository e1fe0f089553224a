"""How processes that serve pages use the queue of readings, which the library procrastinate keeps
in PostgreSQL. The processes that read photographs are in `cluster_worker`.

A job is put into the queue within the transaction that keeps its photograph, over the same
connection: there is never a photograph without its job, nor a job without its photograph. The
column `stage` of the photograph's row tells how far its reading has come.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from procrastinate import App, SyncPsycopgConnector
from procrastinate.exceptions import ProcrastinateException
from sqlalchemy import bindparam, func, select, text, update
from sqlalchemy.orm import Session

from scorer_app.services.reading_jobs import queue_again
from scorer_app.services.reading_queue import MOST_BEFORE, Stage
from scorer_app.store import UNSYNCHRONIZED, Photo, PhotoState, Store, StoreUnavailable
from scorer_app.store.queue_tables import migrate_queue

READ, LEARN = "read", "learn"  # the names of tasks
READINGS, UPKEEP = "readings", "upkeep"  # the names of queues
DATABASE_CLOCK = func.timezone("utc", func.clock_timestamp())
_STAGE = select(
    Photo.state, Photo.stage, func.extract("epoch", DATABASE_CLOCK - Photo.begun).label("seconds")
).where(Photo.id == bindparam("photo"))
# Finds photographs that wait without a job, because a reader that had been given up on ended the
# job after another reader had taken it over. NOT IN hashes all jobs once; NOT EXISTS would compare
# each photograph with each job.
_WITHOUT_JOB = text(
    "SELECT photo.id FROM photo WHERE state IN ('queued', 'reading') AND NOT removed"
    " AND photo.id NOT IN (SELECT job.lock FROM procrastinate_jobs AS job"
    " WHERE job.status IN ('todo', 'doing') AND job.lock IS NOT NULL)"
    " ORDER BY received LIMIT 500"
)
# Readings are taken in the order of their jobs' ids. A reading that is ordered again has a new job
# at the end of the queue, perhaps beside the one whose result will be thrown away. A job that is
# tried again later holds up nobody until then.
_BEFORE = text(
    "SELECT job.lock FROM procrastinate_jobs AS job"
    " WHERE job.status IN ('todo', 'doing') AND job.queue_name = :queue AND job.lock <> :photo"
    " AND (job.scheduled_at IS NULL OR job.scheduled_at <= now())"
    " AND job.id < (SELECT max(own.id) FROM procrastinate_jobs AS own"
    " WHERE own.lock = :photo AND own.status = 'todo')"
    " ORDER BY job.id LIMIT :most"
)


class ClusterJobs:
    """Queues readings for the processes that read photographs, and tells how far a reading is."""

    def __init__(self, store: Store) -> None:
        """Bring the queue's tables up to date. Raises StoreUnavailable where the database cannot be
        reached.
        """
        logging.getLogger("procrastinate").setLevel(
            logging.ERROR
        )  # else several lines for each job
        self._store = store
        migrate_queue(store)
        self._app = App(connector=SyncPsycopgConnector())  # never opened: it borrows connections

    def note(self, session: Session, photo_id: str) -> None:
        """Put the reading of a photograph into the queue, within the transaction that stores the
        photograph. The photograph's time of arrival is taken from the database's clock, because the
        clocks of the servers may differ.
        """
        session.flush()
        session.execute(
            update(Photo).where(Photo.id == photo_id).values(received=DATABASE_CLOCK),
            execution_options=UNSYNCHRONIZED,
        )
        self._order(session, photo_id)

    def order(self, photo_id: str) -> None:
        """Do nothing: `note` has already put the photograph into the queue."""

    def order_again(self, photo_id: str, *, anew: bool = False) -> None:
        """Order another reading of a photograph, unless one is waiting or under way. With `anew`
        another is ordered although one is under way, and the result of that one is thrown away.
        """
        with self._store.writing() as session:
            if queue_again(session, photo_id, anew=anew):
                self._order(session, photo_id)

    def order_stranded(self) -> int:
        """Queue the readings of photographs that wait to be read but have no job, and return their
        number.
        """
        with self._store.writing() as session:
            names = session.scalars(_WITHOUT_JOB).all()
            for name in names:
                self._order(session, name)
        return len(names)

    def learn_from(self, hand_id: str) -> None:
        """Queue the job by which a match's set of tiles learns from a saved hand of that match."""
        with self._store.writing() as session:
            self._put(session, LEARN, f"learn {hand_id}", hand_id=hand_id)

    def make_ready(self, set_id: str | None) -> None:
        """Do nothing: a process that reads photographs prepares for a set when it reads the first
        photograph of it.
        """

    def stage(self, photo: str) -> tuple[Stage, float] | None:
        """Return the stage of a photograph's reading, and the seconds since the reading began (0
        while queued); None where the photograph neither waits nor is being read.
        """
        for row in self._store.look(_STAGE, {"photo": photo}):
            if row.state == PhotoState.QUEUED:
                return Stage.QUEUED, 0.0
            if row.state == PhotoState.READING and row.stage:
                return Stage(row.stage), float(row.seconds or 0.0)
        return None

    def before(self, photo: str) -> list[str]:
        """Name the jobs that come before the queued job of a photograph, at most MOST_BEFORE of
        them: ids of other photographs, and names of other work. There are none where no job is
        queued for the photograph.
        """
        values = {"photo": photo, "queue": READINGS, "most": MOST_BEFORE}
        return [row.lock for row in self._store.look(_BEFORE, values)]

    def start(self) -> None:
        """Do nothing: a process that serves pages reads no photographs, so it has no threads to
        start.
        """

    def close(self) -> None:
        """Do nothing: no job runs in a process that serves pages."""

    def resume(self) -> None:
        """Do nothing: the queue outlives this process."""

    def _order(self, session: Session, photo_id: str) -> None:
        self._put(session, READ, photo_id, photo_id=photo_id)

    def _put(self, session: Session, task: str, lock: str, **values: Any) -> None:
        """Put a job for a task into the queue, within a session's transaction. `values` are the
        arguments with which the task is called. Of the jobs with the same `lock` only one runs at a
        time.
        """
        connection = session.connection().connection.driver_connection
        with store_errors():
            self._app.configure_task(task, queue=READINGS, lock=lock, connection=connection).defer(
                **values
            )


@contextmanager
def store_errors() -> Iterator[None]:
    """Within this context, turn the errors that the queue's library raises about the database into
    StoreUnavailable.
    """
    try:
        yield
    except ProcrastinateException as error:
        raise StoreUnavailable(f"the queue: {error.__cause__ or error}") from error
