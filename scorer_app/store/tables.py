"""The tables of the database. Totals, verdicts and scores are not stored: they follow from the
records of the hands. A step that saves a hand anew is the one exception: for the history, its
`after` holds the hand's totals before and after it, from which nothing is counted.
"""

from __future__ import annotations

import secrets
import threading
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, LargeBinary, String, UniqueConstraint, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

from engine.pieces import Pieces

Json = dict[str, Any]


# Columns of a match that people agree on in its form: who plays, with what and by which rules; and
# these together with the seat that begins.
IN_FORM = ("side_a", "side_b", "players", "player_names", "ruleset", "options", "pieces")
AGREED = (*IN_FORM, "first_player")


class HandState(StrEnum):
    DRAFT = "draft"  # being entered; survives a restart
    SAVED = "saved"  # counts in the tally
    EXCLUDED = "undone"  # taken out of the tally, kept as evidence


class PhotoState(StrEnum):
    QUEUED = "queued"
    READING = "reading"
    READ = "read"
    FAILED = "failed"


def token(size: int = 16) -> str:
    """Make an unguessable name for addresses, of `size` random bytes in letters that URLs allow."""
    return secrets.token_urlsafe(size)


def photo_name() -> str:
    """Make a name for a photograph and its files: 24 hexadecimal digits, so that no two names
    differ in capital letters alone.
    """
    return secrets.token_hex(12)


def now() -> datetime:
    """Return the present moment in UTC without a zone, as SQLite keeps it.

    It is later than every earlier answer, even if the machine's clock stands still or was set back,
    so that what came first is listed first.
    """
    global _last
    with _one_by_one:
        _last = max(_clock(), _last + timedelta(microseconds=1))
        return _last


def wall_clock() -> datetime:
    """Return what the machine's clock shows, in UTC without a zone.

    Unlike `now`, it goes back when that clock is set back. So a clock that was far ahead for a
    while, and is set right, does not stop what is counted by days.
    """
    return _clock()


def _clock() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)


_last, _one_by_one = datetime.min, threading.Lock()


class Base(DeclarativeBase):
    pass


class Match(Base):
    __tablename__ = "match"
    __table_args__ = (
        Index(
            "ix_match_shelf",
            *("sample", "archived", "touched", "id"),
            sqlite_where=text("deleted = 0"),
            postgresql_where=text("NOT deleted"),
        ),
        Index("ix_match_names", "side_a", "side_b", "touched"),
        Index("ix_match_scorer_token", "scorer_token", unique=True),
        Index("ix_match_follows", "follows"),
    )
    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=token)
    # A copy of a match has the moment of the match itself, by which the two are known as one.
    created: Mapped[datetime] = mapped_column(default=now)
    # When a hand of the match was begun or saved last; lists begin with the match played last. Of a
    # copy that nobody has played on since its import, only the moment of `created` is known.
    touched: Mapped[datetime] = mapped_column(default=now)
    # When the match was made from a file; None where it was begun here.
    imported: Mapped[datetime | None] = mapped_column(default=None)
    side_a: Mapped[str] = mapped_column(String(40))
    side_b: Mapped[str] = mapped_column(String(40))
    players: Mapped[int] = mapped_column(default=4)
    player_names: Mapped[list[str]] = mapped_column(JSON, default=list)
    ruleset: Mapped[str] = mapped_column(String(20))
    options: Mapped[Json] = mapped_column(JSON, default=dict)
    pieces: Mapped[str] = mapped_column(String(10), default=Pieces.TILES)  # tiles or cards
    first_player: Mapped[int | None] = mapped_column(default=None)  # seat the die named, 0-based
    # What each seat's die showed, throw after throw, when dice decided who begins.
    throws: Mapped[list[list[int]] | None] = mapped_column(JSON(none_as_null=True), default=None)
    viewer_token: Mapped[str] = mapped_column(String(32), unique=True, default=token)
    # Part of the link whose holders may score the match on a public server.
    scorer_token: Mapped[str] = mapped_column(String(32), default=token)
    version: Mapped[int] = mapped_column(default=1)  # grows with each change: devices compare it
    deleted: Mapped[bool] = mapped_column(default=False)
    archived: Mapped[bool] = mapped_column(default=False)  # put away: listed apart from the others
    # Made of the bundled photographs, to try everything: it is no match that anybody played.
    sample: Mapped[bool] = mapped_column(default=False)
    # The set of tiles that the match is played with, if not with cards; the id of a set that was
    # forgotten since counts as none.
    tile_set_id: Mapped[str | None] = mapped_column(String(32), default=None)
    # The id of the match of which this one was begun as a rematch: many tables may play under the
    # same names in one evening.
    follows: Mapped[str | None] = mapped_column(String(32), default=None)

    @property
    def is_unplayed_copy(self) -> bool:
        """Whether the match was imported and nobody has begun or saved a hand of it since."""
        return self.imported is not None and self.touched <= self.imported

    @property
    def changed_here(self) -> datetime:
        """When the match was played last or, if that was later, when it was imported."""
        return max(self.touched, self.imported or self.touched)


