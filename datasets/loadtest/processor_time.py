"""How much processor time processes have used, on Linux."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from sqlalchemy import Engine, text

_TICKS = os.sysconf("SC_CLK_TCK")
_OWN_BACKEND = text("SELECT pg_backend_pid()")


def of(processes: Iterable[int | None]) -> float:
    """Return the seconds of processor time that running processes, given by their ids, have used
    together, without their children. An id of None and a process that has ended add nothing.
    """
    return sum(sum(_times(process)[:2]) for process in processes if process is not None)


class ServerTime:
    """The processor time of the PostgreSQL server that an engine is connected to."""

    def __init__(self, engine: Engine) -> None:
        with engine.connect() as connection:
            backend = int(connection.execute(_OWN_BACKEND).scalar_one())
            self._server = int(_numbers(backend)[1])  # the parent of its processes

    def seconds(self) -> float:
        """Return the seconds of processor time that all processes of the server have used since its
        start, ended ones included.
        """
        children = Path(f"/proc/{self._server}/task/{self._server}/children").read_text().split()
        return sum(_times(self._server)) + of(int(child) for child in children)


def _times(process: int) -> list[float]:
    """Return four numbers: the seconds that a process spent in user mode and in system mode, then
    the same of its children that have ended. Empty for a process that has ended.
    """
    try:
        return [int(number) / _TICKS for number in _numbers(process)[11:15]]
    except (FileNotFoundError, ProcessLookupError):
        return []


def _numbers(process: int) -> list[str]:
    """Return the fields of a process's /proc/PID/stat that follow its name, as text."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
