"""Sets of tiles made up for tests: every face drawn, each time a little differently."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from vision.crops import CROP_HEIGHT, CROP_WIDTH, RGB
from vision.own_set.examples import FACE_NAMES, FaceExample, Origin, TileSet

from .pictures import INK


def drawn_crop(face: str, variant: int = 0) -> RGB:
    """A face as the reader sees it, (64, 48, 3) RGB."""
    image = Image.new("RGB", (CROP_WIDTH, CROP_HEIGHT), (238 - variant % 7, 232, 214))
    draw, ink = ImageDraw.Draw(image), INK[face[-1]]
    number = "*" if face == "J" else face[:-1]
    middle = (CROP_WIDTH / 2 + variant % 3, CROP_HEIGHT / 2 - 8)
    draw.text(middle, number, ink, ImageFont.load_default(26 + variant % 4), anchor="mm")
    draw.ellipse((18, 44, 30, 56), outline=ink, width=2)
    return np.array(image)


def example(face: str, variant: int = 0, origin: Origin = Origin.TAUGHT) -> FaceExample:
    return FaceExample(face, drawn_crop(face, variant), origin)


def tile_set(
    name: str = "Casa", faces: Iterable[str] = FACE_NAMES, variants: Iterable[int] = (0,)
) -> TileSet:
    kept = tuple(example(face, variant) for variant in variants for face in faces)
    return TileSet(name, kept)
