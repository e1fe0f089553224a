"""Reads labelled pictures with the product's own reader, in this process, as `burako read` would.
`datasets.benchmark` explains shoots and folds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tqdm import tqdm

from datasets.benchmark.counting import PictureCount, count_picture
from datasets.labels import LabelledPicture

Read = Callable[[LabelledPicture], dict[str, Any]]  # a picture in, the JSON of `burako read` out


class FoldMissing(FileNotFoundError):
    """The networks that were trained without the photographs of a shoot are missing."""


def reader_in(models: Path | None) -> Read:
    """Load the networks of the folder `models`, or the installed ones for None. Returns a function
    that reads a labelled picture with them and returns the JSON of `burako read`.
    """
    from vision import open_reader
    from vision.reading import Layout

    reader = open_reader(models)

    def read(picture: LabelledPicture) -> dict[str, Any]:
        layout = Layout.LOOSE if picture.rack else Layout.MELDS
        return reader.read(picture.path or "", layout).to_json()

    return read


def reader_of_folds(folds: Path, models: Path | None) -> Read:
    """Return a function that reads a labelled picture and returns the JSON of `burako read`. It
    reads each picture of a shoot with the networks in `folds/SHOOT`, which never saw that shoot,
    and a picture of no shoot with those in `models`, or with the installed ones where `models` is
    None.

    The function raises FoldMissing where `folds` has no folder for a shoot: reading the shoot with
    other networks would flatter the figures.
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


def count_all(pictures: Sequence[LabelledPicture], read: Read) -> list[PictureCount]:
    """Read every picture with `read`, and judge each reading by its picture. Returns the counts in
    the order of the pictures. Progress is shown on standard error.
    """
    return [count_picture(picture, read(picture)) for picture in tqdm(pictures, "reading")]
