"""Keeps a second server out of a data folder: each would keep the state of the tables for
itself.
"""

from __future__ import annotations

from pathlib import Path

from filelock import FileLock, Timeout

from scorer_app.store.database import StoreUnavailable

NAME = "server.lock"


def lock_folder(folder: Path, advice: str = "stop it, or give another --data") -> FileLock:
    """Lock a folder for this process, and make it where there is none.

    The system unlocks it when the process ends, however it ends. Raises StoreUnavailable where
    another process has it, and gives this advice.
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
