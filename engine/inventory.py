"""What the set holds: a third copy of a tile cannot exist, so seeing one means a misreading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.rulesets import RuleSet
from engine.tiles import Row, Tile


def too_many_copies(tiles: Sequence[Tile], rules: RuleSet) -> Row:
    """The faces of which there are more than the set holds, in order of appearance."""
    if len(set(tiles)) == len(tiles):
        return ()
    return tuple(tile for tile, count in Counter(tiles).items() if count > rules.copies(tile))
