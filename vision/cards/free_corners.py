"""Joins single marks (the indices in the corners of cards) to cards that show the same face and
have a corner free at the mark's place.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.cards.marks import (
    are_jollies,
    is_jolly,
    joint_faces,
    joint_outlines,
    may_be_corners,
    unlike_together,
)
from vision.cards.places import (
    ASPECT,
    IN_CORNER,
    USUAL,
    MarkConfig,
    Matrix,
    Places,
    card_frames,
    card_sides,
    plumb_pairs,
    unlikeness,
)


@dataclass(frozen=True)
class _Lying:
    """How m cards and their n marks lie.

    `marks` (n, 2) and `middles` (m, 2) are the middles of marks and cards, in pixels. `frames` (m,
    2, 2) leads from widths and heights of a card to pixels. `log_sizes` (m,) are the logarithms of
    the sizes of the cards. `opposite` (m, m) tells of which pairs of cards the surest marks are
    surely read and stand in opposite corners of one card, whatever size the network gives it.
    """

    marks: Matrix
    middles: Matrix
    frames: Matrix
    log_sizes: Matrix
    opposite: NDArray[np.bool_]

    def near(self, surest: list[int]) -> NDArray[np.bool_]:
        """Return a mask (m, m) of the pairs of cards of which the first one's surest mark is not
        too far from the second one's middle to stand in a corner of it, and of those that are
        `opposite`. `surest` (m) are the indices of the surest marks.
        """
        away = np.linalg.norm(self.marks[surest][:, None] - self.middles, axis=2)
        reach = np.linalg.norm(self.frames, axis=1).max(axis=1)
        return np.asarray((away <= reach) | self.opposite)

    def away(self, card: int, marks: list[int], mark: int) -> float:
        """Return how far the `mark` is from the nearest corner of the `card`, in widths of that
        card; infinite where one of its `marks` has that corner already.
        """
        places = self.marks[[*marks, mark]] - self.middles[card]
        return _away_from_free_corner(places @ np.linalg.inv(self.frames[card]).T)


def corners_joined(
    quads: NDArray[np.float32],
    outlines: NDArray[np.float32],
    faces: NDArray[np.float32],
    cards: list[list[int]],
    config: MarkConfig = USUAL,
) -> list[list[int]]:
    """Return the cards after joining single marks to a card that shows the same face and has a free
    corner at the mark's place. `cards` lists the indices of the marks of each card, and so does the
    result.

    `quads` (n, 4, 2) are the marks, the surest first, `outlines` (n, 4, 2) the cards that the
    network gives them, and `faces` (n, 53) log-probabilities. The direction in which a mark was
    read counts only if the mark was surely read and the card has two marks already: an 8 upside
    down looks like an 8. Two single marks are joined if both tell a card of about the same size, if
    they are no jollies', and if each stands in a corner of the other's card, or both are surely
    read and stand in opposite corners of a card of another size: in packs with large and small
    indices the network is wrong about the size.
    """
    surely_read = np.exp(faces.max(axis=1)) >= config.surely_read
    plumb, either_way = plumb_pairs(quads), plumb_pairs(quads, heads=False)
    lying = _lying(quads, outlines, faces, cards, config)
    near = lying.near([card[0] for card in cards])
    joined = [[*card] for card in cards]
    for number, card in enumerate(cards):
        if len(card) > 1 or len(joined[number]) > 1:
            continue
        known = plumb if surely_read[card[0]] else either_way
        for other in np.flatnonzero(near[number]).tolist():
            members = joined[other]
            if (
                other != number
                and members
                and may_be_corners(members + card, known, faces)
                and unlike_together(faces, members + card) <= config.same_face
                and _is_corner(number, card[0], other, members, lying, faces, config)
            ):
                joined[other], joined[number] = members + card, []
                break
    return [sorted(card) for card in joined if card]


def _lying(
    quads: NDArray[np.float32],
    outlines: NDArray[np.float32],
    faces: NDArray[np.float32],
    cards: list[list[int]],
    config: MarkConfig,
) -> _Lying:
    whole = joint_outlines(quads, outlines, cards, are_jollies(joint_faces(faces, cards)))
    lengths = np.maximum(np.linalg.norm(card_sides(whole), axis=2), 1e-3)
    surely_read = np.exp(faces.max(axis=1)) >= config.surely_read
    opposite = _in_opposite_corners(quads, outlines, config)
    opposite &= surely_read[:, None] & surely_read & (unlikeness(faces) <= config.plainly_same)
    surest = [card[0] for card in cards]
    return _Lying(
        marks=quads.mean(axis=1, dtype=np.float64),
        middles=whole.mean(axis=1, dtype=np.float64),
        frames=card_frames(whole),
        log_sizes=np.log(lengths).mean(axis=1),
        opposite=opposite[np.ix_(surest, surest)],
    )


def _is_corner(
    number: int,
    mark: int,
    other: int,
    members: list[int],
    lying: _Lying,
    faces: NDArray[np.float32],
    config: MarkConfig,
) -> bool:
    """Tell whether the only `mark` of card `number` stands in a free corner of card `other`, which
    has the marks `members`. `faces` (n, 53) are log-probabilities.
    """
    away = lying.away(other, members, mark)
    if len(members) > 1:
        return len(members) < 4 and away <= config.filled
    unlike_size = abs(lying.log_sizes[number] - lying.log_sizes[other])
    if is_jolly(faces, members) or unlike_size > np.log(config.most_unlike_size):
        return False
    each_in_other = max(away, lying.away(number, [mark], members[0])) <= config.filled_by_each
    return each_in_other or bool(lying.opposite[number, other])


def _in_opposite_corners(
    quads: NDArray[np.float32], outlines: NDArray[np.float32], config: MarkConfig
) -> NDArray[np.bool_]:
    """Return a mask (n, n) of the pairs of marks that stand at the upper left and at the lower
    right of one card, if that card may be up to `other_size` times as large or as small as the
    network says. `quads` (n, 4, 2) are the marks, `outlines` (n, 4, 2) the cards that the network
    gives them.
    """
    lies = Places.of(quads, outlines)
    wider = np.log(np.maximum(lies.x, 1e-3) / np.maximum(lies.width, 1e-3))
    higher = np.log(np.maximum(lies.y, 1e-3) / np.maximum(lies.height, 1e-3))
    alike = np.abs(wider - higher) <= np.log(config.one_factor)
    alike &= np.abs(wider + higher) / 2 <= np.log(config.other_size)
    right = (lies.lies[..., 0] > 0) & (lies.lies[..., 0].T > 0)
    return np.asarray(alike & right & lies.head_to_head(config.turn_degrees))


def _away_from_free_corner(places: Matrix) -> float:
    """Return how far the last of the `places` is from the nearest corner of the card, in widths of
    a card; infinite where another mark has that corner.

    `places` (k, 2) are those of a card's marks, in widths and heights of the card from its middle.
    Where k is 4, the first three marks tell where the last corner is, better than the card's
    outline does.
    """
    corner = np.copysign(IN_CORNER, places)
    if (corner[:-1] == corner[-1]).all(axis=1).any():
        return np.inf
    expected = corner[-1]
    if len(places) == 4 and len({tuple(one) for one in corner}) == 4:
        # The middle of each diagonal is the middle of the card.
        across = (corner[:-1] == -corner[-1]).all(axis=1)
        expected = places[:-1][~across].sum(axis=0) - places[:-1][across][0]
    return float(np.linalg.norm((places[-1] - expected) * [1, ASPECT]))
