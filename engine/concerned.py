"""Which tiles the reason against a meld is about, so that people can be shown these tiles. A
*natural* is a tile that can never be a wild.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import pairwise, product
from types import MappingProxyType

from engine.arrangements import find_two
from engine.diagnosis import is_of_one_number, wilds_beyond_ends
from engine.inventory import too_many_copies
from engine.reasons import Reason
from engine.rulesets import HIGH_ACE, LOW_ACE, RuleSet
from engine.tiles import FACES, Tile, Tiles, naturals_of, numbers_of, possible_wilds_of


def tiles_concerned(
    row: Tiles, reason: Reason, rules: RuleSet, sure: Collection[Tile] = ()
) -> Tiles:
    """List the tiles that a reason against `row` is about; for a gap, the missing ones.

    The whole row is returned where no tile stands out. `sure` are tiles that a person has
    confirmed: where the reason may as well be about other tiles, those are listed of which fewest
    are among `sure`.

    >>> from engine import notation, ruleset, tiles
    >>> notation(tiles_concerned(tiles("3R 4R 6R"), Reason.GAP, ruleset("burako")))
    '5R'
    """
    if reason is Reason.TOO_MANY_COPIES:
        return too_many_copies(row, rules) or row
    if reason in MAJORITY_FINDERS:
        return MAJORITY_FINDERS[reason](row, sure) or row
    find = FINDERS.get(reason)
    if find is None:
        return row
    return find(row) or row


def excess_wilds(row: Tiles) -> Tiles:
    """List the 2s and comodines of a meld that has too many wilds.

    A 2 of the naturals' colour may be natural in a run: such 2s are left out if at least two other
    wilds remain. In a pierna every 2 is wild.
    """
    naturals = naturals_of(row)
    wilds = possible_wilds_of(row)
    if is_of_one_number(naturals):
        return tuple(wilds)
    colours = {tile.colour for tile in naturals}
    foreign = tuple(tile for tile in wilds if tile.colour not in colours)
    return foreign if len(foreign) > 1 else tuple(wilds)


def beyond_ends(row: Tiles) -> Tiles:
    """List the wilds for which a run has no number: as few as possible, where it can be read in
    several ways.
    """
    return min(wilds_beyond_ends(row), key=len, default=())


def of_other_colours(row: Tiles, sure: Collection[Tile]) -> Tiles:
    """List the naturals that are not of the commonest colour. Of several equally common colours
    that one counts as the commonest without which fewest tiles among `sure` are listed, and of
    several of these the first in the row.
    """
    naturals = naturals_of(row)
    colours, _ = commonest([tile.colour for tile in naturals])
    choices = [tuple(tile for tile in naturals if tile.colour != colour) for colour in colours]
    return least_sure(choices, sure)


def outsiders(row: Tiles, sure: Collection[Tile]) -> Tiles:
    """List the naturals that do not fit the others.

    These are the naturals not of the commonest number or, where more tiles share a colour than a
    number, those not of the commonest colour. Where as many tiles share a colour, they are those of
    which fewest are among `sure`.
    """
    naturals = naturals_of(row)
    numbers, same_number = commonest([tile.number for tile in naturals])
    _, same_colour = commonest([tile.colour for tile in naturals])
    if same_colour > same_number:
        return of_other_colours(row, sure)
    choices = [tuple(tile for tile in naturals if tile.number != number) for number in numbers]
    if same_colour == same_number:
        choices.append(of_other_colours(row, sure))
    return least_sure(choices, sure)


def least_sure(choices: Sequence[Tiles], sure: Collection[Tile]) -> Tiles:
    """Return that one of `choices` of which fewest tiles are among `sure`, and of several such the
    first.
    """
    return min(choices, key=lambda tiles: sum(tile in sure for tile in tiles))


def commonest(values: Sequence[object]) -> tuple[list[object], int]:
    """Return the values that occur most in `values`, which may not be empty, in their order there,
    and how often each occurs.
    """
    counts = Counter(values)
    most = max(counts.values())
    return [value for value, count in counts.items() if count == most], most


def repeated(row: Tiles) -> Tiles:
    """List the tiles whose number occurs more than once among the naturals."""
    counts = Counter(numbers_of(naturals_of(row)))
    return tuple(tile for tile in row if tile.number is not None and counts[tile.number] > 1)


def aces(row: Tiles) -> Tiles:
    """List the 1s of the row."""
    return tuple(tile for tile in row if tile.number == LOW_ACE)


def missing(row: Tiles) -> Tiles:
    """List the tiles lacking between the lowest and the highest natural of a run whose naturals are
    of one colour.

    A 1 counts as low or as high, whichever leaves the shorter run, and two as one of each. A 2 of
    the run's colour is not lacking where the row has one, and no tile is in whose place a wild
    lies.
    """
    naturals = naturals_of(row)
    colour = naturals[0].colour
    numbers = numbers_of(naturals)
    low = set(numbers)
    high = {HIGH_ACE if number == LOW_ACE else number for number in low}
    places = low | high if numbers.count(LOW_ACE) > 1 else min((low, high), key=length_of)
    lacking = set(range(min(places), max(places))) - places
    if find_two(row, colour):
        lacking.discard(2)
    lacking = lacking - places_of_wilds(row, places) or lacking
    return tuple(face for face in FACES if face.colour == colour and face.number in lacking)


def places_of_wilds(row: Tiles, places: set[int]) -> set[int]:
    """Return the places that wilds fill as they lie: those between two naturals that lie as far
    apart as their places. `places` are those of the naturals.
    """
    naturals = []
    for index, tile in enumerate(row):
        if tile.number is not None and not tile.can_be_wild:
            own = {LOW_ACE, HIGH_ACE} if tile.number == LOW_ACE else {tile.number}
            naturals.append((index, own & places))
    filled: set[int] = set()
    for (index, own), (next_index, next_own) in pairwise(naturals):
        for low, high in map(sorted, product(own, next_own)):
            if high - low == next_index - index:
                filled.update(range(low + 1, high))
    return filled


def length_of(places: set[int]) -> int:
    """Return the difference between the highest and the lowest of `places`, which are numbers of a
    run, at least one.
    """
    return max(places) - min(places)


FINDERS: Mapping[Reason, Callable[[Tiles], Tiles]] = MappingProxyType(
    {
        Reason.TWO_WILDS: excess_wilds,
        Reason.OUT_OF_RANGE: beyond_ends,
        Reason.DUPLICATE_IN_RUN: repeated,
        Reason.WRAPAROUND: aces,
        Reason.ACE_IN_MIDDLE: aces,
        Reason.GAP: missing,
    }
)
MAJORITY_FINDERS: Mapping[Reason, Callable[[Tiles, Collection[Tile]], Tiles]] = MappingProxyType(
    {
        Reason.COLOUR_MISMATCH: of_other_colours,
        Reason.MIXED: outsiders,
    }
)
