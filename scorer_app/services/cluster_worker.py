"""A process that reads photographs for servers that share one PostgreSQL: it takes jobs from the
queue in that database. While the networks read one photograph, the process takes, fetches and opens
the next one, so that the networks never wait.

Each process gives a sign of life every few seconds. The jobs of a process that gives none are given
to others (`lost_jobs`). If the silent process goes on after all, it writes no reading of a
photograph whose job was given away, because another process now holds the lease.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, cast

import psycopg
from procrastinate import App, PsycopgConnector, RetryStrategy
from procrastinate.exceptions import ProcrastinateException
from psycopg_pool import AsyncConnectionPool
from sqlalchemy import Connection, Table, bindparam, insert, select, update
from sqlalchemy.engine import make_url

from scorer_app.config import AppConfig
from scorer_app.services.bus_relay import BusRelay, and_notify
from scorer_app.services.cluster_jobs import (
    DATABASE_CLOCK,
    LEARN,
    READ,
    READINGS,
    UPKEEP,
    ClusterJobs,
)
from scorer_app.services.collector import spare_the_collector
from scorer_app.services.event_bus import EventBus
from scorer_app.services.hand_log import KEEP_CHANGED, NOTED, HistoryChange
from scorer_app.services.hand_rows import WAITING, AnyRow
from scorer_app.services.hands import Hands
from scorer_app.services.intake import Intake
from scorer_app.services.learning import learn_from_hand
from scorer_app.services.lost_jobs import SIGN_OF_LIFE, give_away_lost
from scorer_app.services.photo_files import PhotosUnavailable
from scorer_app.services.photo_place import photo_files
from scorer_app.services.reading_queue import PhotoReader, Stage, VisionReader
from scorer_app.services.readings import KEEP, OF_TAKEN, Lease, Readings, Taken
from scorer_app.services.retention import Retention
from scorer_app.store import Edit, Hand, Match, Photo, PhotoState, Store, StoreUnavailable
from scorer_app.store.connections import has_news

AHEAD = 1  # photographs that are taken, fetched and opened while another is read, for each turn
FORGOTTEN = 3600.0  # seconds without a sign of life after which a process is listed no more
PAUSE = 2.0  # seconds before another try where the database is away
EVERY_FIVE_SECONDS, EVERY_QUARTER_HOUR = "* * * * * */5", "*/15 * * * *"
# How long a job waits for a database or a store that is out of reach: 4 s, then 16, 64, 256.
_LATER = RetryStrategy(
    max_attempts=4, exponential_wait=4, retry_exceptions=(StoreUnavailable, PhotosUnavailable)
)
_PHOTOS = cast(Table, Photo.__table__)
_TAKE = (
    update(_PHOTOS)
    .where(
        _PHOTOS.c.id == bindparam("photo"),
        _PHOTOS.c.state.in_(WAITING),
        ~_PHOTOS.c.removed,
        Hand.id == _PHOTOS.c.hand_id,
        Match.id == Hand.match_id,
    )
    .values(
        state=PhotoState.READING,
        lease=bindparam("reader"),
        attempts=_PHOTOS.c.attempts + 1,
        stage=Stage.OPENING,
        begun=DATABASE_CLOCK,
    )
    .returning(*OF_TAKEN)
)
# One statement to the database instead of three.
_KEPT = KEEP.cte("kept")
_IS_KEPT = select(_KEPT.c.erased).exists()
_KEEP_AND_NOTE = select(_KEPT.c.erased).add_cte(
    insert(Edit).from_select([*NOTED], select(*NOTED.values()).where(_IS_KEPT)).cte("noted"),
    KEEP_CHANGED.where(_IS_KEPT).cte("changed"),
)
_NOTE_STAGE = and_notify(
    update(_PHOTOS)
    .where(
        _PHOTOS.c.id == bindparam("photo"),
        _PHOTOS.c.lease == bindparam("reader"),
        _PHOTOS.c.state == PhotoState.READING,
    )
    .values(stage=bindparam("present"))
)
log = logging.getLogger(__name__)


class QueuedReadings(Readings):
    """Reads the photographs whose jobs the queue gives to this process, at most `turns` at a time.
    `parts` are the arguments of `Readings`; `relay` notifies the pages.
    """

    def __init__(self, *parts: Any, relay: BusRelay, turns: int) -> None:
        super().__init__(*parts)
        self._relay, self.turn = relay, threading.BoundedSemaphore(turns)

    def read(self, photo_id: str) -> None:
        """Read a photograph, if it still waits. Raises StoreUnavailable and PhotosUnavailable, and
        any other error that the photograph did not cause.
        """
        self._read(photo_id, self._tell)

    def _lease(self, photo_id: str) -> tuple[AnyRow, Lease] | None:
        """Lease a photograph to this process, and return its row and the lease; None where the
        photograph does not wait to be read.

        An earlier lease is replaced: the queue gives each photograph to one process at a time, so
        the process that held the earlier lease counts as gone.
        """
        values = {"photo": photo_id, "reader": self.name}
        for photo in self.hands.store.write_returning(_TAKE, values):
            return photo, (self.name, photo.attempts)
        return None

    def _keep(
        self, connection: Connection, read: dict[str, Any], changed: HistoryChange
    ) -> AnyRow | None:
        return connection.execute(_KEEP_AND_NOTE, read | changed.values).first()

    def _tell(self, taken: Taken, stage: Stage) -> None:
        """Write the stage of a photograph's reading, unless another reader has the photograph, and
        notify the pages.

        For the stage "opening" nothing is done: it is written when the photograph is taken, and
        pages are not notified of it, because opening takes a twentieth of a second and each notice
        makes all phones of the table ask for the hand.
        """
        if stage is Stage.OPENING:
            return
        values = {"photo": taken.photo_id, "reader": self.name, "present": stage}
        self._relay.tell_of(_NOTE_STAGE, values, (taken.hand_id,))


class Work:
    """The store, the reader and the queue of a process that reads photographs, and the tasks that
    the process runs. The process reads up to `turns` photographs at once.
    """

    def __init__(self, config: AppConfig, reader: PhotoReader, turns: int = 1) -> None:
        """Open the store. Raises StoreUnavailable.

        `reader` reads `turns` photographs at once. One is enough with networks, which keep a core
        busy; a load test, whose reader only sleeps, has one process read several at once.
        """
        self.store = Store(config.database, config.lock_patience)
        self._bus = EventBus(0)
        self._relay = BusRelay(self.store, self._bus)
        self._jobs = ClusterJobs(self.store)
        hands, files = Hands(self.store, self._bus), photo_files(config)
        parts = (config, hands, files, reader)
        self._readings = QueuedReadings(*parts, relay=self._relay, turns=turns)
        self.at_once = turns * (1 + AHEAD)
        intake = Intake(config, hands, files, self._jobs)
        self._retention = Retention(self.store, intake, self._now)
        _arguments, known = self.store.engine.dialect.create_connect_args(make_url(config.database))
        self.app = App(
            connector=PsycopgConnector(
                pool_factory=_pool,
                kwargs=known,
                configure=_commit_each_statement,
                min_size=1,
                max_size=4,
            )
        )
        self._relay.start(listen=False)
        self._readings.opener.warm()

    async def run(self) -> None:
        """Take jobs until cancelled. Raises ProcrastinateException and psycopg's errors where the
        database cannot be reached.
        """
        async with self.app.open_async():
            await self.app.run_worker_async(
                queues=[READINGS, UPKEEP],
                concurrency=self.at_once,
                install_signal_handlers=False,
                delete_jobs="always",
                update_heartbeat_interval=SIGN_OF_LIFE,
                stalled_worker_timeout=FORGOTTEN,
            )

    def close(self) -> None:
        self._relay.close()
        self.store.close()

    def name_tasks(self) -> None:
        """Tell the queue's library which function does which task."""
        self._name(READ, self._readings.read)
        self._name(LEARN, self._learn)
        # A lock would be held for ever by a process that was killed in the middle of a rescue.
        self._name_periodic("rescue", self._rescue, EVERY_FIVE_SECONDS, lock=None)
        self._name_periodic("look", _in_a_thread(self._look), EVERY_FIVE_SECONDS, lock="look")
        sweep = _in_a_thread(self._sweep)
        self._name_periodic("sweep", sweep, EVERY_QUARTER_HOUR, lock="sweep")

    def _name(self, name: str, function: Callable[..., None]) -> None:
        self.app.task(name=name, queue=READINGS, retry=_LATER)(_in_a_thread(function))

    def _name_periodic(
        self, name: str, function: Callable[..., Any], when: str, lock: str | None
    ) -> None:
        """Register `function` as the task `name`, to be called on the cron schedule `when`, with
        priority over waiting readings. The function gets the scheduled moment, in seconds since
        1970. Where `lock` is a name, the function runs in one process at a time; where it is None,
        it may run in several.
        """
        task = self.app.task(name=name, queue=UPKEEP, queueing_lock=name, lock=lock, priority=1)
        self.app.periodic(cron=when)(task(function))

    def _learn(self, hand_id: str) -> None:
        learn_from_hand(self._readings.sets, self._readings.files, hand_id)

    async def _rescue(self, timestamp: int) -> None:
        """Take jobs away from processes that show no sign of life, so that other processes can do
        them. The `timestamp` of the schedule is not used.
        """
        for job in await give_away_lost(self.app):
            log.warning("job %s (%s) is given to another process", job["id"], job["task_name"])

    def _look(self, timestamp: int) -> None:
        ordered = self._jobs.order_stranded()
        if ordered:
            log.warning("%d photographs waited without a job", ordered)

    def _sweep(self, timestamp: int) -> None:
        self._retention.look()

    def _now(self) -> Any:
        """Return the present moment by the database's clock: a datetime in UTC, without a zone."""
        (row,) = self.store.look(select(DATABASE_CLOCK.label("moment")), {})
        return row.moment


