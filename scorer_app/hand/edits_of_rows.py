"""Operations that split, join, move or accept whole rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from msgspec import Meta

from engine.sides import SideName
from scorer_app.hand.arranging import join, new_row
from scorer_app.hand.dividing import divided
from scorer_app.hand.fields import MAX_TILES, EditRefused, Index, Refusal, named_row
from scorer_app.hand.operation import Operation
from scorer_app.hand.record import Place, Record
from scorer_app.hand.table_rules import TableRules


class SplitRow(Operation, frozen=True, tag="split_row"):
    """Split a row in two: the tiles before index `at`, and the rest."""

    row: str
    at: Index

    def change(self, record: Record, rules: TableRules) -> Record:
        row = named_row(record, self.row)
        if not 0 < self.at < len(row.tiles):
            expected = f"at between 1 and {len(row.tiles) - 1}"
            raise EditRefused(Refusal.BAD_VALUE, expected, self.at, field="at")
        first = replace(row, tiles=row.tiles[: self.at], accepted=False, user_arranged=True)
        where = row.side, row.place, row.tiles[self.at :]
        return new_row(record.with_row(first), *where, ordered=row.ordered, by=row.by)


class JoinRows(Operation, frozen=True, tag="join_rows"):
    """Move all tiles of `row` to the end of the row `into`."""

    row: str
    into: str

    def change(self, record: Record, rules: TableRules) -> Record:
        row, into = named_row(record, self.row), named_row(record, self.into)
        if row.id == into.id:
            raise EditRefused(Refusal.BAD_VALUE, "two different rows", row.id, field="into")
        return join(record, into, [row])


class MoveRow(Operation, frozen=True, tag="move_row"):
    """Move a row to a side's melds, to its rack, or aside as pozo.

    A side has one rack: a row moved there joins it. Loose tiles that were set aside become one row
    for each meld that a photograph shows of them; what makes no meld stays one row.
    """

    row: str
    side: SideName
    place: Place

    def change(self, record: Record, rules: TableRules) -> Record:
        row = named_row(record, self.row)
        rack = record.in_place(self.side, self.place) if self.place is Place.RACK else ()
        if rack and rack[0].id != row.id:
            record = record.with_row(replace(row, tiles=()))
            tiles = rack[0].tiles + row.tiles
            joined = replace(rack[0], tiles=tiles, user_arranged=True, ordered=False)
            return record.with_row(joined)
        moved = replace(row, side=self.side, place=self.place, accepted=False, user_arranged=True)
        was_aside = row.place is Place.POZO and self.place is Place.MELDS
        record = record.with_row(moved)
        return divided(record, moved, rules) if was_aside else record


class MoveRows(Operation, frozen=True, tag="move_rows"):
    """Move several rows one after another, such as all those of a photograph. One undo takes them
    all back.
    """

    moves: Annotated[tuple[MoveRow, ...], Meta(min_length=1, max_length=MAX_TILES)]

    def change(self, record: Record, rules: TableRules) -> Record:
        for move in self.moves:
            record = move.change(record, rules)
        return record


class AcceptRow(Operation, frozen=True, tag="accept_row"):
    """Say whether the players accept an illegal meld; `row` is the id of its row."""

    row: str
    accepted: bool

    def change(self, record: Record, rules: TableRules) -> Record:
        row = named_row(record, self.row)
        return record.with_row(replace(row, accepted=self.accepted, user_arranged=True))
