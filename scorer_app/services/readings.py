"""Reads one photograph: it is leased, opened, read, and its reading merged into its hand.

A lease is the reader's name and the number of the attempt. Whoever finds another's lease on the
photograph at the end writes nothing, so that a photograph may be given to two readers without harm.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import Connection, Table, bindparam, func, select, update

from engine.pieces import Pieces
from engine.sides import SideName
from scorer_app.config import AppConfig
from scorer_app.hand.fields import own_key
from scorer_app.hand.merging import LAYOUTS, add_reading
from scorer_app.hand.operation import PhotoRead
from scorer_app.hand.record import Place, UnreadableRecord
from scorer_app.hand.table_rules import TableRules
from scorer_app.services.disk import disk_trouble
from scorer_app.services.hand_log import HistoryChange, KeyedEdit, change_history
from scorer_app.services.hand_rows import AnyRow, hand_to_merge, rules_of
from scorer_app.services.hands import Hands
from scorer_app.services.photo_files import AtHand, PhotoFiles, PhotosUnavailable
from scorer_app.services.photo_headers import checked_size
from scorer_app.services.photo_opener import PhotoOpener, shared_opener
from scorer_app.services.reading_queue import (
    MENDABLE,
    PHOTOS_AWAY,
    PhotoReader,
    ReadingFailed,
    Stage,
)
from scorer_app.services.sets import Sets
from scorer_app.store import Match, Photo, PhotoState, StoreUnavailable
from scorer_app.store.tables import token
from vision.errors import PhotoError
from vision.reading import TableReading

MOST_ATTEMPTS = 4  # after which the reading has failed; a person may order another
# Statements on columns alone, built once: loading whole rows as objects, and finding what changed
# of them, took a reader longer than all else it did besides reading.
_PHOTOS = cast(Table, Photo.__table__)
OF_TAKEN = (  # what is looked at of a photograph that is taken, and of its match
    *(_PHOTOS.c.id, _PHOTOS.c.hand_id, _PHOTOS.c.side, _PHOTOS.c.place, _PHOTOS.c.attempts),
    *(Match.ruleset, Match.options, Match.players, Match.pieces, Match.tile_set_id, Match.deleted),
)
_ERASED = select(Photo.erased).where(Photo.id == bindparam("photo"))
# Each change names the lease under which it is made, and changes nothing under another.
CHANGE = update(_PHOTOS).where(
    _PHOTOS.c.id == bindparam("photo"),
    _PHOTOS.c.lease.is_not_distinct_from(bindparam("reader")),
    _PHOTOS.c.attempts == bindparam("attempt"),
)
_PUT_OFF = CHANGE.values(state=PhotoState.QUEUED, lease=None)
_FAIL = CHANGE.values(state=PhotoState.FAILED, problem=bindparam("reason"), lease=None, attempts=0)
KEEP = (
    CHANGE.where(~_PHOTOS.c.removed)
    .values(
        state=PhotoState.READ,
        problem=None,
        reading=bindparam("read"),
        lease=None,
        attempts=0,
        width=func.coalesce(bindparam("across"), _PHOTOS.c.width),
        height=func.coalesce(bindparam("down"), _PHOTOS.c.height),
    )
    .returning(_PHOTOS.c.erased)
)

Lease = tuple[str | None, int]  # the reader's name, the number of its attempt


@dataclass(frozen=True)
class Taken:
    """A photograph that this process reads now, of one side's tiles in a hand."""

    photo_id: str
    hand_id: str
    side: SideName
    place: Place  # whether its tiles lie in melds or on a rack
    rules: TableRules  # of the hand's match
    set_id: str | None  # id of the set of tiles that the match is played with, if it is named
    lease: Lease


