"""The same marks read once more with cards of other sizes, where columns are no melds.

How large cards are decides which marks are of one card and which cards may be neighbours. The
network guesses it from each mark, the cards around and marks at opposite ends of cards correct it,
and where a pack or a view is unusual either may be wrong. At the end of a hand nearly all columns
are melds, so the sizes are the better ones with which fewer cards are in none.
"""

from __future__ import annotations

from itertools import chain, pairwise

from vision.cards.sizes import Sizing
from vision.seen import Seen

# In the order in which they are tried. They were chosen one by one, each as the one that reads most
# of the 261 photographs rightly that showed columns which were none, or cards beside columns, of
# 4,980 photographs of melds of 2,520 rendered hands: 43 with the first alone, 60 with the second,
# too, 70, 76 and 80. No photograph was no longer read rightly (experiment 237 of
# models/EXPERIMENTS.md).
OTHER_SIZINGS = (
    Sizing(by_others=False),
    Sizing(jollies_by_others=False),
    Sizing(factors=(0.85, 0.85)),
    Sizing(factors=(1.17, 1.17)),
    Sizing(factors=(0.89, 1.0)),
)


def with_changes_in_doubt(before: Seen, after: Seen) -> Seen:
    """Return `after` in which cards count as doubtful that have other neighbours than `before`."""
    known = dict(zip(*_neighbours(before), strict=True))
    changed = [
        card
        for card, (mark, beside) in enumerate(zip(*_neighbours(after), strict=True))
        if known.get(mark) != beside
    ]
    return after.with_in_doubt(changed)


def _neighbours(seen: Seen) -> tuple[list[bytes], list[set[bytes]]]:
    """Return the quad of each card, and those of the cards beside it in its column."""
    marks = [quad.tobytes() for quad in seen.quads]
    beside = [set[bytes]() for _ in marks]
    for one, other in chain(*map(pairwise, seen.table.rows)):
        beside[one].add(marks[other])
        beside[other].add(marks[one])
    return marks, beside
