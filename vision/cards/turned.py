"""Marks that were joined to one card and are of two: they stand turned, or nearer or farther than a
card is wide.

In a fan of a pack with indices in all four corners, two equal cards beside each other together show
three or four marks, which lie much as the corners of one card do.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from vision.cards.marks import ACROSS, LEVEL, are_jollies, joint_faces, ways_to_lie
from vision.cards.places import Matrix, Places, card_sides

# Three or four marks are of two cards if the greatest angle between their ways down, in degrees,
# and the strangest distance across the card, DEGREES for each e-fold of its ratio to the usual one,
# together are more than this, by the number of marks. On 420 rendered hands they are with 30 of 53
# such marks of two cards, and with none of 947 of one card; on 646 real photographs with those of
# two of 1,781 cards, and both photographs are read rightly all the same.
MOST_TURNED = {3: 25.0, 4: 28.0}
DEGREES = 25.0
SIDEWAYS = 60.0  # degrees: a mark that stands more turned was read in a wrong direction


def turned_apart(
    quads: NDArray[np.float32],
    outlines: NDArray[np.float32],
    faces: NDArray[np.float32],
    cards: list[list[int]],
) -> list[list[int]]:
    """Return the cards after parting the marks that are of two cards: those that stand turned
    against the others are the second one's. `cards` lists the indices of the marks of each card,
    and so does the result, in the order of the cards' surest marks. Jollies, whose marks may stand
    anywhere, stay as they are.

    `quads` (n, 4, 2) are the marks, the surest first, `outlines` (n, 4, 2) the cards that the
    network gives them, and `faces` (n, 53) log-probabilities.
    """
    lies, ways = Places.of(quads, outlines), _ways_down(quads)
    how = ways_to_lie(lies)
    spans = (how == LEVEL) | (how == ACROSS)
    jollies = are_jollies(joint_faces(faces, cards))

    def across(marks: list[int]) -> list[float]:
        return [max(float(lies.x[pair]), 1e-6) for pair in combinations(marks, 2) if spans[pair]]

    known = [marks for marks, jolly in zip(cards, jollies, strict=True) if not jolly]
    every = [distance for marks in known for distance in across(marks)]
    usual = float(np.median(every)) if every else 1.0
    parted = [marks for marks, jolly in zip(cards, jollies, strict=True) if jolly]
    for marks in known:
        strange = [abs(np.log(distance / usual)) for distance in across(marks)]
        one, other, turn = _by_turn(marks, ways)
        both = turn + DEGREES * max(strange, default=0.0)
        of_two = turn <= SIDEWAYS and both > MOST_TURNED.get(len(marks), np.inf)
        parted += [one, other] if of_two else [marks]
    return sorted(parted)


def _by_turn(marks: list[int], ways: Matrix) -> tuple[list[int], list[int], float]:
    """Part the `marks` in two by how they stand: return those that stand rather like the one and
    like the other of the two between whose ways down is the greatest angle, and this angle, 0-90
    degrees. `ways` (n,) are the ways down of all marks.
    """
    apart = np.abs(ways[marks][:, None] - ways[marks]) % 180
    turns = np.minimum(apart, 180 - apart)
    one, other = np.unravel_index(turns.argmax(), turns.shape)
    rather_one = turns[one] <= turns[other]
    parts = [mark for mark, so in zip(marks, rather_one, strict=True) if so]
    others = [mark for mark in marks if mark not in parts]
    return parts, others, float(turns.max())


def _ways_down(quads: NDArray[np.float32]) -> Matrix:
    """Return the directions, (n,) in degrees, in which n marks (n, 4, 2) have their lower end."""
    down = card_sides(quads)[:, 1]
    return np.asarray(np.degrees(np.arctan2(down[:, 1], down[:, 0])))
