"""Keeps a second server out of a data folder and a database: each of two servers would have its own
state of the watched tables, and would read the photographs that the other one has.
"""

from __future__ import annotations

import errno
import os
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from filelock import FileLock, Timeout
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from scorer_app.store.database import StoreUnavailable

NAME = "server.lock"


class DataInUse(StoreUnavailable):
    """Another server is using the data folder or database file at `path`."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"another server is using {path}")
        self.path = path


def lock_folder(folder: Path) -> FileLock:
    """Lock a folder for this process, and return the lock. The folder stays locked until the lock
    is released or the process ends, however it ends. A missing folder is made.

    Raises StoreUnavailable where the folder cannot be made, and DataInUse where another process
    holds the lock.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except FileExistsError as error:
        raise StoreUnavailable(f"{folder}: {os.strerror(errno.ENOTDIR)}") from error
    except OSError as error:
        raise StoreUnavailable(f"{folder}: {error.strerror or error}") from error
    return _locked(folder / NAME, folder)


def lock_database(url: str) -> AbstractContextManager[object]:
    """Lock the SQLite file at a SQLAlchemy URL as `lock_folder` locks a folder; the lock lies
    beside the file. Where the URL names no such file, nothing is locked.
    """
    try:
        address = make_url(url)
    except ArgumentError:
        return nullcontext()
    name = address.database if address.get_backend_name() == "sqlite" else None
    path = Path(name or "").resolve()
    if not name or name.startswith("file:") or not path.parent.is_dir():
        return nullcontext()
    return _locked(path.with_name(f"{path.name}.lock"), path)


def _locked(file: Path, used: Path) -> FileLock:
    """Take the lock that lies in a file and stands for the folder or file `used`."""
    lock = FileLock(file, blocking=False)
    try:
        lock.acquire()
    except Timeout as error:
        raise DataInUse(used) from error
    except OSError as error:
        raise StoreUnavailable(f"{used}: {error.strerror or error}") from error
    return lock
