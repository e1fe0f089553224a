"""The outlines of cards of which several corners show, as in packs with indices in all four
corners.

The network guesses a card's outline from one mark, the index in a corner. Three or four marks of a
card determine its outline exactly, and that card tells the shape of the other cards.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.places import ASPECT, UNIT, Matrix, card_frames, card_sides

ENOUGH = 3  # corners that tell the outline
EDGE = 0.035  # widths and heights of a card between its edge and the nearest mark
LEAST_SPAN = 0.5  # widths and heights of a card, of marks that are seen along both of its sides


@dataclass(frozen=True)
class _Whole:
    """A card known by its corners: its `outline` (4, 2), in pixels, and how far the middles of its
    marks lie from its own middle, `inset` (2,), in widths and in heights of the card.
    """

    outline: NDArray[np.float32]
    inset: Matrix

    def table(self) -> Matrix:
        """Return the matrix (2, 2) that takes a vector on the table, x and y in widths of a card,
        to one in pixels of the picture.
        """
        return np.asarray(card_frames(self.outline[None])[0] / [1, ASPECT])


def as_corners_tell(
    quads: NDArray[np.float32],
    outlines: NDArray[np.float32],
    cards: list[list[int]],
    jolly: NDArray[np.bool_] | None = None,
) -> NDArray[np.float32]:
    """Correct the `outlines` of m cards, (m, 4, 2) in pixels, by their marks, and return them.
    `quads` (n, 4, 2) are the marks, and `cards` lists the indices of the marks of each card.

    Three marks or more determine the outline of their card. They also determine the direction of a
    jolly, whose first mark may be a star. The name of a jolly, between two corners, looks like a
    mark, so of a jolly only the outermost mark in each corner counts. `jolly` (m,) tells which
    cards are jollies, and without `jolly` no card counts as one.

    For a card with two marks along a side, the nearest card with three or more gives the size. All
    other outlines stay as they are.
    """
    told = outlines.copy()
    known: dict[int, _Whole] = {}
    for number, marks in enumerate(cards):
        if len(marks) < ENOUGH:
            continue
        is_jolly = jolly is not None and bool(jolly[number])
        whole = _fitted(quads[marks], outlines[number], is_jolly)
        if whole is None:
            continue
        if jolly is not None and is_jolly and _lies_across(whole, outlines[~jolly]):
            turned = np.roll(outlines[number], 1, axis=0)
            whole = _fitted(quads[marks], turned, is_jolly) or whole
        known[number], told[number] = whole, whole.outline
    if not known:
        return told
    inset = np.median([whole.inset for whole in known.values()], axis=0)
    pairs = [number for number, marks in enumerate(cards) if len(marks) == 2]
    for number in pairs:
        nearest = known[min(known, key=lambda one: _distance(told[one], told[number]))]
        told[number] = _with_side(quads[cards[number]], told[number], nearest.table(), inset)
    return told


def _distance(outline: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    return float(np.linalg.norm(outline.mean(axis=0) - other.mean(axis=0)))


def _corners(quads: NDArray[np.float32], outline: NDArray[np.float32]) -> tuple[Matrix, Matrix]:
    """Return the middles of k marks in the picture, (k, 2), and the corner of the card in which
    each stands, (k, 2): -1 or 1 along the card's width and along its height. `quads` (k, 4, 2) are
    the marks, `outline` (4, 2) that of the card.
    """
    marks = quads.mean(axis=1, dtype=np.float64)
    plane = np.linalg.inv(card_frames(outline[None])[0])
    return marks, np.copysign(1.0, (marks - outline.mean(axis=0)) @ plane.T)


def _fitted(
    quads: NDArray[np.float32], outline: NDArray[np.float32], jolly: bool = False
) -> _Whole | None:
    """Return the card whose corners hold the k marks `quads` (k, 4, 2). `outline` (4, 2) tells
    roughly where the card lies. Where two of the marks stand in the same corner, return None; of a
    `jolly` the outermost marks count then.
    """
    marks, corners = _corners(quads, outline)
    if len(np.unique(corners, axis=0)) < len(marks):
        return _fitted_outermost(quads, outline) if jolly else None
    middle, *halves = np.linalg.lstsq(np.insert(corners, 0, 1.0, axis=1), marks, rcond=None)[0]
    spaced = np.maximum(np.linalg.norm(halves, axis=1), 1e-3)
    sizes = np.linalg.norm(card_sides(quads), axis=2).mean(axis=0)
    factors = (2 + sizes / spaced) / (1 - 2 * EDGE)
    sides = factors[:, None] * halves
    return _Whole(np.asarray(middle + UNIT @ sides, np.float32), 1 / factors)


def _fitted_outermost(quads: NDArray[np.float32], outline: NDArray[np.float32]) -> _Whole | None:
    """Return the jolly on which the k marks `quads` (k, 4, 2) lie, of which only the outermost in
    each corner counts: the name of a jolly, between two corners, looks like a mark, too. None where
    fewer than three corners hold a mark, or all marks lie along one side.

    `outline` (4, 2) tells the directions of the card's sides and roughly how large it is; where it
    lies is told by the marks.
    """
    marks = quads.mean(axis=1, dtype=np.float64)
    places = marks @ np.linalg.inv(card_frames(outline[None])[0]).T
    places -= (places.max(axis=0) + places.min(axis=0)) / 2
    if np.ptp(places, axis=0).min() < LEAST_SPAN:
        return None
    corners = np.copysign(1.0, places)
    outermost = [
        max(
            np.flatnonzero((corners == corner).all(axis=1)), key=lambda at: np.abs(places[at]).sum()
        )
        for corner in np.unique(corners, axis=0)
    ]
    if len(outermost) < ENOUGH:
        return None
    middle = marks[0] - places[0] @ card_frames(outline[None])[0].T
    return _fitted(quads[outermost], outline - outline.mean(axis=0) + middle.astype(np.float32))


def _lies_across(whole: _Whole, others: NDArray[np.float32]) -> bool:
    """Tell whether a card lies across the nearest other card and is wider than high, both as
    measured in the plane of that nearest card. `others` are the outlines of other cards, (m, 4, 2);
    False where there are none.
    """
    if not len(others):
        return False
    nearest = min(others, key=lambda other: _distance(other, whole.outline))
    table = card_frames(nearest[None])[0] / [1, ASPECT]
    across, down = np.linalg.solve(table, card_frames(whole.outline[None])[0]).T
    return bool(abs(down[0]) > abs(down[1]) and np.linalg.norm(across) > np.linalg.norm(down))


def _with_side(
    quads: NDArray[np.float32], outline: NDArray[np.float32], table: Matrix, inset: Matrix
) -> NDArray[np.float32]:
    """Return the corrected outline (4, 2) of a card that shows two marks, `quads` (2, 4, 2). Where
    the marks do not stand at the ends of one side of the card, return `outline` unchanged.

    The marks give the length and direction of that side; the other side follows from the aspect of
    a card. `table` (2, 2) takes a vector on the table, x and y in widths of a card, to one in
    pixels. `inset` (2,) is how far marks lie from the middle of their card, in its widths and
    heights.
    """
    marks, corners = _corners(quads, outline)
    corners = corners * inset
    along = corners[1] - corners[0]
    if np.count_nonzero(along) != 1:
        return outline
    x, y = np.linalg.solve(table, marks[1] - marks[0]) / along.sum()
    sides = [[x, y], [-y * ASPECT, x * ASPECT]] if along[0] else [[y / ASPECT, -x / ASPECT], [x, y]]
    frame = table @ np.transpose(sides)
    return np.asarray((marks - corners @ frame.T).mean(axis=0) + UNIT @ frame.T, np.float32)


def lies_within(place: NDArray[np.floating], outline: NDArray[np.float32]) -> bool:
    """Tell whether a place, x and y in pixels, lies on the card with this outline (4, 2)."""
    point = (float(place[0]), float(place[1]))
    return bool(cv2.pointPolygonTest(outline.astype(np.float32), point, False) >= 0)
