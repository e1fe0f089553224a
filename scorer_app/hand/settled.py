"""Doubts that the rest of a hand settles: a tile is none of which all copies lie elsewhere."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from functools import lru_cache
from itertools import product
from math import comb

from scorer_app.hand.copies import counted_by_face, surplus_faces, tiles_by_face
from scorer_app.hand.duplicates import shown_again, shown_twice
from scorer_app.hand.record import FACES, Place, Record, Tile
from scorer_app.hand.table_rules import TableRules

# Least probability of the likeliest face of a tile that is surely read, and the same for one in a
# meld; as `DoubtConfig.unsure` and `unsure_in_row`. A tile that is read more surely is in doubt for
# another reason, which copies do not settle.
SURELY_READ, SURELY_READ_IN_MELD = 0.97, 0.93
# If each photograph of a hand showed a set of its own, some faces would be seen more often than one
# set has them. Where one would expect so many such faces, or more, and there is none, all of the
# photographs show one set. Of 312 hands of rendered photographs of tiles that do show different
# sets (seeds 9741 to 9749 and 9757 to 9760 of `datasets.benchmark.scenes`) one would expect so many
# of 205, and 2 or more of 44 others; each of these 249 shows a face too often.
ENOUGH_TO_TELL = 3.0
# So many more for each face that is seen too often. Of 528 hands whose photographs do show
# different sets (22 seeds from 9741 to 9782) this is reached in none. Of 336 hands dealt from one
# set each (seeds 1 to 3 and 9 to 19 of `datasets.benchmark.dealt_hands`) it is in 14, four of which
# are open for that alone: two of these would have been sure and wrong.
ENOUGH_MORE = 2.0


def settled_by_copies(record: Record, rules: TableRules) -> Record:
    """Return the record without the doubts that the rest of the hand settles: a tile that was not
    surely read is what it was read as if it could only be something else of which all copies surely
    lie elsewhere.

    That is told by the sure tiles of its own photograph, or by those of the whole hand where all
    photographs surely show one set. A tile of no photograph stays in doubt. Unchanged is a record
    in which a tile may be counted twice: one that shows a face more often than the set has it, or
    one tile in two photographs, and one of a set that has more copies, as the players said.
    """
    in_melds = {name for row in record.rows if row.place is Place.MELDS for name in row.tiles}
    doubted = [
        tile
        for tile in record.tiles.values()
        if _is_unsurely_read(tile, SURELY_READ_IN_MELD if tile.id in in_melds else SURELY_READ)
    ]
    if not doubted or any(count > rules.copies(face) for face, count in record.kept_copies.items()):
        return record
    shown = dict[str | None, Counter[str]]()
    for face, names in tiles_by_face(record).items():
        for tile in (record.tiles[name] for name in names):
            if tile.is_sure:
                shown.setdefault(tile.photo, Counter())[face] += 1
    everywhere = sum(shown.values(), Counter[str]())
    if any(count > rules.copies(face) for face, count in everywhere.items()):
        return record
    if shown_twice(record) or shown_again(record):
        return record
    numbers = tuple(sorted(faces.total() for faces in shown.values()))
    one_set = _expected_surplus(numbers, rules) >= ENOUGH_TO_TELL
    settled = [
        replace(tile, doubtful=False, alternatives=())
        for tile in doubted
        if _is_settled(tile, everywhere if one_set else shown.get(tile.photo, Counter()), rules)
    ]
    return record.with_tiles(settled) if settled else record


def _is_unsurely_read(tile: Tile, sure: float) -> bool:
    """Tell whether a tile of a photograph is in doubt because its face was read with less than the
    probability `sure`.
    """
    if tile.is_sure or tile.photo is None or tile.face is None or tile.perhaps_none:
        return False
    return tile.confidence is not None and tile.confidence < sure


def _is_settled(tile: Tile, shown: Counter[str], rules: TableRules) -> bool:
    """Tell whether a tile in doubt surely has the face that was read if it is none of which as many
    are `shown` as the set has. A tile of whose own face none is left stays in doubt.
    """
    spent = {face for face, count in shown.items() if count >= rules.copies(face)}
    impossible = sum(share for face, share in tile.alternatives if face in spent)
    surely = (tile.confidence or 0.0) >= SURELY_READ * (1 - impossible)
    return surely and tile.face not in spent


def has_impossible_copies(record: Record, rules: TableRules) -> bool:
    """Tell whether a face is shown more often than the set has it, and more often than players have
    confirmed, though the photographs surely show one set. Then a tile was misread or is counted
    twice.
    """
    surplus = surplus_faces(record, rules)
    if not surplus:
        return False
    shown = Counter(
        record.tiles[name].photo for names in counted_by_face(record).values() for name in names
    )
    enough = ENOUGH_TO_TELL + ENOUGH_MORE * len(surplus)
    return _expected_surplus(tuple(sorted(shown.values())), rules) >= enough


@lru_cache(maxsize=64)
def _expected_surplus(numbers: tuple[int, ...], rules: TableRules) -> float:
    """Return of how many faces one would expect to see more tiles than a set has, if photographs
    with these `numbers` of tiles each showed a set of its own.
    """
    held = [rules.copies(face) for face in FACES]
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
