"""Tells which marks were read in a wrong direction: in the corner of a surely read card, but turned
against the way in which a mark stands there.

The reader turns a mark that is half covered, blurred or drawn in an odd typeface to where it looks
most like an index: a 3 upside down becomes a king. Such a mark says nothing about its face, and is
no card of its own.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.cards.marks import joint_faces
from vision.cards.places import ASPECT, SURELY_READ, USUAL, Matrix, Places, unlikeness
from vision.cards.sizes import has_four_indices

# Limits for marks that were read in a wrong direction. On 900 rendered hands 18 single marks lie
# within them: 16 are second marks of the card in whose corner they lie, one is no mark, and one is
# of another card.

# Probability of the likeliest face of the mark, from and below: a mark with less is not read at
# all, and one with more is surely read.
HARDLY_READ = 0.4, 0.8
# Nats that are lost, at most, where one face has to explain both the card and the mark instead of a
# face of its own for each.
SAME_FACE = 5.5
# Largest distance of the mark from the corner, in widths of the card.
IN_CORNER = 0.12
# Least angle between the mark's direction and the one in which a mark stands in that corner.
TURN_DEGREES = 45.0


def misread_marks(
    quads: NDArray[np.float32],
    outlines: NDArray[np.float32],
    faces: NDArray[np.float32],
    cards: list[list[int]],
) -> list[int]:
    """Return the indices of the marks that were read in a wrong direction: each is all that is seen
    of its card, and lies in the corner of a card that was surely read.

    `quads` (n, 4, 2) are the marks, `outlines` (n, 4, 2) the cards that the network gives them,
    `faces` (n, 53) log-probabilities, and `cards` lists the indices of the marks of each card.
    """
    if not cards:
        return []
    of_cards = joint_faces(faces, cards)
    chances, unlike = np.exp(of_cards.max(axis=1)), unlikeness(of_cards)
    least, most = HARDLY_READ
    sure = {
        mark: card
        for card, marks in enumerate(cards)
        if chances[card] >= SURELY_READ
        for mark in marks
    }
    away = _from_corners(quads, outlines, faces)
    found = []
    for card, marks in enumerate(cards):
        if len(marks) > 1 or not least <= chances[card] < most or not sure:
            continue
        nearest = min(sure, key=lambda mark: float(away[mark, marks[0]]))
        alike = unlike[sure[nearest], card] <= SAME_FACE
        if alike and away[nearest, marks[0]] <= IN_CORNER:
            found.append(marks[0])
    return found


def _from_corners(
    quads: NDArray[np.float32],
    outlines: NDArray[np.float32],
    faces: NDArray[np.float32],
) -> Matrix:
    """Return how far mark j is from the nearest other corner of the card of mark i that may hold a
    mark, (n, n), in widths of a card. It is infinite where mark j stands there as it should.

    All packs have marks in opposite corners. Those with four indices have marks in all corners;
    their marks at the lower end are upside down, and one that stands upright there is of the card
    that lies over it.
    """
    lies = Places.of(quads, outlines)
    same = unlikeness(faces) <= USUAL.same_face
    x, y = np.abs(lies.lies[..., 0]), lies.lies[..., 1]
    level = np.hypot(x - lies.width, ASPECT * y)
    beneath = np.hypot(x, ASPECT * (y - lies.height))
    across = np.hypot(x - lies.width, ASPECT * (y - lies.height))
    upright = lies.turn <= TURN_DEGREES
    if not has_four_indices(lies, faces, same, USUAL):
        level[:], beneath[:] = np.inf, np.inf
    else:
        across[upright], beneath[upright] = np.inf, np.inf
    level[upright] = np.inf
    upside_down = lies.head_to_head(TURN_DEGREES)
    beneath[upside_down], across[upside_down] = np.inf, np.inf
    return np.asarray(np.minimum(level, np.minimum(beneath, across)))
