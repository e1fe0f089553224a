"""Photographs of a whole set laid out to be taught, rendered for tests."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from datasets.faces import FaceStyle, Kind, random_style
from datasets.labels import LabelledPicture
from datasets.samples.staging import Layout, Picture, Shot, photograph
from datasets.samples.surfaces import table_top
from vision.own_set.teaching import TaughtPhoto

FELT = (44, 114, 76)
Truth = list[tuple[str, NDArray[np.float64]]]  # faces with their corners


def teaching_photograph(
    rows: str = "YKRB",
    jokers: int = 1,
    seed: int = 3,
    roll: float = 2.0,
    swapped: Mapping[str, str] | None = None,
    turned: Mapping[str, int] | None = None,
    style: FaceStyle | None = None,
) -> tuple[Picture, LabelledPicture]:
    """Render rows from 1 to 13 of these colours, the first one farthest away, with comodines apart.
    `swapped` maps tiles to what lies in their places instead, and `turned` colours of rows to the
    number of the tile that lies upside down there. `style` is that of the set, an ordinary one by
    default.

    Returns the picture, (1200, 1600, 3) RGB, and its labels.
    """
    style = style or random_style(np.random.default_rng(seed), Kind.BURAKO)
    ground = partial(table_top, surface="felt", base=FELT)
    shot = Shot(1600, 1200, style, ground, tile_px=84, elevation=76, roll=roll, seed=seed)
    return photograph(shot, partial(_lay, rows, jokers, swapped or {}, turned or {}), 1.0)


def backwards(colours: str) -> dict[str, str]:
    """Return what lies in the places of the tiles of these colours where their rows are laid from
    13 to 1.
    """
    places = [(number, colour) for colour in colours for number in range(1, 14)]
    return {f"{number}{colour}": f"{14 - number}{colour}" for number, colour in places}


def _lay(
    rows: str, jokers: int, swapped: Mapping[str, str], turned: Mapping[str, int], layout: Layout
) -> None:
    for at, colour in enumerate(rows):
        tiles = [f"{number}{colour}" for number in range(1, 14)]
        laid = [swapped.get(tile, tile) for tile in tiles]
        place = turned[colour] - 1 if colour in turned else None
        layout.row(" ".join(laid), 0, 95 - 55 * at, turned=place)
    for at in range(jokers):
        layout.loose("J", -120 + 80 * at, 95 - 55 * len(rows), 0)


def write_photograph(path: Path, picture: Picture) -> Path:
    Image.fromarray(picture).save(path, "JPEG", quality=92)
    return path


def wrong(taught: TaughtPhoto, truth: Truth) -> list[tuple[str, str]]:
    """List the faces taught wrongly, as (taught, true): they are not what lies there, or lie more
    than half a tile off or turned.
    """
    found = []
    for one in taught.faces:
        gaps = [np.linalg.norm(corners - one.corners, axis=1).max() for _face, corners in truth]
        face, corners = truth[int(np.argmin(gaps))]
        width = np.linalg.norm(corners[1] - corners[0])
        if face != one.example.face or (min(gaps) > width / 2 and face != "J"):
            found.append((one.example.face, face))
    return found
