"""The smallest thing that players can do to put an illegal meld or change right. A *natural* is a
tile that can never be a wild.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations_with_replacement

from engine.arrangements import find_two
from engine.melds import Meld, judge_meld
from engine.rulesets import HIGH_ACE, LOW_ACE, RuleSet, Special
from engine.tiles import (
    COLOURS,
    FACES,
    JOKER,
    NUMBERS,
    Colour,
    Tile,
    Tiles,
    naturals_of,
    numbers_of,
    possible_wilds_of,
)

NEAR = 2  # places, as between two tiles of a run with a third between them


class FixAction(StrEnum):
    """What to do with the tiles and the row of a `Fix`."""

    REARRANGE = "rearrange"  # lay the same tiles in the order of `row`
    TAKE_BACK = "take_back"  # return `tiles` to the hand; `row` stays on the table
    ADD = "add"  # add a tile, `tiles` for example, which completes the meld to `row`
    PUT_BACK = "put_back"  # return `tiles` to the table, which then looks as before


@dataclass(frozen=True, slots=True)
class Fix:
    """A way to put a meld or a change right: what to do (`action`) with which `tiles`. `row` is the
    meld as it lies afterwards; it is empty where no meld stays.
    """

    action: FixAction
    tiles: Tiles
    row: Tiles = ()


def fix_meld(
    meld: Meld, rules: RuleSet, *, ordered: bool = True, removable: Sequence[Tile] | None = None
) -> Fix:
    """Find the fix of an illegal meld that moves the fewest tiles.

    `ordered` says whether the meld was judged as an ordered row. `removable` lists the tiles that
    may still be taken back; None stands for all. Where nothing else helps, the fix takes back every
    tile that may be taken back.

    >>> from engine import judge_meld, notation, ruleset, tiles
    >>> rules = ruleset("burako")
    >>> fix = fix_meld(judge_meld(tiles("9Y 10Y 11Y 13Y"), rules), rules)
    >>> fix.action.value, notation(fix.tiles), notation(fix.row)
    ('take_back', '13Y', '9Y 10Y 11Y')
    """
    row = meld.tiles
    free = Counter(row if removable is None else removable)
    rearranged = judge_meld(row, rules, ordered=False) if ordered else meld
    if rearranged.arrangement:
        return Fix(FixAction.REARRANGE, row, rearranged.arrangement.tiles)
    for part in legal_parts(row, rules):
        back = Counter(row) - Counter(part)
        if back <= free:
            return take_back(row, back, part, rules, ordered=ordered)
    everything_back = Fix(FixAction.TAKE_BACK, tuple(free.elements()), subsequence(row, free))
    return completion(row, rules) or everything_back


def take_back(
    row: Tiles, back: Counter[Tile], part: Tiles, rules: RuleSet, *, ordered: bool
) -> Fix:
    """Make the fix that takes the tiles `back` out of a row, so that the legal meld `part` stays.

    The tiles that stay keep their order if the row was judged as `ordered` and they are a legal
    meld in this order; otherwise they are laid in the order of `part`.
    """
    rest = subsequence(row, back)
    keeps_order = ordered and judge_meld(rest, rules).valid
    return Fix(FixAction.TAKE_BACK, tuple(back.elements()), rest if keeps_order else part)


def subsequence(row: Sequence[Tile], without: Counter[Tile]) -> Tiles:
    """Return the row without some of its tiles: of each tile, it lacks the last ones, as many as
    `without` counts.
    """
    left = Counter(without)
    kept = []
    for tile in reversed(row):
        if left[tile] > 0:
            left[tile] -= 1
        else:
            kept.append(tile)
    return tuple(reversed(kept))


def legal_parts(row: Sequence[Tile], rules: RuleSet) -> Iterator[Tiles]:
    """Yield the legal melds that some of the row's tiles make, the longest first, each laid in a
    legal order.
    """
    parts = [*parts_as_runs(row, rules), *parts_as_piernas(row, rules)]
    for part in sorted(parts, key=len, reverse=True):
        arrangement = judge_meld(part, rules, ordered=False).arrangement
        if arrangement:
            yield arrangement.tiles


def parts_as_piernas(row: Sequence[Tile], rules: RuleSet) -> Iterator[list[Tile]]:
    """Yield parts of the row that may be piernas. Each has all tiles of one number and 0, 1, 2 ...
    possible wilds of the row, up to as many as a meld may have.

    No part has more copies of a tile than a whole set of tiles has, or more tiles than
    `pierna_max`. Where the table pays canastas of wilds, one part has all 2s and comodines, however
    many these are.
    """
    possible_wilds = existing_copies(possible_wilds_of(row), rules)
    if rules.special(Special.WILDS):
        yield possible_wilds
    for number in set(numbers_of(row)):
        naturals = existing_copies([tile for tile in row if tile.number == number], rules)
        wilds = [tile for tile in possible_wilds if tile.number != number]
        for some_wilds in heads(wilds, rules.wild_limit(len(row))):
            yield (naturals + some_wilds)[: rules.pierna_max]


def existing_copies(tiles: Sequence[Tile], rules: RuleSet) -> list[Tile]:
    """Return the tiles without copies beyond those that the set holds. Equal tiles come one after
    the other.
    """
    kept: list[Tile] = []
    for tile, count in Counter(tiles).items():
        kept += [tile] * min(count, rules.copies(tile))
    return kept


def heads(tiles: Sequence[Tile], longest: int) -> Iterator[list[Tile]]:
    """Yield lists of the first 0, 1, 2 ... of the tiles, up to `longest` of them."""
    for count in range(min(longest, len(tiles)) + 1):
        yield list(tiles[:count])


def parts_as_runs(row: Sequence[Tile], rules: RuleSet) -> Iterator[list[Tile]]:
    """Yield parts of the row that may be runs. Each has the naturals of one colour between two
    places and 0, 1, 2 ... possible wilds of the row, up to as many as a meld may have.

    A 2 of the colour is tried in its own place as well as left out. No part has more copies of a
    wild than a whole set of tiles has.
    """
    limit = rules.wild_limit(len(row))
    wilds = existing_copies(possible_wilds_of(row), rules)
    colours = {tile.colour for tile in row}
    for colour in sorted(colours.intersection(COLOURS), key=str):
        two, others = split_off_two(wilds, colour)
        for naturals in windows([tile for tile in naturals_of(row) if tile.colour == colour]):
            for some_wilds in heads(others, limit):
                yield naturals + two + some_wilds
            if two:
                yield from (naturals + some_wilds for some_wilds in heads(others, limit))


def split_off_two(wilds: Sequence[Tile], colour: Colour | None) -> tuple[list[Tile], list[Tile]]:
    """Split possible wilds into two lists. The first holds one 2 of the colour; it is empty where
    the wilds include no such 2, and where `colour` is None. The second holds all other wilds.
    """
    own_two = find_two(wilds, colour)
    if own_two is None:
        return [], list(wilds)
    return [own_two], list(subsequence(wilds, Counter([own_two])))


def windows(naturals: Sequence[Tile]) -> Iterator[list[Tile]]:
    """Yield lists of the `naturals`, which are all of one colour, by their places in a run. For
    every two places that naturals occupy, a list holds the naturals from the lower place to the
    higher one; for every single place, a list holds its natural. A list has one tile for each
    occupied place, in rising order.

    A 1 lies low or high. A list has a 1 at both ends only where there are two 1s.
    """
    placed = dict(zip(numbers_of(naturals), naturals, strict=True))
    aces = numbers_of(naturals).count(LOW_ACE)
    if aces:
        placed[HIGH_ACE] = placed[LOW_ACE]
    for low, high in combinations_with_replacement(sorted(placed), 2):
        uses_ace_twice = low == LOW_ACE and high == HIGH_ACE
        if not uses_ace_twice or aces > 1:
            yield [placed[place] for place in sorted(placed) if low <= place <= high]


def completion(row: Sequence[Tile], rules: RuleSet) -> Fix | None:
    """Make the fix that adds one tile to the row, which then is a legal meld; None where one tile
    is not enough.
    """
    for tile in neighbours(row):
        arrangement = judge_meld((*row, tile), rules, ordered=False).arrangement
        if arrangement:
            return Fix(FixAction.ADD, (tile,), arrangement.tiles)
    return None


def neighbours(row: Sequence[Tile]) -> Iterator[Tile]:
    """Yield the tiles that could belong to a row and are not in it.

    Such a tile has the number of the row's first natural, or it has the colour of that natural and
    a number at most two places away, where 1 lies beside 13 too. In a row without naturals the
    row's first tile is taken instead of the first natural.
    """
    first = next(iter([*naturals_of(row), *row]), JOKER)
    for face in FACES:
        belongs = face.number == first.number or is_near(face, first)
        if belongs and face not in row:
            yield face


def is_near(face: Tile, other: Tile) -> bool:
    """Whether two tiles are of one colour and lie at most two places apart in a run.

    The 1 lies beside the 13 as well as beside the 2.
    """
    if face.number is None or other.number is None or face.colour != other.colour:
        return False
    step = abs(face.number - other.number)
    return min(step, len(NUMBERS) - step) <= NEAR  # the 1 lies beside the 13 as well
