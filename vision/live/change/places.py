"""What small pictures show at the place of a quad. Quads are (4, 2) small pixels."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.live.change.light import find_shadows
from vision.live.pictures import RGB, Mask
from vision.quads import Quad

# Moving the corners of a square outwards by this much (its diagonal is 1.4 sides long) moves its
# sides outwards by 1; faces are near enough to squares.
CORNER_REACH = 1.4
LEAST_LENGTH = 1e-3  # pixels, in place of zero in a division

Box = tuple[int, int, int, int]  # left, top, right, bottom; right and bottom are exclusive


def covered_share(mask: Mask, quad: Quad) -> float:
    """Share (0..1) of the quad's pixels that `mask`, (h, w), sets. It is 0 for a quad outside the
    picture.
    """
    left, top = quad.min(axis=0).tolist()
    right, bottom = quad.max(axis=0).tolist()
    box = _clipped(int(left), int(top), int(right) + 2, int(bottom) + 2, mask)
    if box is None:
        return 0.0
    part = _cut(mask, box)
    if not cv2.countNonZero(part):
        return 0.0
    inside = np.zeros(part.shape, np.uint8)
    _fill(inside, quad, box, 255)
    covered = cv2.countNonZero(cv2.bitwise_and(part, inside))
    return covered / max(cv2.countNonZero(inside), 1)


def pattern_correlation(known: RGB, now: RGB, quad: Quad) -> float:
    """Correlation (-1..1) between what the two (h, w, 3) pictures show under the quad. 0 where the
    quad lies outside them, or where one of them shows no pattern.

    A face in the shadow keeps its pattern; a bare table has none, even where it is as bright as the
    shadowed face was.
    """
    box = _box_of(quad, known)
    if box is None:
        return 0.0
    drawn = _empty_mask(box)
    _fill(drawn, quad, box, 1)
    inside = drawn.astype(bool)
    if not inside.any():
        return 0.0
    before = _cut(known, box)[inside].astype(np.float32)
    after = _cut(now, box)[inside].astype(np.float32)
    before = before - before.mean(axis=0)
    after = after - after.mean(axis=0)
    strength = float(np.linalg.norm(before) * np.linalg.norm(after))
    return float((before * after).sum()) / strength if strength > 0 else 0.0


def renewed_share(known: RGB, now: RGB, quad: Quad, excluded: Sequence[Quad]) -> float:
    """Share (0..1) of the quad's pixels outside the `excluded` quads that differ between two
    (h, w, 3) pictures by more than a change of the light explains. It is 0 where no pixel of the
    picture lies in the quad and outside the `excluded` ones.
    """
    box = _box_of(quad, known)
    if box is None:
        return 0.0
    asked = _empty_mask(box)
    _fill(asked, quad, box, 255)
    for each in excluded:
        _fill(asked, each, box, 0)
    lit_anew = find_shadows(_cut(known, box), _cut(now, box))
    renewed = cv2.bitwise_and(asked, cv2.bitwise_not(lit_anew))
    return cv2.countNonZero(renewed) / max(cv2.countNonZero(asked), 1)


def grown(quad: Quad, margin: float) -> Quad:
    """The quad with each side pushed outwards by about `margin` pixels."""
    centre = quad.mean(axis=0)
    away = quad - centre
    lengths = np.maximum(np.linalg.norm(away, axis=1, keepdims=True), LEAST_LENGTH)
    return np.asarray(centre + away * (1 + CORNER_REACH * margin / lengths), np.float32)


def _box_of(quad: Quad, picture: RGB) -> Box | None:
    """The smallest upright box (left, top, right, bottom; the last two exclusive) around the quad,
    clipped to the picture; None where the quad lies outside the picture.
    """
    left, top = np.floor(quad.min(axis=0)).astype(int)
    right, bottom = np.ceil(quad.max(axis=0)).astype(int) + 1
    return _clipped(int(left), int(top), int(right), int(bottom), picture)


def _clipped(left: int, top: int, right: int, bottom: int, picture: RGB | Mask) -> Box | None:
    height, width = picture.shape[:2]
    left, top = max(left, 0), max(top, 0)
    right, bottom = min(right, width), min(bottom, height)
    return (left, top, right, bottom) if right > left and bottom > top else None


def _cut(picture: RGB | Mask, box: Box) -> RGB | Mask:
    left, top, right, bottom = box
    return picture[top:bottom, left:right]


def _empty_mask(box: Box) -> Mask:
    left, top, right, bottom = box
    return np.zeros((bottom - top, right - left), np.uint8)


def _fill(mask: Mask, quad: Quad, box: Box, value: int) -> None:
    """Fill the quad with `value` in `mask`, which covers only the part `box` of the picture: left,
    top, right, bottom. The quad is in pixels of the whole picture.
    """
    corners = np.round(quad - np.array(box[:2])).astype(np.int32)
    cv2.fillConvexPoly(mask, corners, value)
