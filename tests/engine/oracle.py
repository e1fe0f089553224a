"""An independent judge by brute force, which tries every assignment of numbers to tiles and every
direction.

Of the engine it uses only the tiles and the figures that a ruleset declares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations

from engine import RuleSet, Tile


def stands_as(tile: Tile, number: int, colour: str) -> bool | None:
    """Return how a tile lies in the place of a number in a run of a colour: True as a natural,
    False as a wild, None not at all.
    """
    if tile.number == number and tile.colour == colour:
        return True
    return False if tile.number in (None, 2) else None


def run_wilds(row: Sequence[Tile], rules: RuleSet) -> Iterator[list[bool]]:
    """Yield, for every colour, direction and first place with which the row is a run, which of its
    tiles are wild.
    """
    for colour in sorted({tile.colour for tile in row if tile.colour}):
        for seen in (list(row), list(reversed(row))):
            for start in range(1, 15):
                places = range(start, start + len(row))
                if places[-1] > 14 or (
                    places[0] == 1 and places[-1] == 14 and not rules.ace_at_both_ends
                ):
                    continue
                roles = [
                    stands_as(tile, place if place < 14 else 1, colour)
                    for tile, place in zip(seen, places, strict=True)
                ]
                if None not in roles:
                    yield [not role for role in roles]


def pierna_wilds(row: Sequence[Tile], rules: RuleSet) -> Iterator[list[bool]]:
    for number in range(1, 14):
        if number == 2 and not rules.pierna_of_twos:
            continue
        wild = [tile.number != number for tile in row]
        can = [tile.number in (None, 2) for tile in row]
        enough = sum(tile.number == 2 for tile in row) >= 2 if number == 2 else not all(can)
        if enough and all(may for is_wild, may in zip(wild, can, strict=True) if is_wild):
            yield wild


def fewest_wilds(row: Sequence[Tile], rules: RuleSet, *, ordered: bool = True) -> int | None:
    """Return the fewest wilds with which the tiles are a legal meld; None where they
    never are one.
    """
    if len(row) < 3 or any(
        n > (rules.jokers if tile.number is None else 2) for tile, n in Counter(row).items()
    ):
        return None
    all_wild = all(tile.number in (None, 2) for tile in row)
    orders = [tuple(row)] if ordered else set(permutations(row))
    runs = [] if all_wild else [wild for order in orders for wild in run_wilds(order, rules)]
    counts = [sum(wild) for wild in (*runs, *pierna_wilds(row, rules))]
    return min((n for n in counts if n <= (rules.wilds_per_meld or 0)), default=None)
