"""How a hand is dealt under each ruleset, and whether the counts in the ruleset's text add up."""

from __future__ import annotations

from dataclasses import dataclass

from engine.rulesets import Begins, RuleSet
from engine.tiles import full_set

MUERTOS = 2
MUERTO_SIZE = 11  # tiles
PILE_SIZE = 10  # tiles


@dataclass(frozen=True, slots=True)
class SetUp:
    """The deal of one hand. Sizes and stocks are counts of tiles."""

    players: int
    hand_size: int
    stock: int  # tiles that remain after dealing
    printed_stock: int | None  # tiles of the stock by the text; None: the text says "the rest"
    begins: Begins
    muertos: int = MUERTOS
    muerto_size: int = MUERTO_SIZE

    @property
    def adds_up(self) -> bool:
        """Whether the printed stock equals what remains after dealing; True where the text prints
        none.
        """
        return self.printed_stock in (None, self.stock)


def set_up(rules: RuleSet) -> SetUp:
    """Compute the deal for `rules.players` players.

    Where the counts in a ruleset's text do not add up, the deal is computed all the same, and
    `SetUp.adds_up` is False. Source: RULES.md, "Side by side", the rows *set* to *stock*. Raises
    ValueError where hands and muertos need more tiles than a complete set has. Where only the set
    in use has too few, because it has lost some, the stock is empty.

    >>> from engine import ruleset
    >>> deal = set_up(ruleset("pagat"))
    >>> deal.hand_size, deal.stock, deal.printed_stock, deal.adds_up
    (11, 40, 40, True)
    """
    hand_size = rules.hand_size or _usual_hand_size(rules)
    tiles = len(full_set(rules.jokers))
    dealt = rules.players * hand_size + MUERTOS * MUERTO_SIZE
    if tiles < dealt:
        raise ValueError(
            f"expected hands that {tiles} tiles suffice for, got {rules.players} of {hand_size}"
        )
    stock = max(0, rules.set_size - dealt)
    printed = None if rules.printed_piles is None else rules.printed_piles * PILE_SIZE
    return SetUp(rules.players, hand_size, stock, printed, rules.begins)


def _usual_hand_size(rules: RuleSet) -> int:
    return rules.hand_size_four if rules.players == 4 else rules.hand_size_two[0]
