"""How often each face is in the record of a hand, to be compared with what the set of tiles has."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from functools import lru_cache
from itertools import product
from math import comb

from scorer_app.hand.record import FACES, Place, Record, Tile
from scorer_app.hand.table_rules import TableRules

SURELY_READ = 0.97  # least probability of the likeliest face; as `DoubtConfig.unsure`
# The photographs of a hand show one set if so many faces, at least, would be seen too often were
# each of them of another set, and none is. Of 312 hands of rendered photographs of different sets
# (seeds 9741 to 9749 and 9757 to 9760 of `datasets.benchmark.scenes`) 249 have an expectation of 2
# or more, and all of these show a face too often; of the 63 others 49 do.
ENOUGH_TO_TELL = 3.0


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


def surplus_faces(record: Record, rules: TableRules) -> dict[str, list[str]]:
    """Map each face of which the record has more tiles than the set of tiles has, and more than the
    players have confirmed, to the ids of its tiles.
    """
    by_face = tiles_by_face(record)
    faces = rules.copies_too_many([face for face, tiles in by_face.items() for _ in tiles])
    return {
        face: by_face[face]
        for face in faces
        if len(by_face[face]) > record.kept_copies.get(face, 0)
    }


def settled_by_copies(record: Record, rules: TableRules) -> Record:
    """Return the record without the doubts that the rest of the hand settles: a doubtful tile is
    what it was read as if it could only be something else of which all copies surely lie elsewhere.

    That is told by the sure tiles of its photograph alone, unless those of all photographs surely
    are of one set, because several sets would show some face too often. Unchanged is a record that
    shows one too often: its photographs may show one tile twice.
    """
    held = {face: max(rules.copies(face), record.kept_copies.get(face, 0)) for face in FACES}
    shown = dict[str | None, Counter[str]]()
    for face, names in tiles_by_face(record).items():
        for tile in (record.tiles[name] for name in names):
            if _is_sure(tile):
                shown.setdefault(tile.photo, Counter())[face] += 1
    everywhere = sum(shown.values(), Counter[str]())
    if any(count > rules.copies(face) for face, count in everywhere.items()):
        return record
    numbers = tuple(sorted(faces.total() for faces in shown.values()))
    one_set = _expected_surplus(numbers, tuple(held.values())) >= ENOUGH_TO_TELL
    settled = [
        replace(tile, doubtful=False, alternatives=())
        for tile in record.tiles.values()
        if not _is_sure(tile)
        and _is_settled(tile, everywhere if one_set else shown.get(tile.photo, Counter()), held)
    ]
    return record.with_tiles(settled) if settled else record


@lru_cache(maxsize=64)
def _expected_surplus(numbers: tuple[int, ...], held: tuple[int, ...]) -> float:
    """Return of how many faces one would expect to see more tiles than a set has, if photographs
    with these `numbers` of tiles each showed a set of its own. `held` is how many tiles of each
    face a set has.
    """
    size, expected = sum(held), 0.0
    for copies, faces in Counter(held).items():
        chances: dict[int, float] = {0: 1.0}  # that so many tiles of one face are seen
        for number in (min(number, size) for number in numbers):
            of_photo = {
                seen: comb(copies, seen) * comb(size - copies, number - seen) / comb(size, number)
                for seen in range(min(copies, number) + 1)
            }
            sums = defaultdict[int, float](float)
            for (one, chance), (other, share) in product(chances.items(), of_photo.items()):
                sums[one + other] += chance * share
            chances = sums
        expected += faces * sum(chance for seen, chance in chances.items() if seen > copies)
    return expected


def _is_sure(tile: Tile) -> bool:
    return tile.confirmed or (tile.face is not None and not tile.doubtful)


def _is_settled(tile: Tile, shown: Counter[str], held: dict[str, int]) -> bool:
    """Tell whether a tile in doubt surely has the face that was read if it is none of which as many
    are `shown` as the set has, `held`. A tile of whose own face none is left stays in doubt.
    """
    if tile.face is None or tile.perhaps_none or tile.confidence is None:
        return False
    spent = {face for face, count in held.items() if shown[face] >= count}
    impossible = sum(share for face, share in tile.alternatives if face in spent)
    settled = tile.confidence < SURELY_READ <= tile.confidence / (1 - min(impossible, 0.99))
    return settled and tile.face not in spent


def confirm_copies(record: Record) -> Record:
    """Return the record with as many tiles of each face confirmed as it has. So they count where
    nobody can be asked about them: a set of one's own may have more copies than others.
    """
    counts = {face: len(tiles) for face, tiles in tiles_by_face(record).items()}
    return replace(record, kept_copies=counts)
