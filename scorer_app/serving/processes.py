"""Keeps several processes of one kind running, and ends them together."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from typing import Any

LAST_WORDS = 15.0  # seconds that a process has to end in once it is asked to
SHORT_LIFE = 5.0  # seconds; whoever dies younger is started again after as many
log = logging.getLogger(__name__)


def keep_running(target: Callable[..., None], each: Sequence[Sequence[Any]]) -> None:
    """Run `target(*arguments)` in a process of its own for each arguments of `each`, and start
    another with the same ones for each that dies.

    Returns when the caller is interrupted (KeyboardInterrupt); all processes have ended then. They
    also end by themselves, as if by SIGTERM, where this one is killed.
    """
    running: dict[BaseProcess, tuple[Sequence[Any], float]] = {}

    def start(arguments: Sequence[Any]) -> None:
        one = multiprocessing.get_context("spawn").Process(
            target=_run, args=(target, tuple(arguments))
        )
        one.start()
        running[one] = arguments, time.monotonic()

    try:
        with suppress(KeyboardInterrupt):
            for arguments in each:
                start(arguments)
            while True:
                wait([one.sentinel for one in running])
                for dead in [one for one in running if not one.is_alive()]:
                    arguments, begun = running.pop(dead)
                    log.error("process %d ended with %s; another starts", dead.pid, dead.exitcode)
                    if time.monotonic() - begun < SHORT_LIFE:
                        time.sleep(SHORT_LIFE)
                    start(arguments)
    finally:
        _end(list(running))


def stop_on_signals() -> None:
    """Treat a stop by the system like Ctrl-C: the main thread raises KeyboardInterrupt."""

    def interrupt(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    for name in ("SIGTERM", "SIGBREAK"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), interrupt)


def _run(target: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    """What a process of `keep_running` does."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    threading.Thread(target=_end_with_the_parent, name="parent", daemon=True).start()
    stop_on_signals()
    with suppress(KeyboardInterrupt):
        target(*arguments)


def _end_with_the_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


def _end(running: Sequence[BaseProcess]) -> None:
    for one in running:
        one.terminate()
    end = time.monotonic() + LAST_WORDS
    for one in running:
        one.join(max(0.0, end - time.monotonic()))
        if one.is_alive():
            one.kill()
            one.join()
