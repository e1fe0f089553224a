"""The record of one hand: which tiles lie where, who closed, who took the muerto. It holds no
points.

A record is a value: every edit makes a new one (see `edits.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from itertools import chain
from types import MappingProxyType
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from engine.sides import SIDES, SideName
from engine.tiles import BY_NOTATION
from scorer_app.hand.prepared_types import prepared

Part = Literal["base", "puntos", "adjustment"]  # of a score sheet
FACES = frozenset(BY_NOTATION)
MAX_POINTS = 100_000  # most points that one adjustment may add or take

# `(?!\n)$` instead of `$` alone, which in Python also matches before a final line break. The bounds
# of a number refuse NaN and the infinities too.
Identifier = Annotated[str, Meta(pattern=r"^[a-z][0-9]{1,6}(?!\n)$")]
Face = Annotated[str, Meta(pattern=r"^(J|([1-9]|1[0-3])[RYBK])(?!\n)$")]
Pixel = Annotated[float, Meta(ge=-100_000, le=100_000)]
Share = Annotated[float, Meta(ge=-1000, le=1000)]
Points = Annotated[int, Meta(ge=-MAX_POINTS, le=MAX_POINTS)]
Copies = Annotated[int, Meta(ge=0, le=1000)]
# A name that a browser gives itself; empty where nobody said which one it was.
BrowserName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{0,40}(?!\n)$")]
Reason = Annotated[str, Meta(min_length=1, max_length=80)]
# Four x, y in pixels of the upright photograph: top-left, top-right, bottom-right, bottom-left as
# one reads the tile.
Corners = tuple[tuple[Pixel, Pixel], ...]


class Trouble(StrEnum):
    """Why something stored cannot be shown."""

    NEWER = "newer"  # a newer version of the program wrote it
    DAMAGED = "damaged"  # no version writes this


class UnreadableRecord(ValueError):
    """A stored record, or the rules of a match, that this version cannot show. `str()` says what
    was expected and what was found.
    """

    trouble = Trouble.DAMAGED


class NewerRecord(UnreadableRecord):
    """A record that a newer version wrote: it has fields, places or rules unknown here."""

    trouble = Trouble.NEWER


class DamagedRecord(UnreadableRecord):
    """A record that no version writes: with a value of a wrong type, or parts that contradict each
    other.
    """


class Place(StrEnum):
    """Where a row of tiles lies."""

    MELDS = "melds"
    RACK = "rack"
    POZO = "pozo"  # counted for nobody: the pozo, loose tiles, a row that the players set aside


class End(StrEnum):
    """How a hand ended."""

    CLOSE = "close"
    STOCK_EXHAUSTED = "stock_exhausted"


@dataclass(frozen=True)
class Tile:
    """One tile. `face` is what counts, such as `7R` (None: unread), whether the reader or a person
    named it; `confirmed` says that a person did.

    `photo` is the name of the photograph that shows the tile. It is None for a tile that a person
    tapped in without one.
    """

    id: Identifier
    face: Face | None
    photo: str | None = None
    # As one reads the face, x and y in pixels: top left, top right, bottom right, bottom left.
    corners: Corners | None = None
    read: Face | None = None  # what the reader said, kept beside a correction
    confidence: Share | None = None  # the probability that the reader gave its face
    doubtful: bool = False  # the reader is not sure of it
    # Other faces that it may have, each with its probability.
    alternatives: tuple[tuple[Face, Share], ...] = ()
    perhaps_none: bool = False  # what was read there may be no tile
    confirmed: bool = False
    suggested: bool = False  # a person accepted the face that the rules suggested for its meld

    @property
    def is_sure(self) -> bool:
        """Whether its face is beyond doubt."""
        return self.confirmed or (self.face is not None and not self.doubtful)

    @property
    def was_added(self) -> bool:
        """Whether a person added this tile, and no reading of a photograph."""
        return self.confidence is None

    @property
    def was_turned(self) -> bool:
        """Whether this is a 6 that was read as a 9, or a 9 that was read as a 6: its direction was
        read wrongly, so that its corners begin at the bottom right.
        """
        return {(face or "").rstrip("RBKY") for face in (self.read, self.face)} == {"6", "9"}


@dataclass(frozen=True)
class Row:
    """Tiles that lie side by side, by their ids. Those of an `ordered` row are in the order in
    which the camera saw them; tiles that a person tapped in are in no order.
    """

    id: Identifier
    side: SideName
    place: Place
    tiles: tuple[Identifier, ...] = ()
    accepted: bool = False  # the players count the meld although it is illegal
    ordered: bool = False
    user_arranged: bool = False  # a person arranged it: a later reading leaves it as it is
    # A person parted it from the others: tiles tapped in later do not join it to an older row.
    separate: bool = False
    # The browser whose taps began the meld: tiles tapped in on another one do not join it.
    by: BrowserName = ""


@dataclass(frozen=True)
class Adjustment:
    """Points that the players add to a side or take from it by rules of their own, with the
    reason.
    """

    id: Identifier
    side: SideName
    points: Points
    reason: Reason
    part: Part = "adjustment"  # `base` or `puntos` where people counted the totals themselves


@dataclass(frozen=True)
class Record:
    """All that is known of one hand. Tiles, rows and adjustments have ids such as `t7`, `r3`, `x9`,
    which never occur twice.

    `tiles` maps ids to tiles. `end` is None while nobody has said how the hand ended. `closed_by`
    is the side that closed, None where none did. `muerto` says of each side whether it took its
    muerto; None while nobody has said.
    """

    tiles: dict[str, Tile] = field(default_factory=dict)
    rows: tuple[Row, ...] = ()
    adjustments: tuple[Adjustment, ...] = ()
    end: End | None = None
    closed_by: SideName | None = None
    muerto: dict[SideName, bool | None] = field(default_factory=lambda: {"A": None, "B": None})
    muerto_unplayed: tuple[SideName, ...] = ()  # taken, but nothing of it was played
    # Sides of which the players say that nothing was left; tiles on the rack count all the same.
    empty_racks: tuple[SideName, ...] = ()
    serial: int = 0  # the last number given to a tile, row or adjustment
    # Faces of which the players have checked that the table has more copies than the set, each with
    # the number of its copies.
    kept_copies: dict[Face, Copies] = field(default_factory=dict)
    # Photographs whose tiles the players have compared with those tapped in before.
    compared: tuple[str, ...] = ()
    # Photographs that look like an earlier one but show other tiles, as the players say.
    told_apart: tuple[str, ...] = ()
    # Photographs that show nothing that counts, as the players say.
    nothing_counts: tuple[str, ...] = ()
    # Photographs that are blurred or full of doubts, but good enough, as the players say.
    kept_blurred: tuple[str, ...] = ()
    removed: tuple[Tile, ...] = ()  # read in a photograph, but a person says there is none
    counted: bool = False  # people counted the totals themselves: the record has adjustments alone

    def row(self, row_id: str) -> Row:
        """Find a row by its id, which must be one of this record."""
        return next(row for row in self.rows if row.id == row_id)

    def row_of(self, tile_id: str) -> Row:
        """Find the row in which a tile of this record lies."""
        return next(row for row in self.rows if tile_id in row.tiles)

    def in_place(self, side: SideName, place: Place) -> tuple[Row, ...]:
        """List the rows of a side in a place, the oldest first."""
        return tuple(row for row in self.rows if row.side == side and row.place is place)

    def faces(self, row: Row) -> list[str | None]:
        """List the faces of a row's tiles, None for those unread."""
        return [self.tiles[tile].face for tile in row.tiles]

    def photos(self) -> set[str]:
        """Return the names of the photographs that show tiles of this record, or showed some that a
        person removed.
        """
        tiles = (*self.tiles.values(), *self.removed)
        return {tile.photo for tile in tiles if tile.photo is not None}

    def with_row(self, row: Row) -> Record:
        """Return the record with `row` in place of its row with the same id; no row is added. Rows
        without tiles are left out.
        """
        rows = (row if old.id == row.id else old for old in self.rows)
        return replace(self, rows=tuple(kept for kept in rows if kept.tiles))

    def with_tiles(self, tiles: Iterable[Tile]) -> Record:
        """Return the record with these tiles, each in place of the tile with the same id or as a
        new one. Rows stay as they are.
        """
        return replace(self, tiles=self.tiles | {tile.id: tile for tile in tiles})

    def asking_about_other_melds(self, before: Record) -> Record:
        """Return the record without the acceptance of each row that has other faces than in the
        earlier record `before`, because the players accepted another meld.
        """
        accepted = {row.id: before.faces(row) for row in before.rows if row.accepted}
        others = {
            row.id for row in self.rows if accepted.get(row.id, self.faces(row)) != self.faces(row)
        }
        if not others:
            return self
        rows = (replace(row, accepted=False) if row.id in others else row for row in self.rows)
        return replace(self, rows=tuple(rows))

    def next_id(self, letter: str) -> tuple[str, Record]:
        """Return an unused id that begins with `letter`, and the record that counts this id as
        used.
        """
        serial = self.serial + 1
        return f"{letter}{serial}", replace(self, serial=serial)

    def to_json(self) -> dict[str, Any]:
        """Return JSON data that `from_json` reads back.

        Tiles, rows and adjustments become dictionaries, whose values are those of the fields and
        not copies: `dataclasses.asdict` would slowly copy every corner of every tile.
        """
        return {name: _plain(value) for name, value in vars(self).items()}

    @classmethod
    def from_json(cls, data: object) -> Record:
        """Read a record from JSON data; None is an empty record.

        Raises NewerRecord for what a newer version wrote and this one would lose, and DamagedRecord
        for everything else that `to_json` cannot have written.
        """
        if data is None:
            return cls()
        data = _with_names_of_today(data)
        if unknown := sorted(_unknown_fields(data)):
            raise NewerRecord(f"expected a record's fields, got {unknown}"[:300])
        try:
            record = msgspec.convert(data, prepared(cls))
        except (ValueError, RecursionError) as error:
            newer = _UNKNOWN_CHOICE.match(str(error))
            raise (NewerRecord if newer else DamagedRecord)(str(error)[:300]) from error
        record.check()
        return record

    def last_number(self) -> int:
        """Find the highest number in the id of a tile, row or adjustment; 0 where there is none."""
        return max((int(name[1:]) for name in self._ids()), default=0)

    def _ids(self) -> list[str]:
        """Return the ids of all tiles, rows and adjustments."""
        rows, adjustments = self.rows, self.adjustments
        return [*self.tiles, *(row.id for row in rows), *(item.id for item in adjustments)]

    def check(self) -> None:
        """Raise DamagedRecord where the parts of the record contradict each other."""
        ids = self._ids()
        lying = sorted(chain.from_iterable(row.tiles for row in self.rows))
        shown = (*self.tiles.values(), *self.removed)
        quads = [tile.corners for tile in shown if tile.corners is not None]
        was_closed = self.end is End.CLOSE
        wanted = {
            "tiles under their own ids": all(key == tile.id for key, tile in self.tiles.items()),
            "every tile in exactly one row": lying == sorted(self.tiles),
            "rows with tiles": all(row.tiles for row in self.rows),
            "ids that occur once": len(set(ids)) == len(ids),
            "a serial that no id exceeds": self.last_number() <= self.serial,
            "four corners": {len(points) for points in quads} <= {4},
            "closed_by of a hand that was closed, and of no other": was_closed
            == (self.closed_by is not None),
            "the muerto of both sides": set(self.muerto) == set(SIDES),
        }
        for expected, holds in wanted.items():
            if not holds:
                raise DamagedRecord(f"expected {expected}")


