"""Why a row is no meld: the most informative reason, found by relaxing one rule after another. A
*natural* is a tile that can never be a wild; a *bag* of tiles may be put in any order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.arrangements import find_two, first_natural, ordered_run, pierna, unordered_run
from engine.inventory import too_many_copies
from engine.reasons import Reason
from engine.rulesets import HIGH_ACE, LOW_ACE, MINIMUM_MELD, RuleSet
from engine.tiles import JOKER, NUMBERS, Tile, Tiles, naturals_of, numbers_of


def diagnose(row: Tiles, rules: RuleSet, *, ordered: bool, check_copies: bool = True) -> Reason:
    """Name the reason why `row`, known to be illegal, is so.

    `ordered` says whether the row was judged as it lies; otherwise it was judged as a bag.
    `check_copies` says whether too many copies of a tile were a reason against it.

    >>> from engine import ruleset, tiles
    >>> diagnose(tiles("3R 4R 6R"), ruleset("burako"), ordered=True)
    <Reason.GAP: 'gap'>
    """
    if len(row) < MINIMUM_MELD:
        return Reason.TOO_SHORT
    if check_copies and too_many_copies(row, rules):
        return Reason.TOO_MANY_COPIES
    as_pierna = pierna(row, rules)
    if as_pierna and as_pierna.wilds_allowed(rules):
        # The tiles are a pierna and yet illegal: they are more than `pierna_max`.
        return Reason.TOO_MANY_COPIES

    naturals = naturals_of(row)
    if not naturals:
        return Reason.TWO_WILDS if as_pierna else Reason.ALL_WILD
    if fewest_wilds(row) > rules.wild_limit(len(row)):
        return Reason.TWO_WILDS
    if len({tile.colour for tile in naturals}) > 1:
        return why_colours_differ(row, rules)
    if ordered:
        return why_no_run(row, rules)
    return why_no_run_of_bag(row, rules)


def why_colours_differ(row: Tiles, rules: RuleSet) -> Reason:
    """Name the reason why a row of several colours and numbers is no meld.

    The reason is `colour_mismatch` where the same numbers in one colour would be a run, and `mixed`
    otherwise.
    """
    would_be_run = unordered_run(in_one_colour(row), rules)
    return Reason.COLOUR_MISMATCH if would_be_run else Reason.MIXED


def fewest_wilds(row: Sequence[Tile]) -> int:
    """Return how many tiles of the row must act as wilds at the least.

    A row with two naturals or more, all of one number, is taken for a pierna: every comodín and
    every 2 must act as a wild. Any other row is taken for a run, in which one 2 may lie in its own
    place if a natural has its colour.
    """
    naturals = naturals_of(row)
    wilds = len(row) - len(naturals)
    if is_of_one_number(naturals):
        return wilds
    own_twos = {tile for tile in row if tile.number == 2}
    colours = {tile.colour for tile in naturals}
    has_own_two = any(two.colour in colours for two in own_twos)
    return wilds - 1 if has_own_two else wilds


def is_of_one_number(naturals: Sequence[Tile]) -> bool:
    """Whether there are two naturals or more and all have the same number."""
    return len(naturals) > 1 and len(set(numbers_of(naturals))) == 1


def in_one_colour(row: Sequence[Tile]) -> Tiles:
    """Return the row with every natural made red, and a comodín in the place of each possible
    wild.
    """
    return tuple(JOKER if tile.can_be_wild else Tile(tile.number, "R") for tile in row)


def why_no_run(row: Tiles, rules: RuleSet) -> Reason:
    """Name the reason why a row, judged as it lies, is no run. All naturals of the row have to be
    of one colour.
    """
    if ordered_run(row, rules):
        # The row is a run, so that only its wilds are too many: a 2 lies away from its own place.
        return Reason.TWO_WILDS
    if not rules.ace_at_both_ends and ordered_run(row, with_both_aces(rules)):
        return Reason.WRAPAROUND

    if tiles_beyond_ends(row):
        return Reason.OUT_OF_RANGE if wilds_beyond_ends(row) else Reason.WRAPAROUND

    reason = why_no_run_of_bag(row, rules)
    if reason is Reason.GAP and ordered_run(without_inner_aces(row), rules):
        return Reason.ACE_IN_MIDDLE
    if reason is Reason.TWO_WILDS and lies_with_gaps(row, rules):
        return Reason.GAP
    blames_aces = reason in (Reason.DUPLICATE_IN_RUN, Reason.WRAPAROUND)
    if blames_aces and is_long_with_outer_aces(row, rules):
        return Reason.GAP
    return reason


def lies_with_gaps(row: Tiles, rules: RuleSet) -> bool:
    """Whether the row, read from one side, lies as a run does in which tiles are missing, and has
    no more wilds than the ruleset allows, because a 2 surely lies in its own place: it begins the
    row, or follows a low 1, and no tile is missing between it and the next natural. All naturals of
    the row have to be of one colour.
    """
    naturals = naturals_of(row)
    if len(row) - len(naturals) - 1 > rules.wild_limit(len(row)):
        return False
    for direction in (row, row[::-1]):
        from_two = direction[1:] if direction[0].number == LOW_ACE else direction
        begins_with_two = find_two(from_two[:1], naturals[0].colour) is not None
        if begins_with_two and begins_run(from_two[1:]) and lies_rising(from_two[1:]):
            return True
    return False


def begins_run(beyond: Tiles) -> bool:
    """Whether the tiles beyond a 2 lie, up to their first natural, as in a run that has this 2 in
    its own place. False where no tile is a natural.
    """
    natural = first_natural(beyond)
    return natural is not None and natural[1].number == 3 + natural[0]


def lies_rising(beyond: Tiles) -> bool:
    """Whether the tiles beyond a 2 can lie on rising places of a run above it: each natural on its
    own place, a 1 on the high one, and wilds on any other.
    """
    lowest = 3
    for tile in beyond:
        place = lowest
        if not tile.can_be_wild and tile.number is not None:
            place = HIGH_ACE if tile.number == LOW_ACE else tile.number
        if place < lowest or place > HIGH_ACE:
            return False
        lowest = place + 1
    return True


def is_long_with_outer_aces(row: Tiles, rules: RuleSet) -> bool:
    """Whether the row has a 1 at one end or, if the ruleset allows it, at both, no number twice
    otherwise, and most tiles of a run from the low 1 to the high 1.
    """
    numbers = numbers_of(naturals_of(row))
    aces = numbers.count(LOW_ACE)
    outer = [row[0].number, row[-1].number].count(LOW_ACE)
    repeats = len(numbers) - len(set(numbers))
    may_have = 2 if rules.ace_at_both_ends else 1
    return 0 < outer <= may_have and repeats == outer - 1 == aces - 1 and 2 * len(row) > HIGH_ACE


def with_both_aces(rules: RuleSet) -> RuleSet:
    """Return the same rules, but with runs that may have an ace at both ends."""
    return replace(rules, ace_at_both_ends=True)


def wilds_beyond_ends(row: Sequence[Tile]) -> list[Tiles]:
    """List the ways to read a row, whose naturals are of one colour, on a circle of numbers so that
    wilds alone lie below place 1 or above place 14: for each way these wilds.
    """
    ways = []
    for way in tiles_beyond_ends(row):
        if not any(is_natural for _, is_natural in way):
            ways.append(tuple(tile for tile, _ in way))
    return ways


def why_no_run_of_bag(bag: Tiles, rules: RuleSet) -> Reason:
    """Name the reason why a bag of tiles, whose naturals are all of one colour, is no run. The
    reason is `order` where the bag can be laid as a legal run, so that only the order is wrong.
    """
    run = unordered_run(bag, rules)
    if run:
        return Reason.ORDER if run.wilds_allowed(rules) else Reason.TWO_WILDS

    if not rules.ace_at_both_ends and unordered_run(bag, with_both_aces(rules)):
        return Reason.WRAPAROUND
    numbers = numbers_of(naturals_of(bag))
    if fits_circle(numbers, len(bag)):
        return Reason.WRAPAROUND
    has_repeats = len(set(numbers)) < len(numbers)
    return Reason.DUPLICATE_IN_RUN if has_repeats else Reason.GAP


def tiles_beyond_ends(row: Sequence[Tile]) -> list[list[tuple[Tile, bool]]]:
    """List the ways to read the row, from either side, on a circle of numbers, where 13 is followed
    by 1.

    A way is a list of the tiles that lie below place 1 or above place 14, each with whether it is a
    natural.
    """
    ways = []
    for direction in (row, row[::-1]):
        for low in range(LOW_ACE + 1 - len(row), HIGH_ACE + 1):
            beyond = read_circle(direction, low)
            if beyond is not None:
                ways.append(beyond)
    return ways


def read_circle(row: Sequence[Tile], low: int) -> list[tuple[Tile, bool]] | None:
    """Read the row as a run on a circle of numbers, on which 1 follows 13. The first tile of the
    row lies on place `low`.

    Returns the tiles that lie outside the places 1 to 14, each with whether it is a natural.
    Returns None where a natural does not fit its place.
    """
    colour = naturals_of(row)[0].colour
    beyond = []
    for place, tile in enumerate(row, low):
        number = (place - 1) % len(NUMBERS) + 1
        is_natural = tile.colour == colour and tile.number == number
        if not is_natural and not tile.can_be_wild:
            return None
        if not LOW_ACE <= place <= HIGH_ACE:
            beyond.append((tile, is_natural))
    return beyond


def fits_circle(numbers: Sequence[int], length: int) -> bool:
    """Whether some `length` consecutive places of a circle of the numbers 1 to 13 hold all of
    `numbers`. False where a number occurs twice.
    """
    distinct = set(numbers)
    if len(distinct) < len(numbers):
        return False
    for low in range(len(NUMBERS)):
        arc = {(low + step) % len(NUMBERS) + 1 for step in range(length)}
        if distinct <= arc:
            return True
    return False


def without_inner_aces(row: Sequence[Tile]) -> Tiles:
    """Return the row with a comodín in the place of each 1 that has a neighbour on both sides."""
    inner = [JOKER if tile.number == LOW_ACE else tile for tile in row[1:-1]]
    return (row[0], *inner, row[-1])
