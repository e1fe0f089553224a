"""The files of photographs: the upload until it is opened, and then the upright JPEG."""

from __future__ import annotations

import re
import shutil
from collections.abc import Container, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

from PIL import Image

from scorer_app.services.photo_opener import PARTIAL

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_RAW = ".upload"  # as it came, with all that the camera noted
_NAME = re.compile(r"[0-9a-f]{24}")  # as `photo_name` makes them


class PhotoFiles:
    """The files in one folder, named by their photograph."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def receive(self, photo_id: str, source: IO[bytes]) -> Path:
        """Write an upload to a file of its own, and return its path."""
        path = self.folder / f"{photo_id}{PARTIAL}"
        with path.open("wb") as file:
            shutil.copyfileobj(source, file, 2**18)
        return path

    def raw(self, photo_id: str) -> Path:
        """The path of the upload."""
        return self.folder / f"{photo_id}{_RAW}"

    def kept(self, photo_id: str) -> Path:
        """The path of the upright JPEG."""
        return self.folder / f"{photo_id}.jpg"

    def keep(self, photo_id: str, picture: NDArray[np.uint8]) -> None:
        """Write the file of a photograph that came as pixels, (h, w, 3) RGB."""
        Image.fromarray(picture).save(self.kept(photo_id), "JPEG", quality=90)

    def erase(self, photo_id: str) -> None:
        """Delete all files of a photograph."""
        partial = self.folder / f"{photo_id}{PARTIAL}"
        erase_all([partial, self.raw(photo_id), self.kept(photo_id)])

    def stored_bytes(self) -> int:
        """Add up the sizes of all files."""
        return sum(path.stat().st_size for path in self.folder.iterdir())

    def of_photos(self, names: Container[str]) -> Iterator[Path]:
        """Yield the files of the named photographs."""
        return (path for path in self.folder.iterdir() if path.stem in names)

    def half_taken(self, known: Container[str]) -> Iterator[Path]:
        """Yield the files that a crash left half received or half opened.

        An upload is half received while its photograph is not `known`. Files with other names than
        photographs have are left out.
        """
        for path in self.folder.iterdir():
            if not _NAME.fullmatch(path.stem):
                continue
            if path.suffix == PARTIAL or (path.suffix == _RAW and path.stem not in known):
                yield path


def erase_all(paths: Iterable[Path]) -> int:
    """Delete files, and return their number. One that Windows keeps in use stays for next time."""
    count = 0
    for path in list(paths):
        with suppress(PermissionError):
            path.unlink(missing_ok=True)
        count += 1
    return count
