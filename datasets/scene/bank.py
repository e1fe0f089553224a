"""Tile faces of one set, drawn once and used in several scenes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.faces import Face, FaceStyle, draw_back, draw_face, random_joker, random_style
from datasets.pixels import resized

BACK, JOKER = "back", "J"


@dataclass(frozen=True)
class Texture:
    """A face ready to be painted. `rgba` (h, w, 4) are its colours, RGB multiplied by alpha with
    alpha last. `slopes` (h, w, 2) are those of its relief along u (to the right as one reads the
    face) and v (down). `mirror_upright` tells whether it looks the same upside down.
    """

    rgba: NDArray[np.uint8]  # (h, w, 4)
    slopes: NDArray[np.float32]  # (h, w, 2), height per length
    mirror_upright: bool  # the face looks the same upside down

    @cached_property
    def half(self) -> Texture:
        """Return the texture at half its width and height."""
        size = (max(1, self.rgba.shape[1] // 2), max(1, self.rgba.shape[0] // 2))
        return Texture(resized(self.rgba, size), resized(self.slopes, size), self.mirror_upright)

    def at_size(self, width: float, height: float) -> Texture:
        """Return the texture shrunk to `width` x `height` px, each rounded up and at least 4. A
        texture is never enlarged.
        """
        if width <= self.rgba.shape[1] / 2.2 and height <= self.rgba.shape[0] / 2.2 and width > 4:
            return self.half.at_size(width, height)
        size = (
            int(np.clip(np.ceil(width), 4, self.rgba.shape[1])),
            int(np.clip(np.ceil(height), 4, self.rgba.shape[0])),
        )
        return Texture(resized(self.rgba, size), resized(self.slopes, size), self.mirror_upright)


@dataclass(frozen=True)
class Skin:
    """How a block, such as a tile, looks: what is on its face, the colour of its sides (RGB
    0..255), and how strongly it mirrors (0..1).
    """

    texture: Texture
    side_rgb: tuple[float, float, float]
    gloss: float


@dataclass
class FaceBank:
    """Faces of one set, drawn when they are first asked for. How a face looks depends on `seed`,
    tile and copy alone, and not on the order of asking.

    `jokers` is how many comodines the set has. With more than two, each copy of the comodín has a
    figure of its own, and `first_joker` is the number, from 0, of the first copy's figure.
    """

    style: FaceStyle
    seed: int
    width: int = 128  # of a face, px
    jokers: int = 2
    first_joker: int = 0
    _kept: dict[tuple[str, int], Texture] = field(default_factory=dict)

    @classmethod
    def random(
        cls, seed: int, width: int = 128, style: FaceStyle | None = None, jokers: int = 2
    ) -> FaceBank:
        return cls(style or random_style(np.random.default_rng([seed, 1])), seed, width, jokers)

    def texture(self, tile: str | None, copy: int = 0) -> Texture:
        key = (tile or BACK, (copy + self.first_joker) % self.jokers if tile == JOKER else copy % 2)
        if key not in self._kept:
            self._kept[key] = self._draw(*key)
        return self._kept[key]

    def skin(self, tile: str | None, copy: int = 0) -> Skin:
        return Skin(self.texture(tile, copy), self.style.side_rgb, self.style.gloss)

    def _draw(self, tile: str, copy: int) -> Texture:
        rng = np.random.default_rng([self.seed, 2, copy, *tile.encode()])
        if tile == BACK:
            return as_texture(draw_back(self.style, self.width, rng))
        own_figure = tile == JOKER and self.jokers > 2
        style = (
            replace(self.style, jokers=(random_joker(rng, self.style),))
            if own_figure
            else self.style
        )
        return as_texture(draw_face(style, tile, self.width, rng))


def as_texture(face: Face) -> Texture:
    alpha = face.alpha[..., None].astype(np.float32)
    rgba = np.concatenate([face.albedo * alpha, alpha * 255], axis=2)
    width = face.albedo.shape[1]
    relief = face.relief.astype(np.float32)
    along, down = (cv2.Sobel(relief, cv2.CV_32F, dx, 1 - dx, scale=width / 8) for dx in (1, 0))
    return Texture(
        np.rint(rgba).astype(np.uint8), np.stack([along, down], axis=2), face.mirror_upright
    )


def plain_texture(picture: NDArray[np.uint8], alpha: NDArray[np.uint8] | None = None) -> Texture:
    """Make a texture without relief from a picture, (h, w, 3) RGB. `alpha`, (h, w) 0..255, cuts it
    out; by default the whole picture is kept.
    """
    alpha = np.full(picture.shape[:2], 255, np.uint8) if alpha is None else alpha
    rgba = np.dstack([cv2.multiply(picture, cv2.merge([alpha] * 3), scale=1 / 255), alpha])
    return Texture(rgba, np.zeros((*picture.shape[:2], 2), np.float32), False)
