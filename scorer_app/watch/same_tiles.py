"""Tells which tiles of a watched table were handed over to its hand before. What people said of
such a tile in the record of the hand then stays when the table is handed over again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from engine.sides import SideName
from scorer_app.hand.merging import corners_of, drop_photo, recognised
from scorer_app.hand.record import Place, Record, Row, Tile
from vision.live.tracking.moves import SAME_TILE
from vision.reading import TableReading, TileReading


def follow_tiles(
    record: Record, before: Mapping[SideName, str], now: Mapping[SideName, tuple[str, TableReading]]
) -> Record:
    """Return the record after its tiles of an earlier hand-over were assigned to the photographs of
    the next one. Tiles that no longer lie on the table are left out.

    `before` holds, for each side, the id of the photograph that stood for its melds. `now` holds,
    for each side, the id of the photograph that is to stand for them, and its reading. A row that a
    person arranged changes sides where all its tiles have changed sides, as when the line between
    the sides was swapped.
    """
    old_photos = set(before.values())
    known = [tile for tile in (*record.tiles.values(), *record.removed) if tile.photo in old_photos]
    found: dict[str, str] = {}  # id of a tile -> id of its new photograph
    for photo, reading in now.values():
        found |= dict.fromkeys(_seen_again(known, reading), photo)
    sides = {photo: side for side, (photo, _reading) in now.items()}
    owners = {tile.id: sides[found[tile.id]] for tile in known if tile.id in found}
    former = {photo: side for side, photo in before.items()}
    left = {tile.id: former[tile.photo] for tile in known if tile.photo}
    renamed = {photo: now[side][0] for side, photo in before.items() if side in now}
    record = replace(
        record,
        tiles={name: _in_photo(tile, found) for name, tile in record.tiles.items()},
        rows=tuple(_gone_along(row, left, owners) for row in record.rows),
        removed=tuple(_in_photo(tile, found) for tile in record.removed),
        compared=tuple(renamed.get(photo, photo) for photo in record.compared),
        told_apart=tuple(renamed.get(photo, photo) for photo in record.told_apart),
    )
    for photo in old_photos:
        record = drop_photo(record, photo)
    return record


def _seen_again(known: Collection[Tile], reading: TableReading) -> list[str]:
    """Return the ids of those `known` tiles that may still lie in their places: there the reading
    has a tile, and what is read of it does not speak against the known tile.
    """
    quads = [corners_of(entry.corners) for entry in reading.tiles]
    pairs = recognised(list(known), quads).items()
    return [tile.id for index, tile in pairs if _may_be(tile, reading.tiles[index])]


def _may_be(tile: Tile, entry: TileReading) -> bool:
    """Whether `entry`, what is read in the place of `tile` now, may be that tile: `entry` is not
    legible, or reads as the face that the tile has, or is much like the tile's earlier reading.
    """
    if entry.tile is None or str(entry.tile) == tile.face:
        return True
    now = _shares(str(entry.tile), entry.confidence, entry.alternatives)
    before = _shares(tile.read, tile.confidence or 0.0, tile.alternatives)
    return sum(share * before.get(face, 0.0) for face, share in now.items()) >= SAME_TILE


def _shares(
    face: str | None, confidence: float, others: Iterable[tuple[object, float]]
) -> dict[str, float]:
    """Map each face that a tile may have to its probability. `face` is the one that was read, None
    where none was, and `confidence` its probability; `others` pairs other faces with theirs.
    """
    shares = {str(other): share for other, share in others}
    return shares if face is None else shares | {face: confidence}


def _in_photo(tile: Tile, found: Mapping[str, str]) -> Tile:
    return replace(tile, photo=found[tile.id]) if tile.id in found else tile


def _gone_along(row: Row, left: Mapping[str, SideName], owners: Mapping[str, SideName]) -> Row:
    """Return a row of melds after moving it to another side, if its tiles that were handed over
    before lay with the row's side then and all lie with that other side now. Otherwise, and for a
    row of another place, return the row as it is.

    `left` maps the id of each tile that was handed over before to its side then. `owners` maps the
    ids of those tiles that still lie on the table to their side now.
    """
    named = [name for name in row.tiles if name in left]
    came_along = {left[name] for name in named} == {row.side}
    sides = {owners.get(name) for name in named}
    if row.place is not Place.MELDS or not came_along or len(sides) > 1:
        return row
    (side,) = sides
    return row if side is None else replace(row, side=side)