def without_browsers(data: dict[str, Any]) -> dict[str, Any]:
    """Return a record's JSON data without the names of the browsers on which its melds were tapped
    in. Such a name is the same in all hands of a device, and matters to nobody who receives the
    data. What is not as a record's rows are stays as it is.
    """
    rows = data.get("rows")
    if not isinstance(rows, list):
        return data
    return data | {"rows": [_without_browser(row) for row in rows]}


def _without_browser(row: object) -> object:
    if not isinstance(row, dict):
        return row
    return {name: value for name, value in row.items() if name != "by"}


# The message of msgspec for a place, or a way to end a hand, that this version does not know.
_UNKNOWN_CHOICE = re.compile(r"Invalid enum value .* - at `\$.*\.(place|end)`$")


# Fields of tiles and rows that had another name in what earlier versions stored and exported.
_RENAMED = MappingProxyType(
    {"settled": "confirmed", "as_laid": "ordered", "by_hand": "user_arranged"}
)


def _with_names_of_today(data: object) -> object:
    """Return a record's JSON data with the former names of fields replaced by the present ones.
    Where earlier versions noted faces alone as `kept_copies`, the number of their tiles is added.
    """
    if not isinstance(data, dict):
        return data
    found = dict(data)
    for name, parts in data.items():
        if name == "kept_copies" and isinstance(parts, list):
            found[name] = _counted(parts, data.get("tiles"))
        elif isinstance(parts, dict):
            found[name] = {key: _part_of_today(part) for key, part in parts.items()}
        elif isinstance(parts, list):
            found[name] = [_part_of_today(part) for part in parts]
    return found


