"""How a row reads as a run or a pierna, and how a bag of tiles is best laid; wild limits are the
judge's business.

A run's *place* is a number from 1 to 14: 14 is the high 1, above the 13.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.rulesets import HIGH_ACE, LOW_ACE, RuleSet, Special
from engine.tiles import Row, Tile


class Kind(StrEnum):
    ESCALERA = "escalera"
    PIERNA = "pierna"


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Tiles as a meld: from the low end in a run, as given in a pierna."""

    kind: Kind
    tiles: Row
    places: tuple[int, ...]  # what each tile stands for
    wild: tuple[bool, ...]

    @property
    def wilds(self) -> int:
        return sum(self.wild)

    def wilds_allowed(self, rules: RuleSet) -> bool:
        return self.wilds <= rules.wild_limit(len(self.tiles))


def first_natural(row: Sequence[Tile]) -> tuple[int, Tile] | None:
    """The first tile that can never be a wild, with its index."""
    return next(((index, tile) for index, tile in enumerate(row) if not tile.can_be_wild), None)


def read_run(row: Sequence[Tile], low: int, rules: RuleSet) -> Arrangement | None:
    """The row as an ascending run whose first tile lies on place `low`; None where a natural does
    not fit its place.
    """
    high = low + len(row) - 1
    natural = first_natural(row)
    if (
        natural is None
        or low < LOW_ACE
        or high > HIGH_ACE
        or (high - low == 13 and not rules.ace_at_both_ends)
    ):
        return None
    colour = natural[1].colour
    wild = []
    for place, tile in enumerate(row, low):
        fits = tile.colour == colour and (
            tile.number == place or (place == HIGH_ACE and tile.number == 1)
        )
        if not fits and not tile.can_be_wild:
            return None
        wild.append(not fits)
    return Arrangement(Kind.ESCALERA, tuple(row), tuple(range(low, high + 1)), tuple(wild))


def run_as_laid(row: Sequence[Tile], rules: RuleSet) -> Arrangement | None:
    """The run that the row is, read from either side, with the fewest wilds; None where it is
    none.
    """
    readings = []
    for direction in (row, row[::-1]):
        natural = first_natural(direction)
        if natural is None:
            return None
        index, tile = natural
        for number in (tile.number, HIGH_ACE) if tile.number == 1 else (tile.number,):
            assert number is not None
            reading = read_run(direction, number - index, rules)
            if reading:
                readings.append(reading)
    return min(readings, key=lambda reading: reading.wilds, default=None)


def run_of_bag(bag: Sequence[Tile], rules: RuleSet) -> Arrangement | None:
    """The run with the fewest wilds that these tiles can be laid to; None where there is none."""
    readings = [run_as_laid(row, rules) for row in possible_runs(bag)]
    return min(filter(None, readings), key=lambda reading: reading.wilds, default=None)


def possible_runs(bag: Sequence[Tile]) -> Iterator[list[Tile]]:
    """Every way worth trying to lay a bag as a run: the 1 low or high, a 2 of its colour in its
    place or as a wild.
    """
    natural = first_natural(bag)
    if natural is None:
        return
    colour = natural[1].colour
    naturals = [tile for tile in bag if not tile.can_be_wild]
    wilds = [tile for tile in bag if tile.can_be_wild]
    own_two = next((tile for tile in wilds if tile.number == 2 and tile.colour == colour), None)
    aces = sum(tile.number == 1 for tile in naturals)
    if any(tile.colour != colour for tile in naturals) or aces > 2:
        return
    for high_aces in {0: (0,), 1: (0, 1), 2: (1,)}[aces]:
        for two in (own_two, None) if own_two else (None,):
            row = lay_out(naturals, wilds, high_aces, two)
            if row:
                yield row


def lay_out(
    naturals: Sequence[Tile], wilds: Sequence[Tile], high_aces: int, natural_two: Tile | None
) -> list[Tile] | None:
    """Naturals on their places, wilds first in the gaps, then above, then below; None where that
    cannot be.
    """
    spare = list(wilds)
    placed: dict[int, Tile] = {}
    if natural_two:
        spare.remove(natural_two)
        placed[2] = natural_two
    for tile in naturals:
        place = tile.number or 0
        if place == 1 and high_aces:
            high_aces -= 1
            place = HIGH_ACE
        if place in placed:
            return None
        placed[place] = tile
    low, high = min(placed), max(placed)
    gaps = high - low + 1 - len(placed)
    if gaps > len(spare) or len(placed) + len(spare) > HIGH_ACE:
        return None
    above = min(len(spare) - gaps, HIGH_ACE - high)
    low -= len(spare) - gaps - above
    high += above
    return [placed[place] if place in placed else spare.pop(0) for place in range(low, high + 1)]


def pierna(row: Sequence[Tile], rules: RuleSet) -> Arrangement | None:
    """The row as tiles of one number, with wilds; None where it is none."""
    numbers = {tile.number for tile in row if not tile.can_be_wild}
    if len(numbers) > 1:
        return None
    number = numbers.pop() if numbers else 2
    natural = [tile.number == number for tile in row]
    if (
        number == 2
        and not rules.special(Special.WILDS)
        and (not rules.pierna_of_twos or sum(natural) < 2)
    ):
        return None
    return Arrangement(
        Kind.PIERNA, tuple(row), (number or 0,) * len(row), tuple(not each for each in natural)
    )
