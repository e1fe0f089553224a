"""How tiles form a run (escalera) or a set (pierna).

A *place* of a run is a number from 1 to 14; place 14 is the high 1, above the 13. A *natural* is a
tile that can never be a wild; a 2 or a comodín may be one. An *ordered* row keeps the order in
which it lies; a *bag* of tiles may be put in any order. Limits on wilds are judged in
`engine.melds`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.rulesets import HIGH_ACE, LOW_ACE, RuleSet, Special
from engine.tiles import NUMBERS, Colour, Tile, Tiles, naturals_of, numbers_of, possible_wilds_of

NUMBER_AT = (0, *NUMBERS, LOW_ACE)  # the printed number that belongs to each place; index 0 unused


class Kind(StrEnum):
    """The two kinds of meld."""

    ESCALERA = "escalera"
    PIERNA = "pierna"


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Tiles laid as a meld. Those of a run are in ascending order, those of a pierna in the order
    in which they were given.

    `places` holds for each tile what it stands for: its place in a run, the number in a pierna.
    `wild` says for each tile whether it acts as a wild.
    """

    kind: Kind
    tiles: Tiles
    places: tuple[int, ...]
    wild: tuple[bool, ...]

    @property
    def wilds(self) -> int:
        """How many tiles act as wild."""
        return sum(self.wild)

    def wilds_allowed(self, rules: RuleSet) -> bool:
        """Whether the ruleset allows a meld of this size to have this many wilds."""
        return self.wilds <= rules.wild_limit(len(self.tiles))


def with_fewest_wilds(arrangements: Iterable[Arrangement | None]) -> Arrangement | None:
    """Choose the arrangement with the fewest wilds; of several with equally few, the first. Entries
    that are None are left out. Returns None if no arrangement is left.
    """
    existing = [arrangement for arrangement in arrangements if arrangement is not None]
    return min(existing, key=lambda arrangement: arrangement.wilds, default=None)


def first_natural(row: Sequence[Tile]) -> tuple[int, Tile] | None:
    """Return the index and the tile of the first natural in the row; None where the row has
    none.
    """
    for index, tile in enumerate(row):
        if not tile.can_be_wild:
            return index, tile
    return None


def ordered_run(row: Sequence[Tile], rules: RuleSet) -> Arrangement | None:
    """Read a row, in its order and from either side, as the run with the fewest wilds.

    Returns None where the row is no run.

    >>> from engine import ruleset, tiles
    >>> ordered_run(tiles("5R J 3R"), ruleset("burako")).places
    (3, 4, 5)
    """
    runs = []
    for direction in (row, row[::-1]):
        for low in possible_low_ends(direction):
            runs.append(run_from(direction, low, rules))
    return with_fewest_wilds(runs)


def possible_low_ends(row: Sequence[Tile]) -> tuple[int, ...]:
    """List the places on which a run in the row's order may begin, so that its first natural lies
    on its own number.

    Where that natural is a 1 there are two such places, since a 1 may lie low or high. For a row
    without naturals there is no such place. The places are not checked against the limits 1 and 14.
    """
    natural = first_natural(row)
    if natural is None:
        return ()
    index, tile = natural
    if tile.number == LOW_ACE:
        return LOW_ACE - index, HIGH_ACE - index
    assert tile.number is not None
    return (tile.number - index,)


def run_from(row: Sequence[Tile], low: int, rules: RuleSet) -> Arrangement | None:
    """Read a row as an ascending run whose first tile lies on place `low`.

    Returns None where a natural does not fit its place or the run leaves the places 1 to 14.
    """
    high = low + len(row) - 1
    natural = first_natural(row)
    if natural is None or not fits_between_ends(low, high, rules):
        return None
    colour = natural[1].colour
    wild = []
    for place, tile in enumerate(row, low):
        in_own_place = tile.colour == colour and tile.number == NUMBER_AT[place]
        if not in_own_place and not tile.can_be_wild:
            return None
        wild.append(not in_own_place)
    places = tuple(range(low, high + 1))
    return Arrangement(Kind.ESCALERA, tuple(row), places, tuple(wild))


def fits_between_ends(low: int, high: int, rules: RuleSet) -> bool:
    """Whether a run may reach from place `low` to place `high`. It may not reach beyond the places
    1 to 14, and only some rulesets let it reach from the low 1 to the high 1.
    """
    if low == LOW_ACE and high == HIGH_ACE:
        return rules.ace_at_both_ends
    return low >= LOW_ACE and high <= HIGH_ACE


def unordered_run(bag: Sequence[Tile], rules: RuleSet) -> Arrangement | None:
    """Lay a bag of tiles as the run with the fewest wilds; None where no order makes a run.

    >>> from engine import notation, ruleset, tiles
    >>> notation(unordered_run(tiles("5R 3R J 6R"), ruleset("burako")).tiles)
    '3R J 5R 6R'
    """
    return with_fewest_wilds(unordered_runs(bag, rules))


