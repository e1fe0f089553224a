"""How often each face is in the record of a hand, to be compared with what the set of tiles has."""

from __future__ import annotations

from dataclasses import replace

from scorer_app.hand.record import Place, Record
from scorer_app.hand.table_rules import TableRules


def names_aside(record: Record) -> set[str]:
    """Return the ids of the tiles that were set aside, which count for nobody."""
    return {name for row in record.rows if row.place is Place.POZO for name in row.tiles}


def tiles_by_face(record: Record) -> dict[str, list[str]]:
    """Map each face to the ids of its tiles.

    A tile of the record is left out if it may be no tile, such as a picture on a box, and lies in
    the pozo, where it counts for nobody.
    """
    aside = names_aside(record)
    found: dict[str, list[str]] = {}
    for tile in record.tiles.values():
        if tile.face and not (tile.perhaps_none and tile.id in aside):
            found.setdefault(tile.face, []).append(tile.id)
    return found


def counted_by_face(record: Record) -> dict[str, list[str]]:
    """Map each face to the ids of its tiles that count. Tiles set aside count for nobody; one of
    them may lie in the photographs of both sides, or be printed on a box.
    """
    aside = names_aside(record)
    counted = {
        face: [name for name in tiles if name not in aside]
        for face, tiles in tiles_by_face(record).items()
    }
    return {face: tiles for face, tiles in counted.items() if tiles}


def surplus_faces(record: Record, rules: TableRules) -> dict[str, list[str]]:
    """Map each face of which more tiles count than the set of tiles has, and more than the players
    have confirmed, to the ids of its tiles that count.
    """
    by_face = counted_by_face(record)
    faces = rules.copies_too_many([face for face, tiles in by_face.items() for _ in tiles])
    return {
        face: by_face[face]
        for face in faces
        if len(by_face[face]) > record.kept_copies.get(face, 0)
    }


def confirm_copies(record: Record) -> Record:
    """Return the record with as many tiles of each face confirmed as count. So they count where
    nobody can be asked about them: a set of one's own may have more copies than others.
    """
    counts = {face: len(tiles) for face, tiles in counted_by_face(record).items()}
    return replace(record, kept_copies=counts)
