"""Moves what a photograph shows to where it belongs: it was given for the wrong side, or as one of
a rack although it shows melds, or the other way round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from engine.sides import SideName
from scorer_app.hand.merging import add_row, fill_place
from scorer_app.hand.record import Place, Record, Row


def move_photo(record: Record, photo: str, side: SideName, place: Place) -> Record:
    """Return the record with the tiles of one photograph among the melds of `side`, or on its rack.

    Rows of melds stay whole, and what people arranged in them stays; tiles tapped into them go
    along. Tiles that leave a rack lie in one row of melds until the photograph is read again, those
    that a person added in another, since a reading may not find these. Tiles of other photographs
    stay where they are.
    """
    lifted: list[str] = []
    rows: list[Row] = []
    for row in record.rows:
        photos = {record.tiles[name].photo for name in row.tiles} - {None}
        if place is Place.MELDS and row.place is not Place.RACK and photos == {photo}:
            rows.append(replace(row, side=side))
            continue
        lifted += (name for name in row.tiles if record.tiles[name].photo == photo)
        left = tuple(name for name in row.tiles if record.tiles[name].photo != photo)
        if left:
            rows.append(replace(row, tiles=left))
    # The players compared the photograph's tiles with those tapped in where it lay before.
    compared = tuple(name for name in record.compared if name != photo)
    moved = replace(record, rows=tuple(rows), compared=compared)
    return _laid(moved, lifted, side, place).asking_about_other_melds(record)


def area_of_photo(
    record: Record, photo: str, area: tuple[SideName, Place]
) -> tuple[SideName, Place]:
    """Return the area in which a record has the tiles of a photograph: `area` where that has some
    of them or none lies anywhere, else the area with most of them. Tiles set aside lay among the
    melds.
    """
    lying = Counter(
        (row.side, Place.MELDS if row.place is Place.POZO else row.place)
        for row in record.rows
        for name in row.tiles
        if record.tiles[name].photo == photo
    )
    return area if not lying or area in lying else lying.most_common(1)[0][0]


def _laid(record: Record, names: Sequence[str], side: SideName, place: Place) -> Record:
    """Return the record with the tiles of these ids, which lie in no row, on a side's rack or in
    new rows of its melds.
    """
    read = [name for name in names if not record.tiles[name].was_added]
    added = [name for name in names if record.tiles[name].was_added]
    if place is Place.RACK:
        return fill_place(record, side, place, [*read, *added])
    for tiles in (read, added):
        if tiles:
            record = add_row(record, side, place, tiles)
    return record
