"""Operations on single tiles: saying what one is, removing, adding and moving it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from engine.sides import SideName
from scorer_app.hand.arranging import (
    in_order,
    insert,
    join,
    lift,
    new_row,
    remove,
    remove_all,
)
from scorer_app.hand.fields import (
    MAX_TILES,
    EditRefused,
    Index,
    PhotoName,
    Quad,
    Refusal,
    missing,
    named_row,
    named_tile,
)
from scorer_app.hand.operation import Operation
from scorer_app.hand.record import BrowserName, Face, Place, Record, Row, Tile
from scorer_app.hand.table_rules import TableRules, tiles_of

NEW = "new"  # stands in place of a row's id for a new row
MOST_IN_RANGE = 13  # all numbers of a colour


class SetTile(Operation, frozen=True, tag="set_tile"):
    """Say which face the tile with this id has; no later reading changes that. `suggested` says
    that the face was offered as a repair of the tile's meld.

    `seen` is the face that the person saw on the tile, None for an unread one. Where somebody has
    given the tile a third face since, the edit is refused; where a later reading has, it is not,
    nor is it without `seen`.
    """

    tile: str
    face: Face
    suggested: bool = False
    seen: Face | UnsetType | None = UNSET

    def change(self, record: Record, rules: TableRules) -> Record:
        tile = named_tile(record, self.tile)
        by_person = tile.confirmed or tile.was_added
        if by_person and self.seen is not UNSET and tile.face not in (self.seen, self.face):
            raise EditRefused(Refusal.TILE_CHANGED, f"a tile that is {self.seen}", tile.face)
        said = replace(tile, face=self.face, doubtful=False, confirmed=True)
        return record.with_tiles([replace(said, suggested=self.suggested)])


class RemoveTile(Operation, frozen=True, tag="remove_tile"):
    """Say that there is no tile where the one with this id was read, or remove one that was tapped
    in. What somebody has said already, as on another phone, is said again without effect.
    """

    tile: str

    def change(self, record: Record, rules: TableRules) -> Record:
        if self.tile in _removed(record):
            return record
        return remove(record, named_tile(record, self.tile))


class RemoveTiles(Operation, frozen=True, tag="remove_tiles"):
    """Say that there are no tiles where those with these ids were read, such as the figures of a
    cloth. One undo brings them all back. Ids of tiles that are gone by now are passed over; where
    all are, somebody has to have removed one of them.
    """

    tiles: Annotated[tuple[str, ...], Meta(min_length=1, max_length=MAX_TILES)]

    def change(self, record: Record, rules: TableRules) -> Record:
        there = [name for name in dict.fromkeys(self.tiles) if name in record.tiles]
        if not there and _removed(record).isdisjoint(self.tiles):
            raise EditRefused(Refusal.NOT_THERE, "tiles of this hand", self.tiles[0][:40])
        return remove_all(record, there)


def _removed(record: Record) -> set[str]:
    """Return the ids of the tiles of which a person said that there are none."""
    return {tile.id for tile in record.removed}


class AddTile(Operation, frozen=True, tag="add_tile"):
    """Add a tile that a person taps in.

    `row` is the id of the row that gets the tile, or "new" for a new row. The tile is put before
    the one at `index`; without `index` it is put where it makes the row a legal meld, or else at
    the end. A row in no order that is a legal meld then is put in order. Without `row` the tile
    joins the newest of the side's melds that people have tapped in, or begins a new one if it would
    make that meld illegal; where it makes one legal meld of several of them, these are joined. In a
    rack or the pozo it joins the last row. `by` names the browser on which the tile was tapped in:
    it joins no meld that another one has begun, so that two people can tap in a meld each.
    `corners` in a `photo` say where the reader missed the tile: x, y in pixels of its top-left,
    top-right, bottom-right and bottom-left corner as one reads it. An `index` that follows from
    them may be wrong: where it makes no legal meld and one other place alone does, the tile is put
    there.
    """

    face: Face
    side: SideName | None = None
    place: Place | None = None
    row: str | None = None
    index: Index | None = None
    photo: PhotoName | None = None
    corners: Quad | None = None
    by: BrowserName = ""

    def change(self, record: Record, rules: TableRules) -> Record:
        if len(record.tiles) >= MAX_TILES:
            raise EditRefused(Refusal.TOO_MANY, f"at most {MAX_TILES} tiles", len(record.tiles) + 1)
        if self.corners and self.photo is None:
            raise missing("photo", "photo, the name of a photograph of this hand")
        tile_id, record = record.next_id("t")
        photo = self.photo if self.corners else None
        tile = Tile(tile_id, self.face, photo=photo, corners=self.corners, confirmed=True)
        record = record.with_tiles([tile])
        if self.row not in (None, NEW):
            row = named_row(record, self.row)
            record = insert(record, row, tile_id, self._index_in(record, row, rules))
            return in_order(record, record.row(row.id), rules)
        side, place = area_of(self.side, self.place)
        rows = [] if self.row == NEW else self._rows(record, side, place, rules)
        if not rows:
            begun_by = self.by if place is Place.MELDS else ""
            return new_row(record, side, place, (tile_id,), separate=self.row == NEW, by=begun_by)
        if len(rows) > 1:
            record = join(record, rows[0], rows[1:])
        return insert(record, record.row(rows[0].id), tile_id)

    def _index_in(self, record: Record, row: Row, rules: TableRules) -> int | None:
        """Return the index at which the tile is put into a row; None for the end of it, where the
        tile may belong anywhere in the row.
        """
        faces, fitting = record.faces(row), []
        if row.place is Place.MELDS and None not in faces:
            known = [face for face in faces if face is not None]
            tried = ([*known[:at], self.face, *known[at:]] for at in range(len(known) + 1))
            fitting = [at for at, laid in enumerate(tried) if rules.legal(laid, ordered=True)]
        if self.index is None:
            return fitting[-1] if fitting and fitting[-1] < len(faces) else None
        is_wrong = self.corners and row.ordered and self.index not in fitting
        return fitting[0] if is_wrong and len(fitting) == 1 else self.index

    def _rows(self, record: Record, side: SideName, place: Place, rules: TableRules) -> list[Row]:
        """List the rows with which the tile makes one, the oldest first: in a rack or the pozo the
        last row. Among melds they are some of those that people have tapped in, if no other browser
        began them. The list is empty where the tile begins a new row.
        """
        rows = record.in_place(side, place)
        if place is not Place.MELDS:
            return list(rows[-1:])
        added = [row for row in rows if all(record.tiles[name].was_added for name in row.tiles)]
        return _rows_of_tapped(
            record, [row for row in added if row.by in ("", self.by)], self.face, rules
        )


class AddTiles(Operation, frozen=True, tag="add_tiles"):
    """Add several tiles that a person taps in with one range, such as 3 to 9 red. One undo removes
    them all.

    With the id of a row as `row`, each tile goes where `AddTile` puts it without `index`. Without
    `row` each tile joins the newest of the side's melds that people have tapped in, or begins a new
    meld if it would make that one illegal; in other places than `melds` each tile joins the last
    row. With "new" as `row` the first tile begins a new row, and each further tile is added as if
    `row` were left out. `by` names the browser on which the range was tapped in, as for `AddTile`.
    """

    faces: Annotated[tuple[Face, ...], Meta(min_length=1, max_length=MOST_IN_RANGE)]
    side: SideName
    place: Place
    row: str | None = None
    by: BrowserName = ""

    def change(self, record: Record, rules: TableRules) -> Record:
        row = self.row
        for face in self.faces:
            added = AddTile(face, self.side, self.place, row, by=self.by)
            record = added.change(record, rules)
            row = None if row == NEW else row
        return record


class MoveTile(Operation, frozen=True, tag="move_tile"):
    """Move a tile to another row, or to another index in its row; without `index` to the row's end.

    With "new" as `row` the tile becomes a row of its own, for which `side` and `place` are needed;
    it joins the rack of a side that has one.
    """

    tile: str
    row: str
    index: Index | None = None
    side: SideName | None = None
    place: Place | None = None

    def change(self, record: Record, rules: TableRules) -> Record:
        tile, into = named_tile(record, self.tile), self.row
        if into == NEW:
            side, place = area_of(self.side, self.place)
            rack = record.in_place(side, place) if place is Place.RACK else ()
            into = rack[0].id if rack else NEW
        else:
            target = named_row(record, into)
            side, place = target.side, target.place
        left = next((row for row in record.rows if tile.id in row.tiles), None)
        record = lift(record, tile.id).with_tiles([tile])
        # A row of this tile alone is gone once the tile is lifted; then a new one takes its place.
        for row in record.rows:
            if row.id == into:
                return insert(record, row, tile.id, self.index)
        begun_by = left.by if left and place is Place.MELDS else ""
        return new_row(record, side, place, (tile.id,), by=begun_by)


def area_of(side: SideName | None, place: Place | None) -> tuple[SideName, Place]:
    """Return the side and the place together. Raises EditRefused where one of them is missing."""
    if side is None:
        raise missing("side", "side, A or B")
    if place is None:
        raise missing("place", f"place, one of {', '.join(Place)}")
    return side, place


def _rows_of_tapped(
    record: Record, added: Iterable[Row], face: str, rules: TableRules
) -> list[Row]:
    """List those of the melds `added`, which people have tapped in, with which a tapped tile with
    this face makes one, the oldest first: the newest, if the tile may belong to it. The list is
    empty where the tile begins a new row.

    People tap the tiles of a meld in any order, so that some of them may have begun a row of their
    own. Where the tile makes one legal meld of the newest rows, all of these are listed, unless a
    person parted them. A tile that may be wild, and so fits in many places, joins no row to one
    that is a legal meld with that tile.
    """
    newest_first = sorted(added, key=lambda row: int(row.id[1:]), reverse=True)
    if not newest_first:
        return []
    newest = newest_first[0]
    grows = rules.can_grow(record.faces(newest), face)
    if grows and tiles_of([face])[0].can_be_wild and _is_meld(record, [newest], face, rules):
        return [newest]
    joined = [newest] if grows else []
    for count in range(2, len(newest_first) + 1):
        if newest_first[count - 2].separate:
            break
        if _is_meld(record, newest_first[:count], face, rules):
            joined = newest_first[count - 1 :: -1]
    return joined


def _is_meld(record: Record, rows: Iterable[Row], face: str, rules: TableRules) -> bool:
    """Tell whether the tiles of the `rows`, all of them read, and one more with this face are a
    legal meld.
    """
    faces = [face, *chain.from_iterable(map(record.faces, rows))]
    return rules.is_meld(faces, ordered=False)
