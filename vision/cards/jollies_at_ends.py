"""Jollies at the ends of columns that are of none, or of another column.

Any meld is longer by a jolly. So a mark like a jolly's near an end of a column, in line with it or
aside, joins it. It may be a word printed on another card, or be of the jolly that ends the next
column. The network of ends tells: where no card lies beyond the others of the column, none does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from vision.cards.card import Card
from vision.cards.column_ends import NOTHING, ColumnEnds, End
from vision.cards.known_marks import KnownMarks
from vision.cards.marks import are_jollies
from vision.doubts import DoubtConfig
from vision.pyramid import Picture
from vision.seen import Rows, Seen

# Probability from which nothing lies beyond an end. On 840 rendered hands it was more at eleven
# ends at which a jolly in doubt had joined a column, and none of these is of its column.
SURELY_NOTHING = 0.995
# The same, from which a jolly that seemed beyond doubt is in doubt. On 780 rendered hands it was
# more at the places of four such jollies, three of which are not of their column.
PERHAPS_NOTHING = 0.99


def without_jollies_not_there(
    network: ColumnEnds,
    picture: Picture,
    seen: Seen,
    cards: Sequence[Card],
    doubts: DoubtConfig,
) -> Seen:
    """Return `seen` with the jollies in doubt taken out of columns at whose ends the `network` sees
    that no card lies there. They lie in no column then. Other jollies at such ends are in doubt.
    `picture` is (h, w, 3) RGB or its pyramid, and `cards` are those of `seen`.
    """
    jollies = are_jollies(seen.faces)
    unsure = seen.sureness(doubts.tile) < doubts.faint
    rows = seen.table.rows
    at_ends = {
        (number, free): row[-1 if free else 0]
        for number, row in enumerate(rows)
        for free in (False, True)
        if jollies[row[-1 if free else 0]]
    }
    asked = {*at_ends.values()}
    others = [tuple(card for card in row if card not in asked) for row in rows]
    known = KnownMarks(others, cards, seen.quads)
    ends = [
        End(number, free, cards[before], cards[last], seen.quads[last])
        for number, free in at_ends
        for last, before in pairwise(others[number][::-1][:2] if free else others[number][:2])
        if not jollies[last]
    ]
    told = network.beyond(picture, ends, known)[:, NOTHING]
    gone, doubtful = set[int](), set[int]()
    for end, nothing in zip(ends, told, strict=True):
        jolly = at_ends[end.column, end.free]
        if unsure[jolly] and nothing >= SURELY_NOTHING:
            gone.add(jolly)
        elif nothing >= PERHAPS_NOTHING:
            doubtful.add(jolly)
    left = [tuple(card for card in row if card not in gone) for row in rows]
    table = Rows([row for row in left if len(row) > 1])
    return replace(seen, table=table).with_in_doubt(doubtful)
