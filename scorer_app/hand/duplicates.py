"""Finds tiles and photographs that are in the record of a hand twice.

The same tile may be seen in two photographs of one side's melds or rack, or be tapped in by a
person and then be seen in a photograph; and the same photograph may be given twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import dist

from scorer_app.hand.record import Corners, Place, Record, Row, Tile

Faces = list[str | None]  # of the tiles of a row; None: unread

# So many tiles in the same order make two rows the same: fewer may be two melds that look alike.
_SURE_OVERLAP = 3
# In widths of a tile: in two readings of one picture the corners of a tile differ by less.
_SAME_PLACE = 1 / 3
# Share of the tiles of either photograph that the other shows at the same place, or in its rows.
_SAME_PICTURE = 0.8
# So many tiles in rows that two photographs share make them copies, where nearly all of either are
# among them: both sides would hold both copies of two whole melds. Fewer may be one meld that both
# happen to have.
_SURE_ROWS = 6
# A photograph shows less than another one if it lacks so many tiles of a meld or of a rack there; a
# single tile may be misread or missed.
_LACKING = 2
# So many tiles that two photographs of racks share make them copies: fewer may be tiles that two
# players happen to have left.
_SURE_RACK = 3
# So many tiles that two photographs of racks share, and this share of the smaller one's tiles, make
# them parts of one rack. Of two racks of at most 15 tiles, drawn from one set, fewer than one pair
# in two hundred is as much alike.
_SURE_PART = 4
_SAME_RACK = 0.6


def shown_twice(record: Record) -> dict[str, str]:
    """Map the name of each photograph that seems to be a copy of another one to the name of that
    one. Of two copies the later one is named or, if both are of one side, the one that shows less:
    a part of the table may be photographed first, and all of it then.

    Two photographs count as copies where they show the same tiles at the same places, even if they
    were given for different sides, or where they show the same rows or the same rack from different
    viewpoints, and not each of them more than the other. A photograph that a person has declared to
    be a different one is left out.
    """
    found: dict[str, str] = {}
    kept: dict[str, list[Tile]] = {}
    for photo, tiles in _tiles_by_photo(record).items():
        original, copy = _shown_before(record, photo, tiles, kept), photo
        if original is not None and _shows_more(record, photo, original):
            original, copy = photo, original
        if original is None or {photo, copy} & {*record.told_apart}:
            kept[photo] = tiles
            continue
        found[copy] = original
        kept[original] = tiles if original == photo else kept[original]
        kept.pop(copy, None)
    return found


def _tiles_by_photo(record: Record) -> dict[str, list[Tile]]:
    """Map the name of each photograph to the tiles that it shows. The photographs come in the order
    in which they were read.
    """
    photos: dict[str, list[Tile]] = {}
    for tile in sorted(record.tiles.values(), key=lambda tile: _serial(tile.id)):
        if tile.photo and tile.corners:
            photos.setdefault(tile.photo, []).append(tile)
    return photos


def _shown_before(
    record: Record, photo: str, tiles: Sequence[Tile], earlier: dict[str, list[Tile]]
) -> str | None:
    """Return the name of an earlier photograph that shows what `photo` shows; None where no earlier
    one does. `tiles` are those of `photo`; `earlier` holds the tiles of each photograph before it,
    by name.

    The first photograph with the same tiles at the same places is named, or else the first with the
    same rows, or else the first with the same rack.
    """
    size = len(tiles) + sum(tile.photo == photo for tile in record.removed)
    enough = {
        other: _SAME_PICTURE * max(size, len(others_tiles))
        for other, others_tiles in earlier.items()
    }
    for other, least in enough.items():
        if _count_in_place(tiles, earlier[other]) >= least:
            return other
    for other, least in enough.items():
        if _count_in_rows(record, photo, other) < max(least, _SURE_ROWS):
            continue
        if not (_lacks_some(record, photo, other) and _lacks_some(record, other, photo)):
            return other
    racks = {name for row in record.rows if row.place is Place.RACK for name in row.tiles}
    mine = [tile.id for tile in tiles if tile.id in racks]
    if len(mine) < _SURE_RACK:
        return None
    for other, least in enough.items():
        # The tiles of a rack have no order and are compared face by face.
        theirs = [tile.id for tile in earlier[other] if tile.id in racks]
        if len(_common(record, mine, theirs)) >= max(least, _SURE_RACK):
            return other
    return None


def _count_in_place(tiles: Sequence[Tile], others: Sequence[Tile]) -> int:
    """Count those `tiles` of one photograph that another photograph shows too. `others` are all
    tiles of the other photograph. A tile counts if one of the `others` was read as the same face
    and lies at the same place.
    """
    spots: dict[str | None, list[Corners]] = {}
    for other in others:
        if other.corners:
            spots.setdefault(other.read, []).append(other.corners)
    count = 0
    for tile in tiles:
        corners = tile.corners
        if corners and any(_same_place(corners, spot) for spot in spots.get(tile.read, ())):
            count += 1
    return count


def _same_place(corners: Corners, others: Corners) -> bool:
    """Whether two tiles, given by their corners, lie at the same place. No corner lies farther from
    the corresponding one than `_SAME_PLACE` of a tile's width.
    """
    near = _SAME_PLACE * dist(corners[0], corners[1])
    return all(dist(one, other) <= near for one, other in zip(corners, others, strict=True))


def _count_in_rows(record: Record, photo: str, other: str) -> int:
    """Count the tiles of a photograph that lie in melds which the `other` photograph shows too.

    The other photograph may show a meld in reverse order, since it may have been taken from the
    opposite side of the table.
    """
    rows = _rows_of(record, other)
    return sum(
        len(faces) for faces in _rows_of(record, photo) if faces in rows or faces[::-1] in rows
    )


def _shows_more(record: Record, photo: str, other: str) -> bool:
    """Tell whether a photograph shows all that the `other` one of the same side shows, and more."""
    sides = [
        {row.side for row in record.rows if _of_photo(record, row, one)} for one in (photo, other)
    ]
    is_more = _lacks_some(record, other, photo) and not _lacks_some(record, photo, other)
    return is_more and sides[0] == sides[1]


def _lacks_some(record: Record, photo: str, other: str) -> bool:
    """Tell whether a photograph lacks a meld, or several tiles of a meld or of a rack, that the
    `other` photograph shows.
    """
    mine, theirs = _rows_of(record, photo), _rows_of(record, other)
    for faces in list(theirs):
        same = next((row for row in mine if row in (faces, faces[::-1])), None)
        if same is not None:
            mine.remove(same)
            theirs.remove(faces)
    for faces in theirs:
        shared = [(Counter(faces) & Counter(row)).total() for row in mine]
        most = max(shared, default=0)
        if len(faces) - most >= _LACKING:
            return True
        if most:
            del mine[shared.index(most)]
    only_there = Counter(_in_rack(record, other)) - Counter(_in_rack(record, photo))
    return only_there.total() >= _LACKING


def _in_rack(record: Record, photo: str) -> Faces:
    """List the faces of the tiles that a photograph shows in racks."""
    return [
        record.tiles[name].face
        for row in record.rows
        if row.place is Place.RACK
        for name in _of_photo(record, row, photo)
    ]


def _rows_of(record: Record, photo: str) -> list[Faces]:
    """List the melds of which a photograph shows tiles. Each is the list of the faces of these
    tiles, in the order of the row.
    """
    rows = []
    for row in record.rows:
        tiles = _of_photo(record, row, photo)
        if row.place is Place.MELDS and tiles:
            rows.append([record.tiles[name].face for name in tiles])
    return rows


def repeats(record: Record) -> dict[str, list[str]]:
    """Map the name of each photograph to what `repeated_tiles` returns for it: the ids of those of
    its tiles that the record already held when the photograph was read. Photographs without such
    tiles are left out.
    """
    photos = dict.fromkeys(tile.photo for tile in record.tiles.values() if tile.photo)
    return {photo: tiles for photo in photos if (tiles := repeated_tiles(record, photo))}


def repeated_tiles(record: Record, photo: str) -> list[str]:
    """List the ids of those tiles of a photograph that the record already held on the same side and
    place when the photograph was read. Mostly an earlier photograph shows them too.

    Rows of melds are compared in their order and in the reverse order, as the photograph may be
    taken from the other side of the table. The tiles of a rack have no order and are compared face
    by face.
    """
    first = _first(record, photo)
    found: list[str] = []
    for row in record.rows:
        mine = _of_photo(record, row, photo)
        if row.place is Place.RACK:
            found += _common(record, mine, [name for name in row.tiles if _serial(name) < first])
        elif row.place is Place.MELDS and len(mine) == len(row.tiles):
            found += _repeated_in_rows(record, row, photo)
    return found


def shown_again(record: Record) -> dict[str, list[str]]:
    """Map the name of each photograph that shows melds, or a large part of the rack, of an earlier
    photograph of the same side to the ids of the tiles that are in the record twice for that
    reason. Rows too short for a meld are left out, and so is a photograph that a person has
    declared to be a different one.
    """
    found: dict[str, list[str]] = {}
    for photo, tiles in (*_melds_again(record).items(), *_racks_again(record).items()):
        if photo not in record.told_apart:
            found.setdefault(photo, []).extend(tiles)
    return found


def _melds_again(record: Record) -> dict[str, list[str]]:
    """Map the name of each photograph that shows melds of an earlier one to these melds' tiles."""
    shown = tuple(
        row
        for row in record.rows
        if row.place is Place.MELDS
        and len(row.tiles) >= _SURE_OVERLAP
        and any(record.tiles[name].photo for name in row.tiles)
    )
    return repeats(replace(record, rows=shown))


