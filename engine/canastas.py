"""Which class a canasta is of and what a table pays for it."""

from __future__ import annotations

from engine.arrangements import Arrangement, Kind
from engine.rulesets import CANASTA_SIZE, HIGH_ACE, LOW_ACE, Burraco, Canasta, RuleSet, Special


def classify(arrangement: Arrangement, rules: RuleSet) -> tuple[Canasta | None, Burraco | None]:
    """Return the class of a legal meld of seven tiles or more, pura or impura, and its Italian
    class.

    The Italian class is None under rulesets that are not Italian; both are None for a shorter meld.
    """
    if len(arrangement.tiles) < CANASTA_SIZE:
        return None, None
    canasta = Canasta.IMPURA if arrangement.wilds else Canasta.PURA
    return canasta, italian_class(arrangement) if rules.italian else None


def italian_class(arrangement: Arrangement) -> Burraco:
    """Return the Italian class of a canasta.

    A canasta without a wild is pulito. One with a single wild is semipulito where the wild lies
    beside at least seven naturals in unbroken sequence, that is at an end of a run or anywhere in a
    pierna. Any other canasta is sporco.
    """
    if not arrangement.wilds:
        return Burraco.PULITO
    seven_naturals = arrangement.wilds == 1 and len(arrangement.tiles) > CANASTA_SIZE
    unbroken = arrangement.kind is Kind.PIERNA or arrangement.wild[0] or arrangement.wild[-1]
    return Burraco.SEMIPULITO if seven_naturals and unbroken else Burraco.SPORCO


def canasta_points(arrangement: Arrangement, rules: RuleSet) -> int:
    """Compute what the table pays for a legal meld as a canasta, in points; 0 for fewer than seven
    tiles.

    A canasta with special prices is paid the highest of them, any other the value of its class.
    """
    canasta, burraco = classify(arrangement, rules)
    canasta_class = burraco or canasta
    if canasta_class is None:
        return 0
    prices = [special_points(arrangement, special, rules) for special in Special]
    special_prices = [price for price in prices if price is not None]
    return max(special_prices, default=dict(rules.canasta_values)[canasta_class])


def special_points(arrangement: Arrangement, special: Special, rules: RuleSet) -> int | None:
    """Return the points that the rules pay for the special canasta `special`.

    Returns None where `arrangement` is no such canasta, or where the rules have no price for it.
    """
    paid = rules.special(special)
    if paid is None or not is_special(arrangement, special):
        return None
    if special is Special.WILDS:
        with_wild = any(tile.joker for tile in arrangement.tiles)
    else:
        with_wild = arrangement.wilds > 0
    return paid.impura if with_wild else paid.pura


def is_special(arrangement: Arrangement, special: Special) -> bool:
    """Whether a legal canasta is the special one named: for ONES a pierna of 1s, for WILDS a pierna
    of 2s, for ONE_TO_THIRTEEN a run from 1 to 13, for ONE_TO_ONE a run with a 1 at both ends. Wilds
    may stand for any of these tiles.
    """
    places = arrangement.places
    if arrangement.kind is Kind.PIERNA:
        numbers = {Special.ONES: 1, Special.WILDS: 2}
        return numbers.get(special) == places[0]
    ends = {
        Special.ONE_TO_THIRTEEN: (LOW_ACE, HIGH_ACE - 1),
        Special.ONE_TO_ONE: (LOW_ACE, HIGH_ACE),
    }
    return ends.get(special) == (places[0], places[-1])
