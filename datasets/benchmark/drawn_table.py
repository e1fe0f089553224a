"""Plain tables made in memory for timing, of any size and with a known number of tiles or cards.
Drawing the tiles needs no installed typeface; cards come from the bundled sample photographs.

The pictures look enough like tiles or cards for the networks to find and read some of them, since
the time that a reading takes depends on how many are found. Accuracy is measured on other pictures.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from datasets.samples.__main__ import HAND
from vision.frame import load

RGB = NDArray[np.uint8]  # (h, w, 3)
SEED = 7
INKS = {"R": (190, 30, 40), "B": (30, 70, 170), "K": (30, 30, 34), "Y": (225, 150, 20)}
FACE = (130, 182)  # pixels, width and height of a drawn face before it is scaled
NOISE = 5.0  # standard deviation of the grain, of 255: JPEG of clean areas would decode too fast


def rows_of(tiles: int) -> list[list[str]]:
    """Return the tiles of each row of a table with `tiles` tiles: 40 lie in eight escaleras of
    five; 106, the whole set, in eight rows of one colour each, two of which end with a comodín.

    Raises ValueError for any other number.
    """
    rows = {
        40: [[f"{start + i}{ink}" for i in range(5)] for start in (3, 8) for ink in INKS],
        106: [
            [f"{i}{ink}" for i in range(1, 14)] + (["J"] if copy and ink in "RK" else [])
            for copy in range(2)
            for ink in INKS
        ],
    }
    if tiles not in rows:
        raise ValueError(f"expected one of {sorted(rows)} tiles, got {tiles!r}")
    return rows[tiles]


def drawn_table(tiles: int, width: int, height: int) -> RGB:
    """Draw rows of touching tiles on brown, with grain: (height, width, 3) uint8 RGB. `tiles` is
    how many tiles lie there, 40 or 106.
    """
    rows = rows_of(tiles)
    abreast = 2 if tiles == 40 else 1
    face_width = int(
        min(width / (abreast * (max(map(len, rows)) + 1)), height / (len(rows) / abreast) / 1.7)
    )
    size = (face_width, round(face_width * FACE[1] / FACE[0]))
    picture = _ground(width, height)
    lines = len(rows) // abreast
    for number, row in enumerate(rows):
        strip = np.hstack(
            [cv2.resize(drawn_face(tile), size, interpolation=cv2.INTER_AREA) for tile in row]
        )
        x = int((number % abreast + 0.5) * width / abreast - strip.shape[1] / 2)
        y = int((number // abreast + 0.5) * height / lines - size[1] / 2)
        picture[y : y + size[1], x : x + strip.shape[1]] = strip
    return _grainy(picture)


def table_of_cards(width: int, height: int) -> RGB:
    """Join the four photographs of the bundled hand of cards to one picture, with grain: (height,
    width, 3) uint8 RGB. It shows 48 cards, most of them in nine columns and the others single.
    """
    names = (("melds-a", "melds-b"), ("rack-a", "rack-b"))
    photos = [[load(HAND / "cards" / f"{name}.jpg").pixels for name in row] for row in names]
    whole = np.vstack([np.hstack(row) for row in photos])
    picture = cv2.resize(whole, (width, height), interpolation=cv2.INTER_CUBIC)
    return _grainy(np.asarray(picture, np.uint8))


def drawn_face(tile: str) -> RGB:
    """Draw one face as RGB; FACE holds its width and height in pixels. It has bold digits in the
    upper half and a ring below. The comodín has a triangle in a ring instead.
    """
    width, height = FACE
    image = Image.new("RGB", FACE, (150, 140, 122))
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((1, 1, width - 2, height - 2), 14, fill=(246, 240, 224))
    if tile == "J":
        draw.ellipse((25, 20, 105, 100), outline=INKS["R"], width=8)
        draw.regular_polygon((width / 2, 60, 24), 3, fill=INKS["K"])
        return np.asarray(image)
    ink = INKS[tile[-1]]
    font = ImageFont.load_default(size=78)
    draw.text(
        (width / 2, 58),
        tile[:-1],
        fill=ink,
        font=font,
        anchor="mm",
        stroke_width=3,
        stroke_fill=ink,
    )
    draw.ellipse((width / 2 - 20, 122, width / 2 + 20, 162), outline=(205, 196, 176), width=5)
    return np.asarray(image)


def jpeg(picture: RGB, quality: int = 92) -> bytes:
    encoded, data = cv2.imencode(".jpg", picture[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not encoded:
        raise ValueError(
            f"expected a picture OpenCV can encode, got {picture.shape} {picture.dtype}"
        )
    return data.tobytes()


def _ground(width: int, height: int) -> RGB:
    stripes = np.random.default_rng(SEED).normal(0, 9, (height // 12 + 2, 1)).astype(np.float32)
    shade = cv2.resize(stripes, (width, height), interpolation=cv2.INTER_CUBIC)
    ground: RGB = np.clip(np.array([112, 78, 52], np.float32) + shade[:, :, None], 0, 255).astype(
        np.uint8
    )
    return ground


def _grainy(picture: RGB) -> RGB:
    """Add grain to `picture`, in place, and return it. The grain is computed in strips of 256 lines
    to spare memory.
    """
    rng = np.random.default_rng(SEED)
    for top in range(0, len(picture), 256):
        strip = picture[top : top + 256]
        strip[:] = np.clip(strip + rng.normal(0, NOISE, strip.shape).astype(np.float32), 0, 255)
    return picture
