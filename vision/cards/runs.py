"""How the faces of two cards lie from each other in a run, such as an escalera."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.rulesets import HIGH_ACE, LOW_ACE
from engine.tiles import FACES


def are_next(one: NDArray[np.float32], other: NDArray[np.float32]) -> bool:
    """Tell whether the likeliest faces of two cards, given log-probabilities (53,), are next to
    each other in a run, in either direction.
    """
    return numbers_between(one, other) == 0


def numbers_between(one: NDArray[np.float32], other: NDArray[np.float32]) -> int | None:
    """Return how many numbers of a run lie between the likeliest faces of two cards, given
    log-probabilities (53,). None where these are of two suits or equal, or one is a jolly's. An ace
    stands before 2 or after a king, whichever is nearer.
    """
    first, second = FACES[one.argmax()], FACES[other.argmax()]
    if first.number is None or second.number is None or first.colour != second.colour:
        return None
    apart = abs(first.number - second.number)
    if LOW_ACE in (first.number, second.number):
        apart = min(apart, HIGH_ACE - max(first.number, second.number))
    return apart - 1 if apart else None


def missed_between_numbers(
    rows: Sequence[Sequence[int]], faces: NDArray[np.float32]
) -> dict[int, tuple[int, int]]:
    """Return the missed cards that lie between two cards whose numbers lack one: a map from the
    index of each to those two. `faces` (n, 53) are log-probabilities of the cards that were seen,
    and in the columns `rows` missed cards are numbered after these.
    """
    first, found = len(faces), dict[int, tuple[int, int]]()
    for row in rows:
        for before, card, after in zip(row, row[1:], row[2:], strict=False):
            was_missed = max(before, after) < first <= card
            if was_missed and numbers_between(faces[before], faces[after]) == 1:
                found[card - first] = before, after
    return found