class Readings:
    """Reads the photographs of one store, one at each call."""

    def __init__(
        self, config: AppConfig, hands: Hands, files: PhotoFiles, reader: PhotoReader
    ) -> None:
        self.config, self.hands, self.files, self.reader = config, hands, files, reader
        self.opener: PhotoOpener = shared_opener()
        self.sets = Sets(hands.store)
        self.name = token(12)
        self.turn: AbstractContextManager[object] = nullcontext()  # held while the networks read

    def _read(self, photo_id: str, tell: Callable[[Taken, Stage], None]) -> None:
        """Read a photograph, unless it no longer waits or another reader is reading it. `tell` is
        called with the photograph and each stage of its reading.

        Raises StoreUnavailable where the outcome cannot be written now, and PhotosUnavailable where
        the photograph's files are out of reach; the photograph then waits for another attempt. Any
        other error is written as the reason of the failure; one that the photograph did not cause
        is raised as well.
        """
        taken = self._take(photo_id)
        if taken is None:
            return
        try:
            self._read_taken(taken, tell)
        except StoreUnavailable:
            raise  # nothing can be noted now; a later look takes the photograph up again
        except PhotosUnavailable:
            self._put_off(taken)
            raise
        except ReadingFailed as failure:
            self._note_failure(taken, failure.reason)
        except Exception as error:
            if self._is_erased(photo_id):  # its files were deleted while they were read
                self.files.erase(photo_id)
                return
            self._note_failure(taken, self._trouble_of(error))
            raise
        finally:
            self.hands.event_bus.tell(taken.hand_id)

    def _read_taken(self, taken: Taken, tell: Callable[[Taken, Stage], None]) -> None:
        """Open the leased photograph `taken`, have it read, and merge the reading into its hand.
        `tell` is called with `taken` and each stage, when that begins. No error is caught here;
        `_read` does that.
        """
        tell(taken, Stage.OPENING)
        with self.files.at_hand(taken.photo_id) as at_hand:
            size = self._open(taken.photo_id, at_hand)
            layout, chosen = LAYOUTS[taken.place], self.sets.chosen(taken.set_id)
            rules, pieces = taken.rules.rules, taken.rules.pieces
            with self.turn:
                tell(taken, Stage.READING)
                reading = self.reader.read_photo(at_hand.jpeg, layout, rules, chosen, pieces)
        if self._take_in(taken, size, reading):
            self.files.erase(taken.photo_id)  # this reading may have written its files anew

    def _trouble_of(self, error: Exception) -> str:
        """Return the code of what is wrong with the disk, if that caused the error; `reader_broke`
        for any other error.
        """
        trouble = disk_trouble(error, self.config.data_dir) if isinstance(error, OSError) else None
        return trouble or "reader_broke"

    def _take(self, photo_id: str) -> Taken | None:
        """Lease a photograph, and return what is needed to read it; None where it is not to be
        read, or another reader has it.
        """
        leased = self._lease(photo_id)
        if leased is None:
            return None
        photo, lease = leased
        if photo.deleted:  # the match has been deleted
            self._fail(photo_id, lease, "not_found")
            self.files.erase_upload(photo_id)
            return None
        try:
            rules = rules_of(photo)
        except UnreadableRecord:
            self._fail(photo_id, lease, "reader_broke")
            return None
        if lease[1] > MOST_ATTEMPTS:
            self._fail(photo_id, lease, "reader_broke")
            return None
        set_id = photo.tile_set_id if rules.pieces is Pieces.TILES else None
        side: SideName = "A" if photo.side == "A" else "B"
        place = Place(photo.place)
        return Taken(photo_id, photo.hand_id, side, place, rules, set_id, lease)

    def _lease(self, photo_id: str) -> tuple[AnyRow, Lease] | None:
        """Lease a waiting photograph to this reader. Returns a pair: a row with what the reader
        must know of the photograph and its match, and the lease. Returns None where the photograph
        waits no longer, or another reader has it.
        """
        raise NotImplementedError

    def _is_erased(self, photo_id: str) -> bool:
        """Whether a photograph has been marked for erasing, perhaps while this reading used its
        files.
        """
        return any(row.erased for row in self.hands.store.look(_ERASED, {"photo": photo_id}))

    def _open(self, photo_id: str, at_hand: AtHand) -> tuple[int, int] | None:
        """Make the upright JPEG of an upload, and delete the upload. Where an earlier attempt made
        the JPEG and deleted the upload, leave the JPEG as it is.

        `at_hand` holds the paths of both files on this machine. Returns the JPEG's width and height
        in pixels; None where there is no JPEG, or a damaged one. Raises ReadingFailed, and
        PhotosUnavailable.
        """
        if not at_hand.upload.exists():
            with suppress(OSError, ReadingFailed):  # the reader says what is wrong with the file
                return checked_size(at_hand.jpeg, self.config.upload_pixels)
            return None
        try:
            size = self.opener.make_upright(at_hand.upload, at_hand.jpeg, self.config.stored_side)
        except PhotoError as error:
            raise ReadingFailed(error.reason.value) from error
        self.files.keep_upright(photo_id, at_hand)
        return size

    def _take_in(self, taken: Taken, size: tuple[int, int] | None, reading: TableReading) -> bool:
        """Merge the reading of the photograph `taken` into its hand, unless the photograph was
        removed or leased to another reader. `size` is the width and height of its JPEG in pixels;
        where `size` is None, the store keeps the width and height that it has. Returns whether the
        photograph's files have been marked for erasing meanwhile.
        """
        photo_id = taken.photo_id
        width, height = size or (None, None)
        read = {"read": reading.to_json(), "across": width, "down": height}
        with self.hands.store.changing() as connection:
            # The hand is locked first, as everywhere, so that no two wait for each other.
            hand = hand_to_merge(connection, taken.hand_id)
            changed = change_history(
                hand,
                KeyedEdit(own_key("read", photo_id[:16], hand.version), PhotoRead(photo_id)),
                lambda record: add_reading(record, photo_id, taken.side, taken.place, reading),
            )
            kept = self._keep(connection, under(photo_id, taken.lease) | read, changed)
            if kept is not None:
                changed.carry(connection)
        return self._is_erased(photo_id) if kept is None else bool(kept.erased)

    def _keep(
        self, connection: Connection, read: dict[str, Any], changed: HistoryChange
    ) -> AnyRow | None:
        """Store a reading, and note the change `changed` that it made to the hand. `read` holds the
        reading, the photograph's width and height, and the lease under which it was read, as
        parameters of the statement that stores the reading.

        Returns a row whose `erased` tells whether the photograph's files have been marked for
        erasing; None, with nothing written, where the photograph was removed or another reader has
        its lease.
        """
        kept = connection.execute(KEEP, read).first()
        if kept is not None:
            changed.note(connection)
        return kept

    def _put_off(self, taken: Taken) -> None:
        """Let the leased photograph `taken`, whose files cannot be reached, wait for another
        attempt. After MOST_ATTEMPTS attempts its reading is marked as failed instead.
        """
        if taken.lease[1] >= MOST_ATTEMPTS:
            self._fail(taken.photo_id, taken.lease, PHOTOS_AWAY)
        else:
            self.hands.store.write_alone(_PUT_OFF, under(taken.photo_id, taken.lease))

    def _note_failure(self, taken: Taken, reason: str) -> None:
        """Store the `reason` why the reading of the photograph `taken` failed. Nothing is done if
        the photograph was leased anew meanwhile. All files of a photograph that was marked for
        erasing are deleted. Of any other, the upload is deleted where no later reading can succeed.
        """
        if not self._fail(taken.photo_id, taken.lease, reason):
            return
        if self._is_erased(taken.photo_id):
            self.files.erase(taken.photo_id)
        elif reason not in MENDABLE:  # no second reading opens it, so what the camera noted goes
            self.files.erase_upload(taken.photo_id)

    def _fail(self, photo_id: str, lease: Lease, reason: str) -> bool:
        """Note why a reading failed, if the photograph still has this lease. Return whether it was
        noted.
        """
        noted = under(photo_id, lease) | {"reason": reason[:40]}
        return self.hands.store.write_alone(_FAIL, noted) > 0


def under(photo_id: str, lease: Lease) -> dict[str, Any]:
    """Return the parameters `photo`, `reader` and `attempt` of a statement that changes a
    photograph only while it has this lease.
    """
    return {"photo": photo_id, "reader": lease[0], "attempt": lease[1]}
