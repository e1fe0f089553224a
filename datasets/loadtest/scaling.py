"""Measures how many photographs a cluster reads a second with a growing number of slots.

A slot reads one photograph at a time. The networks keep a core busy, so that a process of `burako
work` has one slot in practice. Here the reader only sleeps, which takes no processor time, so that
up to `SLOTS_OF_A_PROCESS` slots share a process of the same program. In this way 64 slots run on
two cores, where 64 processes would mostly evict one another from the processor's caches.
"""

from __future__ import annotations

import asyncio
import io
import math
import multiprocessing
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any
from unittest import mock

from sqlalchemy import func, select

from datasets.loadtest import processor_time
from datasets.loadtest.processor_time import ServerTime
from engine.pieces import Pieces
from engine.rulesets import RuleSet
from scorer_app import create_app
from scorer_app.config import AppConfig
from scorer_app.services import readings
from scorer_app.services.cluster_worker import Work, keep_working
from scorer_app.services.set_values import ChosenSet
from scorer_app.store import Photo, PhotoState, Store
from scorer_app.web.application import close
from scorer_app.web.parts import Parts, parts_of
from vision.reading import TableReading

SLEEP = 0.3  # seconds that a reading takes
PHOTOGRAPHS_OF_A_HAND = 4
SLOTS_OF_A_PROCESS = 16
SECONDS = 12.0  # of work for each number of slots
FEWEST = 40  # photographs
PATIENCE = 300.0  # seconds after which the test gives up
LOOK = 0.25  # seconds between two counts of what has been read
SETTLED = (0.15, 0.85)  # shares of the photographs between which all is measured


@dataclass(frozen=True)
class Measured:
    """What `slots` slots, each of which reads one photograph at a time, achieved in `processes`
    processes.

    `throughput` is in photographs a second. `readers_seconds` and `database_seconds` are the
    processor time that the reading processes and PostgreSQL took for each photograph; the time in
    which they started is not counted.
    """

    slots: int
    processes: int
    throughput: float
    readers_seconds: float
    database_seconds: float


class SleepingReader:
    """A reader that sleeps for `seconds`, about as long as the networks take, and uses no processor
    time. It returns `reading` for every photograph.
    """

    def __init__(self, seconds: float, reading: TableReading) -> None:
        self._seconds, self._reading = seconds, reading

    def read_photo(
        self, path: Path, layout: str, rules: RuleSet, chosen: ChosenSet | None, pieces: Pieces
    ) -> TableReading:
        time.sleep(self._seconds)
        return self._reading

    def make_ready(self, chosen: ChosenSet) -> None:
        """Do nothing: no own set is ever chosen here."""

    def teach(self, frame: Any) -> Any:
        raise NotImplementedError("nobody teaches a set here")


class _MovingOpener:
    """Stands in for the process that opens photographs. It only moves the file, since the time for
    opening is part of what the sleeping reader takes.
    """

    def warm(self) -> None:
        """Do nothing: nothing has to be started."""

    def make_upright(self, source: Path, target: Path, longest_side: int) -> tuple[int, int]:
        source.replace(target)
        return 1600, 1200


@dataclass(frozen=True)
class _Count:
    """What was done up to one moment: how many photographs were read, and the processor seconds
    that the readers and the database used.
    """

    moment: float  # seconds of a clock
    read: int
    readers: float
    database: float


def measure(
    config: AppConfig, slots: int, reading: TableReading, photograph: bytes, sleep: float
) -> Measured:
    """Fill a queue with copies of a photograph, have them read by `slots` slots, and return what
    was measured. The store must be empty. `photograph` is the content of a JPEG file.

    A slot takes one copy at a time. For each copy it sleeps `sleep` seconds, and then answers with
    `reading`.
    """
    count = max(FEWEST, round(slots * SECONDS / sleep))
    processes = math.ceil(slots / SLOTS_OF_A_PROCESS)
    turns = [len(range(slots)[at::processes]) for at in range(processes)]
    app = create_app(replace(config, photos_per_hand=PHOTOGRAPHS_OF_A_HAND))
    try:
        _fill(parts_of(app), count, photograph)
    finally:
        close(app)
    store = Store(config.database)
    try:
        with _running(config, turns, SleepingReader(sleep, reading)) as running:
            begun, ended = _settled(store, count, running)
    finally:
        store.close()
    read = ended.read - begun.read
    return Measured(
        slots,
        processes,
        read / (ended.moment - begun.moment),
        (ended.readers - begun.readers) / read,
        (ended.database - begun.database) / read,
    )


def _fill(parts: Parts, count: int, photograph: bytes) -> None:
    """Put `count` copies of a photograph into the queue, PHOTOGRAPHS_OF_A_HAND of them for each
    hand.
    """
    hand = ""
    for number in range(count):
        if number % PHOTOGRAPHS_OF_A_HAND == 0:
            names = {"side_a": "Nosotros", "side_b": "Ellos"}
            match = parts.matches.create(**names, ruleset="burako", options={}, players=4)
            hand = parts.hands.begin(match)
        parts.intake.receive(hand, "AB"[number % 2], "melds", io.BytesIO(photograph))


def _settled(store: Store, count: int, running: list[int | None]) -> tuple[_Count, _Count]:
    """Wait until `count` photographs are read by the processes with the ids `running`; an id of
    None is passed over.

    Returns what had been done at two moments: the first and the last at which the share of
    photographs read was seen to lie within SETTLED. Between these moments every slot, which
    reads one photograph at a time, has work. Raises TimeoutError after PATIENCE seconds.
    """
    database, counts = ServerTime(store.engine), list[_Count]()
    patience = time.monotonic() + PATIENCE
    while (done := _read(store)) < count:
        if time.monotonic() > patience:
            raise TimeoutError(f"expected {count} photographs to be read, got {done}")
        if SETTLED[0] < done / count < SETTLED[1]:
            seconds = processor_time.of(running), database.seconds()
            counts.append(_Count(time.monotonic(), done, *seconds))
        time.sleep(LOOK)
    return counts[0], counts[-1]


def _read(store: Store) -> int:
    counted = select(func.count().label("read")).where(Photo.state == PhotoState.READ)
    return int(store.look(counted, {})[0].read)


@contextmanager
def _running(
    config: AppConfig, turns: list[int], reader: SleepingReader
) -> Iterator[list[int | None]]:
    """Run one process of the cluster for each entry of `turns` until the context ends. An entry
    says how many photographs the process reads at a time, each with `reader`.

    Yields the ids of the processes, in the order of `turns`.
    """
    # A process without threads makes the processes, so that no lock is held in them; they share
    # what it has loaded.
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    running: list[BaseProcess] = [
        context.Process(target=_work, args=(config, reader, number)) for number in turns
    ]
    for process in running:
        process.start()
    try:
        yield [process.pid for process in running]
    finally:
        for process in running:
            process.terminate()
        for process in running:
            process.join(PATIENCE)


def _work(config: AppConfig, reader: SleepingReader, turns: int) -> None:
    with mock.patch.object(readings, "shared_opener", _MovingOpener):
        work = Work(config, reader, turns)
    try:
        asyncio.run(_until_ended(work))
    finally:
        work.close()


async def _until_ended(work: Work) -> None:
    stopping = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopping.set)
    await keep_working(work, stopping)
