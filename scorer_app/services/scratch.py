"""Folders in which a process keeps files only while it works on them.

Beside each folder lies a lock that the system releases when the process ends, however it ends.
Whoever gets that lock therefore knows that nobody works in the folder any more, and deletes what a
killed process left there.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from scorer_app.store.tables import token

_LOCK = ".lock"


@contextmanager
def scratch_folder(parent: Path) -> Iterator[Path]:
    """Within this context, give a new, empty folder in `parent`; it is deleted at the end of the
    context. A missing `parent` is made.
    """
    parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder = parent / token()
    with FileLock(_lock_of(folder)):
        folder.mkdir(mode=0o700)
        try:
            yield folder
        finally:
            _delete(folder)


def delete_abandoned(parent: Path) -> int:
    """Delete the folders that processes which have ended left in `parent`, and return how many
    these were. A folder of `scratch_folder` whose process still runs stays.
    """
    count = 0
    for path in list(parent.glob(f"*{_LOCK}")):
        try:
            with FileLock(path, blocking=False):
                _delete(path.with_suffix(""))
        except Timeout:  # somebody works there
            continue
        count += 1
    return count


def _delete(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    _lock_of(folder).unlink(missing_ok=True)


def _lock_of(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}{_LOCK}")
