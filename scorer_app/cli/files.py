"""Files that commands write: whole, or not at all."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Write a whole file. If that fails, an earlier file stays as it was. A link stays a link: the
    file to which it leads is written. A device or a pipe is written to, and stays, too.

    Raises OSError that names `path`, never the partial file beside it.
    """
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
        else:
            _replace(Path(os.path.realpath(path)), data)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def _replace(path: Path, data: bytes) -> None:
    """Write a regular file as a whole: into a partial file beside it, which then takes its place.
    Raises OSError; nothing is left of the partial file then.
    """
    partial = path.with_name(f"{path.name}.partial")
    try:
        partial.write_bytes(data)
        partial.replace(path)
    except OSError:
        with suppress(OSError):
            partial.unlink()
        raise
