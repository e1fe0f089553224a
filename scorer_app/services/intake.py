"""Receives photographs, keeps their files, has them read, and deletes them."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import IO

from sqlalchemy import bindparam, func, select, update

from engine.sides import SIDES
from scorer_app.config import AppConfig
from scorer_app.hand.fields import EditRefused, Refusal, key_of
from scorer_app.hand.merging import LAYOUTS
from scorer_app.services.hand_rows import find_photo, hand_to_edit, open_draft, photos_of
from scorer_app.services.hands import Hands
from scorer_app.services.moved_photos import MovedPhotos
from scorer_app.services.photo_files import KeptFile, Kind, PhotoFiles
from scorer_app.services.photo_headers import checked_size
from scorer_app.services.reading_jobs import Jobs
from scorer_app.services.removed_photos import RemovedPhotos, photo_to_replace
from scorer_app.store import Photo, StoreUnavailable
from scorer_app.store.tables import photo_name

_SENT = select(Photo.id).where(Photo.hand_id == bindparam("hand"), Photo.key == bindparam("key"))
_GONE = select(Photo.id, Photo.erased).where(Photo.id.in_(bindparam("names", expanding=True)))
_AT_ONCE = 500  # files that the store is asked about at once
_KEPT = select(Photo.id).where(Photo.received < bindparam("moment"), ~Photo.erased).limit(_AT_ONCE)
log = logging.getLogger(__name__)


class Intake:
    """Receives the photographs of hands, and deletes the files of old ones. `files` keeps their
    files, `jobs` has them read in the background, `removed` are those that people removed, and
    `moved` those that they moved to another area.
    """

    def __init__(self, config: AppConfig, hands: Hands, files: PhotoFiles, jobs: Jobs) -> None:
        self.config, self.hands, self.files, self.jobs = config, hands, files, jobs
        self.removed = RemovedPhotos(hands, files, config.photos_per_hand)
        self.moved = MovedPhotos(hands, jobs)

    # --- asked for by requests ---

    def receive(
        self,
        hand_id: str,
        side: str,
        place: str,
        file: IO[bytes],
        key: str | None = None,
        *,
        instead_of: str | None = None,
        bundled: bool = False,
    ) -> None:
        """Store a photograph of one side's tiles in a hand, and queue its reading. `side` is "A" or
        "B", `place` is "melds" or "rack", and `file` holds the photograph as it came.

        `key` is the name that the device gave the photograph, if it gave one. Where the hand has or
        had a photograph of that name, it is the same one, sent again, and nothing is done.
        `instead_of` is the id of the photograph of the hand that this one replaces, if any: that
        one is removed with the same step, unless it shows tiles by now and is not poor.
        `bundled` says that the photograph comes with the program; a sample, which is a match for
        trying the program, takes no others.

        Raises ReadingFailed for what is no photograph. Raises EditRefused for a wrong side or
        place, for too many photographs, and for a person's own photograph in a sample. Raises
        PhotosUnavailable and NotFound.
        """
        if side not in SIDES or place not in LAYOUTS:
            raise EditRefused(
                Refusal.BAD_VALUE, "side A or B and place melds or rack", (side, place)
            )
        key = None if key is None else key_of(key)
        photo = Photo(id=photo_name(), hand_id=hand_id, side=side, place=place, key=key)
        with self.files_first(photo.id):
            received = self.files.receive(photo.id, file)
            photo.width, photo.height = checked_size(received, self.config.upload_pixels)
            self.files.keep_upload(photo.id, received)  # before the store has a row for it
            gone = self._keep_new(photo, instead_of, bundled)
            if gone is None:
                self.files.erase(photo.id)
                return
        self.jobs.order(photo.id)
        self.removed.erase(gone)
        self.hands.event_bus.tell(hand_id)

    def was_sent(self, hand_id: str, key: str | None) -> bool:
        """Whether the hand has, or had, a photograph to which the sending device gave the name
        `key`. False where `key` is None: the device gave no name.
        """
        return key is not None and bool(
            self.hands.store.look(_SENT, {"hand": hand_id, "key": key_of(key)})
        )

    @contextmanager
    def files_first(self, *photo_ids: str) -> Iterator[None]:
        """Within this context, the caller first writes the files of the new photographs with these
        ids, and then their rows in the store. If the context ends with an error, the files are
        deleted again.

        Where the commit fails, a photograph's files stay if the store turns out to have its row.
        """
        try:
            yield
        except StoreUnavailable:
            for photo_id in photo_ids:
                self._erase_unless_kept(photo_id)
            raise
        except BaseException:
            for photo_id in photo_ids:
                self.files.erase(photo_id)
            raise

    def _keep_new(self, photo: Photo, instead_of: str | None, bundled: bool) -> list[str] | None:
        """Write the photograph to the store, and remove the one that it replaces, whose id is
        `instead_of`, if any. `bundled` says that it comes with the program. Returns the ids of the
        photographs whose files are to be deleted; None where the hand has, or had, a photograph
        with the same key. Raises NotFound and EditRefused.
        """
        with self.hands.store.writing() as session:
            # The lock lets requests in one after another: the second sees what the first kept.
            hand = hand_to_edit(session, photo.hand_id)
            if photo.key is not None and session.scalar(_SENT, {"hand": hand.id, "key": photo.key}):
                return None
            if hand.match.sample and not bundled:
                raise EditRefused(Refusal.SAMPLE, "a hand that is no sample", hand.id)
            replaced = photo_to_replace(session, hand, instead_of)
            staying = [one for one in photos_of(session, hand.id) if one is not replaced]
            if len(staying) >= self.config.photos_per_hand:
                raise EditRefused(
                    Refusal.TOO_MANY_PHOTOS,
                    f"at most {self.config.photos_per_hand} photographs",
                    "one more",
                )
            session.add(photo)
            self.jobs.note(session, photo.id)
            return self.removed.replace(session, hand, replaced, photo.id) if replaced else []

    def _erase_unless_kept(self, photo_id: str) -> None:
        """Delete the files of a photograph after a failed commit, if the store has no row of the
        photograph.

        A connection lost during the commit leaves open whether the store has the row. While the
        store cannot be asked, the files stay; a later search for leftovers deletes them if nothing
        needs them.
        """
        try:
            kept = self.hands.store.look(select(Photo.id).where(Photo.id == photo_id), {})
        except StoreUnavailable as error:
            log.error("whether %s was kept cannot be told: %s", photo_id, error)
            return
        if not kept:
            self.files.erase(photo_id)

    def read_again(self, photo_id: str) -> None:
        """Order another reading of a photograph, unless a reading of it is waiting or under way."""
        self.jobs.order_again(photo_id)

    def read_anew(self, match_id: str) -> bool:
        """Order another reading of each photograph of the match's unfinished hand, as far as its
        file is kept, and return whether there are any. The result of a reading under way is thrown
        away. This is for a match that has changed to other pieces (tiles or cards) or to another
        set of tiles.
        """
        with self.hands.store.reading() as session:
            draft = open_draft(session, match_id)
            photos = photos_of(session, draft.id) if draft else []
            names = [photo.id for photo in photos if not photo.erased]
        for name in names:
            self.jobs.order_again(name, anew=True)
        return bool(names)

    def learn_from(self, hand_id: str) -> None:
        """Let a match's set of tiles learn from a saved hand of that match, in the background.
        Where that cannot be ordered now, it is only logged, because the hand is saved all the same.
        """
        try:
            self.jobs.learn_from(hand_id)
        except (StoreUnavailable, RuntimeError) as error:  # the latter: no thread is left for it
            log.error("no set learns from hand %s: %s", hand_id, error)

    def picture(self, photo_id: str) -> Path | bytes | None:
        """Return a photograph's JPEG: its bytes where photographs lie in an S3 store, its path
        where they lie in a folder; None where there is none, and for a removed photograph.

        `photo_id` may be anything that a stranger sent: it is looked up in the store first. Raises
        PhotosUnavailable.
        """
        with self.hands.store.reading() as session:
            photo = find_photo(session, photo_id)
        return self.files.picture(photo.id) if photo and not photo.removed else None

    # --- at the start, and now and then ---

    def forget_before(self, moment: datetime) -> int:
        """Delete the files of the photographs received before a moment, and return how many
        photographs these are.

        Their readings stay, and so do people's corrections.
        """
        count = 0
        while names := [row.id for row in self.hands.store.look(_KEPT, {"moment": moment})]:
            with self.hands.store.writing() as session:
                session.execute(update(Photo).where(Photo.id.in_(names)).values(erased=True))
            for name in names:
                self.files.erase(name)
            count += len(names)
        return count

    def erase_leftovers(self, *, older: float = math.inf) -> int:
        """Delete the files that a crash left behind, and return their number.

        These are all files of erased photographs, and two kinds of files that are at least `older`
        seconds old: files not completely written, and uploads of which the store has no photograph.
        Other files are left alone. Raises PhotosUnavailable.
        """
        files, count = self.files.files(), 0
        while some := list(islice(files, _AT_ONCE)):
            names = {file.photo_id for file in some}
            rows = self.hands.store.look(_GONE, {"names": list(names)})
            gone: dict[str, bool] = {row.id: row.erased for row in rows}
            count += self.files.delete([file for file in some if _is_left_over(file, gone, older)])
        return count

    def count(self) -> int:
        """Count the photographs whose files are kept."""
        with self.hands.store.reading() as session:
            return session.scalar(select(func.count()).select_from(Photo).where(~Photo.erased)) or 0


def _is_left_over(file: KeptFile, gone: dict[str, bool], older: float) -> bool:
    """Whether nobody needs a file any more. Nobody needs a file of an erased photograph. Nobody
    needs a file that is at least `older` seconds old either, if it was not completely written or is
    an upload of which the store has no photograph.

    `gone` maps the id of each photograph that the store has to whether its files are to be erased.
    """
    if gone.get(file.photo_id, False):
        return True
    is_half = file.kind is Kind.HALF or (file.kind is Kind.UPLOAD and file.photo_id not in gone)
    return is_half and file.age >= older