class Hand(Base):
    __tablename__ = "hand"
    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=token)
    match_id: Mapped[str] = mapped_column(ForeignKey("match.id"), index=True)
    position: Mapped[int]
    state: Mapped[str] = mapped_column(String(10), default=HandState.DRAFT)
    # The record as last saved, which counts.
    record: Mapped[Json | None] = mapped_column(JSON(none_as_null=True), default=None)
    # The record that is being edited, if it differs from the saved one.
    draft: Mapped[Json | None] = mapped_column(JSON(none_as_null=True), default=None)
    version: Mapped[int] = mapped_column(default=1)
    created: Mapped[datetime] = mapped_column(default=now)
    saved: Mapped[datetime | None] = mapped_column(default=None)
    match: Mapped[Match] = relationship()


class Edit(Base):
    """A change that a person or a reading made to a hand. `before` is the record from before the
    change, kept while the change can be undone.
    """

    __tablename__ = "edit"
    __table_args__ = (UniqueConstraint("hand_id", "key"),)
    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    hand_id: Mapped[str] = mapped_column(ForeignKey("hand.id"), index=True)
    # The name that the device gave the edit; a second edit of that name changes nothing.
    key: Mapped[str] = mapped_column(String(40))
    made: Mapped[datetime] = mapped_column(default=now)
    operation: Mapped[Json] = mapped_column(JSON)
    before: Mapped[Json | None] = mapped_column(JSON(none_as_null=True), default=None)
    undone: Mapped[bool] = mapped_column(default=False)


class Step(Base):
    """What a device changed of a match: one of its hands, or columns of the match itself.

    `before` holds the values that undoing the step puts back, and `after` the new ones. `undone_by`
    is the device that undid the step, None where none did.
    """

    __tablename__ = "step"
    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    match_id: Mapped[str] = mapped_column(ForeignKey("match.id"), index=True)
    hand_id: Mapped[str | None] = mapped_column(String(32), default=None)
    made: Mapped[datetime] = mapped_column(default=now)
    device: Mapped[str] = mapped_column(String(40))
    kind: Mapped[str] = mapped_column(String(10))
    before: Mapped[Json] = mapped_column(JSON)
    after: Mapped[Json] = mapped_column(JSON)
    undone_by: Mapped[str | None] = mapped_column(String(40), default=None)  # a device
    # Of a step that a later one of the same device replaces: what tells the device from others of
    # the same name.
    device_id: Mapped[str | None] = mapped_column(String(32), default=None)


class Photo(Base):
    __tablename__ = "photo"
    __table_args__ = (
        Index("ix_photo_hand_id_key", "hand_id", "key", unique=True),
        Index(
            "ix_photo_kept",
            "received",
            sqlite_where=text("erased = 0"),
            postgresql_where=text("NOT erased"),
        ),
    )
    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=photo_name)
    hand_id: Mapped[str] = mapped_column(ForeignKey("hand.id"), index=True)
    side: Mapped[str] = mapped_column(String(1))
    place: Mapped[str] = mapped_column(String(10))
    state: Mapped[str] = mapped_column(String(10), default=PhotoState.QUEUED, index=True)
    # Why the photograph was not read, or its reading counts no more: a code with a sentence in
    # the texts (`photo.problem.CODE`).
    problem: Mapped[str | None] = mapped_column(String(40), default=None)
    width: Mapped[int] = mapped_column(default=0)
    height: Mapped[int] = mapped_column(default=0)
    reading: Mapped[Json | None] = mapped_column(JSON(none_as_null=True), default=None)
    received: Mapped[datetime] = mapped_column(default=now)
    removed: Mapped[bool] = mapped_column(default=False)
    # The file has been deleted; the reading stays.
    erased: Mapped[bool] = mapped_column(default=False)
    # The name that the device gave the photograph; a second one of that name is not stored.
    key: Mapped[str | None] = mapped_column(String(40), default=None)
    lease: Mapped[str | None] = mapped_column(String(32), default=None)  # the reader that has it
    attempts: Mapped[int] = mapped_column(default=0)  # readings begun since the last order
    # How far a reading by another process is, and when it began by the database's clock.
    stage: Mapped[str | None] = mapped_column(String(10), default=None)
    begun: Mapped[datetime | None] = mapped_column(default=None)


