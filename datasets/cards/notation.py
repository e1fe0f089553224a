"""How cards are written: `7H` or `10S` is the usual notation of a card, `7R` or `10K` the engine's
notation of the tile that stands for it.
"""

from __future__ import annotations

# The engine's colour of each suit; `engine.tiles` knows tiles alone.
COLOUR_OF_SUIT = {"H": "R", "D": "Y", "C": "B", "S": "K"}
SUITS = tuple(COLOUR_OF_SUIT)
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
JOLLY = "*"
CARDS = tuple(rank + suit for suit in SUITS for rank in RANKS)


def tile_of(card: str) -> str:
    """Return the engine's notation of a card.

    >>> tile_of("10S"), tile_of("JH"), tile_of("*")
    ('10K', '11R', 'J')
    """
    if card == JOLLY:
        return "J"
    return f"{RANKS.index(card[:-1]) + 1}{COLOUR_OF_SUIT[card[-1]]}"
