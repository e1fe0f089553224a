"""Judging a meld: a row as laid, or a bag of tiles in its best arrangement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.arrangements import Arrangement, Kind, pierna, run_as_laid, run_of_bag
from engine.diagnosis import diagnose
from engine.inventory import too_many_copies
from engine.reasons import Notice, Reason
from engine.rulesets import CANASTA_SIZE, MINIMUM_MELD, Burraco, Canasta, RuleSet, Special
from engine.tiles import Row, Tile


@dataclass(frozen=True, slots=True)
class Meld:
    """What a judged row is. An illegal one has a `reason`, no `arrangement`, and its tiles still
    have `points`.
    """

    tiles: Row  # as given
    points: int
    reason: Reason | None = None
    arrangement: Arrangement | None = None
    canasta: Canasta | None = None
    burraco: Burraco | None = None  # Italian rules only
    notices: tuple[Notice, ...] = ()
    better: Row | None = None  # the same tiles with fewer wilds

    @property
    def valid(self) -> bool:
        return self.reason is None

    @property
    def kind(self) -> Kind | None:
        return self.arrangement.kind if self.arrangement else None

    @property
    def wilds(self) -> int:
        """Tiles acting as wild."""
        return self.arrangement.wilds if self.arrangement else 0

    @property
    def canasta_class(self) -> Canasta | Burraco | None:
        """The class by which the ruleset pays the canasta."""
        return self.burraco or self.canasta


def judge_meld(
    tiles: Sequence[Tile], rules: RuleSet, *, ordered: bool = True, check_copies: bool = True
) -> Meld:
    """Judge a row as laid, in either direction, or with `ordered=False` a bag of tiles.

    `check_copies=False` leaves a third copy of a tile to the inventory of the whole table.
    """
    row = tuple(tiles)
    points = rules.points(row)
    arrangement = None
    if len(row) >= MINIMUM_MELD and not (check_copies and too_many_copies(row, rules)):
        arrangement = best_arrangement(row, rules, ordered=ordered)
    if arrangement is None:
        return Meld(row, points, diagnose(row, rules, ordered=ordered, check_copies=check_copies))
    canasta, burraco = classify(arrangement, rules)
    better = better_order(arrangement, rules) if ordered else None
    notices = []
    if arrangement.kind is Kind.PIERNA and arrangement.places[0] == 2:
        notices.append(Notice.PIERNA_OF_TWOS)
    if better:
        notices.append(Notice.BETTER_ARRANGEMENT)
    return Meld(row, points, None, arrangement, canasta, burraco, tuple(notices), better)


def best_arrangement(row: Row, rules: RuleSet, *, ordered: bool) -> Arrangement | None:
    """The legal arrangement with the fewest wilds."""
    run = run_as_laid(row, rules) if ordered else run_of_bag(row, rules)
    legal = [one for one in (run, pierna(row, rules)) if one and within_limits(one, rules)]
    return min(legal, key=lambda one: one.wilds, default=None)


def within_limits(arrangement: Arrangement, rules: RuleSet) -> bool:
    """Whether the meld respects the table's `wilds_per_meld` and `pierna_max`."""
    if arrangement.kind is Kind.PIERNA:
        if arrangement.places[0] == 2 and rules.special(Special.WILDS):
            return True
        if rules.pierna_max is not None and len(arrangement.tiles) > rules.pierna_max:
            return False
    return arrangement.wilds_allowed(rules)


def classify(arrangement: Arrangement, rules: RuleSet) -> tuple[Canasta | None, Burraco | None]:
    """The class of a legal meld of seven tiles or more, and its Italian class under Italian
    rules.
    """
    if len(arrangement.tiles) < CANASTA_SIZE:
        return None, None
    if not rules.italian:
        return (Canasta.IMPURA if arrangement.wilds else Canasta.PURA), None
    if not arrangement.wilds:
        return Canasta.PURA, Burraco.PULITO
    wild_at_end = arrangement.kind is Kind.PIERNA or arrangement.wild[0] or arrangement.wild[-1]
    seven_naturals = arrangement.wilds == 1 and len(arrangement.tiles) > CANASTA_SIZE
    return Canasta.IMPURA, Burraco.SEMIPULITO if wild_at_end and seven_naturals else Burraco.SPORCO


def better_order(arrangement: Arrangement, rules: RuleSet) -> Row | None:
    """The same tiles with fewer wilds: only a 2 that could slide to its own place makes such an
    order.
    """
    if not any(
        wild and not tile.joker
        for tile, wild in zip(arrangement.tiles, arrangement.wild, strict=True)
    ):
        return None
    best = run_of_bag(arrangement.tiles, rules)
    return best.tiles if best and best.wilds < arrangement.wilds else None
