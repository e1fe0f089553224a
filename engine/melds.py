"""Judging a meld: a row in its order, or a bag of tiles in its best order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.arrangements import (
    Arrangement,
    Kind,
    ordered_run,
    pierna,
    unordered_run,
    unordered_runs,
)
from engine.canastas import canasta_points, classify
from engine.diagnosis import diagnose
from engine.inventory import too_many_copies
from engine.reasons import Notice, Reason
from engine.rulesets import MINIMUM_MELD, Burraco, Canasta, RuleSet, Special
from engine.tiles import Tile, Tiles


@dataclass(frozen=True, slots=True)
class Meld:
    """The verdict on a row. An illegal row has a `reason` and no `arrangement`. `better` holds the
    same tiles in an order with fewer wilds, None where there is no such order.
    """

    tiles: Tiles  # as given
    points: int  # sum of the printed values, also of an illegal meld
    reason: Reason | None = None
    arrangement: Arrangement | None = None
    canasta: Canasta | None = None  # None: illegal, or fewer than seven tiles
    burraco: Burraco | None = None  # under Italian rules only
    notices: tuple[Notice, ...] = ()
    better: Tiles | None = None  # the same tiles in an order with fewer wilds, if there is one

    @property
    def valid(self) -> bool:
        """Whether the meld is legal."""
        return self.reason is None

    @property
    def kind(self) -> Kind | None:
        """Run or pierna; None for an illegal meld."""
        return self.arrangement.kind if self.arrangement else None

    @property
    def wilds(self) -> int:
        """How many tiles act as wild; 0 for an illegal meld."""
        return self.arrangement.wilds if self.arrangement else 0

    @property
    def canasta_class(self) -> Canasta | Burraco | None:
        """The class by which the ruleset pays the canasta; None where the meld is no canasta."""
        return self.burraco or self.canasta


def judge_meld(
    tiles: Sequence[Tile], rules: RuleSet, *, ordered: bool = True, check_copies: bool = True
) -> Meld:
    """Judge tiles as a meld.

    A row that is `ordered` is judged as it lies, read from either side; otherwise the tiles are a
    bag, judged in their best order. With `check_copies=False` too many copies of a tile are no
    reason against the meld. This is for callers that count the copies of the whole table. Source:
    RULES.md, "Side by side", the rows *escalera* to *only wilds*, and "Rows as laid".

    >>> from engine import ruleset, tiles
    >>> rules = ruleset("burako")
    >>> meld = judge_meld(tiles("3R 4R J 6R 7R 8R 9R"), rules)
    >>> meld.valid, meld.kind.value, meld.canasta.value, meld.wilds, meld.points
    (True, 'escalera', 'impura', 1, 90)
    >>> judge_meld(tiles("4R 3R 5R"), rules).reason
    <Reason.ORDER: 'order'>
    >>> judge_meld(tiles("4R 3R 5R"), rules, ordered=False).valid
    True
    """
    row = tuple(tiles)
    points = rules.points(row)
    arrangement = _arranged(row, rules, ordered=ordered, check_copies=check_copies)
    if arrangement is None:
        return Meld(row, points, diagnose(row, rules, ordered=ordered, check_copies=check_copies))

    canasta, burraco = classify(arrangement, rules)
    better = better_order(arrangement, rules) if ordered else None
    notices = []
    if is_pierna_of_twos(arrangement):
        notices.append(Notice.PIERNA_OF_TWOS)
    if better:
        notices.append(Notice.BETTER_ARRANGEMENT)
    return Meld(row, points, None, arrangement, canasta, burraco, tuple(notices), better)


def is_meld(tiles: Sequence[Tile], rules: RuleSet) -> bool:
    """Tell whether a row, as it lies, is a legal meld.

    The answer is that of `judge_meld`. It comes sooner for a row that is no meld, because no reason
    is looked for.

    >>> from engine import ruleset, tiles
    >>> is_meld(tiles("3R 4R J"), ruleset("burako")), is_meld(tiles("3R 4R"), ruleset("burako"))
    (True, False)
    """
    return _arranged(tuple(tiles), rules, ordered=True, check_copies=True) is not None


def _arranged(
    row: Tiles, rules: RuleSet, *, ordered: bool, check_copies: bool
) -> Arrangement | None:
    """Return the legal arrangement of a row with the fewest wilds: of the tiles as they lie if
    `ordered`, otherwise in any order. None where the row is too short or makes no legal meld.

    With `check_copies` the result is also None where the row holds more copies of a tile than a
    whole set of tiles has.
    """
    if len(row) < MINIMUM_MELD or (check_copies and too_many_copies(row, rules)):
        return None
    return best_arrangement(row, rules, ordered=ordered)


def best_arrangement(row: Tiles, rules: RuleSet, *, ordered: bool) -> Arrangement | None:
    """Return the legal arrangement of a row with the fewest wilds; None where the row is no legal
    run or pierna. If `ordered`, a run must lie in the row's order, otherwise the tiles may be put
    in any order. Of several with equally few wilds the result is the one that the table pays best.
    Whether the row is too short or holds too many copies of a tile is not checked.
    """
    run = ordered_run(row, rules) if ordered else None
    runs = () if ordered else unordered_runs(row, rules)
    legal = legal_arrangements((run, *runs, pierna(row, rules)), rules)
    return legal[0] if legal else None


def legal_arrangements(
    arrangements: Iterable[Arrangement | None], rules: RuleSet
) -> list[Arrangement]:
    """Return those of the arrangements that respect the table's limits, with the fewest wilds
    first, and of those with equally few the best paid first. Entries that are None are left out.
    """
    legal = [one for one in arrangements if one and is_within_limits(one, rules)]
    if len(legal) > 1:
        legal.sort(key=lambda one: (one.wilds, -canasta_points(one, rules)))
    return legal


def legal_orders(tiles: Tiles, rules: RuleSet) -> Iterator[Tiles]:
    """Yield the orders in which the tiles are a legal meld, the best one first. A pierna has one,
    that of `tiles`.

    >>> from engine import notation, ruleset, tiles
    >>> [notation(order) for order in legal_orders(tiles("5R J 4R"), ruleset("burako"))]
    ['4R 5R J', 'J 4R 5R']
    """
    if len(tiles) < MINIMUM_MELD or too_many_copies(tiles, rules):
        return
    every = (*unordered_runs(tiles, rules), pierna(tiles, rules))
    for arrangement in legal_arrangements(every, rules):
        yield arrangement.tiles


def is_pierna_of_twos(arrangement: Arrangement) -> bool:
    """Whether the meld is a pierna whose number is 2."""
    return arrangement.kind is Kind.PIERNA and arrangement.places[0] == 2


def is_within_limits(arrangement: Arrangement, rules: RuleSet) -> bool:
    """Whether the meld respects the table's options `wilds_per_meld` and `pierna_max`.

    A meld of 2s and comodines alone has no limit where the table pays canastas of wilds.
    """
    if is_pierna_of_twos(arrangement) and rules.special(Special.WILDS):
        return True
    longest = rules.pierna_max if arrangement.kind is Kind.PIERNA else None
    if longest is not None and len(arrangement.tiles) > longest:
        return False
    return arrangement.wilds_allowed(rules)


def better_order(arrangement: Arrangement, rules: RuleSet) -> Tiles | None:
    """Find an order of the same tiles in which fewer tiles are wild; None where no order has fewer.

    Such an order exists only where a 2 that acts as a wild can move to its own place.
    """
    roles = zip(arrangement.tiles, arrangement.wild, strict=True)
    if not any(is_wild and not tile.joker for tile, is_wild in roles):
        return None
    best = unordered_run(arrangement.tiles, rules)
    return best.tiles if best and best.wilds < arrangement.wilds else None
