"""Which failures of the operating system are the disk's: each has its own sentence, since each has
its own remedy.
"""

from __future__ import annotations

import errno
from enum import StrEnum
from pathlib import Path


class DiskTrouble(StrEnum):
    FULL = "disk"  # no room left, or none for this user
    REFUSED = "disk_refused"  # read-only, not permitted, or worn out


_FULL = {errno.ENOSPC, errno.EDQUOT}
_REFUSED = {errno.EROFS, errno.EIO}
_FORBIDDEN = {errno.EACCES, errno.EPERM}


def disk_trouble(error: OSError, data_dir: Path) -> DiskTrouble | None:
    """None where it is not the disk; what is forbidden elsewhere than in the data directory is not
    the disk's doing.
    """
    if error.errno in _FULL:
        return DiskTrouble.FULL
    forbidden = error.errno in _FORBIDDEN and _lies_in(error.filename, data_dir)
    return DiskTrouble.REFUSED if forbidden or error.errno in _REFUSED else None


def _lies_in(name: object, folder: Path) -> bool:
    return isinstance(name, str | Path) and Path(name).absolute().is_relative_to(folder.absolute())
