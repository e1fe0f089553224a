"""The files of photographs: first the upload, and once that has been opened the upright JPEG.

They lie in a folder (`FolderPhotos`) or in an S3 store (`S3Photos`).
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import IO, TYPE_CHECKING, Protocol

from scorer_app.services.kept_jpeg import save_jpeg
from scorer_app.services.photo_opener import PARTIAL

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_NAME = re.compile(r"[0-9a-f]{24}")  # as `photo_name` makes them
_PROBE = "clock.probe"
LEFT_OVER = 3600.0  # seconds after which nobody is receiving or opening a file any more


class PhotosUnavailable(Exception):
    """The store that holds the photographs cannot be reached. `str()` is one sentence for the
    log.
    """


class Kind(StrEnum):
    """What a file of a photograph holds. The value is the ending of the file's name."""

    UPLOAD = ".upload"  # as it came, with all that the camera noted
    JPEG = ".jpg"  # upright, without what the camera noted
    HALF = PARTIAL  # being written


@dataclass(frozen=True)
class KeptFile:
    """One file of a photograph. `age` is in seconds, by the clock of the folder's disk or of the S3
    store.
    """

    photo_id: str
    kind: Kind
    age: float


@dataclass(frozen=True)
class AtHand:
    """The paths of the files of one photograph on this machine, whether the files exist or not."""

    upload: Path
    jpeg: Path


class PhotoFiles(Protocol):
    """Keeps the files of photographs. All methods but `erase` and `erase_upload` raise
    PhotosUnavailable where the files lie in a store that cannot be reached, and OSError where this
    machine's disk fails.
    """

    def receive(self, photo_id: str, source: IO[bytes]) -> Path:
        """Write the upload `source` to a temporary file on this machine; return the file's path."""
        ...

    def keep_upload(self, photo_id: str, received: Path) -> None:
        """Keep an upload that `receive` wrote. It survives a power cut once this returns."""
        ...

    def keep_upright(self, photo_id: str, at_hand: AtHand) -> None:
        """Keep the JPEG that was made from the upload, and delete the upload. `at_hand` holds the
        paths of both on this machine.
        """
        ...

    def keep(self, photo_id: str, picture: NDArray[np.uint8]) -> None:
        """Keep a photograph that came as pixels, (h, w, 3) RGB, as a JPEG."""
        ...

    @contextmanager
    def at_hand(self, photo_id: str) -> Iterator[AtHand]:
        """Within this context, give the paths of a photograph's upload and JPEG on this machine.
        From an S3 store the upload is fetched. Where the store has no upload, the JPEG is fetched.
        """
        ...

    def picture(self, photo_id: str) -> Path | bytes | None:
        """Return the photograph's JPEG: its bytes if it lies in an S3 store, its path if it lies in
        a folder; None where there is none.
        """
        ...

    def erase(self, photo_id: str) -> None:
        """Delete all files of a photograph. Files that cannot be deleted now are left over and are
        deleted later.
        """
        ...

    def erase_upload(self, photo_id: str) -> None:
        """Delete the uploaded file of a photograph, but not its JPEG. A file that cannot be deleted
        now is left over and is deleted later.
        """
        ...

    def files(self) -> Iterator[KeptFile]:
        """Yield all files of photographs. A file without the name of a photograph's file is left
        out.
        """
        ...

    def delete(self, files: Iterable[KeptFile]) -> int:
        """Delete files, and return their number."""
        ...

    def stored_bytes(self) -> int | None:
        """Return the size of all files together, in bytes; None where that would take requests to a
        remote store.
        """
        ...

    def has(self, photo_id: str, kind: Kind, size: int) -> bool:
        """Tell whether a file of this kind and of exactly `size` bytes is kept for the
        photograph.
        """
        ...

    def bring(self, photo_id: str, kind: Kind, path: Path) -> None:
        """Keep a copy of the file at `path` as the photograph's file of this kind."""
        ...


def receive_file(folder: Path, photo_id: str, source: IO[bytes]) -> Path:
    """Write the upload `source` to a file of its own in a folder, and return the file's path."""
    make_anew(folder)
    path = folder / f"{photo_id}{PARTIAL}"
    with path.open("wb") as file:
        shutil.copyfileobj(source, file, 2**18)
    return path


