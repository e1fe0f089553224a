"""The picture of a face while it is drawn, from bare plastic to the finished face."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.faces import body as plastic
from datasets.faces.inks import Rgb
from datasets.faces.ornaments import ornament_mask
from datasets.faces.style import FaceStyle, Finish

Plane = NDArray[np.float32]


@dataclass(frozen=True)
class Face:
    """One drawn face, portrait, upright.

    `albedo`: (h, w, 3) RGB, sRGB, without light; `relief`: (h, w) height in widths of the face, 0
    where it is flat, negative in hollows; `alpha`: (h, w) coverage 0..1, less than 1 at rounded
    corners and chips; `mirror_upright`: whether the face looks the same upside down.
    """

    albedo: NDArray[np.uint8]
    relief: NDArray[np.float32]
    alpha: NDArray[np.float32]
    mirror_upright: bool


@dataclass
class Sheet:
    """A face being drawn: `albedo`, (h, w, 3) RGB 0..255, and `relief`, (h, w) in widths of the
    face. Its methods change both in place.
    """

    albedo: Plane
    relief: Plane
    depth: float  # of engraving and embossing, in widths of the face

    def ink(self, mask: Plane, colour: Rgb | Plane, strength: Plane | float = 1.0) -> None:
        """Lay a colour, (3,) or (h, w, 3) RGB 0..255, over the albedo. `mask`, (h, w) 0..1, says
        where, and `strength`, 0..1, how fully it covers what lies below.
        """
        cover = (mask * strength)[..., None]
        self.albedo += cover * (np.asarray(colour, np.float32) - self.albedo)

    def shape(self, mask: Plane, finish: Finish, depth: float | None = None) -> None:
        """Press the shape of a mask, (h, w) 0..1, into the relief or raise it, as `finish` says.
        With Finish.PRINTED the relief stays as it is.

        `depth` is in widths of the face, by default the depth of the sheet.
        """
        if finish is not Finish.PRINTED:
            walls = cv2.GaussianBlur(mask, (0, 0), max(0.5, mask.shape[1] / 180))
            self.relief += finish.value * (self.depth if depth is None else depth) * walls


def place(mask: Plane, shape: tuple[int, ...], x: float, y: float) -> Plane:
    """Return a plane of `shape`, (h, w), that is empty but for a mask, whose centre lies at (x, y)
    pixels. What reaches over the edges is cut off.
    """
    move = np.array([[1, 0, x - mask.shape[1] / 2], [0, 1, y - mask.shape[0] / 2]], np.float32)
    return np.asarray(
        cv2.warpAffine(mask, move, (shape[1], shape[0]), flags=cv2.INTER_LINEAR), np.float32
    )


def blank(style: FaceStyle, width: int, rng: np.random.Generator, dish: bool) -> Sheet:
    relief = plastic.base_relief(style, width, dish).copy()
    sheet = Sheet(plastic.plain_albedo(style, width, rng), relief, style.relief_depth)
    if style.body.frame:
        distance = plastic.inside(style, width)
        line = np.clip(1.4 - np.abs(distance - style.body.frame) * width, 0, 1)
        line = np.maximum(
            line, np.clip(1 - np.abs(distance - style.body.frame - 0.03) * width, 0, 1)
        )
        sheet.ink(line, style.body.frame_rgb)
    if style.body.ornament:
        sheet.ink(ornament_mask(style, style.body.ornament, width), style.body.frame_rgb)
    return sheet


def finish(
    sheet: Sheet, style: FaceStyle, width: int, rng: np.random.Generator, same: bool
) -> Face:
    plastic.smudge(sheet.albedo, style, rng)
    plastic.scratch(sheet.albedo, sheet.relief, style, rng)
    if style.body.dirt > 0.05:  # grime stays in what lies lower than its surroundings
        lower = np.clip((cv2.blur(sheet.relief, (9, 9)) - sheet.relief) / 0.01, 0, 1)
        sheet.albedo *= 1 - style.body.dirt * lower[..., None] * np.array(
            [0.5, 0.6, 0.7], np.float32
        )
    alpha = np.clip(plastic.inside(style, width) * width + 0.5, 0, 1)
    plastic.chip(alpha, sheet.albedo, style, rng)
    return Face(np.clip(sheet.albedo + 0.5, 0, 255).astype(np.uint8), sheet.relief, alpha, same)
