"""Takes a photograph's reading into the record of the hand, keeping what people have already said."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scorer_app.record import Corners, Place, Record, Row, Side, Tile

Reading = dict[str, Any]  # one line of `burako read --json`


def add_reading(record: Record, photo: str, side: Side, place: Place, reading: Reading) -> Record:
    """The record with the tiles of one photograph. Read again, a tile that a person settled keeps what was said."""
    settled = [tile for tile in record.tiles.values() if tile.photo == photo and tile.settled and tile.corners]
    record = drop_photo(record, photo)
    names: list[str] = []
    for entry in reading["tiles"]:
        name, record = record.next_id("t")
        names.append(name)
        record = record.with_tiles([_keep_correction(_tile(name, photo, entry), settled)])
    if place is not Place.MELDS:
        return _fill_place(record, side, place, tuple(names))
    for meld in reading["melds"]:
        record = _add_row(record, side, Place.MELDS, tuple(names[index] for index in meld["tiles"]))
    loose = tuple(names[index] for index in reading["loose"])
    return _fill_place(record, side, Place.POZO, loose) if loose else record


def drop_photo(record: Record, photo: str) -> Record:
    """The record without the tiles seen in one photograph."""
    gone = {tile.id for tile in record.tiles.values() if tile.photo == photo}
    rows = (replace(row, tiles=tuple(tile for tile in row.tiles if tile not in gone)) for row in record.rows)
    tiles = {key: tile for key, tile in record.tiles.items() if key not in gone}
    return replace(record, tiles=tiles, rows=tuple(row for row in rows if row.tiles))


def _tile(name: str, photo: str, entry: dict[str, Any]) -> Tile:
    return Tile(
        id=name,
        face=entry["tile"],
        photo=photo,
        corners=tuple((round(float(x), 1), round(float(y), 1)) for x, y in entry["corners"]),
        read=entry["tile"],
        confidence=entry["confidence"],
        doubtful=bool(entry["doubtful"]),
        alternatives=tuple((str(face), float(score)) for face, score in entry["alternatives"]),
    )


def _keep_correction(tile: Tile, settled: list[Tile]) -> Tile:
    for old in settled:
        if tile.corners and old.corners and _inside(_centre(tile.corners), old.corners):
            return replace(tile, face=old.face, doubtful=False, settled=True)
    return tile


def _add_row(record: Record, side: Side, place: Place, tiles: tuple[str, ...]) -> Record:
    name, record = record.next_id("r")
    return replace(record, rows=(*record.rows, Row(name, side, place, tiles, as_laid=place is Place.MELDS)))


def _fill_place(record: Record, side: Side, place: Place, tiles: tuple[str, ...]) -> Record:
    """A rack, or a side's pozo, is one row however many photographs show it."""
    rows = record.in_place(side, place)
    if not rows:
        return _add_row(record, side, place, tiles)
    return record.with_row(replace(rows[0], tiles=rows[0].tiles + tiles))


def _centre(corners: Corners) -> tuple[float, float]:
    return sum(x for x, _ in corners) / 4, sum(y for _, y in corners) / 4


def _inside(point: tuple[float, float], corners: Corners) -> bool:
    """Whether a point lies in a convex quad: always on the same side of its edges."""
    x, y = point
    edges = zip(corners, corners[1:] + corners[:1], strict=True)
    turns = [(x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) for (x0, y0), (x1, y1) in edges]
    return all(turn >= 0 for turn in turns) or all(turn <= 0 for turn in turns)
