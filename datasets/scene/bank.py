"""Tile faces of one set, drawn once and used in several scenes."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.faces import Face, FaceStyle, draw_back, draw_face, random_style

BACK = "back"


@dataclass(frozen=True)
class Texture:
    """A face ready to be placed: premultiplied colour with alpha, and the relief's slopes along u and v."""

    rgba: NDArray[np.uint8]  # (h, w, 4)
    slopes: NDArray[np.float32]  # (h, w, 2), height per length
    mirror_upright: bool


@dataclass
class FaceBank:
    """Faces of one style, drawn on demand; each depends on `seed`, tile and copy only, never on the order of asking."""

    style: FaceStyle
    seed: int
    width: int = 128
    _kept: dict[tuple[str, int], Texture] = field(default_factory=dict)

    @classmethod
    def random(cls, seed: int, width: int = 128, style: FaceStyle | None = None) -> FaceBank:
        return cls(style or random_style(np.random.default_rng([seed, 1])), seed, width)

    def texture(self, tile: str | None, copy: int = 0) -> Texture:
        key = (tile or BACK, copy % 2)
        if key not in self._kept:
            self._kept[key] = self._draw(*key)
        return self._kept[key]

    def _draw(self, tile: str, copy: int) -> Texture:
        rng = np.random.default_rng([self.seed, 2, copy, *tile.encode()])
        face = draw_back(self.style, self.width, rng) if tile == BACK else draw_face(self.style, tile, self.width, rng)
        return as_texture(face)


def as_texture(face: Face) -> Texture:
    alpha = face.alpha[..., None].astype(np.float32)
    rgba = np.concatenate([face.albedo * alpha, alpha * 255], axis=2)
    width = face.albedo.shape[1]
    relief = face.relief.astype(np.float32)
    slopes = np.stack([cv2.Sobel(relief, cv2.CV_32F, 1, 0, scale=width / 8), cv2.Sobel(relief, cv2.CV_32F, 0, 1, scale=width / 8)], axis=2)
    return Texture(np.rint(rgba).astype(np.uint8), slopes, face.mirror_upright)