def _racks_again(record: Record) -> dict[str, list[str]]:
    """Map the name of each photograph that shows a large part of the rack of an earlier one to the
    tiles that both show. Tiles that a person tapped in are left out.
    """
    racks = []
    for row in record.rows:
        shown = tuple(name for name in row.tiles if record.tiles[name].photo)
        if row.place is Place.RACK and shown:
            racks.append(replace(row, tiles=shown))
    record = replace(record, rows=tuple(racks))
    found = {}
    for photo, tiles in repeats(record).items():
        rack, first = record.row_of(tiles[0]), _first(record, photo)
        earlier = [name for name in rack.tiles if _serial(name) < first]
        smaller = min(len(earlier), len(_of_photo(record, rack, photo)))
        if len(tiles) >= max(_SURE_PART, _SAME_RACK * smaller):
            found[photo] = tiles
    return found


def tapped_before(record: Record, photo: str) -> list[str]:
    """List the tiles that are in the record twice: a person tapped them in before `photo` was read,
    and `photo` shows them on the same side and place. Each is named by the id of one of its two
    entries, which may then be removed.

    Tapped tiles have no order, so they are compared face by face. The ids are usually those of the
    tapped tiles. Where a tapped meld is longer than the photograph's row, they are those of the
    photograph's tiles, so that the longer row stays whole.
    """
    found: list[str] = []
    matched: set[str] = set()
    for row in record.rows:
        tapped = _tapped_earlier(record, row, photo)
        if row.place is Place.RACK:
            found += _common(record, tapped, _of_photo(record, row, photo))
        elif row.place is Place.MELDS and tapped == list(row.tiles):
            same, best = _most_alike(record, row, photo, matched)
            if len(same) >= min(_SURE_OVERLAP, len(tapped)):
                found += same
                matched.add(best)
    return found


