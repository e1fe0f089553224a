"""The files of photographs: each as it was uploaded until it is opened, then the upright JPEG."""

from __future__ import annotations

import re
import shutil
from collections.abc import Container, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

from PIL import Image

from scorer_app.services.photos import PARTIAL

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
        """Write an upload to a file that is not yet the photograph's."""
        path = self.folder / f"{photo_id}{PARTIAL}"
        with path.open("wb") as file:
            shutil.copyfileobj(source, file, 2**18)
        return path

    def raw(self, photo_id: str) -> Path:
        return self.folder / f"{photo_id}{_RAW}"

    def kept(self, photo_id: str) -> Path:
        return self.folder / f"{photo_id}.jpg"

    def keep(self, photo_id: str, picture: NDArray[np.uint8]) -> None:
        """Write the file of a photograph that came as pixels, (h, w, 3) RGB."""
        Image.fromarray(picture).save(self.kept(photo_id), "JPEG", quality=90)

    def erase(self, photo_id: str) -> None:
        partial = self.folder / f"{photo_id}{PARTIAL}"
        erase_all([partial, self.raw(photo_id), self.kept(photo_id)])

    def stored_bytes(self) -> int:
        return sum(path.stat().st_size for path in self.folder.iterdir())

    def of_photos(self, names: Container[str]) -> Iterator[Path]:
        return (path for path in self.folder.iterdir() if path.stem in names)

    def half_taken(self, known: Container[str]) -> Iterator[Path]:
        """Files that a crash left half received (their photograph is not `known`) or half opened.
        Files with other names than photographs have are left out.
        """
        for path in self.folder.iterdir():
            if _NAME.fullmatch(path.stem) and (
                path.suffix == PARTIAL or (path.suffix == _RAW and path.stem not in known)
            ):
                yield path


def erase_all(paths: Iterable[Path]) -> int:
    """Delete the files and return how many they are."""
    count = 0
    for path in list(paths):
        # Windows keeps a file that is being sent; the next sweep finds it.
        with suppress(PermissionError):
            path.unlink(missing_ok=True)
        count += 1
    return count
