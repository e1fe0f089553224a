"""A card as it lies in the picture, and the plane in which it is upright and 1 wide."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.places import ASPECT, card_sides

Array = NDArray[np.float64]
Points = NDArray[np.float32]  # (n, 2) x, y
# A card in the plane of the table, its centre at 0, 0 and its width 1.
UNIT_CARD = np.array(
    [[-0.5, -ASPECT / 2], [0.5, -ASPECT / 2], [0.5, ASPECT / 2], [-0.5, ASPECT / 2]], np.float32
)
# Least distance, along the width and along the height, of two marks in opposite corners: in widths.
LEAST_OPPOSITE = 0.5


@dataclass(frozen=True, eq=False)
class Card:
    """Where a card lies: its `outline` (4, 2) and the middles of its `marks` (k, 2), the surest
    first; x and y in pixels. What is not `sure` to be a card may be something else. A card is equal
    to itself alone, so that what is known of it can be kept by it.
    """

    outline: Points
    marks: Points
    sure: bool = True

    @cached_property
    def middle(self) -> Points:
        """The middle of the outline, (2,) in pixels. It is not to be written to."""
        return np.asarray(self.outline.mean(axis=0))

    @cached_property
    def size(self) -> tuple[float, float]:
        """The width and the height of the card, in pixels."""
        across, down = card_sides(self.outline[None])[0]
        return float(np.linalg.norm(across)), float(np.linalg.norm(down))


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


def shows_whole(card: Card) -> bool:
    """Tell whether a card shows marks in opposite corners."""
    marks = seen_from(plane_of(card.outline), card.marks)
    spans = np.abs(marks[:, None] - marks[None])
    return bool((spans >= LEAST_OPPOSITE).all(axis=-1).any())
