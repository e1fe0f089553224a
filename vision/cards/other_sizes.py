"""The same marks read once more with cards of other sizes, where columns are no melds, and where
cards lie loose.

How large cards are decides which marks are of one card and which cards may be neighbours. The
network guesses it from each mark, the cards around and marks at opposite ends of cards correct it,
and where a pack or a view is unusual either may be wrong. At the end of a hand nearly all columns
are melds, so the sizes are the better ones with which fewer cards are in none. Of loose cards
nothing tells which sizes are better, but cards that depend on them are in doubt.
"""

from __future__ import annotations

from itertools import chain, pairwise

import numpy as np

from vision.cards.sizes import Sizing
from vision.seen import Seen

# In the order in which they are tried. They were chosen one by one, each as the one that reads most
# of the 261 photographs rightly that showed columns which were none, or cards beside columns, of
# 4,980 photographs of melds of 2,490 rendered hands: 43 with the first alone, 60 with the second,
# too, 70, 76 and 80. No photograph was no longer read rightly (experiment 237 of
# models/EXPERIMENTS.md).
OTHER_SIZINGS = (
    Sizing(by_others=False),
    Sizing(jollies_by_others=False),
    Sizing(factors=(0.85, 0.85)),
    Sizing(factors=(1.17, 1.17)),
    Sizing(factors=(0.89, 1.0)),
)
# Those that have to tell the same loose cards. On 4,212 photographs of racks of 2,490 rendered
# hands one of them told others on eight of 38 that were wrong without a doubt, and on 18 of 3,901
# that were right; of the 629 real photographs that are read rightly, on two. With 1.17, too, it
# would be on twelve, 40 and 15.
CHECKED_WITH = OTHER_SIZINGS[1], OTHER_SIZINGS[4]
MOST_CHECKED = 16  # cards: with more it would take long


def with_changes_in_doubt(before: Seen, after: Seen) -> Seen:
    """Return `after` in which cards count as doubtful that have another face or other neighbours
    than `before`, and the nearest one to each card that is no longer there.
    """
    known = dict(zip(_marks_and_faces(before), _neighbours(before), strict=True))
    told = _marks_and_faces(after)
    changed = {
        card
        for card, (one, beside) in enumerate(zip(told, _neighbours(after), strict=True))
        if known.get(one) != beside
    }
    return after.with_in_doubt(changed | _nearest_to_lacking(after, before))


def with_disputed_in_doubt(seen: Seen, other: Seen) -> Seen:
    """Return what is `seen` of loose cards, in which cards count as doubtful that `other` lacks or
    reads as another face, and the nearest one to each card that `seen` lacks. If both show the same
    faces, however their marks were joined, none does.
    """
    ours, theirs = _marks_and_faces(seen), _marks_and_faces(other)
    if sorted(face for _mark, face in ours) == sorted(face for _mark, face in theirs):
        return seen
    disputed = {card for card, one in enumerate(ours) if one not in theirs}
    return seen.with_in_doubt(disputed | _nearest_to_lacking(seen, other))


def _marks_and_faces(seen: Seen) -> list[tuple[bytes, int]]:
    """Return the quad of each card and its likeliest face."""
    likeliest = seen.faces.argmax(axis=1).tolist()
    return list(zip((quad.tobytes() for quad in seen.quads), likeliest, strict=True))


def _nearest_to_lacking(seen: Seen, other: Seen) -> set[int]:
    """Return the cards of `seen`, as indices, that are the nearest ones to a card of `other` that
    `seen` lacks.
    """
    known, middles = {quad.tobytes() for quad in seen.quads}, seen.quads.mean(axis=1)
    lacking = [quad for quad in other.quads if quad.tobytes() not in known]
    if not known:
        return set()
    away = [np.linalg.norm(middles - quad.mean(axis=0), axis=1) for quad in lacking]
    return {int(distances.argmin()) for distances in away}


def _neighbours(seen: Seen) -> list[set[bytes]]:
    """Return of each card the quads of those beside it in its column."""
    marks = [quad.tobytes() for quad in seen.quads]
    beside = [set[bytes]() for _ in marks]
    for one, other in chain(*map(pairwise, seen.table.rows)):
        beside[one].add(marks[other])
        beside[other].add(marks[one])
    return beside
