"""Tells failures of the disk from other failures of the operating system.

A full disk and one that refuses to be written have different remedies, so each has its own
sentence.
"""

from __future__ import annotations

import errno
from enum import StrEnum
from pathlib import Path


class DiskTrouble(StrEnum):
    """What is wrong with the disk."""

    FULL = "disk"  # no room left, or none for this user
    REFUSED = "disk_refused"  # read-only, not permitted, worn out, or not there any more


_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_REFUSED = frozenset({errno.EROFS, errno.EIO})
_FORBIDDEN = frozenset({errno.EACCES, errno.EPERM})


def disk_trouble(error: OSError, data_dir: Path) -> DiskTrouble | None:
    """Return what is wrong with the disk; None where the error has another cause. A lack of
    permission is the disk's trouble only for a file in the data directory, and so is a missing
    file, if the whole directory has gone.
    """
    if error.errno in _FULL:
        return DiskTrouble.FULL
    if error.errno == errno.ENOENT and _lies_in(error.filename, data_dir):
        return None if data_dir.is_dir() else DiskTrouble.REFUSED
    forbidden = error.errno in _FORBIDDEN and _lies_in(error.filename, data_dir)
    return DiskTrouble.REFUSED if forbidden or error.errno in _REFUSED else None


def _lies_in(name: object, folder: Path) -> bool:
    return isinstance(name, str | Path) and Path(name).absolute().is_relative_to(folder.absolute())
