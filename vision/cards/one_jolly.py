"""Which of the jollies that seem to lie on the table are one and the same.

Besides the marks in its corners a jolly has a name and a picture that look like marks, and the
network is often wrong about where its card lies, so that one jolly may seem to be several cards.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.cards.corners import lies_within
from vision.cards.jollies import fit_on_one_card, in_two_columns
from vision.cards.marks import are_jollies, joint_faces, joint_outlines
from vision.cards.places import card_sides

ON_JOLLY = 1.25  # sizes of a card, about its middle, within which a mark lies on a jolly
MOST_JOLLIES = 32  # that are compared with each other: cloths may be full of stars
# Marks of jollies are of one card if the middles of the cards that they tell are at most ONE_PLACE
# apart, and their places on these cards at least OTHER_CORNER, in sides of a square as large as the
# card. On 780 rendered hands that holds for 1,106 of 1,157 pairs of marks of one jolly, and for
# none of 830 pairs of marks of two.
ONE_PLACE, OTHER_CORNER = 0.65, 0.3


def jollies_joined(
    quads: NDArray[np.float32],
    outlines: NDArray[np.float32],
    faces: NDArray[np.float32],
    cards: list[list[int]],
) -> list[list[int]]:
    """Return the cards after joining those that are one and the same jolly.

    Two cards that show a jolly are one card in any of three cases. First, the first mark of each
    lies on the other card. Second, the marks of both tell a card in the same place. Third, all
    their marks fit on one card as large as the nearest card that is no jolly; this is tried only
    where there are at most MOST_JOLLIES jollies, and not where each lies in a column of its own. On
    1,080 rendered hands 20 pairs of jollies were one card by the third case alone: nine of them
    were two jollies in two columns, and of the other eleven none lay so.

    `quads` (n, 4, 2) are the marks, `outlines` (n, 4, 2) the cards that the network gives them, and
    `faces` (n, 53) log-probabilities. `cards` lists the indices of the marks of each card, and so
    does the result.
    """
    while len(cards) > len(joined := _jollies_joined_once(quads, outlines, faces, cards)):
        cards = joined
    return cards


def _jollies_joined_once(
    quads: NDArray[np.float32],
    outlines: NDArray[np.float32],
    faces: NDArray[np.float32],
    cards: list[list[int]],
) -> list[list[int]]:
    """Return the cards after joining those of `jollies_joined`, each compared once with the cards
    before it.
    """
    jolly = are_jollies(joint_faces(faces, cards))
    whole = joint_outlines(quads, outlines, cards, jolly)
    middles = whole.mean(axis=1, keepdims=True)
    wide = middles + (whole - middles) * ON_JOLLY
    marks = [quads[card[0]].mean(axis=0) for card in cards]
    few = np.count_nonzero(jolly) <= MOST_JOLLIES
    of_two = in_two_columns(whole, jolly)
    joined: dict[int, list[int]] = {}
    for card, members in enumerate(cards):
        others = [one for one in joined if jolly[card] and jolly[one]]
        for other in others:
            places = quads[joined[other] + members].mean(axis=1, dtype=np.float64)
            if (
                (lies_within(marks[card], wide[other]) and lies_within(marks[other], wide[card]))
                or _tell_one_place(joined[other], members, quads, outlines)
                or (few and not of_two[card, other] and fit_on_one_card(places, whole[~jolly]))
            ):
                joined[other] = joined[other] + members
                break
        else:
            joined[card] = members
    return [*joined.values()]


def _tell_one_place(
    some: list[int],
    others: list[int],
    quads: NDArray[np.float32],
    outlines: NDArray[np.float32],
) -> bool:
    """Tell whether the marks `some` and the marks `others`, both as indices, tell a card in the
    same place, and one mark of each stands in another corner of it. Two cards cannot lie so: the
    upper one would hide the mark of the other.

    `quads` (n, 4, 2) are all marks, and `outlines` (n, 4, 2) the cards that the network gives them.
    Where a card lies is the mean of what its marks tell.
    """
    told = outlines[some + others]
    sides = np.linalg.norm(card_sides(told), axis=2)
    size = float(np.sqrt(np.maximum(sides.prod(axis=1), 1.0)).mean())
    middles = told.mean(axis=1, dtype=np.float64)
    corners = quads[some + others].mean(axis=1) - middles
    one, other = slice(None, len(some)), slice(len(some), None)
    apart = np.linalg.norm(middles[one].mean(axis=0) - middles[other].mean(axis=0))
    corners_apart = np.linalg.norm(corners[one, None] - corners[None, other], axis=2).max()
    return bool(apart <= ONE_PLACE * size and corners_apart >= OTHER_CORNER * size)
