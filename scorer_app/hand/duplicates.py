"""Which tiles of a photograph are the same pieces as in another photograph of the same area, or as
tapped in before it was read; and which photographs are one and the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import dist

from scorer_app.hand.record import Corners, Place, Record, Row, Tile

_SURE_OVERLAP = 3  # tiles in the same order: fewer may well be two melds that look alike
_SAME_PLACE = 1 / 3  # of a tile's width: two readings of one picture differ by less
_SAME_PICTURE = 0.8  # of the tiles of either lie where, or in rows as, the other's lie
_SURE_ROWS = (
    12  # tiles in rows that two photographs both show: fewer may well be melds that both sides have
)


def shown_twice(record: Record) -> dict[str, str]:
    """Photographs that seem to be an earlier one given once more, to whatever side or place, and
    that one. One of the same table taken from elsewhere is known by its rows.
    """
    photos: dict[str, list[Tile]] = {}
    for tile in sorted(record.tiles.values(), key=lambda tile: int(tile.id[1:])):
        if tile.photo and tile.corners:
            photos.setdefault(tile.photo, []).append(tile)
    removed = Counter(tile.photo for tile in record.removed)
    found: dict[str, str] = {}
    earlier: list[str] = []
    for photo, tiles in photos.items():
        enough = {
            other: _SAME_PICTURE * max(len(tiles) + removed[photo], len(photos[other]))
            for other in earlier
        }
        same = [
            other for other, least in enough.items() if _in_place(tiles, photos[other]) >= least
        ]
        same = same or [
            other
            for other, least in enough.items()
            if _in_rows(record, photo, other) >= max(least, _SURE_ROWS)
        ]
        if same and photo not in record.told_apart:
            found[photo] = same[0]
        else:
            earlier.append(photo)
    return found


def _in_place(tiles: Sequence[Tile], others: Sequence[Tile]) -> int:
    """How many of the tiles another photograph shows at the same place, read as the same."""
    spots: dict[str | None, list[Corners]] = {}
    for other in others:
        if other.corners:
            spots.setdefault(other.read, []).append(other.corners)
    return sum(
        any(_same_place(tile.corners, spot) for spot in spots.get(tile.read, ()))
        for tile in tiles
        if tile.corners
    )


def _in_rows(record: Record, photo: str, other: str) -> int:
    """How many tiles of the photograph lie in rows that the other shows too, from whichever
    side.
    """
    rows = {tuple(faces) for faces in _rows_of(record, other)}
    return sum(
        len(faces) for faces in _rows_of(record, photo) if {tuple(faces), tuple(faces[::-1])} & rows
    )


def _rows_of(record: Record, photo: str) -> list[list[str | None]]:
    rows = (_of_photo(record, row, photo) for row in record.rows if row.place is Place.MELDS)
    return [[record.tiles[name].face for name in tiles] for tiles in rows if tiles]


def _same_place(corners: Corners, others: Corners) -> bool:
    near = _SAME_PLACE * dist(corners[0], corners[1])
    return all(dist(one, other) <= near for one, other in zip(corners, others, strict=True))


def repeats(record: Record) -> dict[str, list[str]]:
    """The `repeated_tiles` of each photograph that has any."""
    photos = dict.fromkeys(tile.photo for tile in record.tiles.values() if tile.photo)
    return {photo: tiles for photo in photos if (tiles := repeated_tiles(record, photo))}


def repeated_tiles(record: Record, photo: str) -> list[str]:
    """Ids of tiles of `photo` that lay in the same side and place before it, as an earlier
    photograph shows.

    Rows are compared as laid, from either side; racks, having no order, as bags of faces.
    """
    first = _first(record, photo)
    found: list[str] = []
    for row in record.rows:
        mine = _of_photo(record, row, photo)
        if row.place is Place.RACK:
            found += _common(record, mine, [tile for tile in row.tiles if int(tile[1:]) < first])
        elif row.place is Place.MELDS and len(mine) == len(row.tiles):
            found += _repeated_in_rows(record, row, photo)
    return found


def tapped_before(record: Record, photo: str) -> list[str]:
    """Ids of tiles that were tapped in by hand before `photo` was read, which shows them too on
    the same side and place.

    Tapped tiles have no order, so rows are compared as bags. Where the tapped row is the longer
    one, the photograph's are named.
    """
    read = _first(record, photo)
    found: list[str] = []
    matched: set[str] = set()
    for row in record.rows:
        tapped = [
            tile for tile in row.tiles if record.tiles[tile].photo is None and int(tile[1:]) < read
        ]
        if row.place is Place.RACK:
            found += _common(record, tapped, _of_photo(record, row, photo))
        elif row.place is Place.MELDS and tapped == list(row.tiles):
            others = [
                other for other in record.in_place(row.side, row.place) if other.id not in matched
            ]
            best = max(
                others,
                key=lambda other: len(_common(record, tapped, _of_photo(record, other, photo))),
            )
            same = _shorter_common(record, tapped, _of_photo(record, best, photo))
            if len(same) >= min(_SURE_OVERLAP, len(tapped)):
                found += same
                matched.add(best.id)
    return found


def _shorter_common(record: Record, tapped: list[str], shown: list[str]) -> list[str]:
    return (
        _common(record, tapped, shown)
        if len(tapped) <= len(shown)
        else _common(record, shown, tapped)
    )


def _of_photo(record: Record, row: Row, photo: str) -> list[str]:
    return [tile for tile in row.tiles if record.tiles[tile].photo == photo]


def _first(record: Record, photo: str) -> int:
    return min(
        (int(tile.id[1:]) for tile in record.tiles.values() if tile.photo == photo), default=0
    )


def _common(record: Record, tiles: list[str], others: list[str]) -> list[str]:
    """Those of `tiles` whose faces are among the others, each of which is used once."""
    left = Counter(record.tiles[tile].face for tile in others)
    found = []
    for tile in tiles:
        face = record.tiles[tile].face
        if face and left[face] > 0:
            left[face] -= 1
            found.append(tile)
    return found


def _repeated_in_rows(record: Record, row: Row, photo: str) -> list[str]:
    others = [
        other
        for other in record.in_place(row.side, row.place)
        if other.id != row.id and _is_older(record, other, photo)
    ]
    best: range = range(0)
    for other in others:
        for there in (record.faces(other), record.faces(other)[::-1]):
            best = max(best, _overlap(record.faces(row), there), key=len)
    enough = min(_SURE_OVERLAP, len(row.tiles))
    return [row.tiles[index] for index in best] if len(best) >= enough else []


def _is_older(record: Record, row: Row, photo: str) -> bool:
    """Whether the row was there before the photograph: names count up."""
    first = _first(record, photo)
    return all(record.tiles[tile].photo != photo and int(tile[1:]) < first for tile in row.tiles)


def _overlap(here: list[str | None], there: list[str | None]) -> range:
    """The part of `here` that lies in `there`: all of it, or an end of it on the opposite end of
    `there`.
    """
    size = len(here)
    if any(there[at : at + size] == here for at in range(len(there) - size + 1)):
        return range(size)
    for length in range(min(size, len(there)), 0, -1):
        if here[:length] == there[-length:]:
            return range(length)
        if here[-length:] == there[:length]:
            return range(size - length, size)
    return range(0)
