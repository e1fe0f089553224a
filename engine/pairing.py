"""Which meld after a change is which meld before it, by content."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from engine.tiles import Row


@dataclass(slots=True)
class Pairing:
    """`kept`: (before, after) of melds that changed and live on; a row turned round as a whole has
    not changed.
    """

    kept: list[tuple[Row, Row]] = field(default_factory=list)
    new: list[Row] = field(default_factory=list)
    gone: list[Row] = field(default_factory=list)

    @property
    def changed(self) -> list[Row]:
        """Melds to be judged, those with more tiles than before ahead of those merely
        rearranged.
        """
        grown = [after for before, after in self.kept if len(before) != len(after)]
        return (
            self.new + grown + [after for before, after in self.kept if len(before) == len(after)]
        )


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
    by_length = sorted(range(len(new)), key=lambda index: len(new[index]))
    options = [[index for index in by_length if Counter(row) <= contents[index]] for row in old]
    holder: dict[int, int] = {}  # index of the new meld -> index of the old one

    def place(index: int, tried: set[int]) -> bool:
        for option in options[index]:
            if option not in tried:
                tried.add(option)
                if option not in holder or place(holder[option], tried):
                    holder[option] = index
                    return True
        return False

    for index in range(len(old)):
        place(index, set())
    take(pairing, old, new, [(index, option) for option, index in sorted(holder.items())])


def pair_overlapping(pairing: Pairing, old: list[Row], new: list[Row]) -> None:
    """Pair what is left by the number of tiles shared, most first."""
    shared = {
        (before, after): (Counter(old[before]) & Counter(new[after])).total()
        for before in range(len(old))
        for after in range(len(new))
    }
    pairs: list[tuple[int, int]] = []
    for before, after in sorted(shared, key=lambda pair: -shared[pair]):
        free = all(before != pair[0] and after != pair[1] for pair in pairs)
        if shared[before, after] and free:
            pairs.append((before, after))
    take(pairing, old, new, pairs)


def take(pairing: Pairing, old: list[Row], new: list[Row], pairs: list[tuple[int, int]]) -> None:
    """Move the pairs, given by index, from the lists of unpaired melds to those kept."""
    pairing.kept += [(old[before], new[after]) for before, after in pairs]
    old[:] = [row for index, row in enumerate(old) if index not in {before for before, _ in pairs}]
    new[:] = [row for index, row in enumerate(new) if index not in {after for _, after in pairs}]