def unordered_runs(bag: Sequence[Tile], rules: RuleSet) -> list[Arrangement]:
    """List the runs as which a bag of tiles may be laid."""
    runs = [ordered_run(row, rules) for row in possible_runs(bag)]
    return [run for run in runs if run is not None]


def possible_runs(bag: Sequence[Tile]) -> Iterator[list[Tile]]:
    """Yield the orders in which a bag of tiles may lie as a run, each as a row of all the bag's
    tiles.

    The orders differ in whether a 1 lies low or high, in whether a 2 of the run's colour lies in
    its own place or acts as a wild, and in how many wilds lie at each end. Nothing is yielded
    unless all naturals are of one colour.
    """
    naturals = naturals_of(bag)
    wilds = possible_wilds_of(bag)
    colours = {tile.colour for tile in naturals}
    if len(colours) != 1:
        return
    own_two = find_two(wilds, colours.pop())
    for high_aces in possible_high_aces(naturals):
        if own_two is not None:
            spare = list(wilds)
            spare.remove(own_two)
            yield from lay_as_run([own_two, *naturals], spare, high_aces)
        yield from lay_as_run(naturals, wilds, high_aces)


def find_two(tiles: Sequence[Tile], colour: Colour | None) -> Tile | None:
    """Return the first 2 of the colour among the tiles; None where they hold no 2 of it. No tile
    fits the colour None, which is that of comodines.
    """
    for tile in tiles:
        if tile.number == 2 and tile.colour == colour:
            return tile
    return None


def possible_high_aces(naturals: Sequence[Tile]) -> tuple[int, ...]:
    """List how many 1s may lie above the 13 in a run of these naturals, one entry for each
    possibility. The list is empty where the naturals hold more 1s than a run can.
    """
    aces = numbers_of(naturals).count(LOW_ACE)
    choices: dict[int, tuple[int, ...]] = {0: (0,), 1: (0, 1), 2: (1,)}
    return choices.get(aces, ())


def lay_as_run(
    naturals: Sequence[Tile], wilds: Sequence[Tile], high_aces: int
) -> Iterator[list[Tile]]:
    """Lay naturals on their places, wilds in the gaps, and all other wilds above the highest
    natural or below the lowest.

    A 2 among the `naturals` lies in its own place. `high_aces` says how many of the 1s lie on place
    14. Yields each row in ascending order, first the one with the most wilds above. Yields nothing
    where two naturals share a place, the wilds do not fill the gaps, or the row is longer than a
    run can be.
    """
    placed = place_naturals(naturals, high_aces)
    if placed is None or len(placed) + len(wilds) > HIGH_ACE:
        return
    low, high = min(placed), max(placed)
    outside = len(wilds) - (high - low + 1 - len(placed))  # wilds left when the gaps are filled
    for above in range(min(outside, HIGH_ACE - high), -1, -1):
        below = outside - above
        if below < low:
            spare = iter(wilds)
            ends = range(low - below, high + above + 1)
            yield [placed[place] if place in placed else next(spare) for place in ends]


def place_naturals(naturals: Sequence[Tile], high_aces: int) -> dict[int, Tile] | None:
    """Map each place of a run, 1 to 14, that has a natural to this natural. The first `high_aces`
    1s lie on place 14, above the 13, and any others on place 1.

    Returns None where two tiles share a place.
    """
    placed: dict[int, Tile] = {}
    for tile, number in zip(naturals, numbers_of(naturals), strict=True):
        place = number
        if number == LOW_ACE and high_aces:
            high_aces -= 1
            place = HIGH_ACE
        if place in placed:
            return None
        placed[place] = tile
    return placed


def pierna(row: Sequence[Tile], rules: RuleSet) -> Arrangement | None:
    """Read a row as tiles of one number, with wilds. Returns None where its naturals have several
    numbers.

    A row of 2s and comodines alone is read as a pierna of twos. Returns None where the ruleset does
    not allow such a pierna.
    """
    numbers = set(numbers_of(naturals_of(row)))
    if len(numbers) > 1:
        return None
    number = numbers.pop() if numbers else 2
    wild = tuple(tile.number != number for tile in row)
    if number == 2 and not may_be_pierna_of_twos(wild, rules):
        return None
    return Arrangement(Kind.PIERNA, tuple(row), (number,) * len(row), wild)


def may_be_pierna_of_twos(wild: Sequence[bool], rules: RuleSet) -> bool:
    """Whether the ruleset allows a pierna of 2s and comodines alone. `wild` holds one value for
    each of its tiles: True for a comodín, False for a 2.
    """
    if rules.special(Special.WILDS):
        return True
    return rules.pierna_of_twos and wild.count(False) >= 2