def _tapped_earlier(record: Record, row: Row, photo: str) -> list[str]:
    """List the ids of the tiles of a row that a person tapped in before `photo` was read."""
    first = _first(record, photo)
    return [
        name for name in row.tiles if record.tiles[name].photo is None and _serial(name) < first
    ]


def _most_alike(record: Record, row: Row, photo: str, matched: set[str]) -> tuple[list[str], str]:
    """Find the row in which `photo` shows most of the faces of `row`, whose tiles were all tapped
    in. Only rows of the same side and place are compared; those whose ids are in `matched` are
    passed over.

    Returns a list of ids of tiles and the id of the row found. The list holds those tiles of `row`
    whose faces `photo` shows in the row found. If `photo` shows fewer tiles there than `row` has,
    the list holds the matching tiles of the row found instead. Where no row shows such a face, the
    list is empty and the id is that of `row`.
    """
    tapped = list(row.tiles)
    best: list[str] = []
    best_row = row
    for other in record.in_place(row.side, row.place):
        common = _common(record, tapped, _of_photo(record, other, photo))
        if other.id not in matched and len(common) > len(best):
            best, best_row = common, other
    shown = _of_photo(record, best_row, photo)
    if len(tapped) > len(shown):
        best = _common(record, shown, tapped)
    return best, best_row.id


def _of_photo(record: Record, row: Row, photo: str) -> list[str]:
    """List the ids of those tiles of a row that a photograph shows."""
    return [name for name in row.tiles if record.tiles[name].photo == photo]


def _serial(name: str) -> int:
    """Return the number in an id. Something that entered the record later has a higher number."""
    return int(name[1:])


def _first(record: Record, photo: str) -> int:
    """Return the lowest number among the ids of the tiles that were read in the photograph `photo`;
    0 where the record holds no tile of this photograph.
    """
    serials = [_serial(tile.id) for tile in record.tiles.values() if tile.photo == photo]
    return min(serials, default=0)


def _common(record: Record, tiles: list[str], others: list[str]) -> list[str]:
    """List the ids in `tiles` whose face also occurs in `others`. Each tile of `others` is matched
    at most once.
    """
    left = Counter(record.tiles[name].face for name in others)
    found = []
    for name in tiles:
        face = record.tiles[name].face
        if face and left[face] > 0:
            left[face] -= 1
            found.append(name)
    return found


def _repeated_in_rows(record: Record, row: Row, photo: str) -> list[str]:
    """List the ids of those tiles of a row that an older row of the same side and place also holds,
    in the same or in the reverse order. A row is older if all its tiles were entered before `photo`
    was read.

    The list is empty where the two rows share too few tiles to be surely the same row, and where
    the row is a single tile, which any meld may hold.
    """
    faces = record.faces(row)
    best = range(0)
    for other in record.in_place(row.side, row.place):
        if other.id != row.id and _is_older(record, other, photo):
            theirs = record.faces(other)
            best = max(best, _overlap(faces, theirs), _overlap(faces, theirs[::-1]), key=len)
    enough = max(2, min(_SURE_OVERLAP, len(row.tiles)))
    return [row.tiles[index] for index in best] if len(best) >= enough else []


def _is_older(record: Record, row: Row, photo: str) -> bool:
    """Whether all tiles of a row were entered before the photograph named `photo` was read."""
    first = _first(record, photo)
    return all(record.tiles[name].photo != photo and _serial(name) < first for name in row.tiles)


def _overlap(here: Faces, there: Faces) -> range:
    """Return the indices of `here` that `there` repeats in the same order; both are the faces of
    rows. Where the whole of `here` occurs within `there`, all its indices are returned. Otherwise
    those of the longest part at one end of `here` that also stands at the opposite end of `there`;
    empty where there is no such part.
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
