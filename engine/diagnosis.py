"""Why a row is no meld: the reason that tells the players most, found by relaxing one rule after
another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.arrangements import pierna, run_as_laid, run_of_bag
from engine.inventory import too_many_copies
from engine.reasons import Reason
from engine.rulesets import HIGH_ACE, LOW_ACE, MINIMUM_MELD, RuleSet
from engine.tiles import JOKER, Row, Tile


def diagnose(row: Row, rules: RuleSet, *, ordered: bool, check_copies: bool = True) -> Reason:
    """The reason why `row`, known to be illegal, is so."""
    if len(row) < MINIMUM_MELD:
        return Reason.TOO_SHORT
    if check_copies and too_many_copies(row, rules):
        return Reason.TOO_MANY_COPIES
    of_one_number = pierna(row, rules)
    if of_one_number and of_one_number.wilds_allowed(rules):
        return Reason.TOO_MANY_COPIES  # of the number: more tiles than the table's `pierna_max`
    naturals = [tile for tile in row if not tile.can_be_wild]
    if not naturals:
        return Reason.TWO_WILDS if of_one_number else Reason.ALL_WILD
    if fewest_wilds(row) > rules.wild_limit(len(row)):
        return Reason.TWO_WILDS
    if len({tile.colour for tile in naturals}) == 1:
        return why_no_run(row, rules) if ordered else why_no_run_of_bag(row, rules)
    return Reason.COLOUR_MISMATCH if run_of_bag(in_one_colour(row), rules) else Reason.MIXED


def fewest_wilds(row: Sequence[Tile]) -> int:
    """Tiles that must act as wilds: in a run one 2 of its colour may be natural, in a pierna
    none.
    """
    naturals = [tile for tile in row if not tile.can_be_wild]
    colours = {tile.colour for tile in naturals}
    of_one_number = len(naturals) > 1 and len({tile.number for tile in naturals}) == 1
    own_two = not of_one_number and any(tile.number == 2 and tile.colour in colours for tile in row)
    return len(row) - len(naturals) - own_two


def in_one_colour(row: Sequence[Tile]) -> Row:
    """The row as if every tile were red, its wilds staying wilds."""
    return tuple(JOKER if tile.can_be_wild else Tile(tile.number, "R") for tile in row)


def why_no_run(row: Row, rules: RuleSet) -> Reason:
    """The reason for a row as laid, its naturals of one colour."""
    if run_as_laid(row, rules):
        return Reason.TWO_WILDS  # a 2 away from its own place is one wild too many
    if run_as_laid(row, replace(rules, ace_at_both_ends=True)):
        return Reason.WRAPAROUND
    beyond_the_ends = tiles_beyond_the_ends(row)
    if beyond_the_ends:
        return Reason.WRAPAROUND if all(map(any, beyond_the_ends)) else Reason.OUT_OF_RANGE
    reason = why_no_run_of_bag(row, rules)
    if reason is Reason.GAP and run_as_laid(without_inner_aces(row), rules):
        return Reason.ACE_IN_MIDDLE
    return reason


def why_no_run_of_bag(bag: Row, rules: RuleSet) -> Reason:
    """The reason for a bag of tiles; `order` where the bag could be laid legally and only the row
    is wrong.
    """
    best = run_of_bag(bag, rules)
    if best:
        return Reason.ORDER if best.wilds_allowed(rules) else Reason.TWO_WILDS
    numbers = [tile.number for tile in bag if not tile.can_be_wild]
    if run_of_bag(bag, replace(rules, ace_at_both_ends=True)) or fits_a_circle(numbers, len(bag)):
        return Reason.WRAPAROUND
    return Reason.DUPLICATE_IN_RUN if len(set(numbers)) < len(numbers) else Reason.GAP


def tiles_beyond_the_ends(row: Sequence[Tile]) -> list[list[bool]]:
    """For each way to read the row if numbers went round in a circle: which tiles below 1 or above
    the high 1 fit.
    """
    return [
        beyond
        for direction in (row, row[::-1])
        for low in range(LOW_ACE + 1 - len(row), HIGH_ACE + 1)
        if (beyond := read_circle(direction, low)) is not None
    ]


def read_circle(row: Sequence[Tile], low: int) -> list[bool] | None:
    """Whether each tile beyond the ends is a natural, the row's first lying on `low`; None where a
    natural misfits.
    """
    colour = next(tile.colour for tile in row if not tile.can_be_wild)
    beyond = []
    for place, tile in enumerate(row, low):
        fits = tile.colour == colour and tile.number == (place - 1) % 13 + 1
        if not fits and not tile.can_be_wild:
            return None
        if not LOW_ACE <= place <= HIGH_ACE:
            beyond.append(fits)
    return beyond


def fits_a_circle(numbers: Sequence[int | None], length: int) -> bool:
    """Whether so many consecutive places of a circle of 13 hold all these numbers, each once."""
    distinct = set(numbers)
    circles = ({(low + step) % 13 + 1 for step in range(length)} for low in range(13))
    return len(distinct) == len(numbers) and any(distinct <= circle for circle in circles)


def without_inner_aces(row: Sequence[Tile]) -> Row:
    """The row with a comodín instead of each 1 that has a neighbour on both sides."""
    inner = range(1, len(row) - 1)
    return tuple(
        JOKER if tile.number == 1 and index in inner else tile for index, tile in enumerate(row)
    )
