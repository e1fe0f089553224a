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
from dataclasses import dataclass
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from typing import Any

LAST_WORDS = 15.0  # seconds in which a process has to end once it is asked to
# Seconds. A process that ends sooner than this after its start, like the one before it, is replaced
# only after this time. So a program that cannot start costs little, and one that was killed once is
# back at once.
SHORT_LIFE = 5.0
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Life:
    """One running process: its arguments, the moment at which it began (in seconds of the monotonic
    clock), and whether the process that it replaced ended soon after its own start.
    """

    arguments: Sequence[Any]
    begun: float
    after_short_life: bool


@dataclass(frozen=True)
class _Start:
    """A process that is to be started once `moment` has come, in seconds of the monotonic clock.
    `after_short_life` is true where the process that it replaces ended soon after its own start.
    """

    moment: float
    arguments: Sequence[Any]
    after_short_life: bool


def keep_running(target: Callable[..., None], each: Sequence[Sequence[Any]]) -> None:
    """Run `target(*arguments)` in a process of its own for each entry of `each`, and replace each
    process that ends by another with the same arguments.

    Returns when the caller is interrupted (KeyboardInterrupt); all processes have ended then. They
    also end by themselves, as if by SIGTERM, if this process is killed.
    """
    running: dict[BaseProcess, _Life] = {}
    starts = [_Start(time.monotonic(), arguments, after_short_life=False) for arguments in each]
    try:
        with suppress(KeyboardInterrupt):
            while True:
                for start in [one for one in starts if one.moment <= time.monotonic()]:
                    starts.remove(start)
                    _begin(target, start, running)
                next_start = min((one.moment for one in starts), default=None)
                wait(
                    [one.sentinel for one in running],
                    None if next_start is None else max(0.0, next_start - time.monotonic()),
                )
                for dead in [one for one in running if not one.is_alive()]:
                    log.error("process %d ended with %s; another starts", dead.pid, dead.exitcode)
                    starts.append(_replacement(running.pop(dead)))
    finally:
        _end(list(running))


def _begin(target: Callable[..., None], start: _Start, running: dict[BaseProcess, _Life]) -> None:
    one = multiprocessing.get_context("spawn").Process(
        target=_run, args=(target, tuple(start.arguments))
    )
    one.start()
    running[one] = _Life(start.arguments, time.monotonic(), start.after_short_life)


def _replacement(dead: _Life) -> _Start:
    """Return the start of the successor of a process that has just ended: at which moment and with
    which arguments.
    """
    now = time.monotonic()
    short = now - dead.begun < SHORT_LIFE
    moment = now + SHORT_LIFE if short and dead.after_short_life else now
    return _Start(moment, dead.arguments, after_short_life=short)


def stop_on_signals() -> None:
    """Treat a termination signal of the system like Ctrl-C: the main thread raises
    KeyboardInterrupt.
    """

    def interrupt(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    for name in ("SIGTERM", "SIGBREAK"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), interrupt)


def _run(target: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    """Call `target(*arguments)`, in a process that `keep_running` has started. The process ends
    itself if the one that started it ends.
    """
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
