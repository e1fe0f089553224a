"""Reads photographs in the background: each is leased, read, and its reading kept.

Every photograph that waits in the store is read in the end. `look` takes up those of which no job
of this process knows: their result could not be written (a full disk, a database that is away), or
another process had leased them and is gone. A lease is the reader's name and the number of the
attempt. It expires when this process has seen it unchanged for `LEASE` seconds of its own monotonic
clock; no wall clock is compared, so that a clock that is set back delays nothing.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy import select

from engine.pieces import Pieces
from scorer_app.config import AppConfig
from scorer_app.hand.merging import add_reading
from scorer_app.hand.operation import PhotoRead
from scorer_app.hand.record import Place, Side, UnreadableRecord
from scorer_app.hand.table_rules import TableRules
from scorer_app.services.disk import disk_trouble
from scorer_app.services.hand_log import KeyedEdit, apply_to_history
from scorer_app.services.hand_rows import NotFound, find_hand, find_photo, rules_of
from scorer_app.services.hands import Hands
from scorer_app.services.photo_files import PhotoFiles, erase_all
from scorer_app.services.photo_opener import PhotoOpener, shared_opener
from scorer_app.services.reading_queue import (
    MENDABLE,
    PhotoReader,
    ReadingFailed,
    ReadingQueue,
    Stage,
)
from scorer_app.services.sets import Sets
from scorer_app.store import Photo, PhotoState, StoreUnavailable
from scorer_app.store.tables import token
from vision.errors import PhotoError
from vision.reading import TableReading

LEASE = 120.0  # seconds; a reading takes a second, on a slow machine ten
LOOK = 2.0  # seconds between two looks for photographs that nobody reads
PAUSE = 2.0  # seconds before the second attempt; twice that before the third, and so on
MOST_ATTEMPTS = 4  # after which the reading has failed; a person may order another
LAYOUTS = {Place.MELDS: "melds", Place.RACK: "loose"}
_WAITING_STATES = (PhotoState.QUEUED, PhotoState.READING)
_WAITING = (
    select(Photo.id, Photo.lease, Photo.attempts)
    .where(Photo.state.in_(_WAITING_STATES), ~Photo.removed)
    .order_by(Photo.received, Photo.id)
)
log = logging.getLogger(__name__)

Lease = tuple[str | None, int]  # the reader's name, the number of its attempt


@dataclass(frozen=True)
class Taken:
    """A photograph that this process reads now."""

    photo_id: str
    hand_id: str
    place: Place
    rules: TableRules
    set_id: str | None  # of the set of tiles that the match is played with
    lease: Lease


class ReadingJobs:
    """Reads the photographs of one store, in the background."""

    def __init__(
        self,
        config: AppConfig,
        hands: Hands,
        files: PhotoFiles,
        reader: PhotoReader,
        queue: ReadingQueue,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.config, self.hands, self.files = config, hands, files
        self.reader, self.queue, self.clock = reader, queue, clock
        self.opener: PhotoOpener = shared_opener()
        self.sets = Sets(hands.store)
        self.name = token(12)
        self._seen: dict[str, tuple[Lease, float]] = {}
        self._expired: set[tuple[str, Lease]] = set()
        self._stop = threading.Event()

    def order(self, photo_id: str) -> None:
        """Queue the reading of a photograph that waits in the store."""
        self.queue.submit(photo_id, lambda tell: self._read(photo_id, tell))

    def order_again(self, photo_id: str) -> None:
        """Queue another reading of a photograph, unless one is waiting or under way."""
        with self.hands.store.writing() as session:
            photo = find_photo(session, photo_id, to_change=True)
            if photo is None or photo.removed:
                return
            if photo.state not in _WAITING_STATES:
                photo.state, photo.lease, photo.attempts = PhotoState.QUEUED, None, 0
        self.order(photo_id)

    def make_ready(self, set_id: str | None) -> None:
        """Have the reader prepare for a set of tiles, behind the page."""
        chosen = self.sets.chosen(set_id)
        if chosen is not None:
            self.queue.submit(f"ready {set_id}", lambda _tell: self.reader.make_ready(chosen))

    def start(self) -> None:
        """Start to look for waiting photographs, until closed; start the child process that opens
        them, and prepare for the set of tiles that was used last.
        """
        self.opener.warm()
        with suppress(StoreUnavailable):  # the first photograph waits a little longer
            self.make_ready(self.sets.default())
        threading.Thread(target=self._watch, name="readings", daemon=True).start()

    def close(self) -> None:
        """Stop looking for waiting photographs."""
        self._stop.set()

    def resume(self) -> None:
        """Queue every waiting photograph, at the start of the server.

        Another process that holds a lease is taken to be gone. If it is not, the result of the
        later lease counts.
        """
        self.look(at_once=True)

    def look(self, *, at_once: bool = False) -> None:
        """Queue every waiting photograph that nobody reads. Raises StoreUnavailable.

        With `at_once` leases of other readers are not waited for.
        """
        moment, seen = self.clock(), dict[str, tuple[Lease, float]]()
        for row in self.hands.store.look(_WAITING, {}):
            photo_id: str = row.id
            lease: Lease = (row.lease, row.attempts)
            before, since = self._seen.get(photo_id, (lease, moment))
            if before != lease:
                since = moment
            seen[photo_id] = lease, since
            expired = at_once or moment - since >= self._patience(lease)
            if expired and not self.queue.knows(photo_id):
                self._expired.add((photo_id, lease))
                self.order(photo_id)
        self._seen = seen
        self._expired = {(name, lease) for name, lease in self._expired if name in seen}

    def _patience(self, lease: Lease) -> float:
        """Seconds after which a photograph that waits with an unchanged lease is taken up."""
        reader, attempts = lease
        return PAUSE * attempts if reader in (None, self.name) else LEASE

    def _watch(self) -> None:
        away = False
        while not self._stop.wait(LOOK):
            try:
                self.look()
                away = False
            except StoreUnavailable as error:
                if not away:
                    log.error("photographs that wait cannot be looked for: %s", error)
                away = True
            except Exception:  # the next look may fare better
                log.exception("looking for photographs that wait failed")

    # --- the job ---

    def _read(self, photo_id: str, tell: Callable[[Stage], None]) -> None:
        taken = self._take(photo_id)
        if taken is None:
            return
        self.hands.event_bus.tell(taken.hand_id)
        try:
            size = self._open(photo_id)
            tell(Stage.READING)
            self.hands.event_bus.tell(taken.hand_id)
            kept, layout = self.files.kept(photo_id), LAYOUTS[taken.place]
            chosen = self.sets.chosen(taken.set_id)
            rules, pieces = taken.rules.rules, taken.rules.pieces
            reading = self.reader.read_photo(kept, layout, rules, chosen, pieces)
            self._take_in(taken, size, reading)
        except StoreUnavailable:
            raise  # nothing can be noted now; a later look takes the photograph up again
        except ReadingFailed as failure:
            self._note_failure(taken, failure.reason)
        except Exception as error:
            if self._is_erased(photo_id):
                return  # its files were deleted while they were read
            trouble = None
            if isinstance(error, OSError):
                trouble = disk_trouble(error, self.config.data_dir)
            self._note_failure(taken, trouble or "reader_broke")
            raise
        finally:
            with suppress(StoreUnavailable):  # the sweep of erased photographs finds the file
                if self._is_erased(photo_id):  # and this reading may have written its files anew
                    self.files.erase(photo_id)
            self.hands.event_bus.tell(taken.hand_id)

    def _take(self, photo_id: str) -> Taken | None:
        """Lease a photograph; None where it is not to be read, or another reader has it."""
        with self.hands.store.writing() as session:
            photo = session.get(Photo, photo_id, with_for_update=True)
            if photo is None or photo.removed or not self._may_take(photo):
                return None
            attempt = photo.attempts + 1
            if attempt > MOST_ATTEMPTS:
                _fail(photo, "reader_broke")
                return None
            try:
                match = find_hand(session, photo.hand_id).match
                rules = rules_of(match)
            except UnreadableRecord:
                _fail(photo, "reader_broke")
                return None
            except NotFound:  # the match has been deleted
                _fail(photo, "not_found")
                erase_all([self.files.raw(photo_id)])
                return None
            photo.state, photo.lease, photo.attempts = PhotoState.READING, self.name, attempt
            lease = (self.name, attempt)
            place = Place(photo.place)
            set_id = match.tile_set_id if rules.pieces is Pieces.TILES else None
            return Taken(photo_id, photo.hand_id, place, rules, set_id, lease)

    def _may_take(self, photo: Photo) -> bool:
        """Whether a photograph waits and no other reader's lease on it is in force."""
        if photo.state not in _WAITING_STATES:
            return False
        if photo.lease in (None, self.name):
            return True
        return (photo.id, (photo.lease, photo.attempts)) in self._expired

    def _is_erased(self, photo_id: str) -> bool:
        """Whether a photograph's files were to be deleted, perhaps while this reading used them."""
        with self.hands.store.reading() as session:
            return session.get_one(Photo, photo_id).erased

    def _open(self, photo_id: str) -> tuple[int, int] | None:
        """Make the upright JPEG of an upload, and delete the upload.

        Returns width and height in pixels; None where an earlier attempt did it. Raises
        ReadingFailed.
        """
        raw, kept = self.files.raw(photo_id), self.files.kept(photo_id)
        if not raw.exists():
            return None
        try:
            size = self.opener.make_upright(raw, kept, self.config.stored_side)
        except PhotoError as error:
            raise ReadingFailed(error.reason.value) from error
        erase_all([raw])
        return size

    def _take_in(self, taken: Taken, size: tuple[int, int] | None, reading: TableReading) -> None:
        """Merge a reading into its hand, unless the photograph was removed or leased anew."""
        photo_id = taken.photo_id
        with self.hands.store.writing() as session:
            # The hand is locked first, as everywhere, so that nobody waits for each other.
            hand = find_hand(session, taken.hand_id, to_change=True)
            photo = session.get_one(Photo, photo_id, with_for_update=True)
            if photo.removed or (photo.lease, photo.attempts) != taken.lease:
                return
            photo.state, photo.problem, photo.reading = PhotoState.READ, None, reading.to_json()
            photo.lease, photo.attempts = None, 0
            photo.width, photo.height = size or (photo.width, photo.height)
            side: Side = "A" if photo.side == "A" else "B"
            edit = KeyedEdit(f"read-{photo_id[:16]}-{hand.version}", PhotoRead(photo_id))
            apply_to_history(
                session,
                hand,
                edit,
                lambda record: add_reading(record, photo_id, side, taken.place, reading),
            )

    def _note_failure(self, taken: Taken, reason: str) -> None:
        """Write why a reading failed, unless the photograph was leased anew."""
        with self.hands.store.writing() as session:
            photo = session.get_one(Photo, taken.photo_id, with_for_update=True)
            if (photo.lease, photo.attempts) != taken.lease:
                return
            _fail(photo, reason)
        if reason not in MENDABLE:  # no second reading opens it, so what the camera noted goes
            erase_all([self.files.raw(taken.photo_id)])


def _fail(photo: Photo, reason: str) -> None:
    photo.state, photo.problem = PhotoState.FAILED, reason[:40]
    photo.lease, photo.attempts = None, 0
