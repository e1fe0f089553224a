"""The record of one hand: which tiles lie where, who closed, who took the muerto. Plain facts, no
points.

A record is a value: every edit makes a new one (see `edits.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any, Literal, Self

Side = Literal["A", "B"]
SIDES: tuple[Side, Side] = ("A", "B")
Corners = tuple[
    tuple[float, float], ...
]  # four x, y in pixels of the upright photograph, see the reader's contract


class NewerRecord(ValueError):
    """A stored record that is not this version's: a newer one wrote it. `str()` says what is
    unknown.
    """


class Place(StrEnum):
    MELDS = "melds"
    RACK = "rack"
    POZO = "pozo"  # seen, but of nobody's score: the pozo, loose tiles, a row the players set aside


class End(StrEnum):
    CLOSE = "close"
    STOCK_EXHAUSTED = "stock_exhausted"


@dataclass(frozen=True)
class Tile:
    """One tile. `face` is the reading in force (None: unread); `settled` once a person has said
    it.
    """

    id: str
    face: str | None
    photo: str | None = None
    corners: Corners | None = None
    read: str | None = None  # what the reader said, kept beside a correction
    confidence: float | None = None
    doubtful: bool = False
    alternatives: tuple[tuple[str, float], ...] = ()
    perhaps_none: bool = False  # what was read there may be no tile
    settled: bool = False

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        corners = data.get("corners")
        return cls(
            **{
                **data,
                "corners": corners and tuple(map(tuple, corners)),
                "alternatives": tuple(
                    (face, float(score)) for face, score in data.get("alternatives", ())
                ),
            }
        )


@dataclass(frozen=True)
class Row:
    """Tiles side by side, by id. `as_laid`: their order is what the camera saw, not what a person
    tapped.
    """

    id: str
    side: Side
    place: Place
    tiles: tuple[str, ...] = ()
    accepted: bool = False  # the table lets an illegal meld pass
    as_laid: bool = False
    by_hand: bool = False  # a person arranged it: no later reading does

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        return cls(**{**data, "place": Place(data["place"]), "tiles": tuple(data["tiles"])})


@dataclass(frozen=True)
class Adjustment:
    """Points that the table adds or takes by its own rules, with the reason."""

    id: str
    side: Side
    points: int
    reason: str


@dataclass(frozen=True)
class Record:
    tiles: dict[str, Tile] = field(default_factory=dict)
    rows: tuple[Row, ...] = ()
    adjustments: tuple[Adjustment, ...] = ()
    end: End | None = None
    closed_by: Side | None = None
    muerto: dict[Side, bool | None] = field(default_factory=lambda: {"A": None, "B": None})
    muerto_unplayed: tuple[Side, ...] = ()  # taken, but nothing of it was played
    serial: int = 0  # the last number given to a tile, row or adjustment
    kept_copies: tuple[str, ...] = ()  # faces whose third copy the table has looked at and keeps
    compared: tuple[
        str, ...
    ] = ()  # photographs whose tiles the table has compared with those tapped in before
    told_apart: tuple[
        str, ...
    ] = ()  # photographs that look like an earlier one, but the table says they show other pieces
    removed: tuple[Tile, ...] = ()  # read in a photograph, but a person says there is none

    def row(self, row_id: str) -> Row:
        return next(row for row in self.rows if row.id == row_id)

    def row_of(self, tile_id: str) -> Row:
        return next(row for row in self.rows if tile_id in row.tiles)

    def in_place(self, side: Side, place: Place) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.side == side and row.place is place)

    def faces(self, row: Row) -> list[str | None]:
        return [self.tiles[tile].face for tile in row.tiles]

    def with_row(self, row: Row) -> Record:
        """The same record with this row in place of its namesake; an emptied row is gone, but a
        rack may be empty.
        """
        rows = (row if old.id == row.id else old for old in self.rows)
        return replace(self, rows=tuple(kept for kept in rows if kept.tiles))

    def with_tiles(self, tiles: Iterable[Tile]) -> Record:
        return replace(self, tiles=self.tiles | {tile.id: tile for tile in tiles})

    def next_id(self, letter: str) -> tuple[str, Record]:
        serial = self.serial + 1
        return f"{letter}{serial}", replace(self, serial=serial)

    def to_json(self) -> dict[str, Any]:
        """As `from_json` takes it. Two levels are copied; `asdict` would copy every corner of
        every tile.
        """
        return {name: _plain(value) for name, value in vars(self).items()}

    @classmethod
    def from_json(cls, data: dict[str, Any] | None) -> Record:
        """Raises NewerRecord where there is anything that would be lost if it were written
        again.
        """
        if unknown := set(data or ()) - {known.name for known in fields(cls)}:
            raise NewerRecord(f"expected a record's fields, got {sorted(unknown)}")
        try:
            return cls._from_known(data) if data else cls()
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise NewerRecord(str(error)) from error

    @classmethod
    def _from_known(cls, data: dict[str, Any]) -> Record:
        return cls(
            tiles={key: Tile.from_json(tile) for key, tile in data["tiles"].items()},
            rows=tuple(Row.from_json(row) for row in data["rows"]),
            adjustments=tuple(Adjustment(**item) for item in data["adjustments"]),
            end=data["end"] and End(data["end"]),
            closed_by=data["closed_by"],
            muerto=data["muerto"],
            muerto_unplayed=tuple(data.get("muerto_unplayed", ())),
            serial=data["serial"],
            kept_copies=tuple(data.get("kept_copies", ())),
            compared=tuple(data.get("compared", ())),
            told_apart=tuple(data.get("told_apart", ())),
            removed=tuple(Tile.from_json(tile) for tile in data.get("removed", ())),
        )


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain_part(part) for key, part in value.items()}
    return [_plain_part(part) for part in value] if isinstance(value, tuple) else value


def _plain_part(part: Any) -> Any:
    return dict(vars(part)) if isinstance(part, Tile | Row | Adjustment) else part
