"""Receives photographs, keeps their files, has them read, and deletes them."""

from __future__ import annotations

import logging
from datetime import datetime
from pathlib import Path
from typing import IO

from sqlalchemy import bindparam, func, select, update

from scorer_app.config import AppConfig
from scorer_app.hand.fields import EditRefused, Refusal, key_of
from scorer_app.hand.merging import drop_photo
from scorer_app.hand.operation import PhotoRemoved
from scorer_app.hand.record import SIDES
from scorer_app.services.hand_log import KeyedEdit, apply_to_history
from scorer_app.services.hand_rows import (
    NotFound,
    find_hand,
    find_photo,
    hand_to_edit,
    open_draft,
    photos_of,
)
from scorer_app.services.hands import Hands
from scorer_app.services.photo_files import PhotoFiles, erase_all
from scorer_app.services.photos import sniff
from scorer_app.services.reading_jobs import LAYOUTS, ReadingJobs
from scorer_app.services.reading_queue import PhotoReader, ReadingQueue
from scorer_app.store import Photo, StoreUnavailable
from scorer_app.store.tables import photo_name

_SENT = select(Photo.id).where(Photo.hand_id == bindparam("hand"), Photo.key == bindparam("key"))
log = logging.getLogger(__name__)


class Intake:
    """Receives, removes and forgets the photographs of hands. `files` are their files, and `jobs`
    reads them in the background.
    """

    def __init__(
        self, config: AppConfig, hands: Hands, reader: PhotoReader, queue: ReadingQueue
    ) -> None:
        self.config, self.hands = config, hands
        self.files = PhotoFiles(config.photo_dir)
        self.jobs = ReadingJobs(config, hands, self.files, reader, queue)

    # --- asked for by requests ---

    def receive(
        self,
        hand_id: str,
        side: str,
        place: str,
        file: IO[bytes],
        key: str | None = None,
        *,
        bundled: bool = False,
    ) -> None:
        """Keep a photograph and queue its reading.

        A photograph whose `key` this hand has seen is one that was sent again, and nothing is done,
        even if it was removed since. A sample takes only what is `bundled`. Raises ReadingFailed
        for what is no photograph, EditRefused for a wrong side or place, for too many photographs
        and for one's own in a sample, and NotFound.
        """
        if side not in SIDES or place not in LAYOUTS:
            raise EditRefused(
                Refusal.BAD_VALUE, "side A or B and place melds or rack", (side, place)
            )
        key = None if key is None else key_of(key)
        photo = Photo(id=photo_name(), hand_id=hand_id, side=side, place=place, key=key)
        try:
            received = self.files.receive(photo.id, file)
            photo.width, photo.height = sniff(received, self.config.upload_pixels)
            if not self._keep_new(photo, received, bundled):
                self.files.erase(photo.id)
                return
        except StoreUnavailable:
            self._erase_unless_kept(photo.id)
            raise
        except BaseException:
            self.files.erase(photo.id)
            raise
        self.jobs.order(photo.id)

    def _keep_new(self, photo: Photo, received: Path, bundled: bool) -> bool:
        """Write the photograph to the store; return False where its key came before."""
        with self.hands.store.writing() as session:
            # The lock lets requests in one after another: the second sees what the first kept.
            hand = hand_to_edit(session, photo.hand_id)
            if photo.key is not None and session.scalar(_SENT, {"hand": hand.id, "key": photo.key}):
                return False
            if hand.match.sample and not bundled:
                raise EditRefused(Refusal.SAMPLE, "a hand that is no sample", hand.id)
            if len(photos_of(session, hand.id)) >= self.config.photos_per_hand:
                raise EditRefused(
                    Refusal.TOO_MANY_PHOTOS,
                    f"at most {self.config.photos_per_hand} photographs",
                    "one more",
                )
            session.add(photo)
            received.replace(self.files.raw(photo.id))  # on the disk before the store says so
            return True

    def _erase_unless_kept(self, photo_id: str) -> None:
        """Delete the file of a photograph that the store does not have, after a failed commit.

        A connection lost during the commit leaves open whether the store has it. While the store
        cannot be asked, the file stays; the next start deletes it if it is needless.
        """
        try:
            kept = self.hands.store.look(select(Photo.id).where(Photo.id == photo_id), {})
        except StoreUnavailable as error:
            log.error("whether %s was kept cannot be told: %s", photo_id, error)
            return
        if not kept:
            self.files.erase(photo_id)

    def read_again(self, photo_id: str) -> None:
        """Order another reading of a photograph, unless one is under way."""
        self.jobs.order_again(photo_id)

    def read_anew(self, match_id: str) -> None:
        """Order another reading of every photograph of the match's unfinished hand: what it is
        played with has changed.
        """
        with self.hands.store.reading() as session:
            draft = open_draft(session, match_id)
            photos = photos_of(session, draft.id) if draft else []
            names = [photo.id for photo in photos if not photo.erased]
        for name in names:
            self.read_again(name)

    def learn_from(self, hand_id: str) -> None:
        """Let the set of tiles learn from a hand that was saved, behind the page."""
        jobs = self.jobs

        def learn() -> None:
            from scorer_app.services.learning import learn_from_hand  # loads OpenCV

            jobs.make_ready(learn_from_hand(jobs.sets, self.files, hand_id))

        jobs.queue.submit(f"learn {hand_id}", lambda _tell: learn())

    def remove(self, hand_id: str, photo_id: str) -> None:
        """Remove a photograph, its file, and the tiles that it showed. Raises NotFound."""
        with self.hands.store.writing() as session:
            hand, photo = find_hand(session, hand_id, to_change=True), find_photo(session, photo_id)
            if photo is None or photo.hand_id != hand_id or photo.removed:
                raise NotFound("photo")
            photo.removed = photo.erased = True
            edit = KeyedEdit(f"removed-{photo_id}", PhotoRemoved(photo_id))
            apply_to_history(session, hand, edit, lambda record: drop_photo(record, photo_id))
        self.files.erase(photo_id)
        self.hands.event_bus.tell(hand_id)

    def file(self, photo_id: str) -> Path | None:
        """Return the path of a photograph's JPEG; None where there is no such file.

        `photo_id` may be anything that a stranger sent: it is looked up in the store first.
        """
        with self.hands.store.reading() as session:
            photo = find_photo(session, photo_id)
            path = photo and self.files.kept(photo.id)
        return path if path and path.is_file() else None

    # --- at the start, and now and then ---

    def newest_received(self) -> datetime | None:
        """Tell when the newest photograph came; None without photographs."""
        with self.hands.store.reading() as session:
            return session.scalar(select(func.max(Photo.received)))

    def forget_before(self, moment: datetime) -> int:
        """Delete the files of photographs received before a moment, and return their number.

        Their readings and the corrections stay.
        """
        with self.hands.store.reading() as session:
            names = session.scalars(
                select(Photo.id).where(Photo.received < moment, ~Photo.erased)
            ).all()
        if names:
            with self.hands.store.writing() as session:
                session.execute(update(Photo).where(Photo.id.in_(names)).values(erased=True))
        for name in names:
            self.files.erase(name)
        return len(names)

    def erase_leftovers(self, *, starting: bool = False) -> int:
        """Delete the files that a crash left behind, and return their number.

        These are files of erased photographs and, with `starting`, of photographs half received
        or half opened, which are no leftovers while the server runs. Other files are left alone.
        """
        with self.hands.store.reading() as session:
            known = {name: gone for name, gone in session.execute(select(Photo.id, Photo.erased))}
        erased = {name for name, gone in known.items() if gone}
        count = erase_all(self.files.of_photos(erased))
        return count + (erase_all(self.files.half_taken(known)) if starting else 0)

    def count(self) -> int:
        """Count the photographs whose files are kept."""
        with self.hands.store.reading() as session:
            return session.scalar(select(func.count()).select_from(Photo).where(~Photo.erased)) or 0
