"""Marks that were joined to one card and are of two: they stand turned, or nearer or farther than a
card is wide, or four of them are no corners of a card.

In a fan of a pack with indices in all four corners, two equal cards beside each other together show
three or four marks, which lie much as the corners of one card do.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from vision.cards.marks import ACROSS, LEVEL, are_jollies, joint_faces, ways_to_lie
from vision.cards.places import Matrix, Places, card_sides
from vision.quads import overlap

# Three or four marks are of two cards if the greatest angle between their ways down, in degrees,
# and the strangest distance across the card, DEGREES for each e-fold of its ratio to the usual one,
# together are more than this, by the number of marks. On 420 rendered hands they are with 30 of 53
# such marks of two cards, and with none of 947 of one card; on 646 real photographs with those of
# two of 1,781 cards, and both photographs are read rightly all the same.
MOST_TURNED = {3: 25.0, 4: 28.0}
DEGREES = 25.0
SIDEWAYS = 60.0  # degrees: a mark that stands more turned was read in a wrong direction
# Four marks are of two cards if the fourth is farther from where it completes a parallelogram of
# the others than this share of its shorter sides. On 480 rendered hands it is with three of ten
# such marks of two cards, and with none of 1,033 of one card; on 475 real photographs of packs with
# four indices with one of 1,369, which is of two.
MOST_ASKEW = 0.64


def wrongly_joined_parted(
    quads: NDArray[np.float32],
    outlines: NDArray[np.float32],
    faces: NDArray[np.float32],
    cards: list[list[int]],
) -> list[list[int]]:
    """Return the cards after parting the marks that are of two cards: those that stand turned
    against the others are the second one's, or those of four that lie askew whose outlines lie
    elsewhere. `cards` lists the indices of the marks of each card, and so does the result, in the
    order of the cards' surest marks. Jollies, whose marks may stand anywhere, stay as they are.

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
        if not of_two and len(marks) == 4 and _askew(quads[marks].mean(axis=1)) > MOST_ASKEW:
            one, other = _by_outlines(marks, outlines)
            of_two = True
        parted += [one, other] if of_two else [marks]
    return sorted(parted)


def _askew(middles: NDArray[np.float32]) -> float:
    """Return how far the last of four marks, going around their middle, is from the place that
    completes a parallelogram of the others, as a share of the shorter two of its sides. `middles`
    (4, 2) are those of the marks.
    """
    around = middles - middles.mean(axis=0)
    corners = middles[np.argsort(np.arctan2(around[:, 1], around[:, 0]))]
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    shorter = min(sides[0] + sides[2], sides[1] + sides[3]) / 2
    away = np.linalg.norm(corners[0] - corners[1] + corners[2] - corners[3])
    return float(away / max(shorter, 1e-6))


def _by_outlines(marks: list[int], outlines: NDArray[np.float32]) -> tuple[list[int], list[int]]:
    """Part the `marks` in two so that the outlines in either part overlap each other most, compared
    with those in the other part.
    """
    shared = {
        pair: overlap(outlines[pair[0]], outlines[pair[1]]) for pair in combinations(marks, 2)
    }

    def together(part: tuple[int, ...]) -> float:
        cut = [share for pair, share in shared.items() if (pair[0] in part) != (pair[1] in part)]
        kept = [share for pair, share in shared.items() if (pair[0] in part) == (pair[1] in part)]
        return float(np.mean(kept) - np.mean(cut))

    parts = [part for count in (1, 2) for part in combinations(marks, count)]
    one = max(parts, key=together)
    return sorted(one), [mark for mark in marks if mark not in one]


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
