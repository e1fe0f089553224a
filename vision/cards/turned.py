"""Marks that stand turned, or lie nearer or farther than a card is wide: of three marks that were
joined to one card, one is of a second card of the same face then.

In a fan of a pack with indices in all four corners, two equal cards beside each other show two
marks and one, which together lie much as three corners of one card do.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from vision.cards.marks import ACROSS, LEVEL, are_jollies, joint_faces, ways_to_lie
from vision.cards.places import Matrix, Places, card_sides

THREE = 3
# Three marks are of two cards if the greatest angle between their ways down, in degrees, reaches
# this sum with the strangest distance across the card: DEGREES for each e-fold of its ratio to the
# usual one. On 660 rendered hands it does with 43 of 63 such marks of two cards, and with none of
# 59 of one card; on 646 real photographs with those of one card of 419.
MOST_TURNED, DEGREES = 24.0, 25.0
SIDEWAYS = 60.0  # degrees: a mark that stands more turned was read in a wrong direction


def turned_apart(
    quads: NDArray[np.float32],
    outlines: NDArray[np.float32],
    faces: NDArray[np.float32],
    cards: list[list[int]],
) -> list[list[int]]:
    """Return the cards after taking apart those of three marks that are two cards: the mark that
    stands turned is the second one's. `cards` lists the indices of the marks of each card, the
    surest first, and so does the result, in the order of the cards' surest marks. Jollies, whose
    marks may stand anywhere, stay as they are.

    `quads` (n, 4, 2) are the marks, the surest first, `outlines` (n, 4, 2) the cards that the
    network gives them, and `faces` (n, 53) log-probabilities.
    """
    lies, turned = Places.of(quads, outlines), _turned(quads)
    ways = ways_to_lie(lies)
    spans = (ways == LEVEL) | (ways == ACROSS)
    jollies = are_jollies(joint_faces(faces, cards))
    known = [marks for marks, jolly in zip(cards, jollies, strict=True) if not jolly]

    def across(marks: list[int]) -> list[float]:
        return [max(float(lies.x[pair]), 1e-6) for pair in combinations(marks, 2) if spans[pair]]

    every = [distance for marks in known for distance in across(marks)]
    apart = list[list[int]]()
    for marks, jolly in zip(cards, jollies, strict=True):
        if jolly or len(marks) != THREE:
            apart.append(marks)
            continue
        turns = turned[np.ix_(marks, marks)]
        strange = [abs(np.log(distance / np.median(every))) for distance in across(marks)]
        sum_of_both = turns.max() + DEGREES * max(strange, default=0.0)
        if turns.max() <= SIDEWAYS and sum_of_both > MOST_TURNED:
            stranger = marks[int(turns.sum(axis=1).argmax())]
            apart += [[mark for mark in marks if mark != stranger], [stranger]]
        else:
            apart.append(marks)
    return sorted(apart)


def _turned(quads: NDArray[np.float32]) -> Matrix:
    """Return the angle between the ways down of each pair of n marks, (n, n), 0-90 degrees:
    whether one of them stands upside down does not count. `quads` (n, 4, 2) are the marks.
    """
    down = card_sides(quads)[:, 1]
    angles = np.degrees(np.arctan2(down[:, 1], down[:, 0]))
    apart = np.abs(angles[:, None] - angles) % 180
    return np.asarray(np.minimum(apart, 180 - apart))
