"""Which cards may be neighbours in a column, and how far apart neighbours lie.

Two cards are compared in the plane of one of them, in which that card's middle is at 0, 0 and its
width is 1. Where both show a mark in the same corner, these marks tell how far apart the cards lie,
since marks are more exact than outlines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.card import UNIT_CARD, Array, Card, Points, plane_of, seen_from
from vision.cards.places import ASPECT, card_sides
from vision.quads import in_planes

REACH = 2.0  # lengths of a card: a neighbour's middle is never farther away in the picture
CORNERS = 4  # of a card, in which its marks stand

# (i, j): what joining the two cards costs, and where the middle of j lies from that of i.
Offsets = dict[tuple[int, int], tuple[float, Array]]


@dataclass(frozen=True)
class OffsetConfig:
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


CONFIG = OffsetConfig()


def find_offsets(cards: Sequence[Card]) -> Offsets:
    """Map each pair (i, j) of cards that may be neighbours in a column to a cost and an offset.

    The cost of joining two cards is lowest where they lie near each other and are turned alike. The
    offset (2,) leads from the middle of card i to that of card j, in the plane of card i, so in
    widths of that card.
    """
    if not cards:
        return {}
    outlines = np.stack([card.outline for card in cards])
    marks = _side_by_side([card.marks for card in cards])
    sure = np.array([card.sure for card in cards], np.bool_)
    planes = np.array([plane_of(outline) for outline in outlines])

    one, other = _near_pairs(outlines)
    seen = in_planes(planes[one], outlines[other])
    across, middles = card_sides(seen)[:, 0], seen.mean(axis=1)
    turns, widths = _upright(across), np.linalg.norm(across, axis=1)
    mine = in_planes(planes, marks)[one]
    offsets = _offsets(mine, in_planes(planes[one], marks[other]), middles, turns)

    aside, along = np.abs(offsets).T
    turned, away = np.abs(turns), np.hypot(aside, along)
    near = (aside <= CONFIG.max_side) & (along <= CONFIG.max_along)
    fanned = (turned >= CONFIG.fan_degrees) & (np.hypot(aside, along / ASPECT) <= CONFIG.max_fanned)
    alike = (turned <= CONFIG.max_turn_degrees) & (widths <= CONFIG.max_ratio)
    alike &= widths >= 1 / CONFIG.max_ratio
    far = alike & sure[one] & sure[other] & ~near
    near |= far & fanned
    overlapping = [_overlap(outline) >= CONFIG.least_overlap for outline in seen[far & ~fanned]]
    near[far & ~fanned] = overlapping

    # People offset cards along one side: a slanting neighbour is less likely the next one.
    slant = np.minimum(aside, along / ASPECT)
    lies_over = alike & near & (away >= CONFIG.least_offset)
    costs = np.full((len(cards), len(cards)), np.inf)
    costs[one, other] = np.where(lies_over, away + slant + turned / 60, np.inf)
    costs = (costs + costs.T) / 2  # infinite where they are neighbours as seen from one alone
    pairs = zip(one.tolist(), other.tolist(), offsets, strict=True)
    return {(i, j): (float(costs[i, j]), offset) for i, j, offset in pairs if costs[i, j] < np.inf}


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


@lru_cache(maxsize=1024)  # grouping asks for the same pair several times
def step_between(card: Card, following: Card) -> Points:
    """Return the step (2,) from a card to the following one of its column, as `steps_from` tells
    it. The array is kept and cannot be written to.
    """
    steps = steps_from(card, [following])
    steps.flags.writeable = False
    return np.asarray(steps[0])


def steps_from(card: Card, others: Sequence[Card]) -> Points:
    """Return the steps (m, 2) from a card to each of the others, x and y in pixels: the mean step
    between marks in the same corners of both cards or, where no such marks show, the step between
    the middles of the cards.
    """
    if not others:
        return np.zeros((0, 2), np.float32)
    outlines = np.stack([other.outline for other in others])
    marks = _side_by_side([other.marks for other in others])
    planes = np.repeat(plane_of(card.outline)[None], len(others), axis=0)
    seen = in_planes(planes, outlines)
    mine = _by_corner(in_planes(planes[:1], card.marks[None]))
    its = _by_corner(in_planes(planes, marks), seen.mean(axis=1), _upright(card_sides(seen)[:, 0]))
    back = np.asarray(np.linalg.inv(planes), np.float64)
    moves = np.subtract(in_planes(back, its), in_planes(back[:1], mine))
    return _mean_or(moves, outlines.mean(axis=1) - card.middle).astype(np.float32)


def turn_between(card: Card, following: Card) -> float:
    """Return by how many degrees, -90 to 90, the card `following` is turned relative to `card`,
    clockwise counted as positive. Half a turn counts as none: cards look the same upside down.
    """
    outline = seen_from(plane_of(card.outline), following.outline)
    return float(_upright(card_sides(outline[None])[:, 0])[0])


def _near_pairs(outlines: NDArray[np.float32]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the pairs of cards that are so near each other that they may be neighbours, as two
    arrays of indices, (m,) each. Each pair is there in both orders. `outlines` are (n, 4, 2).
    """
    middles = outlines.mean(axis=1)
    reach = REACH * np.linalg.norm(card_sides(outlines), axis=2).max(axis=1)
    away = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    near = away <= np.minimum(reach[:, None], reach[None])
    np.fill_diagonal(near, False)
    one, other = np.nonzero(near)
    return one, other


