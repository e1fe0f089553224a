"""Setting up a hand: what each text deals, and whether its own counts add up."""

from __future__ import annotations

from dataclasses import dataclass

from engine.rulesets import Begins, RuleSet
from engine.tiles import full_set

MUERTOS = 2
MUERTO_SIZE = 11
PILE_SIZE = 10


@dataclass(frozen=True, slots=True)
class SetUp:
    """Counts of tiles. `printed_stock` is None where the text says "the rest"."""

    players: int
    hand_size: int
    stock: int  # what is really left
    printed_stock: int | None
    begins: Begins
    muertos: int = MUERTOS
    muerto_size: int = MUERTO_SIZE

    @property
    def adds_up(self) -> bool:
        """Whether the printed stock is what is left after dealing."""
        return self.printed_stock in (None, self.stock)


def set_up(rules: RuleSet) -> SetUp:
    """The deal for `rules.players` players; a text that does not add up is told, never refused.

    Raises ValueError when hands and muertos need more tiles than the set has.
    """
    hand_size = rules.hand_size or (
        rules.hand_size_four if rules.players == 4 else rules.hand_size_two[0]
    )
    tiles = len(full_set(rules.jokers))
    stock = tiles - rules.players * hand_size - MUERTOS * MUERTO_SIZE
    if stock < 0:
        raise ValueError(
            f"expected hands that {tiles} tiles suffice for, got {rules.players} of {hand_size}"
        )
    printed = None if rules.printed_piles is None else rules.printed_piles * PILE_SIZE
    return SetUp(rules.players, hand_size, stock, printed, rules.begins)
