"""Which meld after a change is which meld before it, by content."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TypeAlias

from engine.tiles import Tile

Row: TypeAlias = tuple[Tile, ...]


@dataclass(slots=True)
class Pairing:
    """`kept`: (before, after) of melds that changed and live on; a row turned round as a whole has not changed."""

    kept: list[tuple[Row, Row]] = field(default_factory=list)
    new: list[Row] = field(default_factory=list)
    gone: list[Row] = field(default_factory=list)

    @property
    def changed(self) -> list[Row]:
        """Melds to be judged, those with more tiles than before ahead of those merely rearranged."""
        grown = [after for before, after in self.kept if len(before) != len(after)]
        return self.new + grown + [after for before, after in self.kept if len(before) == len(after)]


def pair_melds(before: tuple[Row, ...], after: tuple[Row, ...]) -> Pairing:
    """Pair equal melds first, then those that only grew, then the rest by the tiles they share."""
    old, new = list(before), list(after)
    pairing = Pairing()
    for row in before:
        same = next((each for each in new if each in (row, row[::-1])), None)
        if same is not None:
            old.remove(row)
            new.remove(same)
    pair_grown(pairing, old, new)
    pair_overlapping(pairing, old, new)
    pairing.new, pairing.gone = new, old
    return pairing


def pair_grown(pairing: Pairing, old: list[Row], new: list[Row]) -> None:
    """Give each old meld a new one that contains it, as many as possible (augmenting paths)."""
    contents = [Counter(row) for row in new]
    holder: dict[int, int] = {}  # index of the new meld -> index of the old one

    def place(index: int, tried: set[int]) -> bool:
        needed = Counter(old[index])
        options = [one for one, content in enumerate(contents) if one not in tried and needed <= content]
        for option in sorted(options, key=lambda one: len(new[one])):
            tried.add(option)
            if option not in holder or place(holder[option], tried):
                holder[option] = index
                return True
        return False

    for index in range(len(old)):
        place(index, set())
    pairing.kept += [(old[index], new[option]) for option, index in sorted(holder.items())]
    old[:] = [row for index, row in enumerate(old) if index not in holder.values()]
    new[:] = [row for index, row in enumerate(new) if index not in holder]


def pair_overlapping(pairing: Pairing, old: list[Row], new: list[Row]) -> None:
    """Pair what is left by the number of tiles shared, most first."""
    while True:
        shared = {(a, b): (Counter(a) & Counter(b)).total() for a in old for b in new}
        best = max(shared, key=lambda pair: shared[pair], default=None)
        if best is None or not shared[best]:
            return
        pairing.kept.append(best)
        old.remove(best[0])
        new.remove(best[1])
