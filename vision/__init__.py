"""Photograph in, table reading out. `open_reader().read(photo)` is the whole of it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.pipeline import TableReader


def open_reader(models: str | Path | None = None) -> TableReader:
    """The reader with the networks of folder `models` (default: those installed), loaded once a
    process.

    Raises vision.errors.ModelError when a network is missing or not the one the code was made
    for.
    """
    return _open(None if models is None else str(models))


@cache
def _open(models: str | None) -> TableReader:
    from vision.pipeline import TableReader

    return TableReader(None if models is None else Path(models))


__all__ = ["open_reader"]
