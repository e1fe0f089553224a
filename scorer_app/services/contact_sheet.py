"""Draws one picture of a whole set: for each of the 53 faces the newest taught example, or else the
newest learned one. Faces without an example are grey.
"""

from __future__ import annotations

import io

from PIL import Image, ImageDraw, ImageFont

from engine.tiles import NUMBERS
from vision.crops import CROP_HEIGHT, CROP_WIDTH
from vision.own_set.examples import FACE_NAMES, FaceExample, Origin, TileSet

SCALE = 2  # pixels of the sheet for each pixel of a crop
GAP = 12  # pixels between two faces
LABEL_HEIGHT = 26  # pixels
GROUND, GREY, PAPER, INK = (29, 74, 58), (118, 128, 122), (251, 246, 232), (34, 40, 31)
Box = tuple[int, int, int, int]


def shown_example(tile_set: TileSet, face: str) -> FaceExample | None:
    """Return the example that stands for a face: the newest taught, else the newest learned; None
    where the set has no example of the face.
    """
    found = [example for example in tile_set.examples if example.face == face]
    taught = [example for example in found if example.origin is Origin.TAUGHT]
    best = taught or found
    return best[-1] if best else None


def contact_sheet(tile_set: TileSet) -> bytes:
    """Draw the set, and return the bytes of a PNG file: a line of thirteen faces for each colour,
    in the order red, blue, black, yellow, then the comodín. Beneath each face stand its notation
    and, if there are several, the number of its examples.
    """
    columns, lines = len(NUMBERS), -(-len(FACE_NAMES) // len(NUMBERS))
    width, height = _step()
    sheet = Image.new("RGB", (columns * width + GAP, lines * height + GAP), GROUND)
    draw = ImageDraw.Draw(sheet)
    counts = tile_set.counts()
    for at, face in enumerate(FACE_NAMES):
        left, top = GAP + at % columns * width, GAP + at // columns * height
        box = (left, top, left + SCALE * CROP_WIDTH, top + SCALE * CROP_HEIGHT)
        example = shown_example(tile_set, face)
        if example is None:
            draw.rounded_rectangle(box, 8, GREY)
        else:
            picture = Image.fromarray(example.crop)
            sheet.paste(picture.resize((box[2] - left, box[3] - top)), (left, top))
        _label(draw, box, face, counts.get(face, 0))
    file = io.BytesIO()
    sheet.save(file, "PNG")
    return file.getvalue()


def _step() -> tuple[int, int]:
    """Return how many pixels lie from one face to the next, across and down."""
    return SCALE * CROP_WIDTH + GAP, SCALE * CROP_HEIGHT + LABEL_HEIGHT + GAP


def _label(draw: ImageDraw.ImageDraw, box: Box, face: str, count: int) -> None:
    left, _top, right, bottom = box
    text = f"{face} x{count}" if count > 1 else face
    ground, ink = (PAPER, INK) if count else (GREY, PAPER)
    draw.rounded_rectangle((left, bottom + 2, right, bottom + LABEL_HEIGHT), 6, ground)
    middle = ((left + right) / 2, bottom + 1 + LABEL_HEIGHT / 2)
    draw.text(middle, text, ink, ImageFont.load_default(18), anchor="mm")
