"""Where jollies, the jokers of a pack, lie, and which marks are of one jolly, judged by the cards
beside them.

What stands in the corner of a jolly is of any size, and a star has no direction, so the network is
often wrong about where the card itself lies.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.cards.places import ASPECT, IN_CORNER, UNIT, Matrix, card_frames, resized

# The network's direction of a jolly is kept if the cosine of its angle to the card beside it,
# either way up, is above this.
ALIGNED = 0.6
A_STEP = 0.4  # heights of a card: farthest mark of a card whose direction a jolly may take over
LEAST_STEP, LONGEST_STEP = 0.1, 0.6  # of a column, heights of a card, from mark to mark
MOST_ASIDE = 0.35  # of a step, along the other side of the card
IN_LINE = 0.97  # least cosine of the angle between two steps of a column
# In heights of a card: two marks farther apart along a column than COVERED are not both on the
# covered part of one card; within WITHIN across the column they may be of one card.
COVERED, WITHIN = 0.35, 0.65
ENOUGH_MARKS = 3  # that tell by themselves whether they are of one card
MOST_MARKS = 4  # that a card has
# Least distance between marks in opposite corners, in widths and heights of a card.
OPPOSITE = np.array([0.5, 0.65])
MOST_TURNED = 20  # degrees of a card against the nearest
TURNS = np.arange(-MOST_TURNED, MOST_TURNED + 1, 5)  # that are tried
HARDLY_TURNED = TURNS[np.abs(TURNS) <= 5]
# Least distance of the middles of two jollies of two columns, in sides of a square as large as a
# card. On 1,080 rendered hands, of pairs of marks of jollies that would else be of one card and lie
# so, five are of two jollies and one is of one.
PARTED = 0.85
SPAN = 0.92  # of a card: farthest apart that the middles of its marks are
# How many times as large as the nearest card a card may be that perhaps holds the marks of what was
# told as two jollies. On four rendered racks with two jollies near each other this holds of the
# three that show one jolly, and not of the one that shows two.
WIDER = 1.25


@dataclass(frozen=True)
class _Marks:
    """n marks, and the cards that the network gives them. `centres` (n, 2) are the middles of the
    marks. `frames` and `planes`, both (n, 2, 2), are matrices that are multiplied by column
    vectors: a frame takes vectors in the plane of a card to the picture, and a plane takes vectors
    in the picture to the plane of the card. `corners` (n, 2) lead from the middle of each card to
    its mark, in the card's widths and heights.
    """

    centres: Matrix
    frames: Matrix
    planes: Matrix
    corners: Matrix

    @classmethod
    def of(cls, quads: NDArray[np.float32], outlines: NDArray[np.float32]) -> _Marks:
        centres, frames = quads.mean(axis=1, dtype=np.float64), card_frames(outlines)
        planes = np.linalg.inv(frames)
        middles = outlines.mean(axis=1, dtype=np.float64)
        corners = np.einsum("iab,ib->ia", planes, centres - middles)
        return cls(centres, frames, np.asarray(planes, np.float64), corners)

    def outline(self, card: int, like: int, corner: Matrix) -> Matrix:
        """Return the outline (4, 2), in pixels, of the card on which the mark with the index `card`
        stands, in the size and direction of the card of the mark with the index `like`. The signs
        of `corner` (2,), x and y, tell in which corner of its card the mark stands: negative at the
        left and at the top.
        """
        inside = UNIT - np.copysign(IN_CORNER, corner)
        return np.asarray(self.centres[card] + inside @ self.frames[like].T)


def jollies_as_beside(
    quads: NDArray[np.float32], outlines: NDArray[np.float32], jolly: NDArray[np.bool_]
) -> NDArray[np.float32]:
    """Return the outlines of n marks' cards, (n, 4, 2), corrected where the card is a jolly.
    `jolly` (n,) tells which cards are jollies, and `quads` (n, 4, 2) are the marks.

    A jolly in line with the marks of a column gets the size and direction of the nearest card of
    that column. Any other jolly gets the size of the card whose mark is nearest to the jolly's. It
    also gets that card's direction where the card is near and the jolly seems to lie across it.
    Where all cards are jollies, the outlines stay as they are.
    """
    others, jollies = np.flatnonzero(~jolly), np.flatnonzero(jolly)
    if not len(others):
        return outlines
    marks, told = _Marks.of(quads, outlines), outlines.copy()
    for card in jollies.tolist():
        beside = _beside_in_column(marks, card, others, jollies[jollies != card])
        if beside is not None:
            told[card] = marks.outline(card, beside, marks.corners[beside])
            continue
        away = np.linalg.norm(marks.centres[others] - marks.centres[card], axis=1)
        nearest = int(others[away.argmin()])
        frame, own = marks.frames[nearest], marks.frames[card]
        lengths, own_lengths = np.linalg.norm(frame, axis=0), np.linalg.norm(own, axis=0)
        alike = float(frame[:, 1] @ own[:, 1]) / float(lengths[1] * own_lengths[1])
        if away.min() > A_STEP * lengths[1] or abs(alike) > ALIGNED:
            told[card] = resized(quads[[card]], outlines[[card]], lengths / own_lengths)[0]
        else:
            told[card] = marks.outline(card, nearest, marks.corners[card])
    return told


def in_two_columns(outlines: NDArray[np.float32], jolly: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell of each pair of n cards whether they are two jollies, each in a column of its own: both
    lie a step along their height from a card that is no jolly, and they lie apart by PARTED or
    more. The result is (n, n).

    `outlines` (n, 4, 2) are those of the cards; `jolly` (n,) tells which cards are jollies.
    """
    frames = card_frames(outlines)
    middles = outlines.mean(axis=1, dtype=np.float64)
    moves = middles[None] - middles[:, None]
    aside, along = np.abs(np.einsum("iab,ijb->aij", np.linalg.inv(frames), moves))
    a_step = (
        (along >= LEAST_STEP) & (along <= LONGEST_STEP) & (aside <= MOST_ASIDE * ASPECT * along)
    )
    in_column = jolly & a_step[:, ~jolly].any(axis=1)
    sizes = np.sqrt(np.linalg.norm(frames, axis=1).prod(axis=1))
    apart = np.linalg.norm(moves, axis=2) >= PARTED * np.sqrt(sizes[:, None] * sizes)
    return np.asarray(in_column[:, None] & in_column & apart)


