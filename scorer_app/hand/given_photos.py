"""Finds the photographs of a hand that add nothing to it, and those that should be taken again, as
long as nobody has said that this is right.

The record of a hand knows a photograph by its tiles alone. So what becomes of one without any tile
is told here by `GivenPhoto`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum

from engine.sides import SideName
from scorer_app.hand.record import Place, Record

# Fewest tiles in doubt for which taking a photograph again is less work than answering.
MANY_DOUBTS = 8


class Cause(StrEnum):
    """Why a photograph is asked about; each has its question (`ask.photo.VALUE`). With all but
    `BLURRED` and `DOUBTFUL` it adds nothing to the hand.
    """

    FAILED = "failed"  # it could not be opened or read
    OTHER_PIECES = "other_pieces"  # it shows cards in a match of tiles, or tiles in one of cards
    NOTHING = "nothing"  # no tile was found in it
    ASIDE = "aside"  # all its tiles were set aside
    BLURRED = "blurred"  # tiles of it count, but others may be missing or misread
    DOUBTFUL = "doubtful"  # more than half of its tiles, and many, are in doubt


@dataclass(frozen=True)
class GivenPhoto:
    """A photograph that was given to a hand and is no longer waiting to be read.

    `side` and `place` are those for which it was given. `failed` says that it could not be read,
    and `other_pieces` that it shows the other kind of pieces. `blurred` says that it is blurred,
    and `is_new` that the hand was not saved with it.
    """

    id: str
    side: SideName
    place: Place
    failed: bool = False
    other_pieces: bool = False
    blurred: bool = False
    is_new: bool = True


def unused_photos(record: Record, photos: Iterable[GivenPhoto]) -> dict[str, Cause]:
    """Map the id of each photograph that adds nothing to the hand to the reason why.

    A photograph is left out where a person has answered: by saying that nothing of it counts, by
    removing or moving what was read in it, by tapping in tiles where it was given, or, of one of a
    rack in which nothing was found, by saying that nothing was left on that rack.
    """
    found = {}
    for photo in photos:
        why = _why_unused(record, photo)
        if why and not _is_answered(record, photo, why):
            found[photo.id] = why
    return found


def poor_photos(
    record: Record, photos: Iterable[GivenPhoto], in_doubt: Collection[str]
) -> dict[str, Cause]:
    """Map the id of each *poor* photograph to what makes it poor: it is blurred, or most of its
    tiles, and many, are in doubt. `in_doubt` are the ids of all tiles in doubt. Another photograph
    may take the place of a poor one.

    Left out are photographs of which no tile counts, those with which the hand was saved, and those
    that are good enough, as the players say.
    """
    found = {}
    for photo in photos:
        kept = photo.id in record.kept_blurred or not photo.is_new
        if kept or _why_unused(record, photo) is not None:
            continue
        if photo.blurred:
            found[photo.id] = Cause.BLURRED
        elif _is_doubtful(record, photo.id, in_doubt):
            found[photo.id] = Cause.DOUBTFUL
    return found


def _is_doubtful(record: Record, photo: str, in_doubt: Collection[str]) -> bool:
    """Tell whether more than half of the tiles that count of a photograph are in doubt, and many of
    them. Finds that may be no tiles are left out: the figures of a cloth are taken out together.
    """
    aside = tiles_aside(record, photo)
    tiles = [tile for tile in record.tiles.values() if tile.photo == photo]
    counted = [tile.id for tile in tiles if tile.id not in aside and not tile.perhaps_none]
    doubts = sum(name in in_doubt for name in counted)
    return doubts >= MANY_DOUBTS and 2 * doubts > len(counted)


def tiles_aside(record: Record, photo: str) -> list[str]:
    """List the ids of those tiles of a photograph that were set aside, and so count for nobody."""
    return [
        name
        for row in record.rows
        for name in row.tiles
        if row.place is Place.POZO and record.tiles[name].photo == photo
    ]


def _why_unused(record: Record, photo: GivenPhoto) -> Cause | None:
    """Return why none of the hand's tiles that count comes from a photograph; None where one does.

    A photograph may have been read before its last reading failed; then its tiles still count.
    """
    shown = sum(tile.photo == photo.id for tile in record.tiles.values())
    if shown > len(tiles_aside(record, photo.id)):
        return None
    if shown:
        return Cause.ASIDE
    if photo.failed:
        return Cause.FAILED
    return Cause.OTHER_PIECES if photo.other_pieces else Cause.NOTHING


def _is_answered(record: Record, photo: GivenPhoto, why: Cause) -> bool:
    """Tell whether a person has said something that explains why the photograph adds nothing."""
    if photo.id in record.nothing_counts or _is_tapped_in(record, photo):
        return True
    if any(tile.photo == photo.id for tile in record.removed):
        return True
    if why is Cause.NOTHING and photo.place is Place.RACK:
        return photo.side in record.empty_racks
    arranged = {name for row in record.rows if row.user_arranged for name in row.tiles}
    return not arranged.isdisjoint(tiles_aside(record, photo.id))


def _is_tapped_in(record: Record, photo: GivenPhoto) -> bool:
    """Tell whether people have tapped in what lies where the photograph was given: a whole meld, or
    any tile of the rack, which is a single row.

    A tile tapped into a meld that another photograph shows says nothing of this photograph.
    """
    for row in record.in_place(photo.side, photo.place):
        tapped = [record.tiles[name].was_added for name in row.tiles]
        if all(tapped) or (photo.place is Place.RACK and any(tapped)):
            return True
    return False
