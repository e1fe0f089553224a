"""Finds hands, arms, mugs and piles of tiles among the changes: all that is neither a shadow nor a
single tile that came or went.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.live.change.places import grown
from vision.live.pictures import Mask
from vision.live.settings import LiveConfig
from vision.quads import Quad

TILE_ASPECT = 1.4  # height of a face in widths
BODY_MARGIN = 0.45  # tile widths around a face in which its block's sides and its shadow fall
# Share of an arm that has to lie as before for the whole of it to be the arm that rests there.
UNSTIRRED = 0.2
LEAST_GAP = 3  # pixels: gaps up to half a tile's width are closed, but at least these


@dataclass(frozen=True)
class Occluders:
    """What lies on the table or reaches over it, as (h, w) masks in small pixels."""

    hands: Mask  # large, or reaching in from the picture's edge
    objects: Mask  # the rest

    @property
    def has_hand(self) -> bool:
        return bool(self.hands.any())

    def has_hand_at_work(self, moving: Mask) -> bool:
        """Whether a hand covers any pixel of `moving`, the (h, w) mask of where something moves."""
        return bool(cv2.bitwise_and(self.hands, moving).any())

    def with_things_at_rest(self, moving: Mask) -> Occluders:
        """Return the same occluders, but count a large thing at rest, such as a mug or a box that
        somebody put down, as an object and not as a hand. At rest is what neither reaches in from
        the picture's edge nor touches `moving`, the (h, w) mask of where something moves.
        """
        if not self.has_hand:
            return self
        count, labels, stats, _ = cv2.connectedComponentsWithStats(self.hands, connectivity=8)
        moves = np.bincount(labels[moving > 0].astype(np.intp), minlength=count) > 0
        at_rest = [
            label
            for label in range(1, count)
            if not moves[label] and not _is_at_edge(stats[label], self.hands)
        ]
        things = np.where(np.isin(labels, at_rest), 255, 0).astype(np.uint8)
        hands = cv2.bitwise_and(self.hands, cv2.bitwise_not(things))
        return Occluders(hands, cv2.bitwise_or(self.objects, things))

    def everything(self) -> Mask:
        """Mask (h, w) of hands and objects together."""
        return cv2.bitwise_or(self.hands, self.objects)


def find_occluders(
    substance: Mask, explained: Sequence[Quad], tile_width: float, config: LiveConfig
) -> Occluders:
    """Find the occluders in `substance`, the (h, w) mask of where the small picture changed by more
    than the light explains.

    `explained` are the quads, (4, 2) small pixels, of tiles that came, went or changed; the bodies
    and shadows of these tiles are left out. `tile_width` is in small pixels.
    """
    rest = substance.copy()
    for quad in explained:
        body = grown(quad, BODY_MARGIN * tile_width)
        cv2.fillConvexPoly(rest, np.round(body).astype(np.int32), 0)
    gap = max(int(tile_width / 2), LEAST_GAP)
    tile_area = TILE_ASPECT * tile_width * tile_width
    return _by_size(_cleaned(rest, gap), _cleaned(substance, gap), tile_area, config)


def arms_among(differs: Mask, unstirred: Mask) -> Mask:
    """Return the pieces of `differs`, a mask (h, w), that are arms at rest: they reach in from the
    picture's edge, and `unstirred`, a mask (h, w), sets more than the share UNSTIRRED of them.
    """
    arms = np.zeros_like(differs)
    if not unstirred.any():
        return arms
    count, labels, stats, _ = cv2.connectedComponentsWithStats(differs, connectivity=8)
    rested = np.bincount(labels[unstirred > 0].astype(np.intp), minlength=count)
    for label in range(1, count):
        is_arm = rested[label] > UNSTIRRED * stats[label, cv2.CC_STAT_AREA]
        if is_arm and _is_at_edge(stats[label], differs):
            arms[labels == label] = 255
    return arms


def _cleaned(mask: Mask, gap: int) -> Mask:
    """The (h, w) mask without specks and thin edges, and with gaps of up to `gap` pixels closed."""
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((gap, gap), np.uint8))


def _by_size(rest: Mask, whole: Mask, tile_area: float, config: LiveConfig) -> Occluders:
    """Sort the blobs of `whole`, (h, w), by their size into hands and objects. `rest` is the part
    of `whole` that no tile explains, and `tile_area` the area of a tile in small pixels.

    A hand that covers tiles is one hand together with them. So a blob that reaches in from the
    picture's edge is judged by its whole size, and any other blob by its pixels in `rest`. A blob
    with hardly any pixels in `rest` is left out.
    """
    count, labels, stats, _ = cv2.connectedComponentsWithStats(
        cv2.bitwise_or(whole, rest), connectivity=8
    )
    unexplained = np.bincount(labels[rest > 0].astype(np.intp), minlength=count)
    hands = np.zeros_like(rest)
    objects = np.zeros_like(rest)
    for label in range(1, count):
        left_over = unexplained[label]
        if left_over < config.thing_area * tile_area:
            continue
        area = int(stats[label, cv2.CC_STAT_AREA])
        is_arm = area >= config.arm_area * tile_area and _is_at_edge(stats[label], rest)
        if is_arm or left_over >= config.hand_area * tile_area:
            hands[labels == label] = 255
        else:
            objects[(labels == label) & (rest > 0)] = 255
    return Occluders(hands, objects)


def _is_at_edge(stats: Mask, mask: Mask) -> bool:
    """Whether a blob of `mask`, (h, w), touches the picture's edge. `stats` is the blob's row of
    the statistics that cv2.connectedComponentsWithStats returns.
    """
    x, y, blob_width, blob_height = (int(value) for value in stats[:4])
    height, width = mask.shape
    return 0 in (x, y) or x + blob_width == width or y + blob_height == height