def fit_on_one_card(marks: Matrix, others: NDArray[np.float32]) -> bool:
    """Tell whether k `marks`, (k, 2) in pixels, can be of one card. The card has to be as large as
    the nearest of the `others`, outlines (m, 4, 2): the one whose middle is nearest to the middle
    of the marks.

    Two marks fit if they stand in opposite corners of a card turned about as the nearest card is.
    Three or four fit if a card turned as that one, or hardly, can hold them. More never fit: one of
    them may be a neighbour's.

    On 660 rendered hands six groups of three marks of jollies, which nothing else told to be of one
    card, fitted on a card turned by at most 20 degrees: three of one jolly on one turned by 5 at
    most, three of two jollies only on one turned by 10 or more.
    """
    if not len(others) or len(marks) > MOST_MARKS:
        return False
    middle = marks.mean(axis=0)
    frame = _nearest_frame(middle, others)
    if len(marks) < ENOUGH_MARKS:
        return _are_opposite_corners(marks[1] - marks[0], frame)
    return _are_within_one(marks - middle, frame, HARDLY_TURNED)


def may_be_on_one_card(marks: Matrix, others: NDArray[np.float32]) -> bool:
    """Tell whether `marks` of jollies, (k, 2) in pixels, may all be of one card: one up to WIDER
    times as large as, and turned by MOST_TURNED degrees at most against, the nearest of the
    `others`, outlines (m, 4, 2). Where there are no others they may, since nothing tells.
    """
    if not len(others):
        return True
    middle = marks.mean(axis=0)
    return _are_within_one(marks - middle, WIDER * _nearest_frame(middle, others))


def _nearest_frame(middle: Matrix, outlines: NDArray[np.float32]) -> Matrix:
    """Return the matrix (2, 2) of that card of `outlines`, (m, 4, 2) in pixels, whose middle is
    nearest to `middle` (2,).
    """
    away = np.linalg.norm(outlines.mean(axis=1) - middle, axis=1)
    return np.asarray(card_frames(outlines[[away.argmin()]])[0])


