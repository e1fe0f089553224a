"""The smallest thing that players can do to put an illegal meld or change right. A *natural* is a
tile that can never be a wild.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, combinations, combinations_with_replacement
from math import comb
from operator import itemgetter

from engine.arrangements import find_two
from engine.melds import Meld, is_meld, judge_meld, legal_orders
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
# Parts of a row that are looked at; 14 tiles have 364 parts of 11, 9 tiles have 126 parts of 5.
MOST_PARTS = 400


def anywhere(_: Tiles) -> bool:
    """Whether a row may lie as it does: always."""
    return True


class FixAction(StrEnum):
    """What to do with the tiles and the row of a `Fix`."""

    REARRANGE = "rearrange"  # lay the same tiles in the order of `row`
    TAKE_BACK = "take_back"  # return `tiles` to the hand; `row` stays on the table
    ADD = "add"  # add a tile, `tiles` for example, which completes the meld to `row`
    PUT_BACK = "put_back"  # return `tiles` to the table, which then looks as before


@dataclass(frozen=True, slots=True)
class Fix:
    """A way to put a meld or a change right: what to do (`action`) with which `tiles`. `row` is the
    meld as it lies afterwards; it is empty where no meld stays, and where the fix is about the
    table as a whole: tiles are put back, or go back to the hand from another side's meld or because
    nobody played them. `order_matters` says that the tiles and the action do not tell all of it:
    the others have to be put in the order of `row`, or only this order shows which of several equal
    tiles goes back.
    """

    action: FixAction
    tiles: Tiles
    row: Tiles = ()
    order_matters: bool = False


def fix_meld(
    meld: Meld,
    rules: RuleSet,
    *,
    ordered: bool = True,
    removable: Sequence[Tile] | None = None,
    may_lie: Callable[[Tiles], bool] = anywhere,
) -> Fix:
    """Find the fix of an illegal meld that moves the fewest tiles.

    `ordered` says whether the meld was judged as an ordered row. `removable` lists the tiles that
    may still be taken back; None stands for all. `may_lie` tells of a legal meld whether it may
    come of the fix. Where nothing else helps, the fix takes back every tile that may be taken back.

    >>> from engine import judge_meld, notation, ruleset, tiles
    >>> rules = ruleset("burako")
    >>> fix = fix_meld(judge_meld(tiles("9Y 10Y 11Y 13Y"), rules), rules)
    >>> fix.action.value, notation(fix.tiles), notation(fix.row)
    ('take_back', '13Y', '9Y 10Y 11Y')
    """
    row = meld.tiles
    free = Counter(row if removable is None else removable)
    order = first_order(row, rules, may_lie) if ordered else None
    if order:
        return Fix(FixAction.REARRANGE, row, order)
    # Of several wilds a part has the first ones; those that may not go back have to be in it.
    staying = Counter(row) - free
    for part in legal_parts((*staying.elements(), *subsequence(row, staying)), rules, may_lie):
        if is_within(row, part, free):
            rest = rest_as_laid(row, part, free, rules, may_lie) if ordered else part
            back = Counter(row) - Counter(rest or part)
            tiles = tuple(back.elements())
            either = not ordered or stands_either_way(row, back, rules, may_lie)
            return Fix(FixAction.TAKE_BACK, tiles, rest or part, not either)
    everything_back = Fix(FixAction.TAKE_BACK, tuple(free.elements()), subsequence(row, free))
    return completion(row, rules, ordered=ordered) or everything_back


def first_order(row: Tiles, rules: RuleSet, may_lie: Callable[[Tiles], bool]) -> Tiles | None:
    """Return the best order in which the tiles are a legal meld that may lie; None where there is
    none.
    """
    return next(filter(may_lie, legal_orders(row, rules)), None)


def is_within(row: Sequence[Tile], rest: Sequence[Tile], free: Counter[Tile]) -> bool:
    """Whether only tiles that are `free` leave the row where `rest` stays of it."""
    return Counter(row) - Counter(rest) <= free


def rest_as_laid(
    row: Tiles,
    part: Tiles,
    free: Counter[Tile],
    rules: RuleSet,
    may_lie: Callable[[Tiles], bool],
) -> Tiles | None:
    """Return a legal meld of as many tiles as `part` that is left, in the order in which they lie,
    once tiles that are `free` are taken out of the row; None where none is found.

    The tiles of `part` are tried first, then all parts of that size unless there are more than
    MOST_PARTS, beginning with those that keep the first tiles of the row.
    """
    likeliest = subsequence(row, Counter(row) - Counter(part))
    parts: Iterable[Tiles] = ()
    if comb(len(row), len(part)) <= MOST_PARTS:
        parts = combinations(row, len(part))
    for rest in chain([likeliest], parts):
        if is_meld(rest, rules) and is_within(row, rest, free) and may_lie(rest):
            return rest
    return None


def stands_either_way(
    row: Tiles, back: Counter[Tile], rules: RuleSet, may_lie: Callable[[Tiles], bool]
) -> bool:
    """Whether a meld that may lie is left, in the order in which the tiles lie, no matter whether
    the first or the last ones of equal tiles go `back`.
    """
    without_last = subsequence(row, back)
    without_first = subsequence(row[::-1], back)
    return all(is_meld(rest, rules) and may_lie(rest) for rest in (without_last, without_first))


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


def legal_parts(
    row: Sequence[Tile], rules: RuleSet, may_lie: Callable[[Tiles], bool]
) -> Iterator[Tiles]:
    """Yield the legal melds that some of the row's tiles make, the longest first, each in the best
    order in which it may lie.
    """
    parts = [*parts_as_runs(row, rules), *parts_as_piernas(row, rules)]
    for part in sorted(parts, key=len, reverse=True):
        order = first_order(tuple(part), rules, may_lie)
        if order:
            yield order


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
    """Return the tiles, in their order, without copies beyond those that the set holds."""
    kept: list[Tile] = []
    for tile in tiles:
        if kept.count(tile) < rules.copies(tile):
            kept.append(tile)
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
    others = list(wilds)
    others.remove(own_two)
    return [own_two], others


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


def completion(row: Sequence[Tile], rules: RuleSet, *, ordered: bool) -> Fix | None:
    """Make the fix that adds one tile to the row, which then is a legal meld; None where one tile
    is not enough. If `ordered`, a tile that leaves the others as they lie is preferred; of several
    tiles one with which fewer tiles act as wild is.
    """
    found = []
    for tile in neighbours(row):
        arrangement = judge_meld((*row, tile), rules, ordered=False).arrangement
        if arrangement is None:
            continue
        places = range(len(row) + 1) if ordered else ()
        longer = ((*row[:place], tile, *row[place:]) for place in places)
        reordered = ordered and not any(is_meld(one, rules) for one in longer)
        fix = Fix(FixAction.ADD, (tile,), arrangement.tiles, reordered)
        found.append((reordered, arrangement.wilds, fix))
    return min(found, key=itemgetter(0, 1))[2] if found else None


def neighbours(row: Sequence[Tile]) -> Iterator[Tile]:
    """Yield the tiles that could belong to a row and are not in it.

    Such a tile has the number of the row's first natural, or it has the colour of that natural and
    a number at most two places away, where 1 lies beside 13 too. In a row without naturals its
    first tile with a number is taken instead, and in one of comodines alone there is none but J.
    """
    numbered = [tile for tile in [*naturals_of(row), *row] if not tile.joker]
    first = next(iter(numbered), JOKER)
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