class OwnSet(Base):
    """A set of tiles whose faces its owners have taught."""

    __tablename__ = "own_set"
    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=token)
    name: Mapped[str] = mapped_column(String(40))
    # The name in small letters (`str.casefold`), which may have more characters.
    folded: Mapped[str] = mapped_column(String(120), unique=True)
    version: Mapped[int] = mapped_column(default=1)  # grows whenever its examples change
    created: Mapped[datetime] = mapped_column(default=now)
    used: Mapped[datetime] = mapped_column(default=now)  # last taught, or chosen for a match
    # How many copies the set has of each face of which it does not have the usual number.
    copies: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)


class Example(Base):
    """One picture of a face of a set. `origin` says how it is known which tile the picture shows.
    `hand_id`, `photo_id` and `tile_id` name the hand, the photograph and the tile from which it was
    learned. An example that comes from no hand has neither hand nor tile; all examples that one
    photograph of rows has taught have one `photo_id`, None where that was not noted.
    """

    __tablename__ = "example"
    __table_args__ = (UniqueConstraint("set_id", "photo_id", "tile_id"),)
    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    set_id: Mapped[str] = mapped_column(ForeignKey("own_set.id"), index=True)
    face: Mapped[str] = mapped_column(String(3))  # in the engine's notation
    picture: Mapped[bytes] = mapped_column(LargeBinary)  # PNG, 48 x 64 pixels
    origin: Mapped[str] = mapped_column(String(10))
    made: Mapped[datetime] = mapped_column(default=now)
    hand_id: Mapped[str | None] = mapped_column(String(32), default=None, index=True)
    photo_id: Mapped[str | None] = mapped_column(String(32), default=None)
    tile_id: Mapped[str | None] = mapped_column(String(10), default=None)
    # It came in a file, which does not tell when it was taught or learned.
    imported: Mapped[bool] = mapped_column(default=False)
    # A person has removed the example; the row stays, so that the hand does not teach it again.
    dropped: Mapped[bool] = mapped_column(default=False)


class Holding(Base):
    """On a public server: a device that has opened a link of a match, or that began the match.
    `role` says what the device may do: a value of `scorer_app.services.holdings.Role`.
    """

    __tablename__ = "holding"
    device: Mapped[str] = mapped_column(String(32), primary_key=True)
    match_id: Mapped[str] = mapped_column(ForeignKey("match.id"), primary_key=True, index=True)
    role: Mapped[str] = mapped_column(String(10))
    since: Mapped[datetime] = mapped_column(default=now)
    # The device began or imported the match: no other one can end its access.
    founder: Mapped[bool] = mapped_column(default=False)


class Usage(Base):
    """On a public server: how many matches or photographs came from one network in one day. `kind`
    says which of the two is counted.
    """

    __tablename__ = "usage"
    day: Mapped[str] = mapped_column(String(10), primary_key=True)  # ISO
    network: Mapped[str] = mapped_column(String(32), primary_key=True)  # no address: a keyed digest
    kind: Mapped[str] = mapped_column(String(20), primary_key=True)
    count: Mapped[int] = mapped_column(default=0)


class WatchedTable(Base):
    """What people said of the watched table of a match, for whichever process watches it next."""

    __tablename__ = "watched_table"
    match_id: Mapped[str] = mapped_column(ForeignKey("match.id"), primary_key=True)
    camera: Mapped[str] = mapped_column(String(80))  # in whose picture the noted places lie
    memory: Mapped[Json] = mapped_column(JSON)
    seen: Mapped[datetime] = mapped_column(default=now)  # when the table last lay as noted


class Setting(Base):
    __tablename__ = "setting"
    key: Mapped[str] = mapped_column(String(40), primary_key=True)
    value: Mapped[Json] = mapped_column(JSON)