def _are_within_one(marks: Matrix, frame: Matrix, turns: NDArray[np.integer] = TURNS) -> bool:
    """Tell whether a card with the matrix `frame` (2, 2), turned by one of `turns` in degrees, can
    hold `marks` (k, 2), in pixels of the picture from any point.
    """
    places = marks @ np.linalg.inv(frame / [1, ASPECT]).T  # in widths of a card
    angles = np.radians(turns)
    x = np.cos(angles)[:, None] * places[:, 0] + np.sin(angles)[:, None] * places[:, 1]
    y = np.cos(angles)[:, None] * places[:, 1] - np.sin(angles)[:, None] * places[:, 0]
    across, along = np.ptp(x, axis=1), np.ptp(y, axis=1)
    return bool(((across <= SPAN) & (along <= SPAN * ASPECT)).any())


def _are_opposite_corners(move: NDArray[np.floating], frame: Matrix) -> bool:
    """Tell whether `move`, (2,) in pixels, may lead from a mark in one corner of a card to one in
    the opposite corner, if the card is turned by MOST_TURNED degrees at most against one with the
    matrix `frame` (2, 2), which takes vectors in the plane of a card to the picture.
    """
    table = frame / [1, ASPECT]
    for angle in np.radians(TURNS):
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        spans = np.abs(np.linalg.solve(table @ turn * [1, ASPECT], move))
        if ((spans >= OPPOSITE) & (spans <= SPAN)).all():
            return True
    return False


def _beside_in_column(
    marks: _Marks, jolly: int, others: NDArray[np.intp], further: NDArray[np.intp]
) -> int | None:
    """Return the index of the mark of the card that lies next to a jolly in the jolly's column;
    None where there is none. `jolly` is the index of the jolly's mark, and `others` are the indices
    of the marks to choose from.

    The mark is one step away from the jolly's, and a third mark, in the same corner of its own
    card, lies in line with the two. If several marks meet this, the one is chosen that is nearest
    and least aside. `further` are the indices of the marks of other jollies. A mark is left out
    where these further marks show that the jolly is seen whole, so that it is not covered by a next
    card of the mark's column.
    """
    planes = marks.planes[others]
    steps = np.einsum("iab,ib->ia", planes, marks.centres[jolly] - marks.centres[others])
    steps /= [ASPECT, 1.0]  # both in heights
    lengths, aside = np.linalg.norm(steps, axis=1), np.abs(steps).min(axis=1)
    a_step = (lengths <= LONGEST_STEP) & (aside <= MOST_ASIDE * lengths)
    lined_up = _lined_up(steps, marks.corners[others])
    for at in np.argsort(lengths + 2 * aside).tolist():
        moves = (marks.centres[further] - marks.centres[jolly]) @ planes[at].T / [ASPECT, 1.0]
        if a_step[at] and lined_up[at] and not _is_seen_whole(steps[at], moves):
            return int(others[at])
    return None


def _lined_up(steps: Matrix, corners: Matrix) -> NDArray[np.bool_]:
    """Return a mask (n,) of the marks that lie in line with the jolly and with another mark that is
    near the jolly. Both marks must stand in the same corner of their cards.

    `steps` (n, 2) lead from the marks to the jolly, in heights of a card; `corners` (n, 2) lead
    from the middle of each card to its mark.
    """
    lengths = np.maximum(np.linalg.norm(steps, axis=1), 1e-6)
    parallel = np.abs(steps @ steps.T) / (lengths[:, None] * lengths[None])
    same = (np.sign(corners)[:, None] == np.sign(corners)[None]).all(axis=2)
    apart = np.linalg.norm(steps[:, None] - steps[None], axis=2)
    near = (lengths <= 2 * LONGEST_STEP)[None]
    return np.asarray((same & near & (parallel >= IN_LINE) & (apart >= LEAST_STEP)).any(axis=1))


def _is_seen_whole(step: Matrix, moves: Matrix) -> bool:
    """Tell whether the marks of further jollies show that a jolly is seen whole. If the next card
    of a column covered the jolly, none of the jolly's marks farther along the column would be seen.
    So it is seen whole if one of the further marks lies where such a mark may be.

    `step` (2,) leads to the jolly's mark from the mark of the card before, and `moves` (n, 2) lead
    from the jolly's mark to the further ones, all in heights of a card.
    """
    direction = step / max(float(np.linalg.norm(step)), 1e-6)
    along, across = np.abs(moves @ direction), np.abs(moves @ [direction[1], -direction[0]])
    return bool(((along >= COVERED) & (along <= 1) & (across <= WITHIN)).any())