def _side_by_side(marks: Sequence[Points]) -> NDArray[np.float32]:
    """Return the marks of n cards, (k, 2) each, as one array (n, most, 2), in which NaN stands
    where a card has fewer marks than the one with the most.
    """
    together = np.full((len(marks), max(map(len, marks)), 2), np.nan, np.float32)
    for of_card, some in zip(together, marks, strict=True):
        of_card[: len(some)] = some
    return together


def _offsets(mine: Array, its: Array, middles: Array, turns: Array) -> Array:
    """Return the offsets (m, 2) between the middles of two cards, for m pairs.

    `mine` and `its` (m, k, 2) are the marks of the one and of the other card, NaN where there are
    fewer; `middles` (m, 2) and `turns` (m,) tell where the middle of the other card lies and by how
    many degrees that card is turned, clockwise positive. All is given in the plane of the one card.
    """
    mine = _by_corner(mine)
    its = _by_corner(its, middles, turns)
    return _mean_or(its - np.einsum("mij,mkj->mki", _rotations(turns), mine), middles)


def _mean_or(moves: Array, otherwise: NDArray[np.floating]) -> Array:
    """Return the mean of the moves (m, CORNERS, 2) of each of m pairs, (m, 2), without those that
    are NaN. A pair all of whose moves are NaN gets its row of `otherwise` (m, 2).
    """
    lacking = np.isnan(moves).any(axis=2, keepdims=True)
    count = (~lacking).sum(axis=1)
    summed = np.where(lacking, 0, moves).sum(axis=1)
    return np.where(count > 0, summed / np.maximum(count, 1), otherwise)


def _by_corner(
    marks: NDArray[np.floating], middles: Array | None = None, turns: Array | None = None
) -> Array:
    """Return the mark in each corner of m cards, (m, CORNERS, 2), NaN where there is none.

    `marks` (m, k, 2), NaN where there are fewer, are given in any plane in which the middles of the
    cards lie at `middles` (m, 2) and the cards are turned by `turns` (m,) degrees; without these,
    at 0, 0 and not turned.
    """
    inside = marks
    if middles is not None and turns is not None:
        inside = np.einsum("mij,mkj->mki", _rotations(-turns), marks - middles[:, None])
    corners = 2 * (inside[..., 0] > 0) + (inside[..., 1] > 0)
    found = np.full((len(marks), CORNERS, 2), np.nan)
    for number in range(marks.shape[1]):
        there = np.flatnonzero(~np.isnan(marks[:, number, 0]))
        found[there, corners[there, number]] = marks[there, number]
    return found


def _rotations(degrees: Array) -> Array:
    """Return a matrix for each of m angles, (m, 2, 2), that turns column vectors by it."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.stack([np.stack([c, -s], axis=-1), np.stack([s, c], axis=-1)], axis=-2)


def _upright(across: Array) -> Array:
    """Return the angles of m vectors, (m, 2), which lead along the widths of cards, in degrees from
    -90 to 90. Opposite vectors have the same angle, so that an upside-down card counts as upright.
    """
    return (np.degrees(np.arctan2(across[:, 1], across[:, 0])) + 90) % 180 - 90


def _overlap(outline: Array) -> float:
    """Return what share of a card lies over or under another one, whose `outline` (4, 2) is given
    in the plane of the card.
    """
    return float(cv2.intersectConvexConvex(UNIT_CARD, outline.astype(np.float32))[0]) / ASPECT
