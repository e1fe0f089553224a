"""Cards that lie over one another: columns and fans, from the most covered to the free card."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.corners import lies_within
from vision.cards.places import ASPECT, card_frames, card_sides
from vision.grouping import Indices

Array = NDArray[np.float64]
Points = NDArray[np.float32]  # (n, 2) x, y
REACH = 2.0  # lengths of a card: a neighbour's middle is never farther away in the picture
# A card in the plane of the table, its centre at 0, 0 and its width 1.
UNIT_CARD = np.array(
    [[-0.5, -ASPECT / 2], [0.5, -ASPECT / 2], [0.5, ASPECT / 2], [-0.5, ASPECT / 2]], np.float32
)


@dataclass(frozen=True)
class Card:
    """Where a card lies: its `outline` (4, 2) and the middles of its `marks` (k, 2), the surest
    first; x and y in pixels. What is not `sure` to be a card may be something else.
    """

    outline: Points
    marks: Points
    sure: bool = True

    def seen_from(self, plane: Array) -> Card:
        """Return the card with its points mapped by `plane`, a 3 x 3 homography."""
        return Card(seen_from(plane, self.outline), seen_from(plane, self.marks), self.sure)


@dataclass(frozen=True)
class ColumnConfig:
    """The limits that decide whether one card lies over another. Lengths are in widths of a card on
    the table, unless a comment says otherwise.
    """

    # How far the middle of the next card is to the side and up or down, at most; how far it is in
    # any direction, at least; and by how much the card is turned, at most.
    max_side: float = 0.92
    max_along: float = 1.30
    least_offset: float = 0.06
    max_turn_degrees: float = 62.0
    # Sure cards may lie farther apart, as in a wide fan: up to `max_fanned` where they are turned
    # by at least `fan_degrees`, and at any distance where they share at least `least_overlap` of a
    # card's area.
    fan_degrees: float = 12.0
    max_fanned: float = 1.25
    least_overlap: float = 0.03
    max_ratio: float = 1.8  # of the two widths, which are poorly known from marks alone
    enough_sure: int = 2  # sure cards of a column from which its unsure ones count as cards, too
    # Least distance, along the width and along the height, of two marks in opposite corners.
    least_span: float = 0.5
    # A column runs straight along one side of its cards if the other part of its step is less than
    # this, in widths or heights of a card.
    least_slant: float = 0.1
    # Two neighbours of a card in a column lie on opposite sides: least angle between them.
    opposite_degrees: float = 115.0


def find_columns(
    cards: Sequence[Card], offsets: Offsets | None = None, config: ColumnConfig = ColumnConfig()
) -> list[Indices]:
    """Return the columns and fans of two cards or more, each as the indices of its cards from the
    most covered card to the free one.

    Neighbours are joined, those of the lowest cost first. Each card is joined to at most two, which
    lie on opposite sides of it. `offsets` is what `find_offsets` returns for these cards; it is
    computed where it is None.
    """
    if offsets is None:
        offsets = find_offsets(cards, config)
    neighbours: dict[int, list[int]] = {i: [] for i in range(len(cards))}
    for _, i, j in sorted((cost, i, j) for (i, j), (cost, _) in offsets.items() if i < j):
        if _may_join(neighbours, offsets, i, j, config):
            neighbours[i].append(j)
            neighbours[j].append(i)
    marks = [seen_from(plane_of(card.outline), card.marks).mean(axis=0) for card in cards]
    return [_in_order(chain, offsets, marks) for chain in _chains(neighbours)]


def in_line_with_sure(
    cards: Sequence[Card], columns: list[Indices], config: ColumnConfig = ColumnConfig()
) -> NDArray[np.bool_]:
    """Return a mask (n,) of the cards that are sure, or that lie in a column with at least
    `ColumnConfig.enough_sure` sure cards. `columns` hold indices of `cards`.
    """
    kept = np.array([card.sure for card in cards], bool)
    for column in columns:
        if sum(cards[i].sure for i in column) >= config.enough_sure:
            kept[list(column)] = True
    return kept


def beyond_free_cards(
    cards: Sequence[Card], columns: list[Indices], jollies: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return a mask (n,) of n `cards`: True for an unsure card that is listed in a column after the
    column's last sure card, if that sure card is seen whole. As nothing covers the sure card, no
    card follows it, and what was found beyond it is no card of the column. A jolly of one mark is
    unsure here: the corner of a covered card may look like one. `jollies` (n,) tells which cards
    are jollies.
    """
    beyond = np.zeros(len(cards), bool)
    sure_cards = [
        card.sure and not (jolly and len(card.marks) == 1)
        for card, jolly in zip(cards, jollies, strict=True)
    ]
    for column in columns:
        sure = [at for at, card in enumerate(column) if sure_cards[card]]
        if not sure or sure[-1] in (0, len(column) - 1):
            continue
        before, last = column[sure[-1] - 1], column[sure[-1]]
        if is_uncovered(cards[last], step_between(cards[before], cards[last])):
            beyond[list(column[sure[-1] + 1 :])] = True
    return beyond


