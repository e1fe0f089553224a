"""The game's box beside the table. A reader may take the tiles printed on its lid for a row."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.pixels import resized
from datasets.scene.bank import FaceBank, Skin, plain_texture
from datasets.scene.blocks import Block, flat
from datasets.scene.surfaces import any_colour

SIZE = (190.0, 130.0, 38.0)  # mm
PX = 4  # pixels of the lid's picture per millimetre
TILE, GAP = (26.0, 36.0), 0.14  # width of a tile in mm, from and to; gap in tiles
# Rows as printed on boxes, of different colours and no meld.
FACES = ("7R 8K 9Y", "6Y 8K 7R", "1R 5B 10K J", "4B 12Y 11R")


def game_box(seed: int, bank: FaceBank, x: float, y: float, turn: float) -> Block:
    """Make the game's box, lying at (x, y) mm and turned by `turn` in radians. The faces printed on
    its lid come from `bank`; the same `seed` gives the same box.
    """
    rng = np.random.default_rng([79, seed])
    lid = _lid(rng, bank)
    side = tuple((np.median(lid.reshape(-1, 3), axis=0) * 0.85).tolist())
    return flat(
        x, y, turn, SIZE, skin=Skin(plain_texture(lid), side, 0.4), radius=1.0, printed=True
    )


def _lid(rng: np.random.Generator, bank: FaceBank) -> NDArray[np.uint8]:
    """Draw the lid of a game's box, (h, w, 3) RGB: a title, a border, a row of tiles."""
    width, height = (int(PX * side) for side in SIZE[:2])
    lid = np.full((height, width, 3), any_colour(rng, (0.6, 0.95), (0.3, 0.8)), np.uint8)
    cv2.rectangle(lid, (24, 24), (width - 24, height - 24), (245, 215, 80), 6, cv2.LINE_AA)
    cv2.putText(
        lid,
        "BURAKO",
        (width // 5, height // 3),
        cv2.FONT_HERSHEY_TRIPLEX,
        3.4,
        (245, 245, 245),
        10,
        cv2.LINE_AA,
    )
    faces = FACES[int(rng.integers(len(FACES)))].split()
    tile = PX * rng.uniform(*TILE)
    left, top = (width - tile * (len(faces) + GAP * (len(faces) - 1))) / 2, height * 0.44
    for number, face in enumerate(faces):
        _print(lid, bank.texture(face).rgba, left + number * (1 + GAP) * tile, top, tile)
    return lid


def _print(
    lid: NDArray[np.uint8], face: NDArray[np.uint8], x: float, y: float, width: float
) -> None:
    small = resized(face, (int(width), int(width * face.shape[0] / face.shape[1])))
    part = lid[int(y) : int(y) + small.shape[0], int(x) : int(x) + small.shape[1]]
    small = small[: part.shape[0], : part.shape[1]]
    rest = 255 - cv2.merge([small[..., 3]] * 3)
    part[:] = cv2.add(cv2.multiply(part, rest, scale=1 / 255), small[..., :3])