def make_anew(folder: Path) -> None:
    """Make a folder of photographs anew where somebody has deleted it meanwhile, perhaps to make
    room. Raises OSError, also where the folder around it has gone, which holds more than that.
    """
    folder.mkdir(exist_ok=True)


def kept_file(name: str, age: float) -> KeptFile | None:
    """Return the file of a photograph by its `name`; None where this is not the name of such a
    file. `age` is the file's age in seconds.
    """
    photo_id, ending = Path(name).stem, Path(name).suffix
    if not _NAME.fullmatch(photo_id) or ending not in list(Kind):
        return None
    return KeptFile(photo_id, Kind(ending), age)


class FolderPhotos:
    """Keeps the files in one folder, each named after its photograph."""

    def __init__(self, folder: Path) -> None:
        # Flask takes a relative path for one in its own package.
        self.folder = folder.absolute()
        folder.mkdir(parents=True, exist_ok=True)

    def receive(self, photo_id: str, source: IO[bytes]) -> Path:
        return receive_file(self.folder, photo_id, source)

    def keep_upload(self, photo_id: str, received: Path) -> None:
        kept = self._path(photo_id, Kind.UPLOAD)
        received.replace(kept)
        wait_for_disk(kept)

    def keep_upright(self, photo_id: str, at_hand: AtHand) -> None:
        with suppress(FileNotFoundError):  # another has just deleted the photograph
            wait_for_disk(at_hand.jpeg)  # it was written where it is kept
        self.erase_upload(photo_id)

    def keep(self, photo_id: str, picture: NDArray[np.uint8]) -> None:
        make_anew(self.folder)
        save_jpeg(picture, self._path(photo_id, Kind.JPEG))

    @contextmanager
    def at_hand(self, photo_id: str) -> Iterator[AtHand]:
        yield AtHand(self._path(photo_id, Kind.UPLOAD), self._path(photo_id, Kind.JPEG))

    def picture(self, photo_id: str) -> Path | None:
        path = self._path(photo_id, Kind.JPEG)
        return path if path.is_file() else None

    def erase(self, photo_id: str) -> None:
        erase_all(self._path(photo_id, kind) for kind in Kind)

    def erase_upload(self, photo_id: str) -> None:
        erase_all([self._path(photo_id, Kind.UPLOAD)])

    def files(self) -> Iterator[KeptFile]:
        if not self.folder.is_dir():
            return
        probe = self.folder / _PROBE
        probe.touch()
        now = probe.stat().st_mtime
        for path in list(self.folder.iterdir()):
            with suppress(FileNotFoundError):  # another has just deleted it
                found = kept_file(path.name, now - path.stat().st_mtime)
                if found:
                    yield found
        probe.unlink(missing_ok=True)

    def delete(self, files: Iterable[KeptFile]) -> int:
        return erase_all(self._path(one.photo_id, one.kind) for one in files)

    def stored_bytes(self) -> int:
        total = 0
        for path in list(self.folder.iterdir()) if self.folder.is_dir() else []:
            with suppress(FileNotFoundError):  # another has just deleted or renamed it
                total += path.stat().st_size
        return total

    def has(self, photo_id: str, kind: Kind, size: int) -> bool:
        path = self._path(photo_id, kind)
        return path.is_file() and path.stat().st_size == size

    def bring(self, photo_id: str, kind: Kind, path: Path) -> None:
        half = self._path(photo_id, Kind.HALF)
        shutil.copyfile(path, half)
        half.replace(self._path(photo_id, kind))

    def _path(self, photo_id: str, kind: Kind) -> Path:
        return self.folder / f"{photo_id}{kind}"


def wait_for_disk(path: Path) -> None:
    """Return once a file and its name would survive a power cut. Raises OSError where the disk
    fails.
    """
    with path.open("rb+") as file:
        os.fsync(file.fileno())
    if os.name != "nt":  # Windows opens no folders, and writes their names by itself
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def erase_all(paths: Iterable[Path]) -> int:
    """Delete the files at these paths, and return the number of all these paths. A path without a
    file is no error, and a file that Windows keeps open is left for a later call; both count.
    """
    count = 0
    for path in list(paths):
        with suppress(PermissionError):
            path.unlink(missing_ok=True)
        count += 1
    return count
