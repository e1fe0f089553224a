"""Makes the things that lie on a table beside tiles, such as cards, mugs and pens, as blocks
(`datasets.scene.blocks`) with pictures on them; and tiles that stand.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from math import cos, pi, sin

import numpy as np
from numpy.typing import NDArray

from datasets.scene import pictures
from datasets.scene.bank import FaceBank, Skin, plain_texture
from datasets.scene.blocks import Block, Group, flat
from datasets.scene.surfaces import any_colour
from datasets.scene.table import Table
from datasets.scene.trinkets import trinket

VARIANTS = 60  # of each kind of thing: bounded, so that they can be kept between scenes
Size = tuple[float, float, float]
Rings = list[tuple[float, pictures.Colour]]

# picture, size in mm, gloss
SHEETS: dict[str, tuple[Callable[[np.random.Generator], pictures.Picture], Size, float]] = {
    "card": (pictures.card, (57, 88, 0.4), 0.5),
    "score_sheet": (pictures.score_sheet, (100, 150, 0.4), 0.0),
    "page": (pictures.printed_page, (80, 140, 0.4), 0.0),
    "calendar": (pictures.calendar, (150, 128, 1.0), 0.1),
    "keyboard": (pictures.keyboard, (250, 85, 14), 0.2),
    "calculator": (pictures.calculator, (75, 125, 9), 0.6),
    "domino": (pictures.domino, (24, 48, 8), 0.6),
    "die": (pictures.die, (16, 16, 16), 0.6),
}


@lru_cache(maxsize=160)
def _sheet(kind: str, variant: int) -> Skin:
    rng = np.random.default_rng([13, variant, *kind.encode()])
    make, _, gloss = SHEETS[kind]
    picture = make(rng)
    side = picture[:3].reshape(-1, 3).mean(axis=0) * 0.95
    return Skin(plain_texture(picture), tuple(side.tolist()), gloss)


def sheet(rng: np.random.Generator, x: float, y: float, *, no_cards: bool = False) -> Block:
    """Make at random a card, a pad, a keyboard, a telephone, a die or the like, lying at (x, y) mm.
    With `no_cards` it is never a card.
    """
    kinds = list(SHEETS)
    kind = kinds[int(rng.choice(len(kinds), p=[0.2, 0.32, 0.12, 0.06, 0.06, 0.08, 0.09, 0.07]))]
    if no_cards and kind == "card":
        kind = "score_sheet"
    skin = _sheet(kind, int(rng.integers(VARIANTS)))
    h, w = skin.texture.rgba.shape[:2]
    width, _, thickness = SHEETS[kind][1]
    width *= rng.uniform(0.85, 1.15)
    radius = {"card": 3.0, "calculator": 8.0, "domino": 2.0, "die": 2.5}.get(kind, 0.3)
    return flat(
        x, y, rng.uniform(-pi, pi), (width, width * h / w, thickness), skin=skin, radius=radius
    )


def game_box(rng: np.random.Generator, bank: FaceBank, x: float, y: float) -> Block:
    picture = pictures.game_box(rng, bank)
    side = tuple((picture.reshape(-1, 3).mean(axis=0) * 0.9).tolist())
    size = (rng.uniform(180, 300), 0.0, rng.uniform(25, 60))
    size = (size[0], size[0] * 400 / 520, size[2])
    skin = Skin(plain_texture(picture), side, 0.4)
    return flat(x, y, rng.normal(0, 0.6), size, skin=skin, radius=1.0, printed=True)


def round_thing(rng: np.random.Generator, x: float, y: float) -> list[Block]:
    """Make at random a mug, a plate, a coaster or a coin at (x, y) mm: blocks in the order of
    painting.
    """
    kind = rng.choice(["mug", "coin", "plate", "coaster"], p=[0.45, 0.25, 0.2, 0.1])
    body = any_colour(rng, (0, 0.9), (0.2, 1.0))
    side = _rgb(body)
    if kind == "coin":
        return [_coin(rng, x, y)]
    if kind == "plate":
        rim = body * 0.6 + 95
        rings = [(1.0, _rgb(rim)), (0.97, side), (0.9, _rgb(rim)), (0.68, _rgb(0.93 * rim))]
        return [disc(x, y, rng.uniform(120, 240), 14.0, rings, 0.6)]
    if kind == "coaster":
        rings = [(1.0, side), (0.9, _rgb(0.9 * body))]
        return [disc(x, y, rng.uniform(80, 100), 4.0, rings, 0.1)]
    drink = [(50, 28, 16), (120, 80, 50), (150, 90, 30), (30, 30, 32)][int(rng.integers(4))]
    return mug(x, y, side, drink, (rng.uniform(70, 95), rng.uniform(70, 110)), rng.uniform(-pi, pi))


def _coin(rng: np.random.Generator, x: float, y: float) -> Block:
    metal = np.array((205.0, 170.0, 90.0) if rng.random() < 0.5 else (185.0, 185.0, 188.0))
    rings = [(1.0, _rgb(metal)), (0.85, _rgb(0.7 * metal)), (0.8, _rgb(metal))]
    return disc(x, y, rng.uniform(18, 28), 2.0, rings, 0.8)


def _rgb(colour: NDArray[np.float64]) -> pictures.Colour:
    red, green, blue = colour.tolist()
    return red, green, blue


def mug(
    x: float,
    y: float,
    side: pictures.Colour,
    drink: pictures.Colour,
    size: tuple[float, float],
    turn: float,
) -> list[Block]:
    """Make a mug at (x, y) mm: blocks in the order of painting. `side` is the colour of the mug and
    `drink` that of its content, `size` is its width and height in mm, and its grip points in the
    direction `turn` (radians, counter-clockwise from +x).
    """
    width, height = size
    rings = [(1.0, side), (0.93, tuple((0.75 * np.array(side)).tolist())), (0.86, drink)]
    cup = disc(x, y, width, height, rings, 0.7)
    gx, gy = x + 0.62 * width * cos(turn), y + 0.62 * width * sin(turn)
    grip = flat(gx, gy, turn, (0.35 * width, 10, 0.5 * height), skin=_plain(side, 0.7), radius=4)
    return [replace(grip, centre=grip.centre + np.array([0, 0, 0.2 * height])), cup]


def disc(x: float, y: float, size: float, height: float, rings: Rings, gloss: float) -> Block:
    """Make a disc or cylinder `size` mm across and `height` mm high at (x, y) mm. `rings` are
    painted on its top, each given as (share of the radius, colour), the outermost first; its side
    has the colour of the outermost one. `gloss`, 0..1, is how strongly it mirrors.
    """
    picture, mask = pictures.disc(rings)
    skin = Skin(plain_texture(picture, mask), rings[0][1], gloss)
    return flat(x, y, 0.0, (size, size, height), skin=skin, radius=size / 2)


def pen(rng: np.random.Generator, x: float, y: float) -> Block:
    colour = tuple(any_colour(rng, (0.2, 1), (0.1, 0.95)).tolist())
    picture = pictures.blank(16, 280, colour)
    picture[:24] = np.array(colour) * 0.4
    picture[:, 6:9] = np.minimum(np.array(colour) * 0.7 + 75, 255)
    return flat(
        x,
        y,
        rng.uniform(-pi, pi),
        (8, 140, 8),
        skin=Skin(plain_texture(picture), colour, 0.5),
        radius=3.5,
    )


def _plain(colour: pictures.Colour, gloss: float) -> Skin:
    return Skin(plain_texture(pictures.blank(8, 8, colour)), colour, gloss)


def lay_clutter(table: Table, bank: FaceBank, count: int, *, no_cards: bool = False) -> None:
    """Lay up to `count` things at random places, each only where there is room. A thin thing
    without room is now and then thrown onto tiles. `bank` has the faces that are printed on a
    game's box.

    With `no_cards` no playing card is laid.
    """
    rng = table.rng
    for _ in range(count):
        kind, at = rng.random(), table.spot(1.15)
        if kind < 0.48:
            blocks = [sheet(rng, *at, no_cards=no_cards)]
        elif kind < 0.66:
            blocks = round_thing(rng, *at)
        elif kind < 0.82:
            blocks = [trinket(rng, *at)]
        elif kind < 0.94:
            blocks = [pen(rng, *at)]
        else:
            blocks = [game_box(rng, bank, *at)]
        if table.is_free(blocks, 4.0):
            table.lay_together(blocks)
        elif blocks[0].size[2] < 2 and rng.random() < 0.2:  # a card or sheet thrown onto tiles
            lift = np.array([0, 0, table.size[2] + 0.5])
            table.groups.append(
                Group([replace(b, centre=b.centre + lift, rest=float(lift[2])) for b in blocks])
            )


def standing(table: Table, count: int) -> None:
    """Lay up to `count` tiles that stand on their lower edge, turned more or less to the camera."""
    rng, (_, height, _) = table.rng, table.size
    for _ in range(count):
        x, y = table.spot(0.8)
        facing = -pi / 2 + rng.normal(0, 0.5)
        front = np.array([cos(facing), sin(facing), 0.0])
        right = np.cross(-front, [0, 0, 1.0])
        axes = np.stack([right, [0, 0, -1.0], front])
        block = Block(np.array([x, y, height / 2]), axes, table.size, radius=table.radius)
        if table.is_free([block], 2.0):
            table.lay_together([replace(block, tile=table.pack.any())])
