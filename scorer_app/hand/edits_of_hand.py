"""Operations on the hand as a whole: how it ended, the muertos, adjustments, and photographs that
seem to show the same tiles.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from msgspec import Meta

from engine.sides import SideName
from scorer_app.hand.arranging import remove_all
from scorer_app.hand.copies import counted_by_face
from scorer_app.hand.duplicates import repeated_tiles, tapped_before
from scorer_app.hand.fields import EditRefused, PhotoName, Refusal, without_controls
from scorer_app.hand.operation import Operation
from scorer_app.hand.record import Adjustment, End, Face, Points, Record
from scorer_app.hand.table_rules import TableRules

MOST_ADJUSTMENTS = 20
MOST_PHOTOS = 100  # of which a hand notes that nothing counts
REASON_LETTERS = 80


class SetEnd(Operation, frozen=True, tag="set_end"):
    """Say how the hand ended and, where a side closed, which one. `end` null means that nobody has
    said yet.
    """

    end: End | None = None
    closed_by: SideName | None = None

    def change(self, record: Record, rules: TableRules) -> Record:
        if (self.closed_by is not None) != (self.end is End.CLOSE):
            expected = "closed_by, A or B where end is close, else null"
            raise EditRefused(Refusal.BAD_VALUE, expected, self.closed_by, field="closed_by")
        return replace(record, end=self.end, closed_by=self.closed_by)


class SetMuerto(Operation, frozen=True, tag="set_muerto"):
    """Say whether a side took its muerto, and whether it played any tile of it. `taken` null means
    that nobody has said.
    """

    side: SideName
    taken: bool | None = None
    played: bool = True

    def change(self, record: Record, rules: TableRules) -> Record:
        unplayed = set(record.muerto_unplayed) - {self.side}
        if self.taken and not self.played:
            unplayed.add(self.side)
        muerto = record.muerto | {self.side: self.taken}
        return replace(record, muerto=muerto, muerto_unplayed=tuple(sorted(unplayed)))


class EmptyRack(Operation, frozen=True, tag="empty_rack"):
    """Say whether a side had nothing left on its rack at the end of the hand."""

    side: SideName
    empty: bool = True

    def change(self, record: Record, rules: TableRules) -> Record:
        others = set(record.empty_racks) - {self.side}
        empty = others | {self.side} if self.empty else others
        return replace(record, empty_racks=tuple(sorted(empty)))


class AddAdjustment(Operation, frozen=True, tag="add_adjustment"):
    """Add points to a side by the players' own rules, with the reason. Negative points are taken
    from the side.
    """

    side: SideName
    points: Points
    reason: Annotated[str, Meta(pattern=r"\S")]

    def change(self, record: Record, rules: TableRules) -> Record:
        reason = without_controls(self.reason)
        if self.points == 0:
            raise EditRefused(Refusal.BAD_VALUE, "points other than 0", 0, field="points")
        if not 0 < len(reason) <= REASON_LETTERS:
            expected = f"reason, 1 to {REASON_LETTERS} letters"
            raise EditRefused(Refusal.BAD_VALUE, expected, reason[:100], field="reason")
        if len(record.adjustments) >= MOST_ADJUSTMENTS:
            expected = f"at most {MOST_ADJUSTMENTS} adjustments"
            raise EditRefused(Refusal.TOO_MANY, expected, MOST_ADJUSTMENTS + 1)
        name, record = record.next_id("x")
        item = Adjustment(name, self.side, self.points, reason)
        return replace(record, adjustments=(*record.adjustments, item))


class RemoveAdjustment(Operation, frozen=True, tag="remove_adjustment"):
    """Remove an adjustment, by its id."""

    adjustment: str

    def change(self, record: Record, rules: TableRules) -> Record:
        kept = tuple(item for item in record.adjustments if item.id != self.adjustment)
        if len(kept) == len(record.adjustments):
            raise EditRefused(Refusal.NOT_THERE, "an adjustment of this hand", self.adjustment[:40])
        return replace(record, adjustments=kept)


class KeepCopies(Operation, frozen=True, tag="keep_copies"):
    """Say that the count of a face is right, although the hand has more tiles of it than the set:
    the players have checked these tiles. The answer holds as long as the hand has no more of them.
    """

    face: Face

    def change(self, record: Record, rules: TableRules) -> Record:
        count = len(counted_by_face(record).get(self.face, ()))
        return replace(record, kept_copies=record.kept_copies | {self.face: count})


class DropRepeats(Operation, frozen=True, tag="drop_repeats"):
    """Remove those tiles of a photograph that an earlier photograph of the same side and place
    shows too.
    """

    photo: PhotoName

    def change(self, record: Record, rules: TableRules) -> Record:
        return remove_all(record, repeated_tiles(record, shown_photo(record, self.photo)))


class DropTapped(Operation, frozen=True, tag="drop_tapped"):
    """Remove one of the two entries of each tile that was tapped in and then read in this
    photograph: the tapped entry, or the photograph's where a tapped meld is longer than its row in
    the photograph.
    """

    photo: PhotoName

    def change(self, record: Record, rules: TableRules) -> Record:
        photo = shown_photo(record, self.photo)
        once = remove_all(record, tapped_before(record, photo))
        return replace(once, compared=_with(once.compared, photo))


class KeepTapped(Operation, frozen=True, tag="keep_tapped"):
    """Say that the players have checked a photograph, and that it shows other tiles than those
    tapped in.
    """

    photo: PhotoName

    def change(self, record: Record, rules: TableRules) -> Record:
        photo = shown_photo(record, self.photo)
        return replace(record, compared=_with(record.compared, photo))


class TellApart(Operation, frozen=True, tag="tell_apart"):
    """Say that the players have checked a photograph which looks like an earlier one, and that it
    shows other tiles.
    """

    photo: PhotoName

    def change(self, record: Record, rules: TableRules) -> Record:
        photo = shown_photo(record, self.photo)
        return replace(record, told_apart=_with(record.told_apart, photo))


class NothingCounts(Operation, frozen=True, tag="nothing_counts"):
    """Say that the players have looked at a photograph, and that it shows nothing that counts.

    The record need not know the photograph: it may have no tile of it.
    """

    photo: PhotoName

    def change(self, record: Record, rules: TableRules) -> Record:
        names = _with(record.nothing_counts, self.photo)
        if len(names) > MOST_PHOTOS:
            raise EditRefused(Refusal.TOO_MANY, f"at most {MOST_PHOTOS} photographs", len(names))
        return replace(record, nothing_counts=names)


class KeepBlurred(Operation, frozen=True, tag="keep_blurred"):
    """Say that the players have looked at a photograph that is blurred, or of which most tiles
    are in doubt, and that it is good enough.
    """

    photo: PhotoName

    def change(self, record: Record, rules: TableRules) -> Record:
        photo = shown_photo(record, self.photo)
        return replace(record, kept_blurred=_with(record.kept_blurred, photo))


def _with(photos: tuple[str, ...], photo: str) -> tuple[str, ...]:
    """Return the names `photos` with that of a photograph added at their end if it lacks."""
    return photos if photo in photos else (*photos, photo)


def shown_photo(record: Record, photo: str) -> str:
    """Check that the record has, or had, a tile of the photograph with the name `photo`, and return
    this name.

    Raises EditRefused where the record never had such a tile.
    """
    if not any(tile.photo == photo for tile in (*record.tiles.values(), *record.removed)):
        raise EditRefused(Refusal.NOT_THERE, "a photograph of this hand", photo)
    return photo
