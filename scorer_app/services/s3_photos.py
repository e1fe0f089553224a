"""The files of photographs in an S3 store, through the library obstore.

An object's name says what it is and names its photograph: `uploads/ID.upload`, `pictures/ID.jpg`. A
machine holds copies only while it works on them. Copies that a killed process left behind are
deleted when the next process starts on that machine, and by the regular search for leftovers.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import IO, TYPE_CHECKING

import obstore
from obstore.exceptions import BaseError
from obstore.store import S3Store

from scorer_app.config import AppConfig
from scorer_app.services.kept_jpeg import save_jpeg
from scorer_app.services.photo_files import (
    LEFT_OVER,
    AtHand,
    FolderPhotos,
    KeptFile,
    Kind,
    PhotosUnavailable,
    kept_file,
    receive_file,
)
from scorer_app.services.scratch import delete_abandoned, scratch_folder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from obstore.store import ClientConfig, RetryConfig, S3Config

_FOLDERS = MappingProxyType({Kind.UPLOAD: "uploads", Kind.JPEG: "pictures"})
_PROBE = "clock.probe"
_AT_ONCE = 1000  # objects in one list, and the most that S3 deletes in one request
# How long a request waits for a store that is out of reach, before a person is told.
CONNECT, ANSWER, RETRY = timedelta(seconds=3), timedelta(seconds=30), timedelta(seconds=6)
log = logging.getLogger(__name__)


class S3Photos:
    """Keeps the files of photographs in the S3 store that the configuration names. The keys to that
    store are read from the environment: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.
    """

    def __init__(self, config: AppConfig) -> None:
        self.folder = config.photo_dir
        self.folder.mkdir(parents=True, exist_ok=True)
        self._scratch = self.folder / "at_hand"
        _forget_half_received(self.folder)
        delete_abandoned(self._scratch)
        self._store = _store_of(config)

    def receive(self, photo_id: str, source: IO[bytes]) -> Path:
        return receive_file(self.folder, photo_id, source)

    def keep_upload(self, photo_id: str, received: Path) -> None:
        self._put(photo_id, Kind.UPLOAD, received)
        received.unlink()

    def keep_upright(self, photo_id: str, at_hand: AtHand) -> None:
        self._put(photo_id, Kind.JPEG, at_hand.jpeg)
        self.erase_upload(photo_id)

    def keep(self, photo_id: str, picture: NDArray[np.uint8]) -> None:
        with scratch_folder(self._scratch) as folder:
            path = folder / f"{photo_id}{Kind.JPEG}"
            save_jpeg(picture, path)
            self._put(photo_id, Kind.JPEG, path)

    @contextmanager
    def at_hand(self, photo_id: str) -> Iterator[AtHand]:
        with scratch_folder(self._scratch) as folder:
            found = AtHand(folder / f"{photo_id}{Kind.UPLOAD}", folder / f"{photo_id}{Kind.JPEG}")
            # A photograph whose upload is still there has no JPEG that counts.
            for kind, path in ((Kind.UPLOAD, found.upload), (Kind.JPEG, found.jpeg)):
                data = self._get(photo_id, kind)
                if data is not None:
                    path.write_bytes(data)
                    break
            yield found

    def picture(self, photo_id: str) -> bytes | None:
        return self._get(photo_id, Kind.JPEG)

    def erase(self, photo_id: str) -> None:
        (self.folder / f"{photo_id}{Kind.HALF}").unlink(missing_ok=True)
        self._erase(photo_id, *_FOLDERS)

    def erase_upload(self, photo_id: str) -> None:
        self._erase(photo_id, Kind.UPLOAD)

    def files(self) -> Iterator[KeptFile]:
        delete_abandoned(self._scratch)
        now = self._now()
        for kind in _FOLDERS:
            for name, changed, _size in self._listed(kind):
                if found := kept_file(name, (now - changed).total_seconds()):
                    yield found

    def delete(self, files: Iterable[KeptFile]) -> int:
        names = [_name(one.photo_id, one.kind) for one in files]
        with _told("delete leftovers"):
            for first in range(0, len(names), _AT_ONCE):
                obstore.delete(self._store, names[first : first + _AT_ONCE])
        return len(names)

    def stored_bytes(self) -> None:
        return None

    def has(self, photo_id: str, kind: Kind, size: int) -> bool:
        with _told(f"look for {photo_id}"):
            try:
                return int(obstore.head(self._store, _name(photo_id, kind))["size"]) == size
            except FileNotFoundError:
                return False

    def bring(self, photo_id: str, kind: Kind, path: Path) -> None:
        self._put(photo_id, kind, path)

    def _put(self, photo_id: str, kind: Kind, path: Path) -> None:
        with _told(f"keep {photo_id}"):
            obstore.put(self._store, _name(photo_id, kind), path, use_multipart=False)

    def _get(self, photo_id: str, kind: Kind) -> bytes | None:
        with _told(f"fetch {photo_id}"):
            try:
                return bytes(obstore.get(self._store, _name(photo_id, kind)).bytes())
            except FileNotFoundError:
                return None

    def _erase(self, photo_id: str, *kinds: Kind) -> None:
        try:
            with _told(f"delete {photo_id}"):
                obstore.delete(self._store, [_name(photo_id, kind) for kind in kinds])
        except PhotosUnavailable as error:
            log.error("%s", error)

    def _listed(self, kind: Kind) -> Iterator[tuple[str, datetime, int]]:
        """Yield name, time of the last change and size in bytes of each file of a kind."""
        with _told("list"):
            for some in obstore.list(self._store, f"{_FOLDERS[kind]}/", chunk_size=_AT_ONCE):
                for one in some:
                    yield Path(one["path"]).name, one["last_modified"], one["size"]

    def _now(self) -> datetime:
        """Return the present moment by the store's own clock."""
        with _told("tell the time"):
            obstore.put(self._store, _PROBE, b"", use_multipart=False)
            moment: datetime = obstore.head(self._store, _PROBE)["last_modified"]
            return moment