def is_uncovered(card: Card, step: Points, config: ColumnConfig = ColumnConfig()) -> bool:
    """Tell whether a card is seen whole, so that no further card of its column lies over it. `step`
    (2,) in pixels leads along the column to the card from the one before it.

    Such a card shows marks in opposite corners, and one of these marks stands where a next card
    would cover it. Opposite corners alone do not tell that: of packs with four indices, covered
    cards of a column that runs aslant show two opposite corners as well.
    """
    frame = card_frames(card.outline[None])[0]
    places = np.linalg.solve(frame, (card.marks - card.outline.mean(axis=0)).T).T
    in_card = np.linalg.solve(frame, step)
    ahead = (places * in_card > 0) | (np.abs(in_card) < config.least_slant)
    return shows_whole(card, config) and bool(ahead.all(axis=1).any())


def on_whole_cards(
    cards: Sequence[Card],
    unread: NDArray[np.bool_],
    config: ColumnConfig = ColumnConfig(),
) -> NDArray[np.bool_]:
    """Return a mask (n,) of the cards that are not `sure`, or cannot be read, and whose only mark
    lies on a `sure` card that is seen whole. A card is seen whole if it has marks in opposite
    corners. `unread` (n,) tells which cards cannot be read.
    """
    doubted = unread | np.array([not card.sure for card in cards], bool)
    whole = [card for card in cards if card.sure and shows_whole(card, config)]
    return np.array(
        [
            doubted[number]
            and len(card.marks) == 1
            and any(lies_within(card.marks[0], other.outline) for other in whole)
            for number, card in enumerate(cards)
        ],
        bool,
    )


def shows_whole(card: Card, config: ColumnConfig = ColumnConfig()) -> bool:
    """Tell whether a card shows marks in opposite corners."""
    marks = seen_from(plane_of(card.outline), card.marks)
    spans = np.abs(marks[:, None] - marks[None])
    return bool((spans >= config.least_span).all(axis=-1).any())


# (i, j): what joining the two cards costs, and where the middle of j lies from that of i.
Offsets = dict[tuple[int, int], tuple[float, Array]]


def find_offsets(cards: Sequence[Card], config: ColumnConfig = ColumnConfig()) -> Offsets:
    """Map each pair (i, j) of cards that may be neighbours in a column to a cost and an offset.

    The cost of joining two cards is lowest where they lie near each other and are turned alike. The
    offset (2,) leads from the middle of card i to that of card j, in the plane of card i, so in
    widths of that card.
    """
    found: Offsets = {}
    middles = np.array([card.outline.mean(axis=0) for card in cards])
    for i, card in enumerate(cards):
        plane = plane_of(card.outline)
        reach = REACH * np.linalg.norm(card_sides(card.outline[None])[0], axis=1).max()
        near = np.flatnonzero(np.linalg.norm(middles - middles[i], axis=1) <= reach).tolist()
        seen = dict(zip(near, _all_seen_from(plane, [cards[j] for j in near]), strict=True))
        for j in near:
            lies = None if i == j else _lies_over(seen[i], seen[j], config)
            if lies is not None:
                found[i, j] = lies
    both = {
        (i, j): ((cost + found[j, i][0]) / 2, offset)
        for (i, j), (cost, offset) in found.items()
        if (j, i) in found
    }
    return both


