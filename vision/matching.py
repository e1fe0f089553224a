"""Pairs things of two kinds, each with at most one of the other kind."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

One = TypeVar("One", bound=Hashable)
Other = TypeVar("Other", bound=Hashable)


def pair_off(ranked: Iterable[tuple[One, Other]]) -> dict[One, Other]:
    """Take pairs in the order of `ranked`, the best first. A pair is left out if one of its two
    things is in a pair that was taken before. Return a map from the first thing of each pair taken
    to the second.

    >>> pair_off([("a", 1), ("b", 1), ("a", 2), ("b", 2)])
    {'a': 1, 'b': 2}
    """
    pairs: dict[One, Other] = {}
    taken: set[Other] = set()
    for one, other in ranked:
        if one not in pairs and other not in taken:
            pairs[one] = other
            taken.add(other)
    return pairs
