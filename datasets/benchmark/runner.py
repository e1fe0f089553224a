"""Reads labelled pictures with the product's own reader, in this process, as `burako read`
would.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from datasets.benchmark.counting import PictureCount, count_picture
from datasets.labels import LabelledPicture

Read = Callable[[LabelledPicture], dict[str, Any]]  # a picture in, the JSON of `burako read` out


class FoldMissing(FileNotFoundError):
    """There are no models that never saw this shoot."""


def reader_in(models: Path | None) -> Read:
    """Reads with the models of a folder, or with the product's own; the sessions are made once."""
    from vision import open_reader
    from vision.reading import Layout

    reader = open_reader(models)

    def read(picture: LabelledPicture) -> dict[str, Any]:
        layout = Layout.LOOSE if picture.rack else Layout.MELDS
        return reader.read(picture.path or "", layout).to_json()

    return read


def reader_of_folds(folds: Path, models: Path | None) -> Read:
    """Reads each shoot with the models that never saw it, in `folds/SHOOT`; pictures of no shoot
    with the usual ones.

    Raises FoldMissing for a shoot without its fold: reading it with other models would flatter
    the figures.
    """
    readers: dict[Path | None, Read] = {}

    def read(picture: LabelledPicture) -> dict[str, Any]:
        folder = folds / picture.shoot if picture.shoot else models
        if picture.shoot and not (folds / picture.shoot).is_dir():
            raise FoldMissing(
                f"expected the models that never saw shoot {picture.shoot!r} in {folder}"
            )
        if folder not in readers:
            readers[folder] = reader_in(folder)
        return readers[folder](picture)

    return read


def count_all(
    pictures: Sequence[LabelledPicture], read: Read, say: Callable[[str], None]
) -> list[PictureCount]:
    return [count_picture(picture, read(picture)) for picture in progress(pictures, say)]


def progress(
    pictures: Sequence[LabelledPicture], say: Callable[[str], None]
) -> Iterable[LabelledPicture]:
    """The pictures, telling every tenth and the last."""
    for number, picture in enumerate(pictures, start=1):
        yield picture
        if number % 10 == 0 or number == len(pictures):
            say(f"{picture.source}: {number} of {len(pictures)}")


def say_aside(text: str) -> None:
    """Progress, overwritten in place, on standard error: standard output stays a table."""
    print(f"\r{text}", end="" if sys.stderr.isatty() else "\n", file=sys.stderr, flush=True)
