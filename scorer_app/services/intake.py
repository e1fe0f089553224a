"""A photograph's way in: received and kept, opened, read behind the page, taken into the record of
its hand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image
from sqlalchemy import bindparam, func, select, update

from scorer_app.config import AppConfig
from scorer_app.hand.fields import EditRefused, Refusal, key_of
from scorer_app.hand.merging import add_reading, drop_photo
from scorer_app.hand.record import SIDES, Place, Side
from scorer_app.hand.table_rules import TableRules
from scorer_app.services.disk import disk_trouble
from scorer_app.services.hands import Hands, KeyedEdit, NotFound, find_hand, photos_of, write_beside
from scorer_app.services.photos import PARTIAL, make_upright, sniff
from scorer_app.services.reading_queue import (
    PhotoReader,
    Reading,
    ReadingFailed,
    ReadingQueue,
    Stage,
)
from scorer_app.store import Photo, PhotoState
from scorer_app.store.tables import photo_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_RAW = ".upload"  # as it came, with all it may tell
_NAME = re.compile(r"[0-9a-f]{24}")  # as `photo_name` makes them
_SENT = select(Photo.id).where(Photo.hand_id == bindparam("hand"), Photo.key == bindparam("key"))
LAYOUTS = {Place.MELDS: "melds", Place.RACK: "loose"}


class Intake:
    def __init__(
        self, config: AppConfig, hands: Hands, reader: PhotoReader, queue: ReadingQueue
    ) -> None:
        self.config, self.hands, self.reader, self.queue = config, hands, reader, queue
        config.photo_dir.mkdir(parents=True, exist_ok=True)

    # --- asked for by requests ---

    def receive(
        self, hand_id: str, side: str, place: str, data: bytes, key: str | None = None
    ) -> None:
        """Keeps the photograph and queues its reading. With a `key` that came to this hand before
        it is that photograph sent again: nothing is done, also where it was removed since.
        Raises ReadingFailed, EditRefused, NotFound.
        """
        if side not in SIDES or place not in LAYOUTS:
            raise EditRefused(
                Refusal.BAD_VALUE, "side A or B and place melds or rack", (side, place)
            )
        key = None if key is None else key_of(key)
        width, height = sniff(data, self.config.upload_pixels)
        photo = Photo(
            id=photo_name(),
            hand_id=hand_id,
            side=side,
            place=place,
            width=width,
            height=height,
            key=key,
        )
        try:
            if not self._keep_new(photo, data):
                return
        except BaseException:
            self.erase(photo.id)
            raise
        self.read_again(photo.id)

    def _keep_new(self, photo: Photo, data: bytes) -> bool:
        """False where one of this key came before."""
        with self.hands.store.writing() as session:
            hand = find_hand(
                session, photo.hand_id, to_change=True
            )  # one after another: the second sees what the first kept
            if photo.key is not None and session.scalar(_SENT, {"hand": hand.id, "key": photo.key}):
                return False
            if len(photos_of(session, hand.id)) >= self.config.photos_per_hand:
                raise EditRefused(
                    Refusal.TOO_MANY_PHOTOS,
                    f"at most {self.config.photos_per_hand} photographs",
                    "one more",
                )
            session.add(photo)
            self._raw(photo.id).write_bytes(data)  # on the disk before the store says so
            return True

    def read_again(self, photo_id: str) -> None:
        self.queue.submit(photo_id, lambda tell: self._read(photo_id, tell))

    def remove(self, hand_id: str, photo_id: str) -> None:
        """The photograph and the tiles it showed leave the hand; the file goes too."""
        with self.hands.store.writing() as session:
            hand, photo = find_hand(session, hand_id, to_change=True), session.get(Photo, photo_id)
            if photo is None or photo.hand_id != hand_id or photo.removed:
                raise NotFound("photo")
            photo.removed = photo.erased = True
            edit = KeyedEdit(f"removed-{photo_id}", {"op": "photo_removed", "photo": photo_id})
            write_beside(session, hand, edit, lambda record: drop_photo(record, photo_id))
        self.erase(photo_id)
        self.hands.news.tell(hand_id)

    def file(self, photo_id: str) -> Path | None:
        """The kept JPEG, if it (still) exists. `photo_id` is looked up in the store, never used as
        it came.
        """
        with self.hands.store.reading() as session:
            photo = session.get(Photo, photo_id)
            path = photo and self._kept(photo.id)
        return path if path and path.is_file() else None

    # --- at the start, and now and then ---

    def resume(self) -> None:
        """Photographs whose reading a stop or a crash cut short are read now."""
        with self.hands.store.reading() as session:
            waiting = session.scalars(
                select(Photo.id).where(
                    Photo.state.in_([PhotoState.QUEUED, PhotoState.READING]), ~Photo.removed
                )
            ).all()
        for name in waiting:
            self.read_again(name)

    def forget_before(self, moment: datetime) -> int:
        """Deletes the files of photographs received before; readings and corrections stay. Returns
        how many.
        """
        with self.hands.store.reading() as session:
            names = session.scalars(
                select(Photo.id).where(Photo.received < moment, ~Photo.erased)
            ).all()
        if names:
            with self.hands.store.writing() as session:
                session.execute(update(Photo).where(Photo.id.in_(names)).values(erased=True))
        for name in names:
            self.erase(name)
        return len(names)

    def erase_leftovers(self, *, starting: bool = False) -> int:
        """Deletes what a crash left of erased photographs and, `starting`, when nothing is on its
        way, of those half received or half opened. Files it does not know are let be. Returns
        how many it deleted.
        """
        with self.hands.store.reading() as session:
            erased = {name: gone for name, gone in session.execute(select(Photo.id, Photo.erased))}
        leftovers = [
            path
            for path in self.config.photo_dir.iterdir()
            if erased.get(path.stem) or (starting and _half_taken(path, erased))
        ]
        return _erase_all(leftovers)

    def stored_bytes(self) -> int:
        return sum(path.stat().st_size for path in self.config.photo_dir.iterdir())

    def count(self) -> int:
        with self.hands.store.reading() as session:
            return session.scalar(select(func.count()).select_from(Photo).where(~Photo.erased)) or 0

    def keep(self, photo_id: str, picture: NDArray[np.uint8]) -> None:
        """The file of a photograph that came as pixels, (h, w, 3) RGB."""
        Image.fromarray(picture).save(self._kept(photo_id), "JPEG", quality=90)

    def erase(self, photo_id: str) -> None:
        _erase_all([self._raw(photo_id), self._kept(photo_id)])

    # --- the job ---

    def _read(self, photo_id: str, tell: Callable[[Stage], None]) -> None:
        with self.hands.store.writing() as session:
            photo = session.get(Photo, photo_id)
            if photo is None or photo.removed:
                return
            photo.state = PhotoState.READING
            hand_id, place = photo.hand_id, Place(photo.place)
            match = find_hand(session, hand_id).match
            rules = TableRules.of(match.ruleset, match.options, match.players).rules
        self.hands.news.tell(hand_id)
        try:
            size = self._open(photo_id)
            tell(Stage.READING)
            self.hands.news.tell(hand_id)
            reading = self.reader.read_photo(self._kept(photo_id), LAYOUTS[place], rules)
        except ReadingFailed as failure:
            self._note_failure(photo_id, failure.reason)
        except Exception as error:
            trouble = (
                disk_trouble(error, self.config.data_dir) if isinstance(error, OSError) else None
            )
            self._note_failure(photo_id, trouble or "reader_broke")
            raise
        else:
            self._take_in(photo_id, size, reading)
        finally:
            self._leave_no_trace_of_the_erased(photo_id)
            self.hands.news.tell(hand_id)

    def _leave_no_trace_of_the_erased(self, photo_id: str) -> None:
        """A photograph deleted while it was being read was written once more meanwhile."""
        with self.hands.store.reading() as session:
            if session.get_one(Photo, photo_id).erased:
                self.erase(photo_id)

    def _open(self, photo_id: str) -> tuple[int, int] | None:
        """The raw upload becomes the kept picture, once; the raw file is deleted."""
        raw, kept = self._raw(photo_id), self._kept(photo_id)
        if not raw.exists():
            return None
        size = make_upright(raw, kept, self.config.stored_side, self.config.upload_pixels)
        raw.unlink(missing_ok=True)
        return size

    def _take_in(self, photo_id: str, size: tuple[int, int] | None, reading: Reading) -> None:
        with self.hands.store.writing() as session:
            photo = session.get_one(Photo, photo_id)
            hand = find_hand(
                session, photo.hand_id, to_change=True
            )  # first, as everywhere: so nobody waits for each other
            session.refresh(photo)
            if photo.removed:
                return
            photo.state, photo.problem, photo.reading = PhotoState.READ, None, reading
            photo.width, photo.height = size or (photo.width, photo.height)
            side: Side = "A" if photo.side == "A" else "B"
            place = Place(photo.place)
            edit = KeyedEdit(
                f"read-{photo_id[:16]}-{hand.version}", {"op": "photo_read", "photo": photo_id}
            )
            write_beside(
                session,
                hand,
                edit,
                lambda record: add_reading(record, photo_id, side, place, reading),
            )

    def _note_failure(self, photo_id: str, reason: str) -> None:
        with self.hands.store.writing() as session:
            photo = session.get_one(Photo, photo_id)
            photo.state, photo.problem = PhotoState.FAILED, reason[:40]

    def _raw(self, photo_id: str) -> Path:
        return self.config.photo_dir / f"{photo_id}{_RAW}"

    def _kept(self, photo_id: str) -> Path:
        return self.config.photo_dir / f"{photo_id}.jpg"


def _half_taken(path: Path, known: Container[str]) -> bool:
    ours = _NAME.fullmatch(path.stem)
    return bool(ours) and (
        path.suffix == PARTIAL or (path.suffix == _RAW and path.stem not in known)
    )


def _erase_all(paths: Sequence[Path]) -> int:
    for path in paths:
        with suppress(
            PermissionError
        ):  # Windows keeps a file that is being sent; the next sweep finds it
            path.unlink(missing_ok=True)
    return len(paths)
