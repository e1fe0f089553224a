"""Makes sets of tiles for tests: every face is drawn, each time a little differently."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from engine.tiles import COLOURS, Colour
from vision.crops import CROP_HEIGHT, CROP_WIDTH
from vision.own_set.examples import FACE_NAMES, FaceExample, Origin, TileSet
from vision.own_set.teaching import TaughtFace, TaughtPhoto, TaughtRow
from vision.pyramid import RGB

from .pictures import INK


def drawn_crop(face: str, variant: int = 0) -> RGB:
    """Draw a face as the reader sees it, (64, 48, 3) RGB; each variant differs a little."""
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


def taught_photo(
    rows: str = "RBKY",
    jokers: int = 2,
    sure: bool = True,
    without: Iterable[str] = (),
    variant: int = 0,
) -> TaughtPhoto:
    """Make what a photograph of rows from 1 to 13 teaches, with comodines below them.

    `sure` says whether the colours of the rows are sure; the faces in `without` are left out.
    Photographs of different variants show different pictures of the same faces, and so do two rows
    of one colour.
    """
    faces: list[TaughtFace] = []
    for row, colour in enumerate(rows):
        for number in range(1, 14):
            face = f"{number}{colour}"
            if face not in without:
                copy = variant + rows[:row].count(colour)
                faces.append(TaughtFace(example(face, copy), corners_at(number, row), row))
    for at in range(jokers):
        faces.append(TaughtFace(example("J", variant + at), corners_at(at + 1, len(rows)), None))
    named = tuple(TaughtRow(as_colour(colour), sure) for colour in rows)
    return TaughtPhoto(1000, 700, named, tuple(faces))


def as_colour(letter: str) -> Colour:
    return next(colour for colour in COLOURS if colour == letter)


def corners_at(column: int, row: int) -> NDArray[np.float32]:
    left, top = 60 * column, 100 * row + 50
    right, bottom = left + 50, top + 70
    corners = [[left, top], [right, top], [right, bottom], [left, bottom]]
    return np.array(corners, np.float32)
