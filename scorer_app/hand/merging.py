"""Merges the reading of a photograph into the record of a hand, and keeps what people have said
and arranged.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from math import dist
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from engine.pieces import Pieces
from engine.sides import SideName
from engine.tiles import JOKER
from scorer_app.hand.record import Corners, Place, Record, Row, Tile
from scorer_app.hand.table_rules import may_begin_meld
from vision.matching import pair_off
from vision.reading import Doubt, Layout, TableReading, TileReading

# How a photograph of each place is read.
LAYOUTS = MappingProxyType({Place.MELDS: Layout.MELDS, Place.RACK: Layout.LOOSE})
# A find with one of these doubts may be something else than a tile.
MAY_BE_NO_TILE = frozenset({Doubt.FAINT, Doubt.SIZE, Doubt.COPIES, Doubt.PRINTED, Doubt.OFF_RACK})


def add_reading(
    record: Record,
    photo: str,
    side: SideName,
    place: Place,
    reading: TableReading,
    *,
    keep_unseen: bool = True,
    accepted: Collection[int] = (),
) -> Record:
    """Return the record with the tiles and rows of one photograph added to it. A record whose
    totals people counted themselves stays as it is, because tiles in it would not count.

    A photograph may be read again. Its tiles are then recognised by where they lie, and what a
    person did stays: a face that was named, a row that was arranged, a tile that was added or
    removed. Where the table may have changed since (`keep_unseen` False), a tile whose face a
    person named and that is not seen again is removed too. `accepted` holds the indices in
    `reading.melds` of illegal melds that the players accept.
    """
    if record.counted:
        return record
    before = record
    record, merged = _add_tiles(record, photo, place, reading, keep_unseen=keep_unseen)
    if place is not Place.MELDS:
        shown = merged.without_row(merged.names)
        tiles = [name for name in shown if name not in merged.beside]
        others = [name for name in shown if name in merged.beside]
        record = fill_place(record, side, place, tiles)
        record = fill_place(record, side, Place.POZO, others)
        return record.asking_about_other_melds(before)
    for number, meld in enumerate(reading.melds):
        record = _lay(record, side, merged, meld.tiles, accepted=number in accepted)
    record = fill_place(record, side, Place.POZO, merged.without_row(reading.loose))
    return record.asking_about_other_melds(before)


@dataclass(frozen=True)
class _Merged:
    """What became of the tiles of a reading when they were merged into the record."""

    names: dict[int, str]  # index in the reading -> id; without tiles that a person removed
    staying: set[str]  # ids of the tiles that stay in their row, which the reading may not change
    beside: set[str]  # ids of pictures on a box, and of tiles that lie on the table behind a rack
    side_by_side: bool  # True for tiles; False for cards, which lie over one another in a row

    def ids(self, indices: Iterable[int]) -> list[str]:
        """Return the ids of the tiles at these indices of the reading, without those that a person
        removed.
        """
        return [self.names[index] for index in indices if index in self.names]

    def without_row(self, indices: Iterable[int]) -> list[str]:
        """Return the ids of the tiles at these indices of the reading that lie in no row of the
        record yet.
        """
        return [name for name in self.ids(indices) if name not in self.staying]


def _add_tiles(
    record: Record, photo: str, place: Place, reading: TableReading, *, keep_unseen: bool
) -> tuple[Record, _Merged]:
    """Return the record with the tiles of the reading, and what became of each of them. Those that
    are new to the record lie in no row yet. With `keep_unseen` a tile whose face a person named
    stays even if it is not seen again. `place` is what the photograph shows.
    """
    shows_backs = place is Place.RACK and reading.pieces is Pieces.TILES
    earlier = [tile for tile in record.tiles.values() if tile.photo == photo]
    removed = [tile for tile in record.removed if tile.photo == photo]
    quads = [corners_of(entry.corners) for entry in reading.tiles]
    known = recognised([*earlier, *removed], quads)
    names: dict[int, str] = {}
    seen: list[Tile] = []
    serial = record.serial
    for index, entry in enumerate(reading.tiles):
        old = known.get(index)
        if old in removed:
            continue
        if old is None:
            serial += 1
        names[index] = f"t{serial}" if old is None else old.id
        tile = _tile(names[index], photo, entry, quads[index], old)
        is_back = shows_backs and tile.doubtful and tile.face == str(JOKER)
        if is_back or index in reading.behind_rack:
            # Backs of tiles look like comodines; what lies behind the rack may be in another
            # photograph as well, and is not counted again.
            tile = replace(tile, perhaps_none=True)
        seen.append(tile)
    record = replace(record, serial=serial)
    unseen = {tile.id for tile in earlier if tile.confirmed and keep_unseen} - set(names.values())
    staying = _arranged(record, unseen) & (unseen | set(names.values()))
    gone = {tile.id for tile in earlier} - staying
    beside = {
        name
        for index, name in names.items()
        if Doubt.PRINTED in reading.tiles[index].doubts or index in reading.behind_rack
    }
    merged = _Merged(names, staying, beside, reading.pieces is Pieces.TILES)
    return _without(record, gone).with_tiles(seen), merged


def drop_photo(record: Record, photo: str) -> Record:
    """Return the record without anything that comes from one photograph, whose name is `photo`."""
    kept = replace(
        record,
        removed=tuple(tile for tile in record.removed if tile.photo != photo),
        nothing_counts=tuple(name for name in record.nothing_counts if name != photo),
        kept_blurred=tuple(name for name in record.kept_blurred if name != photo),
    )
    shown = {tile.id for tile in record.tiles.values() if tile.photo == photo}
    return _without(kept, shown).asking_about_other_melds(record)


def _tile(name: str, photo: str, entry: TileReading, corners: Corners, old: Tile | None) -> Tile:
    """Make a tile of the record, with `name` as its id, from `entry`, a tile of a reading. `old` is
    the record's tile that it replaces, None for a new one. A face that a person named for the `old`
    tile stays.
    """
    face = None if entry.tile is None else str(entry.tile)
    tile = Tile(
        id=name,
        face=face,
        photo=photo,
        corners=corners,
        read=face,
        confidence=round(float(entry.confidence), 4),
        doubtful=entry.doubtful,
        alternatives=tuple((str(other), round(float(p), 4)) for other, p in entry.alternatives),
        perhaps_none=not MAY_BE_NO_TILE.isdisjoint(entry.doubts),
    )
    if old is None or not old.confirmed:
        return tile
    return replace(tile, face=old.face, doubtful=False, confirmed=True, suggested=old.suggested)


# --- which tile is which ---


def recognised(known: Sequence[Tile], quads: Sequence[Corners]) -> dict[int, Tile]:
    """Map indices of a reading's tiles, which lie at `quads`, to the known tiles in their places.

    A known tile and a tile of the reading are the same where the centre of either lies inside the
    quad of the other. The nearest centres are paired first, each tile once.
    """
    pairs = []
    for index, there in enumerate(quads):
        for number, tile in enumerate(known):
            if tile.corners and _overlap(tile.corners, there):
                pairs.append((dist(_centre(tile.corners), _centre(there)), index, number))
    matched = pair_off((index, number) for _distance, index, number in sorted(pairs))
    return {index: known[number] for index, number in matched.items()}


def _overlap(one: Corners, other: Corners) -> bool:
    """Whether the centre of one of two quads lies inside the other quad."""
    return _inside(_centre(other), one) or _inside(_centre(one), other)


def corners_of(quad: NDArray[np.float32]) -> Corners:
    """Return a quad with its coordinates, x and y in pixels, rounded to a tenth, as a record keeps
    them.
    """
    return tuple((round(x, 1), round(y, 1)) for x, y in quad.tolist())


def _centre(corners: Corners) -> tuple[float, float]:
    return sum(x for x, _ in corners) / 4, sum(y for _, y in corners) / 4


def _inside(point: tuple[float, float], corners: Corners) -> bool:
    """Whether a point lies in a convex quad, that is, on the same side of all its edges."""
    x, y = point
    edges = zip(corners, corners[1:] + corners[:1], strict=True)
    turns = [(x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) for (x0, y0), (x1, y1) in edges]
    return all(turn >= 0 for turn in turns) or all(turn <= 0 for turn in turns)


# --- rows ---


def _arranged(record: Record, unseen: Collection[str]) -> set[str]:
    """Return the ids of all tiles in rows that a reading may not change. These are the rows that a
    person arranged, and the rows that hold one of the `unseen` tiles, which a person named and the
    reading does not show.
    """
    found: set[str] = set()
    for row in record.rows:
        if row.user_arranged or not set(unseen).isdisjoint(row.tiles):
            found.update(row.tiles)
    return found


def _without(record: Record, gone: Collection[str]) -> Record:
    """Return the record without the tiles that have these ids, and without the rows that this
    empties.
    """
    tiles = {key: tile for key, tile in record.tiles.items() if key not in gone}
    rows = []
    for row in record.rows:
        left = tuple(tile for tile in row.tiles if tile not in gone)
        if left:
            rows.append(replace(row, tiles=left))
    return replace(record, tiles=tiles, rows=tuple(rows))


def _lay(
    record: Record, side: SideName, merged: _Merged, indices: Sequence[int], *, accepted: bool
) -> Record:
    """Return the record with one row of the reading added, given by the indices of its tiles in the
    reading; `merged` says which tiles of the record these are.

    Some of these tiles may already lie in rows of the record. Where these rows are a single one,
    the remaining tiles are put into it; otherwise the remaining tiles make a row of their own.
    Tiles printed on a box, and a pair of tiles that cannot begin a meld, are set aside unless the
    players have `accepted` them.
    """
    laid = merged.ids(indices)
    new = merged.without_row(indices)
    if not new:
        return record
    rows = {record.row_of(name).id for name in laid if name in merged.staying}
    if len(rows) == 1:
        return _beside(record, record.row(rows.pop()), laid)
    by_chance = merged.side_by_side and _is_chance_pair(record, new)
    is_no_meld = merged.beside.issuperset(laid) or by_chance
    place = Place.POZO if is_no_meld and not accepted else Place.MELDS
    return add_row(record, side, place, new, accepted, ordered=True)


def _is_chance_pair(record: Record, tiles: Sequence[str]) -> bool:
    """Whether `tiles`, the ids of tiles that lie side by side, are two tiles that no third tile can
    make into a meld, or of which one could not be read and the other is in doubt. Such a pair lies
    there by chance, in the pozo, or is printed on a box or a cloth: of the second kind were ten on
    1,830 clear rendered photographs of melds, and none of these was of a meld. False for any other
    number of tiles.
    """
    if len(tiles) != 2:
        return False
    one, other = (record.tiles[name] for name in tiles)
    hardly_read = None in (one.face, other.face) and not (one.is_sure or other.is_sure)
    return hardly_read or not may_begin_meld(one.face, other.face)


def _beside(record: Record, row: Row, laid: list[str]) -> Record:
    """Return the record with those tiles of `laid` inserted into the row that the row lacks. The
    row then no longer counts as accepted. `laid` holds ids in the order in which the tiles were
    read.

    An inserted tile comes right after the tile before it in `laid`. If it is the first of `laid`,
    it comes before the first of the other tiles of `laid` that the row has, or at the end of a row
    that has none of them.
    """
    tiles = list(row.tiles)
    for place, name in enumerate(laid):
        if name in tiles:
            continue
        if place:
            at = tiles.index(laid[place - 1]) + 1
        else:
            known = [tiles.index(other) for other in laid if other in tiles]
            at = known[0] if known else len(tiles)
        tiles.insert(at, name)
    return record.with_row(replace(row, tiles=tuple(tiles), accepted=False))


def add_row(
    record: Record,
    side: SideName,
    place: Place,
    tiles: Iterable[str],
    accepted: bool = False,
    *,
    ordered: bool = False,
) -> Record:
    """Return the record with one more row, which no person arranged: the tiles with these ids,
    among what `side` has in `place`. `accepted` says that the players accept the row although it is
    illegal, and `ordered` that the tiles lie in the order in which they are given.
    """
    name, record = record.next_id("r")
    row = Row(name, side, place, tuple(tiles), accepted=accepted, ordered=ordered)
    return replace(record, rows=(*record.rows, row))


def fill_place(record: Record, side: SideName, place: Place, tiles: Sequence[str]) -> Record:
    """Return the record with the tiles of these ids added to one row: that of a side's rack, or the
    one of its loose tiles, which count for nobody (`Place.POZO`). A missing row is made.

    Other rows in `Place.POZO` stay as they are: those that a photograph showed as rows, and those
    that a person arranged.
    """
    if not tiles:
        return record
    for row in record.in_place(side, place):
        if place is Place.RACK or not (row.user_arranged or row.ordered):
            return record.with_row(replace(row, tiles=(*row.tiles, *tiles), ordered=False))
    return add_row(record, side, place, tiles)
