"""Which tiles the reason against a meld is about, so that its sentence can name them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from engine.inventory import too_many_copies
from engine.reasons import Reason
from engine.rulesets import HIGH_ACE, RuleSet
from engine.tiles import FACES, Row, Tile


def tiles_concerned(row: Row, reason: Reason, rules: RuleSet) -> Row:
    """The tiles to name, for a gap those that are missing; the whole row where no tile stands
    out.
    """
    if reason is Reason.TOO_MANY_COPIES:
        return too_many_copies(row, rules) or row
    find = FINDERS.get(reason)
    return (find(row) or row) if find else row


def naturals_of(row: Row) -> list[Tile]:
    return [tile for tile in row if not tile.can_be_wild]


def wilds(row: Row) -> Row:
    """The wilds; a 2 of the only colour may be natural and is left out while two others remain."""
    colours = {tile.colour for tile in naturals_of(row)}
    all_wilds = tuple(tile for tile in row if tile.can_be_wild)
    foreign = tuple(tile for tile in all_wilds if tile.colour not in colours)
    return foreign if len(foreign) > 1 else all_wilds


def of_other_colours(row: Row) -> Row:
    """Naturals that are not of the commonest colour."""
    naturals = naturals_of(row)
    colour = Counter(tile.colour for tile in naturals).most_common(1)[0][0]
    return tuple(tile for tile in naturals if tile.colour != colour)


def outsiders(row: Row) -> Row:
    """Naturals that share neither the commonest number nor, where colours agree more than numbers,
    that colour.
    """
    naturals = naturals_of(row)
    number, same_number = Counter(tile.number for tile in naturals).most_common(1)[0]
    same_colour = Counter(tile.colour for tile in naturals).most_common(1)[0][1]
    if same_number >= same_colour:
        return tuple(tile for tile in naturals if tile.number != number)
    return of_other_colours(row)


def repeated(row: Row) -> Row:
    numbers = Counter(tile.number for tile in naturals_of(row))
    return tuple(tile for tile in row if numbers[tile.number] > 1)


def aces(row: Row) -> Row:
    return tuple(tile for tile in row if tile.number == 1)


def missing(row: Row) -> Row:
    """The tiles between the lowest and the highest natural, the 1 lying where it leaves fewer of
    them.
    """
    naturals = naturals_of(row)
    colour = naturals[0].colour
    numbers = {tile.number or 0 for tile in naturals}
    places = min(
        (numbers, {HIGH_ACE if one == 1 else one for one in numbers}),
        key=lambda some: max(some) - min(some),
    )
    return tuple(
        face
        for face in FACES
        if face.colour == colour
        and min(places) < (face.number or 0) < max(places)
        and face.number not in places
    )


FINDERS: dict[Reason, Callable[[Row], Row]] = {
    Reason.TWO_WILDS: wilds,
    Reason.OUT_OF_RANGE: wilds,
    Reason.COLOUR_MISMATCH: of_other_colours,
    Reason.MIXED: outsiders,
    Reason.DUPLICATE_IN_RUN: repeated,
    Reason.WRAPAROUND: aces,
    Reason.ACE_IN_MIDDLE: aces,
    Reason.GAP: missing,
}
