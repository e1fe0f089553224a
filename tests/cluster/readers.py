"""Processes that read photographs, for tests: `burako work`, and one in a thread of the test."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scorer_app.config import AppConfig
from scorer_app.services.cluster_worker import Work, keep_working
from tests.cluster.weed import KEYS
from tests.scorer_app.pictures import RecordedReader
from tests.scorer_app.served import PATIENCE

RUN = "import sys; from scorer_app.cli.main import main; sys.exit(main())"


@contextmanager
def reading_here(config: AppConfig, reader: RecordedReader) -> Iterator[None]:
    """Take jobs in a thread of this process, with a reader of the test's own."""
    work, started = Work(config, reader), threading.Event()
    stopping: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def run() -> None:
        told = asyncio.Event()
        stopping.append((asyncio.get_running_loop(), told))
        started.set()
        await keep_working(work, told)

    thread = threading.Thread(target=lambda: asyncio.run(run()), name="reader")
    thread.start()
    try:
        assert started.wait(PATIENCE)
        yield
    finally:
        ((loop, told),) = stopping
        loop.call_soon_threadsafe(told.set)
        thread.join(PATIENCE)
        work.close()
        assert not thread.is_alive()


class Readers:
    """A running `burako work`: its processes can be stopped and killed."""

    def __init__(self, file: Path) -> None:
        with (file.parent / "work.log").open("ab") as log:
            self._parent = subprocess.Popen(
                [sys.executable, "-c", RUN, "work", "--config", str(file)],
                env=os.environ | KEYS,
                stdout=log,
                stderr=log,
            )

    @property
    def processes(self) -> list[int]:
        """Return the processes that read, without their helpers."""
        parent = self._parent.pid
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        return [int(one) for one in children if b"spawn_main" in _command(one)]

    def send(self, number: signal.Signals) -> None:
        """Send a signal to all processes that read."""
        for process in self.processes:
            os.kill(process, number)

    def close(self) -> int:
        """End all of the processes, and return the exit status."""
        self.send(signal.SIGCONT)
        self._parent.terminate()
        try:
            return self._parent.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._parent.kill()
            raise


def _command(process: str) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except FileNotFoundError:
        return b""
