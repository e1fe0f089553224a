"""Which meld before a change became which meld after it. Melds are told apart by their tiles
alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.tiles import Tiles


@dataclass(frozen=True, slots=True)
class Pairing:
    """The melds that a change touched. `kept` holds those that it changed, each before and after,
    `new` those that it made, and `gone` those that it took off the table. A row that is only turned
    round as a whole is untouched.
    """

    kept: tuple[tuple[Tiles, Tiles], ...]  # (before, after) of melds that changed and remain
    new: tuple[Tiles, ...]
    gone: tuple[Tiles, ...]

    @property
    def changed(self) -> tuple[Tiles, ...]:
        """The melds that a change made or changed, as they lie after it, in the order in which they
        are judged.

        New melds come first, then those with another count of tiles than before, then those only
        rearranged.
        """
        grown = [after for before, after in self.kept if len(before) != len(after)]
        rearranged = [after for before, after in self.kept if len(before) == len(after)]
        return (*self.new, *grown, *rearranged)


def always(_: Tiles, __: Tiles) -> bool:
    """Whether one meld may become another one: always."""
    return True


def pair_melds(
    before: Sequence[Tiles],
    after: Sequence[Tiles],
    may_become: Callable[[Tiles, Tiles], bool] = always,
) -> Pairing:
    """Pair the melds before and after a change: equal ones first, then those that only grew, then
    the others by the tiles they share.

    `may_become` says of a meld and of one that contains its tiles whether the rules let the first
    grow into the second. Where several pairings are possible, one in which they do is preferred.

    >>> from engine import notation, tiles
    >>> pairing = pair_melds([tiles("3R 4R 5R")], [tiles("9B 9K 9Y"), tiles("3R 4R 5R 6R")])
    >>> [notation(meld) for meld in pairing.new], [notation(new) for old, new in pairing.kept]
    (['9B 9K 9Y'], ['3R 4R 5R 6R'])
    """
    old, new = without_equal(before, after)
    grown = pair_grown(old, new, may_become)
    old_left = [index for index in range(len(old)) if index not in grown]
    new_left = [index for index in range(len(new)) if index not in grown.values()]
    overlapping = pair_overlapping(old, new, old_left, new_left)

    by_new_index = sorted(grown.items(), key=lambda pair: pair[1])
    kept = [(old[one], new[other]) for one, other in [*by_new_index, *overlapping.items()]]
    gone = [old[index] for index in old_left if index not in overlapping]
    added = [new[index] for index in new_left if index not in overlapping.values()]
    return Pairing(tuple(kept), tuple(added), tuple(gone))


def without_equal(
    before: Sequence[Tiles], after: Sequence[Tiles]
) -> tuple[list[Tiles], list[Tiles]]:
    """Return both lists without the melds that they have in common.

    A meld that is turned round counts as the same. Where a meld occurs several times, each
    occurrence in one list is left out with one in the other.
    """
    old, new = list(before), list(after)
    for row in before:
        same = next((other for other in new if other in (row, row[::-1])), None)
        if same is not None:
            old.remove(row)
            new.remove(same)
    return old, new


def pair_grown(
    old: Sequence[Tiles], new: Sequence[Tiles], may_become: Callable[[Tiles, Tiles], bool]
) -> dict[int, int]:
    """Pair as many melds of `old` as possible with a meld of `new` that contains their tiles.

    Returns a dictionary from the index of each paired old meld to the index of its new one. The
    pairs are a maximum bipartite matching, found by augmenting paths; short new melds are tried
    first. A first round pairs only melds that `may_become` each other, so that of two melds with
    the same tiles each goes where its wild may lie.
    """
    contents = [Counter(row) for row in new]
    shortest_first = sorted(range(len(new)), key=lambda index: len(new[index]))
    options = []
    for row in old:
        tiles = Counter(row)
        options.append([index for index in shortest_first if tiles <= contents[index]])
    preferred = [
        [index for index in indices if may_become(row, new[index])]
        for row, indices in zip(old, options, strict=True)
    ]

    holders: dict[int, int] = {}  # index of a new meld -> index of the old one
    for choices in (preferred, options):
        for index in range(len(old)):
            if index not in holders.values():
                give_place(index, choices, holders, set())
    return {one: other for other, one in holders.items()}


def give_place(
    index: int, options: Sequence[Sequence[int]], holders: dict[int, int], tried: set[int]
) -> bool:
    """Match the old meld at `index` to a new one, moving earlier matches where that helps. This is
    one step of finding a largest matching.

    `options` lists for each old meld the indices of the new ones that it may match. `holders` maps
    the index of each matched new meld to that of its old one, and `tried` holds the new melds tried
    in this step; both are changed in place. Returns whether a match was found.
    """
    for option in options[index]:
        if option in tried:
            continue
        tried.add(option)
        if option not in holders or give_place(holders[option], options, holders, tried):
            holders[option] = index
            return True
    return False


def pair_overlapping(
    old: Sequence[Tiles], new: Sequence[Tiles], old_left: Sequence[int], new_left: Sequence[int]
) -> dict[int, int]:
    """Pair old and new melds that share tiles, beginning with the two that share the most.

    `old_left` and `new_left` are the indices of the melds that may be paired. Returns a dictionary
    from the index of each paired old meld to the index of its new one.
    """
    shared = {}
    for before in old_left:
        for after in new_left:
            common = Counter(old[before]) & Counter(new[after])
            shared[before, after] = common.total()

    pairs: dict[int, int] = {}
    for before, after in sorted(shared, key=lambda pair: -shared[pair]):
        both_free = before not in pairs and after not in pairs.values()
        if both_free and shared[before, after]:
            pairs[before] = after
    return pairs