def _forget_half_received(folder: Path) -> None:
    """Delete the uploads in `folder` that processes of this machine began to receive more than
    LEFT_OVER seconds ago and never received completely.
    """
    here = FolderPhotos(folder)
    here.delete(one for one in here.files() if one.kind is Kind.HALF and one.age > LEFT_OVER)


def _name(photo_id: str, kind: Kind) -> str:
    return f"{_FOLDERS[kind]}/{photo_id}{kind}"


@contextmanager
def _told(what: str) -> Iterator[None]:
    """Within this context, turn the errors of a store that refuses or does not answer into
    PhotosUnavailable. `what` says what was tried.
    """
    try:
        yield
    except (FileNotFoundError, PhotosUnavailable):
        raise
    except (BaseError, TimeoutError, ConnectionError) as error:
        raise PhotosUnavailable(
            f"the store of photographs could not {what}: {_short(error)}"
        ) from error


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:300]


def _store_of(config: AppConfig) -> S3Store:
    """Return a client for the S3 store that the configuration names as `photo_store`; no request is
    sent yet.
    """
    client: ClientConfig = {
        "allow_http": True,
        "connect_timeout": CONNECT,
        "timeout": ANSWER,
    }
    retries: RetryConfig = {
        "max_retries": 4,
        "retry_timeout": RETRY,
        "backoff": {
            "init_backoff": timedelta(milliseconds=100),
            "max_backoff": timedelta(seconds=2),
            "base": 2,
        },
    }
    known: S3Config = {"virtual_hosted_style_request": False}
    if config.photo_endpoint:
        known["endpoint"] = config.photo_endpoint
    return S3Store.from_url(
        config.photo_store or "", config=known, client_options=client, retry_config=retries
    )
