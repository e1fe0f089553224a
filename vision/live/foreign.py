"""What of a change is neither a tile come or gone nor a shadow: hands, arms, mugs, the pile that a
tile was drawn from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.live.plates import RGB, Mask
from vision.live.settings import LiveConfig
from vision.quads import Quad

SHADOW_RATIOS = (0.4, 1.6)  # of brightness: what a shadow, or its end, does to a place
SHADOW_SPREAD = 0.12  # between the channels' ratios: a shadow hardly changes the colour
SHADOW_DETAIL = 0.10  # of the level: a shadow leaves the pattern below it as it was
TILE_ASPECT = 1.4  # height of a face in widths
BODY_MARGIN = 0.45  # widths around a face in which its block's sides and its shadow fall


@dataclass(frozen=True)
class Foreign:
    """Masks of the small picture, 0 or 255."""

    hands: Mask  # large, or reaching in from the edge
    things: Mask  # the rest

    @property
    def hand_in_view(self) -> bool:
        return bool(self.hands.any())

    def everything(self) -> Mask:
        return cv2.bitwise_or(self.hands, self.things)


def find_foreign(
    substance: Mask, explained: Sequence[Quad], tile_width: float, config: LiveConfig
) -> Foreign:
    """`substance`: what changed, shadows left out; `explained`: quads (4, 2), small pixels, of
    tiles come, gone or stirred; `tile_width` in small pixels too.
    """
    rest = substance.copy()
    for quad in explained:
        cv2.fillConvexPoly(
            rest, np.round(grown(quad, BODY_MARGIN * tile_width)).astype(np.int32), 0
        )
    reach = max(int(tile_width / 2), 3)
    return _sorted_by_size(
        _solid(rest, reach), _solid(substance, reach), TILE_ASPECT * tile_width * tile_width, config
    )


def _solid(mask: Mask, reach: int) -> Mask:
    """Without specks and thin edges, gaps up to `reach` pixels closed."""
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))


def _sorted_by_size(rest: Mask, whole: Mask, tile_area: float, config: LiveConfig) -> Foreign:
    """Of the blobs of `whole`, those that `rest` does not leave to tiles. A hand over tiles is one
    hand, also where it covers them: reaching in from the edge, it is known by its whole size.
    """
    count, labels, stats, _ = cv2.connectedComponentsWithStats(
        cv2.bitwise_or(whole, rest), connectivity=8
    )
    unexplained = np.bincount(labels[rest > 0].astype(np.intp), minlength=count)
    hands, things = np.zeros_like(rest), np.zeros_like(rest)
    height, width = rest.shape
    for label in range(1, count):
        x, y, w, h, area = (int(v) for v in stats[label])
        if unexplained[label] < config.thing_area * tile_area:
            continue
        at_edge = x <= 1 or y <= 1 or x + w >= width - 1 or y + h >= height - 1
        if unexplained[label] >= config.hand_area * tile_area or (
            at_edge and area >= config.arm_area * tile_area
        ):
            hands[labels == label] = 255
        else:
            things[(labels == label) & (rest > 0)] = 255
    return Foreign(hands, things)


def shadows(known: RGB, now: RGB) -> Mask:
    """Where the light alone changed: one ratio for all channels, and the pattern below still
    there.
    """
    before, after = known.astype(np.float32) + 4, now.astype(np.float32) + 4
    ratio = after / before
    low, high = ratio.min(axis=2), ratio.max(axis=2)
    mean = ratio.mean(axis=2)
    detail = np.abs(mean - cv2.blur(mean, (7, 7)))
    same = (mean > SHADOW_RATIOS[0]) & (mean < SHADOW_RATIOS[1])
    same &= (high - low < SHADOW_SPREAD * mean) & (detail < SHADOW_DETAIL * mean)
    return np.where(same, 255, 0).astype(np.uint8)


def _spanned(quad: Quad, picture: RGB) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of what a quad spans of a picture; where it lies outside, right is
    not right of left.
    """
    (x0, y0), (x1, y1) = (
        np.floor(quad.min(axis=0)).astype(int),
        np.ceil(quad.max(axis=0)).astype(int) + 1,
    )
    return (
        max(int(x0), 0),
        max(int(y0), 0),
        min(int(x1), picture.shape[1]),
        min(int(y1), picture.shape[0]),
    )


def renewed_share(known: RGB, now: RGB, quad: Quad, kept: Sequence[Quad]) -> float:
    """Share of a quad's pixels, (4, 2) small pixels, outside of those `kept`, that differ by more
    than the light.
    """
    left, top, right, bottom = _spanned(quad, known)
    if right <= left or bottom <= top:
        return 0.0
    asked = np.zeros((bottom - top, right - left), np.uint8)
    for each, value in ((quad, 255), *((one, 0) for one in kept)):
        cv2.fillConvexPoly(asked, np.round(each - np.array([left, top])).astype(np.int32), value)
    light = shadows(known[top:bottom, left:right], now[top:bottom, left:right])
    return cv2.countNonZero(cv2.bitwise_and(asked, cv2.bitwise_not(light))) / max(
        cv2.countNonZero(asked), 1
    )


def likeness(known: RGB, now: RGB, quad: Quad) -> float:
    """Correlation -1..1 of the pattern under a quad, (4, 2) small pixels, in two small pictures: a
    face in the shadow keeps it, a bare table of the shadowed face's own brightness has none.
    """
    left, top, right, bottom = _spanned(quad, known)
    if right <= left or bottom <= top:
        return 0.0
    inside = np.zeros((bottom - top, right - left), np.uint8)
    cv2.fillConvexPoly(inside, np.round(quad - np.array([left, top])).astype(np.int32), 1)
    before, after = (
        part[top:bottom, left:right][inside > 0].astype(np.float32) for part in (known, now)
    )
    before, after = before - before.mean(axis=0), after - after.mean(axis=0)
    strength = float(np.linalg.norm(before) * np.linalg.norm(after))
    return float((before * after).sum()) / strength if strength > 0 else 0.0


def grown(quad: Quad, margin: float) -> Quad:
    """Every side pushed about `margin` pixels outwards."""
    middle = quad.mean(axis=0)
    away = quad - middle
    lengths = np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-3)
    return np.asarray(middle + away * (1 + 1.4 * margin / lengths), np.float32)


def covered_share(mask: Mask, quad: Quad) -> float:
    """Share of a quad's pixels, (4, 2) small pixels, that `mask` sets; 0 outside the picture."""
    height, width = mask.shape
    (x0, y0), (x1, y1) = quad.min(axis=0).tolist(), quad.max(axis=0).tolist()
    left, top, right, bottom = (
        max(int(x0), 0),
        max(int(y0), 0),
        min(int(x1) + 2, width),
        min(int(y1) + 2, height),
    )
    part = mask[top:bottom, left:right]
    if right <= left or bottom <= top or not cv2.countNonZero(part):
        return 0.0
    inside = np.zeros(part.shape, np.uint8)
    cv2.fillConvexPoly(inside, np.round(quad - np.array([left, top])).astype(np.int32), 255)
    return cv2.countNonZero(cv2.bitwise_and(part, inside)) / max(cv2.countNonZero(inside), 1)
