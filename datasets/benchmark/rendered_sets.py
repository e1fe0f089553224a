"""Rendered pictures of one set of tiles: photographs that teach it, and tables to read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.benchmark.counting import PictureCount, count_picture
from datasets.faces import FaceStyle
from datasets.labels import LabelledPicture
from datasets.samples.staging import Layout, Shot, photograph
from datasets.samples.surfaces import table_top
from datasets.scene import FaceBank, SceneConfig, render_scene
from datasets.scene.layout import Hand
from engine.tiles import COLOURS, NUMBERS, Colour
from vision.frame import Frame
from vision.own_set.teaching import TaughtPhoto, named_rows, teach
from vision.tiles.pipeline import TableReader

TABLES = 3  # rendered of each set
TABLE = SceneConfig(1280, 960, tile_px=(36, 64))
LINE = 46.0  # mm from one row of the taught picture to the next
LAID = Hand(along=0.5, across=0.8, turn=0.015, gap=2.6)
GROUNDS = (("felt", (40, 110, 60)), ("wood", (150, 110, 70)), ("cloth", (60, 70, 110)))
Picture = NDArray[np.uint8]


def taught(
    seed: int, style: FaceStyle, tables: TableReader, copy: int = 0, named: bool = False
) -> TaughtPhoto:
    """Render a photograph of a set's rows 1-13, let the reader `tables` learn the faces from it,
    and return what was learned. `style` is the look of the set; equal seeds give equal photographs.

    The reader is told the true colours of the rows if it is not sure of them, since the page would
    then ask a person; with `named` the reader is always told them. `copy`, 0 or 1, says which of
    every two equal tiles lies in the rows; each copy has a photograph of its own, with another
    light and table.

    Raises TeachingError where the photograph teaches nothing.
    """
    pixels, colours = lesson(seed, style, copy)
    learned = teach(tables, Frame.of(pixels))
    asked = named or not all(row.sure for row in learned.rows)
    return named_rows(learned, colours) if asked and len(learned.rows) == len(colours) else learned


def lesson(seed: int, style: FaceStyle, copy: int = 0) -> tuple[Picture, list[Colour]]:
    """Render a photograph of a set's rows 1-13 with a comodín below them. Returns its pixels, (h,
    w, 3) RGB, and the colours of the rows from top to bottom. The arguments are those of `taught`.
    """
    rng = np.random.default_rng([seed, 2 + copy])
    colours = [COLOURS[at] for at in rng.permutation(len(COLOURS))]
    ground, base = GROUNDS[int(rng.integers(len(GROUNDS)))]
    shot = Shot(
        1600,
        1200,
        style,
        partial(table_top, surface=ground, base=base, angle=0.3),
        tile_px=float(rng.uniform(80, 92)),
        elevation=float(rng.uniform(65, 85)),
        roll=float(rng.uniform(-4, 4)),
        warmth=float(rng.uniform(0.1, 0.8)),
        seed=seed,
    )

    def lay(layout: Layout) -> None:
        for at, colour in enumerate(colours):
            tiles = " ".join(f"{number}{colour}" for number in NUMBERS)
            layout.row(tiles, 0, 1.5 * LINE - at * LINE, hand=LAID, copy=copy)
        layout.loose("J", -60, -2.5 * LINE, 0, copy=copy)

    return photograph(shot, lay, 1.0)[0], colours


def tables_of(seed: int, style: FaceStyle) -> Iterator[tuple[Picture, LabelledPicture]]:
    """Render TABLES random tables of the set that looks like `style`. Yields each picture, (h, w,
    3) RGB, with its truth.
    """
    bank = FaceBank.random(seed, style=style)
    for index in range(TABLES):
        yield render_scene(np.random.default_rng([seed, 0, index]), TABLE, bank=bank)


def out_of_focus(pixels: Picture, labels: LabelledPicture, share: float) -> Picture:
    """Blur a picture, (h, w, 3) RGB, by a Gaussian whose standard deviation is `share` of the
    median length of the shorter sides of its tiles. `labels` tells where these lie.

    A picture of whose tiles no corners are known is returned as it is.
    """
    corners = [tile.corners for tile in labels.tiles if tile.corners is not None]
    if not corners:
        return pixels
    sides = np.linalg.norm(np.diff(np.stack(corners), axis=1), axis=2)  # three of each tile's four
    sigma = share * float(np.median(sides.min(axis=1)))
    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), sigma), np.uint8)


def counted(
    pictures: Sequence[tuple[Picture, LabelledPicture]], tables: TableReader
) -> tuple[PictureCount, ...]:
    """Read each picture with the reader `tables`. Returns for each picture the verdicts on its
    tiles and melds. `pictures` pairs the pixels of each picture with its truth.
    """
    return tuple(
        count_picture(labels, tables.read(Frame.of(pixels)).to_json())
        for pixels, labels in pictures
    )
