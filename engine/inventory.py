"""Whether a set holds as many copies of each tile as are seen; where more are seen, one of them is
misread.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.rulesets import RuleSet
from engine.tiles import Tile, Tiles


def too_many_copies(tiles: Sequence[Tile], rules: RuleSet) -> Tiles:
    """List the faces of which there are more than the set holds, in order of appearance.

    >>> from engine import notation, ruleset, tiles
    >>> notation(too_many_copies(tiles("5R 5R 6B 5R"), ruleset("burako")))
    '5R'
    """
    if len(set(tiles)) == len(tiles) and not rules.other_copies:
        return ()
    return tuple(tile for tile, count in Counter(tiles).items() if count > rules.copies(tile))