def _counted(faces: list[object], tiles: object) -> object:
    """Map the faces to the numbers of tiles that have them. `tiles` are the tiles of a record as
    JSON. Where one of the faces is no text, they are returned as they are.
    """
    if not all(isinstance(face, str) for face in faces):
        return faces
    shown = tiles.values() if isinstance(tiles, dict) else ()
    found = [tile.get("face") for tile in shown if isinstance(tile, dict)]
    return {face: found.count(face) for face in faces}


def _part_of_today(part: object) -> object:
    if not isinstance(part, dict) or _RENAMED.keys().isdisjoint(part):
        return part
    return {_RENAMED.get(name, name): value for name, value in part.items()}


def _unknown_fields(data: object) -> Iterator[str]:
    """Yield the names of those fields in a stored record, and in its parts, that this version does
    not know.
    """
    if not isinstance(data, dict):
        return
    yield from _fields_beyond(Record, data)
    tiles = data.get("tiles")
    listed = (data.get(name) for name in ("rows", "adjustments", "removed"))
    rows, adjustments, removed = (part if isinstance(part, list) else [] for part in listed)
    of_kind: tuple[tuple[type, Iterable[object]], ...] = (
        (Tile, [*(tiles.values() if isinstance(tiles, dict) else ()), *removed]),
        (Row, rows),
        (Adjustment, adjustments),
    )
    for kind, parts in of_kind:
        for part in parts:
            if isinstance(part, dict):
                yield from _fields_beyond(kind, part)


def _fields_beyond(kind: Any, data: dict[Any, Any]) -> Iterator[str]:
    known = {known.name for known in fields(kind)}
    return (str(name) for name in data if name not in known)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain_part(part) for key, part in value.items()}
    return [_plain_part(part) for part in value] if isinstance(value, tuple) else value


def _plain_part(part: Any) -> Any:
    return dict(vars(part)) if isinstance(part, Tile | Row | Adjustment) else part