def read_photographs(config: AppConfig) -> None:
    """Read photographs until interrupted. While the database cannot be reached, the process waits
    for it.

    Raises StoreUnavailable where the store cannot be opened at the start.
    """
    import cv2

    from vision.modelfile import use_threads

    use_threads(1)  # as many processes as the machine has cores read more than one that uses all
    cv2.setNumThreads(1)
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)
    work = Work(config, VisionReader(config.prepared_dir))
    try:
        asyncio.run(_until_a_signal(work))
    finally:
        work.close()


async def _until_a_signal(work: Work) -> None:
    stopping, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    await keep_working(work, stopping)


async def keep_working(work: Work, stopping: asyncio.Event) -> None:
    """Let `work` take jobs until `stopping` is set. While the database cannot be reached, go on
    trying.
    """
    work.name_tasks()
    spare_the_collector()
    threads = ThreadPoolExecutor(work.at_once, "reading")
    asyncio.get_running_loop().set_default_executor(threads)
    while not stopping.is_set():
        working = asyncio.create_task(work.run())
        told = asyncio.create_task(stopping.wait())
        await asyncio.wait([working, told], return_when=asyncio.FIRST_COMPLETED)
        working.cancel()  # where it has not ended by itself, for want of a database
        try:
            await working
        except asyncio.CancelledError:
            pass
        except (ProcrastinateException, psycopg.Error) as error:
            log.error("the queue cannot be reached: %s", error.__cause__ or error)
        told.cancel()
        if not stopping.is_set():
            await asyncio.sleep(PAUSE)


def _in_a_thread(function: Callable[..., None]) -> Callable[..., Awaitable[None]]:
    """Return a coroutine function, as the queue's library wants it for a task, that calls
    `function` in a thread. The library's own way also copies context variables, and takes three
    times as long.
    """

    async def call(**values: Any) -> None:
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, partial(function, **values))

    return call


def _pool(**options: Any) -> AsyncConnectionPool:
    """Return a pool of connections for the queue's library, made with `options`. The pool checks a
    connection only where the server may have closed it; the library's own pool checks before each
    statement.
    """
    return AsyncConnectionPool(**options | {"check": _ask_whether_it_lives})


async def _ask_whether_it_lives(connection: psycopg.AsyncConnection) -> None:
    """Check that an unused connection is alive, if it holds unread data. Such data may be the
    server's message that it has closed the connection. Raises psycopg's OperationalError where the
    connection is dead.
    """
    if has_news(connection):
        await AsyncConnectionPool.check_connection(connection)


async def _commit_each_statement(connection: psycopg.AsyncConnection) -> None:
    """Let a connection commit each statement by itself. The queue's library sends them one at a
    time, so BEGIN and COMMIT would only cost time.
    """
    await connection.set_autocommit(True)