def of_some(offsets: Offsets, cards: Sequence[int]) -> Offsets:
    """Return the offsets between the cards whose indices `cards` lists. In the result a card's
    index is its place in that list.
    """
    number = {card: at for at, card in enumerate(cards)}
    return {
        (number[i], number[j]): lies
        for (i, j), lies in offsets.items()
        if i in number and j in number
    }


def _shared_corners(card: Card, other: Card, turn: float) -> list[tuple[Points, Points]]:
    """Return, for each corner in which both cards show a mark, the places of the two marks, (2,)
    each, that of `card` first.

    Both cards, and the places, are given in the plane of `card`, where `other` is turned by `turn`
    degrees.
    """
    mine = {tuple(mark > 0): mark for mark in card.marks}
    middle, back = other.outline.mean(axis=0), _rotation(-turn)
    its = {tuple(back @ (mark - middle) > 0): mark for mark in other.marks}
    return [(mine[corner], its[corner]) for corner in mine.keys() & its.keys()]


def _offset(card: Card, other: Card, turn: float) -> Array:
    """Return the offset (2,) from the middle of `card` to that of `other`. `other` is turned by
    `turn` degrees against `card`, clockwise positive.

    Both cards are given in the plane of `card`. Where both show marks in the same corner, these
    give the offset, since marks are more exact than outlines.
    """
    shared = _shared_corners(card, other, turn)
    if not shared:
        return np.asarray(other.outline.mean(axis=0), np.float64)
    rotation = _rotation(turn)
    return np.asarray(np.mean([its - rotation @ mine for mine, its in shared], axis=0))


def _rotation(degrees: float) -> Array:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[c, -s], [s, c]])


def step_between(card: Card, following: Card) -> Points:
    """Return the step (2,) from a card to the following one of its column, x and y in pixels: the
    mean step between marks in the same corners of both cards or, where no such marks show, the step
    between the middles of the cards.
    """
    plane = plane_of(card.outline)
    seen = following.seen_from(plane)
    shared = _shared_corners(card.seen_from(plane), seen, _turned(seen))
    if not shared:
        return np.asarray(following.outline.mean(axis=0) - card.outline.mean(axis=0), np.float32)
    ends = seen_from(
        np.asarray(np.linalg.inv(plane), np.float64), np.concatenate(shared).reshape(-1, 2)
    )
    return np.asarray((ends[1::2] - ends[::2]).mean(axis=0), np.float32)


def turn_between(card: Card, following: Card) -> float:
    """Return by how many degrees, -90 to 90, the card `following` is turned relative to `card`,
    clockwise counted as positive. Half a turn counts as none: cards look the same upside down.
    """
    return _turned(following.seen_from(plane_of(card.outline)))


def plane_of(outline: Points) -> Array:
    """Return the homography, (3, 3), from the picture to the plane of the card with this outline,
    (4, 2).
    """
    return np.asarray(cv2.getPerspectiveTransform(outline, UNIT_CARD), np.float64)


def seen_from(plane: Array, points: Points) -> Points:
    """Return the points (n, 2), in pixels of the picture, mapped by the homography `plane`, (3, 3),
    as `plane_of` makes it for a card; by its inverse, points of that plane mapped to pixels.
    """
    return np.asarray(cv2.perspectiveTransform(points[None], plane)[0], np.float32)


def _all_seen_from(plane: Array, cards: list[Card]) -> list[Card]:
    """Return the cards with their points mapped by `plane`, a 3 x 3 homography, as `Card.seen_from`
    does for a single card; all points are mapped in one call.
    """
    ends = np.cumsum([0] + [4 + len(card.marks) for card in cards])
    points = np.concatenate([part for card in cards for part in (card.outline, card.marks)])
    seen = seen_from(plane, np.asarray(points, np.float32))
    return [
        Card(seen[start : start + 4], seen[start + 4 : end], card.sure)
        for card, start, end in zip(cards, ends[:-1], ends[1:], strict=True)
    ]


