"""Keeps a second server out of a data folder: each of two servers would have its own state of the
watched tables.
"""

from __future__ import annotations

from pathlib import Path

from filelock import FileLock, Timeout

from scorer_app.store.database import StoreUnavailable

NAME = "server.lock"


def lock_folder(folder: Path, advice: str = "stop it, or give another --data") -> FileLock:
    """Lock a folder for this process, and return the lock. The folder stays locked until the lock
    is released or the process ends, however it ends. A missing folder is made.

    Raises StoreUnavailable where the folder cannot be made, and where another process holds the
    lock. The message about another process ends with `advice`.
    """
    lock = FileLock(folder / NAME, blocking=False)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock.acquire()
    except Timeout as error:
        raise StoreUnavailable(f"another server is using {folder}; {advice}") from error
    except OSError as error:
        raise StoreUnavailable(f"{folder}: {error.strerror or error}") from error
    return lock
