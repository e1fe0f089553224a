"""Reads labelled pictures with the product's own reader, in this process, as `burako read`
would.
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
    """The networks that were trained without a shoot are missing."""


def reader_in(models: Path | None) -> Read:
    """Return a function that reads with the models of a folder, or with those installed; they are
    loaded once.
    """
    from vision import open_reader
    from vision.reading import Layout

    reader = open_reader(models)

    def read(picture: LabelledPicture) -> dict[str, Any]:
        layout = Layout.LOOSE if picture.rack else Layout.MELDS
        return reader.read(picture.path or "", layout).to_json()

    return read


def reader_of_folds(folds: Path, models: Path | None) -> Read:
    """Return a function that reads each picture of a shoot with the models that never saw that
    shoot, in `folds/SHOOT`, and pictures of no shoot with those in `models`.

    It raises FoldMissing for a shoot without a fold: reading it with other models would flatter the
    figures.
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
    """Read and judge every picture, showing on standard error how far it is."""
    return [count_picture(picture, read(picture)) for picture in tqdm(pictures, "reading")]
