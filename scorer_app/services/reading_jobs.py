"""Reads photographs in the background: each is leased, read, and its reading kept.

Every photograph that waits in the store is read in the end. `ReadingJobs.look` takes up those for
which this process has no job: their result could not be written (a full disk, a database out of
reach), or another process had leased them and is gone. A lease is the reader's name and the number
of the attempt. It expires when this process has seen it unchanged for `LEASE` seconds of its own
monotonic clock; no wall clock is compared, so that a clock that is set back delays nothing.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Protocol

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from scorer_app.config import AppConfig
from scorer_app.services.hand_rows import WAITING, AnyRow, find_photo, is_handed_over
from scorer_app.services.hands import Hands
from scorer_app.services.photo_files import PhotoFiles
from scorer_app.services.reading_queue import PhotoReader, ReadingQueue, Stage
from scorer_app.services.readings import CHANGE, OF_TAKEN, Lease, Readings, Taken, under
from scorer_app.store import Hand, Match, Photo, PhotoState, StoreUnavailable

LEASE = 120.0  # seconds; a reading takes a second, on a slow machine ten
LOOK = 2.0  # seconds between two looks for photographs that nobody reads
PAUSE = 2.0  # seconds before the second attempt; 4 before the third, 6 before the fourth
_WAITING = (
    select(Photo.id, Photo.lease, Photo.attempts)
    .where(Photo.state.in_(WAITING), ~Photo.removed)
    .order_by(Photo.received, Photo.id)
)
_TO_TAKE = (
    select(*OF_TAKEN, Photo.lease)
    .join(Hand, Hand.id == Photo.hand_id)
    .join(Match, Match.id == Hand.match_id)
    .where(Photo.id == bindparam("photo"), Photo.state.in_(WAITING), ~Photo.removed)
)
_TAKE = CHANGE.where(Photo.state.in_(WAITING), ~Photo.removed).values(
    state=PhotoState.READING, lease=bindparam("new_reader"), attempts=bindparam("new_attempt")
)
log = logging.getLogger(__name__)


class Jobs(Protocol):
    """Has photographs read, and lets sets of tiles learn from saved hands, in the background."""

    def note(self, session: Session, photo_id: str) -> None:
        """Order the reading of a photograph, within the transaction that stores the photograph."""
        ...

    def order(self, photo_id: str) -> None:
        """Have a photograph read. This is called once the transaction that keeps the photograph
        has committed.
        """
        ...

    def order_again(self, photo_id: str, *, anew: bool = False) -> None:
        """Order another reading of a photograph, unless one is waiting or under way. With `anew`
        another is ordered although one is under way, and the result of that one is thrown away.
        """
        ...

    def learn_from(self, hand_id: str) -> None:
        """Let the set of tiles of a hand's match learn from the hand, which was saved."""
        ...

    def make_ready(self, set_id: str | None) -> None:
        """Have the reader prepare for the set of tiles with this id. Nothing is done where the id
        is None or no set has it.
        """
        ...

    def start(self) -> None:
        """Start the threads that belong to the jobs, if there are any; they run until `close`."""
        ...

    def close(self) -> None:
        """Stop the threads that belong to the jobs, if there are any."""
        ...

    def resume(self) -> None:
        """Take up the photographs that wait in the store, when the server starts."""
        ...


def queue_again(session: Session, photo_id: str, *, anew: bool) -> bool:
    """Mark a photograph as waiting for another reading, and return True.

    Nothing is done, and False is returned, for a photograph that is gone, waits already or is being
    read, and for one that stands for a watched table. With `anew` a photograph that is being read
    is marked, too. The reading under way loses its lease by this, so that its result is thrown
    away.
    """
    photo = find_photo(session, photo_id, to_change=True)
    waits = (PhotoState.QUEUED,) if anew else WAITING
    if photo is None or photo.removed or photo.state in waits or is_handed_over(photo):
        return False
    photo.state, photo.lease, photo.attempts = PhotoState.QUEUED, None, 0
    return True


class ReadingJobs(Readings):
    """Reads the photographs of one store in the threads of this process."""

    def __init__(
        self,
        config: AppConfig,
        hands: Hands,
        files: PhotoFiles,
        reader: PhotoReader,
        queue: ReadingQueue,
    ) -> None:
        super().__init__(config, hands, files, reader)
        self.queue, self.clock = queue, time.monotonic
        self._seen: dict[str, tuple[Lease, float]] = {}
        self._expired: set[tuple[str, Lease]] = set()
        self._stop = threading.Event()

    def note(self, session: Session, photo_id: str) -> None:
        """Do nothing: the photograph waits in the store, and no other process reads."""

    def order(self, photo_id: str) -> None:
        """Queue the reading of a photograph that waits in the store."""
        self.queue.submit(photo_id, lambda tell: self._read(photo_id, partial(self._tell, tell)))

    def _tell(self, tell: Callable[[Stage], None], taken: Taken, stage: Stage) -> None:
        tell(stage)
        self.hands.event_bus.tell(taken.hand_id)

    def order_again(self, photo_id: str, *, anew: bool = False) -> None:
        """Queue another reading of a photograph, unless one is waiting or under way. With `anew`
        another is queued although one is under way, and the result of that one is thrown away.
        """
        with self.hands.store.writing() as session:
            queue_again(session, photo_id, anew=anew)
        self.order(photo_id)

    def learn_from(self, hand_id: str) -> None:
        """Let the set of tiles of a hand's match learn from the hand, which was saved, in the
        background.
        """

        def learn() -> None:
            from scorer_app.services.learning import learn_from_hand  # loads OpenCV

            self.make_ready(learn_from_hand(self.sets, self.files, hand_id))

        self.queue.submit(f"learn {hand_id}", lambda _tell: learn())

    def make_ready(self, set_id: str | None) -> None:
        """Have the reader prepare in the background for the set of tiles with this id. Nothing is
        done where the id is None or no set has it.
        """
        chosen = self.sets.chosen(set_id)
        if chosen is None:
            return

        def prepare(tell: Callable[[Stage], None]) -> None:
            tell(Stage.PREPARING)
            self.reader.make_ready(chosen)

        self.queue.submit(f"ready {set_id}", prepare)

    def start(self) -> None:
        """Start looking for waiting photographs, until `close` is called. Start the child process
        that opens them, and prepare for the set of tiles that new matches begin with.
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

        A process that has leased one of these photographs is taken to be gone. If it is not, both
        may read the photograph, and the result of the later lease counts.
        """
        self.look(at_once=True)

    def look(self, *, at_once: bool = False) -> None:
        """Queue every waiting photograph that nobody reads. With `at_once` the leases of other
        readers count as expired. Raises StoreUnavailable.
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
        """Return for how many seconds the lease of a waiting photograph must stay the same before
        the photograph is read again. These are a few seconds if the lease is this process's own or
        nobody's, and `LEASE` if it is another reader's.
        """
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

    def _lease(self, photo_id: str) -> tuple[AnyRow, Lease] | None:
        for photo in self.hands.store.look(_TO_TAKE, {"photo": photo_id}):
            seen: Lease = (photo.lease, photo.attempts)
            if photo.lease not in (None, self.name) and (photo_id, seen) not in self._expired:
                return None
            lease = (self.name, photo.attempts + 1)
            leased = {"new_reader": lease[0], "new_attempt": lease[1]}
            if self.hands.store.write_alone(_TAKE, under(photo_id, seen) | leased):
                return photo, lease
        return None  # another has taken or removed it meanwhile
