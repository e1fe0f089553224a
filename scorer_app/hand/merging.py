"""Takes a photograph's reading into the record of the hand; what people have said and arranged
stays.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from math import dist

import numpy as np
from numpy.typing import NDArray

from scorer_app.hand.record import Corners, Place, Record, Row, Side, Tile
from scorer_app.hand.table_rules import may_begin_meld
from vision.matching import pair_off
from vision.reading import Doubt, TableReading, TileReading

MAY_BE_NO_TILE = frozenset({Doubt.FAINT, Doubt.SIZE, Doubt.COPIES, Doubt.PRINTED})


def add_reading(
    record: Record,
    photo: str,
    side: Side,
    place: Place,
    reading: TableReading,
    *,
    keep_unseen: bool = True,
    accepted: Collection[int] = (),
) -> Record:
    """The record with the tiles of one photograph.

    Read again, its tiles are recognised by where they lie: a face that a person said, a row
    that a person arranged, a tile that a person added or took away stay so. `keep_unseen`
    False: the table may have changed since, so what is not seen is gone. `accepted`: indices of
    `reading.melds` that the table accepts although they are illegal.
    """
    record, names, staying = _add_tiles(record, photo, reading, keep_unseen=keep_unseen)
    if place is not Place.MELDS:
        new = [name for name in names.values() if name not in staying]
        return _fill_place(record, side, place, new)
    printed = {
        name for index, name in names.items() if Doubt.PRINTED in reading.tiles[index].doubts
    }
    for number, meld in enumerate(reading.melds):
        laid = [names[index] for index in meld.tiles if index in names]
        aside = printed.issuperset(laid)
        record = _lay(record, side, laid, staying, number in accepted, printed=aside)
    loose = [names[index] for index in reading.loose if index in names]
    return _fill_place(record, side, Place.POZO, [name for name in loose if name not in staying])


def _add_tiles(
    record: Record, photo: str, reading: TableReading, *, keep_unseen: bool
) -> tuple[Record, dict[int, str], set[str]]:
    """The record with the tiles of the reading, those that are new in no row yet.

    Also returns the id of each tile of the reading by its index there, but for those that a person
    took away, and the ids of the tiles whose row is not the reader's to change.
    """
    earlier = [tile for tile in record.tiles.values() if tile.photo == photo]
    removed = [tile for tile in record.removed if tile.photo == photo]
    known = _recognised([*earlier, *removed], reading.tiles)
    names: dict[int, str] = {}
    seen: list[Tile] = []
    for index, entry in enumerate(reading.tiles):
        old = known.get(index)
        if old in removed:
            continue
        if old:
            names[index] = old.id
        else:
            names[index], record = record.next_id("t")
        seen.append(_tile(names[index], photo, entry, old))
    unseen = {tile.id for tile in earlier if tile.confirmed and keep_unseen} - set(names.values())
    staying = _arranged(record, unseen) & (unseen | set(names.values()))
    gone = {tile.id for tile in earlier} - staying
    return _without(record, gone).with_tiles(seen), names, staying


def drop_photo(record: Record, photo: str) -> Record:
    """The record without the tiles seen in one photograph."""
    kept = replace(record, removed=tuple(tile for tile in record.removed if tile.photo != photo))
    return _without(kept, {tile.id for tile in record.tiles.values() if tile.photo == photo})


def _tile(name: str, photo: str, entry: TileReading, old: Tile | None) -> Tile:
    """The tile as read; a face that a person said about the `old` one stays."""
    face = None if entry.tile is None else str(entry.tile)
    tile = Tile(
        id=name,
        face=face,
        photo=photo,
        corners=_corners(entry.corners),
        read=face,
        confidence=round(float(entry.confidence), 4),
        doubtful=entry.doubtful,
        alternatives=tuple((str(other), round(float(p), 4)) for other, p in entry.alternatives),
        perhaps_none=not MAY_BE_NO_TILE.isdisjoint(entry.doubts),
    )
    if old is None or not old.confirmed:
        return tile
    return replace(tile, face=old.face, doubtful=False, confirmed=True)


# --- which tile is which ---


def _recognised(known: Sequence[Tile], entries: Sequence[TileReading]) -> dict[int, Tile]:
    """Index in the reading -> the known tile that lies there.

    Two are the same tile where the centre of one lies inside the quad of the other. The nearest
    centres are paired first, each tile once.
    """
    pairs = []
    for index, entry in enumerate(entries):
        there = _corners(entry.corners)
        for number, tile in enumerate(known):
            if tile.corners and _overlap(tile.corners, there):
                pairs.append((dist(_centre(tile.corners), _centre(there)), index, number))
    matched = pair_off((index, number) for _distance, index, number in sorted(pairs))
    return {index: known[number] for index, number in matched.items()}


def _overlap(one: Corners, other: Corners) -> bool:
    """Whether the centre of one quad lies inside the other."""
    return _inside(_centre(other), one) or _inside(_centre(one), other)


def _corners(quad: NDArray[np.float32]) -> Corners:
    """(4, 2) x, y in pixels, rounded to a tenth as a record keeps them."""
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in quad)


def _centre(corners: Corners) -> tuple[float, float]:
    return sum(x for x, _ in corners) / 4, sum(y for _, y in corners) / 4


def _inside(point: tuple[float, float], corners: Corners) -> bool:
    """Whether a point lies in a convex quad: always on the same side of its edges."""
    x, y = point
    edges = zip(corners, corners[1:] + corners[:1], strict=True)
    turns = [(x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) for (x0, y0), (x1, y1) in edges]
    return all(turn >= 0 for turn in turns) or all(turn <= 0 for turn in turns)


# --- rows ---


def _arranged(record: Record, unseen: Collection[str]) -> set[str]:
    """Tiles whose row is not the reader's to change: a person arranged it, or it holds one of the
    `unseen` tiles, which only a person saw.
    """
    found: set[str] = set()
    for row in record.rows:
        if row.user_arranged or not set(unseen).isdisjoint(row.tiles):
            found.update(row.tiles)
    return found


def _without(record: Record, gone: Collection[str]) -> Record:
    """The record without the named tiles, and without the rows that this empties."""
    tiles = {key: tile for key, tile in record.tiles.items() if key not in gone}
    rows = []
    for row in record.rows:
        left = tuple(tile for tile in row.tiles if tile not in gone)
        if left:
            rows.append(replace(row, tiles=left))
    return replace(record, tiles=tiles, rows=tuple(rows))


def _lay(
    record: Record,
    side: Side,
    laid: list[str],
    staying: Collection[str],
    accepted: bool,
    *,
    printed: bool,
) -> Record:
    """Add one row as read. Where all of its tiles that stay lie in one row already, the new ones
    are put beside them there; else the new ones are a row of their own.

    A row that is `printed`, or a pair that begins no meld, is set aside unless it is `accepted`.
    """
    new = [name for name in laid if name not in staying]
    if not new:
        return record
    homes = {record.row_of(name).id for name in laid if name in staying}
    if len(homes) == 1:
        return _beside(record, record.row(homes.pop()), laid)
    aside = (printed or _is_chance_pair(record, new)) and not accepted
    place = Place.POZO if aside else Place.MELDS
    return _add_row(record, side, place, new, accepted, ordered=True)


def _is_chance_pair(record: Record, tiles: Sequence[str]) -> bool:
    """Whether these are two tiles that no third makes a meld of: they lie side by side by chance,
    in the pozo, or are printed on a box.
    """
    if len(tiles) != 2:
        return False
    one, other = (record.tiles[name].face for name in tiles)
    return not may_begin_meld(one, other)


def _beside(record: Record, row: Row, laid: list[str]) -> Record:
    """Put the tiles of `laid` that the row lacks into it, in the order in which they were read:
    each after its neighbour on the left, and the first before the next one that the row has.
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


def _add_row(
    record: Record,
    side: Side,
    place: Place,
    tiles: Iterable[str],
    accepted: bool = False,
    *,
    ordered: bool = False,
) -> Record:
    name, record = record.next_id("r")
    row = Row(name, side, place, tuple(tiles), accepted=accepted, ordered=ordered)
    return replace(record, rows=(*record.rows, row))


def _fill_place(record: Record, side: Side, place: Place, tiles: Sequence[str]) -> Record:
    """Add tiles to a side's rack, or to what lies loose of it: one row each, however many
    photographs show it. A row that a person set aside, or that was read as a row, is another.
    """
    if not tiles:
        return record
    for row in record.in_place(side, place):
        if place is Place.RACK or not (row.user_arranged or row.ordered):
            return record.with_row(replace(row, tiles=(*row.tiles, *tiles)))
    return _add_row(record, side, place, tiles)
