"""Masks of the small picture by which the observer decides: what is near a hand, where tiles lie,
where nothing is decided yet, and what rests.

Masks are (h, w) in small pixels, quads (4, 2) in frame pixels; `scale` frame pixels make one small
pixel.
"""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from vision.live.change.places import grown
from vision.live.pictures import Mask
from vision.quads import Quad

REST_RIM = 2  # small pixels around what rests that become scenery with it


def near_hands(hands: Mask, moving: Mask, reach: float) -> Mask:
    """Return the mask of `hands` with a margin of `reach` small pixels, and of what is `moving`."""
    size = max(int(2 * reach), 1)
    return cv2.bitwise_or(cv2.dilate(hands, np.ones((size, size), np.uint8)), moving)


def at_faces(quads: Iterable[Quad], like: Mask, scale: float) -> Mask:
    """Return the mask of the faces at `quads`, of the size of the mask `like`."""
    mask = np.zeros_like(like)
    for quad in quads:
        _fill(mask, quad / scale)
    return mask


def with_surroundings(mask: Mask, quads: Iterable[Quad], margin: float, scale: float) -> Mask:
    """Return `mask` with the faces at `quads` set too, and a margin of `margin` small pixels around
    each.
    """
    wider = mask.copy()
    for quad in quads:
        _fill(wider, grown(quad / scale, margin))
    return wider


def at_rest(mask: Mask, moved: Mask) -> Mask:
    """Return the part of `mask` that is not in `moved`, with a rim of REST_RIM pixels."""
    still = cv2.bitwise_and(mask, cv2.bitwise_not(moved))
    size = 2 * REST_RIM + 1
    return cv2.dilate(still, np.ones((size, size), np.uint8))


def _fill(mask: Mask, small: Quad) -> None:
    """Set the pixels of `mask` that lie in the quad `small`, which is in small pixels."""
    cv2.fillConvexPoly(mask, np.round(small).astype(np.int32), 255)
