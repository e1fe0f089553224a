"""One server has a data folder at a time: two would each keep a table's state for itself."""

from __future__ import annotations

from pathlib import Path

from filelock import FileLock, Timeout

from scorer_app.store.database import StoreUnavailable

NAME = "server.lock"


def lock_folder(folder: Path) -> FileLock:
    """Takes the folder, made where there is none, for this process. The system itself gives it
    back when the process ends, however it ends. Raises StoreUnavailable where another one has it.
    """
    lock = FileLock(folder / NAME, blocking=False)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock.acquire()
    except Timeout as error:
        raise StoreUnavailable(
            f"another server is using {folder}; stop it, or give another --data"
        ) from error
    except OSError as error:
        raise StoreUnavailable(f"{folder}: {error.strerror or error}") from error
    return lock
