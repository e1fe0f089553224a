"""Photographs that teach a set of tiles: they show rows from 1 to 13, so that each face is known by
its place.
"""

from __future__ import annotations

from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np

from scorer_app.config import AppConfig
from scorer_app.services.photo_files import erase_all, receive_file
from scorer_app.services.photo_headers import checked_size
from scorer_app.services.photo_opener import PARTIAL, PhotoOpener, shared_opener
from scorer_app.services.reading_queue import PhotoReader, ReadingFailed
from scorer_app.store.tables import photo_name
from vision.errors import PhotoError
from vision.frame import Frame

if TYPE_CHECKING:
    from vision.own_set.teaching import TaughtPhoto


class Teacher:
    """Looks at photographs that teach a set. The set learns from their crops; the photographs
    themselves are not stored.
    """

    def __init__(self, config: AppConfig, reader: PhotoReader) -> None:
        self.config, self.reader = config, reader
        self.opener: PhotoOpener = shared_opener()

    def look_at(self, file: IO[bytes]) -> TaughtPhoto:
        """Return the rows of thirteen that an uploaded photograph shows, with their crops, from
        which a set learns. The photograph is decoded in the child process for photographs.

        Raises ReadingFailed, and SetError where the photograph shows no row of thirteen.
        """
        folder, name = self.config.photo_dir, photo_name()
        try:
            path = receive_file(folder, name, file)
            checked_size(path, self.config.upload_pixels)
            return self.reader.teach(self._frame(path))
        finally:
            erase_all([folder / f"{name}{PARTIAL}"])

    def _frame(self, path: Path) -> Frame:
        try:
            told, pixels = self.opener.frame(path)
        except PhotoError as error:
            raise ReadingFailed(error.reason.value) from error
        shape = told.pop("shape")
        return Frame(np.frombuffer(pixels, np.uint8).reshape(shape), **told)