def _lies_over(card: Card, other: Card, config: ColumnConfig) -> tuple[float, Array] | None:
    """Return the cost of joining two cards, which is lower the likelier they are neighbours, and
    the offset (2,) from the middle of `card` to that of `other`. None where they are no neighbours
    in a column. Both cards are given in the plane of `card`.
    """
    across = card_sides(other.outline[None])[0, 0]
    width, turned = float(np.linalg.norm(across)), _upright(across)
    turn = abs(turned)
    if turn > config.max_turn_degrees or not 1 / config.max_ratio <= width <= config.max_ratio:
        return None
    x, y = offset = _offset(card, other, turned)
    near = abs(x) <= config.max_side and abs(y) <= config.max_along
    if card.sure and other.sure and not near:
        fanned = turn >= config.fan_degrees and np.hypot(x, y / ASPECT) <= config.max_fanned
        near = fanned or _overlap(card.outline, other.outline) >= config.least_overlap
    far_enough = float(np.hypot(x, y)) >= config.least_offset
    if not (near and far_enough):
        return None
    # People offset cards along one side: a slanting neighbour is less likely the next one.
    slant = min(abs(x), abs(y) / ASPECT)
    return float(np.hypot(x, y)) + slant + turn / 60, offset


def _turned(card: Card) -> float:
    """Return the angle by which a card is turned in the coordinates in which it is given: -90 to 90
    degrees, clockwise positive. An upside-down card counts as upright.
    """
    return _upright(card_sides(card.outline[None])[0, 0])


def _upright(across: Array) -> float:
    """Return the angle of the vector `across`, which leads along a card's width, in degrees from
    -90 to 90. Opposite vectors have the same angle, so that an upside-down card counts as upright.
    """
    return (math.degrees(math.atan2(across[1], across[0])) + 90) % 180 - 90


def _overlap(card: Points, other: Points) -> float:
    """Return what share of a card lies over or under another one. Both outlines, (4, 2), are given
    in the plane of `card`.
    """
    return float(cv2.intersectConvexConvex(card, other)[0]) / ASPECT


def _may_join(
    neighbours: dict[int, list[int]], offsets: Offsets, i: int, j: int, config: ColumnConfig
) -> bool:
    for one, other in ((i, j), (j, i)):
        if len(neighbours[one]) == 2:
            return False
        for known in neighbours[one]:
            a, b = offsets[one, known][1], offsets[one, other][1]
            cosine = float(a @ b) / max(float(np.linalg.norm(a) * np.linalg.norm(b)), 1e-9)
            if cosine > np.cos(np.radians(config.opposite_degrees)):
                return False
    return j not in _walk(neighbours, i)


def _walk(neighbours: dict[int, list[int]], start: int) -> list[int]:
    """Return the indices of all cards joined to the card `start`, directly or through others,
    beginning with `start`. `neighbours` maps the index of a card to those of the cards next to it.
    """
    met = [start]
    for card in met:
        met += [other for other in neighbours[card] if other not in met]
    return met


def _chains(neighbours: dict[int, list[int]]) -> list[list[int]]:
    """Return the chains of two cards or more, each from one end to the other, as indices of cards.

    `neighbours` maps the index of a card to those of the cards next to it in a column, two at most.
    """
    ends = [i for i, others in neighbours.items() if len(others) == 1]
    chains: list[list[int]] = []
    for end in ends:
        if not any(end in chain for chain in chains):
            chains.append(_walk(neighbours, end))
    return chains


def _in_order(chain: list[int], offsets: Offsets, marks: list[Array]) -> Indices:
    """Return the chain, reversed where needed, so that each card covers the one before it. The
    chain holds indices of cards.

    A card shows its mark on one side and is covered by the next card on the other. `offsets` maps
    each pair of neighbours, in either order, to a cost and to the offset (2,) from the middle of
    the first card to that of the second, in the plane of the first. `marks` has, for each card, the
    mean place of its marks in its own plane. That place is near zero, and tells nothing, for a card
    with marks at both ends.
    """
    covered_first = 0.0
    for one, following in pairwise(chain):
        forth, back = offsets[one, following][1], offsets[following, one][1]
        covered_first += float(back @ marks[following]) - float(forth @ marks[one])
    return tuple(chain if covered_first >= 0 else chain[::-1])
