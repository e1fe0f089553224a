"""Racks, stands with two shelves on which tiles lean back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import cos, pi, radians, sin

import cv2
import numpy as np

from datasets.scene import pictures
from datasets.scene.bank import Skin, plain_texture
from datasets.scene.blocks import Block
from datasets.scene.camera import Array
from datasets.scene.table import Table

COLOURS = (
    (28, 28, 32),
    (40, 44, 50),
    (150, 100, 60),
    (205, 150, 105),
    (30, 60, 120),
    (150, 30, 35),
    (225, 220, 210),
)
RISE = (0.9, 1.12)  # height of the upper shelf above the lower one, in heights of a tile
TURNED = 0.03  # share of tiles that stand on their head
PITCH = 1.03  # from tile to tile on a shelf, in widths of a tile


@dataclass(frozen=True)
class Rack:
    """A rack with two shelves. Lengths are in mm and angles in radians; `size` is the width, height
    and thickness of a tile.
    """

    at: Array  # (3,): middle of the lower shelf
    facing: float  # direction in which its tiles face, counter-clockwise from +x
    tilt: float  # between the tiles that lean on a shelf and the table's plane
    length: float
    rise: float  # of the upper shelf along the slope
    back: float  # how far the upper shelf stands behind the lower one
    size: tuple[float, float, float]
    skin: Skin

    @property
    def front(self) -> Array:
        return np.array([cos(self.facing), sin(self.facing), 0.0])

    @property
    def axes(self) -> Array:
        """Return the axes of a tile that stands on the rack the right way up, as the rows of a
        (3, 3) array: unit vectors to the right and down as one reads the face, and outwards from
        it.
        """
        right, up = np.cross(-self.front, [0, 0, 1.0]), self._up
        return np.stack([right, -up, np.cross(right, up)])

    @property
    def _up(self) -> Array:
        return -cos(self.tilt) * self.front + sin(self.tilt) * np.array([0, 0, 1.0])

    def shelves(self) -> tuple[Array, Array]:
        """Return two points, (3,) mm each: the middle of the upper shelf and that of the lower
        shelf, where tiles stand.
        """
        return self.at + self._up * self.rise - self.front * self.back, self.at

    def panels(self, base: Array) -> list[Block]:
        """Make the two parts of a shelf: the back that tiles lean on and the lip that they stand
        on. `base` is the middle of the shelf, (3,) mm.
        """
        axes, (_, height, thickness) = self.axes, self.size
        panel = Block(
            base + self._up * height * 0.5,
            axes,
            (self.length, height * 1.02, 5.0),
            skin=self.skin,
            radius=0.5,
        )
        ledge = np.stack([axes[0], axes[2], self._up])
        lip = Block(
            base + axes[2] * (thickness / 2 + 2),
            ledge,
            (self.length, thickness + 9, 4.0),
            skin=self.skin,
            radius=0.5,
        )
        return [panel, lip]

    def foot(self) -> Block:
        level, under = np.stack([self.axes[0], self.front, [0, 0, 1.0]]), float(self.at[2]) - 1
        centre = np.array([*self.at[:2], under]) - self.front * 12
        return Block(centre, level, (self.length, 50.0, under), skin=self.skin, radius=1.0)

    def tile(
        self,
        table: Table,
        base: Array,
        along: float,
        code: str | None,
        *,
        turn: float = 0.0,
        lift: float = 0.0,
    ) -> Block:
        """Make the tile `code`, such as `7R`, that stands on the shelf with the middle `base`, (3,)
        mm: `along` mm to the right of that middle, turned by `turn` radians in its own plane and
        `lift` mm above the lip.

        With `code` None it shows no readable face.
        """
        axes = self.axes
        own = np.stack(
            [
                axes[0] * cos(turn) + axes[1] * sin(turn),
                axes[1] * cos(turn) - axes[0] * sin(turn),
                axes[2],
            ]
        )
        centre = (
            base + axes[0] * along - axes[1] * (self.size[1] / 2 + lift) + axes[2] * self.size[2]
        )
        return Block(centre, own, self.size, code, rest=0.5, radius=table.radius)

    def in_order(self, upper: list[Block], lower: list[Block], eye: Array) -> list[Block]:
        """List all solids of the rack, its tiles, panels and foot, in the order of painting for a
        camera at `eye`, (3,) mm. `upper` and `lower` are the tiles on the two shelves.
        """
        shelves = [
            [*self.panels(base), *tiles]
            for base, tiles in zip(self.shelves(), (upper, lower), strict=True)
        ]
        if float(self.front @ (eye - self.at)) < 0:
            shelves = [shelf[::-1] for shelf in shelves[::-1]]
        return [self.foot(), *shelves[0], *shelves[1]]


def rack(table: Table, most: int, rise: tuple[float, float] = RISE, turned: float = TURNED) -> None:
    """Make a rack at a random place in the picture, with at most `most` tiles, and lay it there if
    the place is free. Otherwise its tiles go back to the pack.

    The rack is seen from in front, now and then from the side or from behind. `rise` is the range
    of the upper shelf's height above the lower one, in heights of a tile, and `turned` the share of
    tiles that stand on their head.
    """
    made, slots = _random_rack(table, rise)
    row, (upper, lower) = len(table.rows), made.shelves()
    tiles = [
        _some_tiles(table, made, base, slots, most // 2, row, first, turned)
        for base, first in ((upper, 0), (lower, 50))
    ]
    blocks = made.in_order(tiles[0], tiles[1], table.camera.position)
    if table.is_free(blocks):
        table.rows.append("rack")
        table.lay_together(blocks)
    else:
        table.pack.back([b.tile for b in blocks if b.tile])


def _random_rack(table: Table, rise: tuple[float, float]) -> tuple[Rack, int]:
    """Make a rack somewhere in the picture. Returns it with the number of tiles for which one shelf
    has room. `rise` is the range of the upper shelf's height above the lower one, in heights of a
    tile.
    """
    rng, (width, height, _) = table.rng, table.size
    x, y = table.spot(0.5)
    facing = -pi / 2 + (rng.normal(0, 0.35) if rng.random() < 0.9 else rng.uniform(-pi, pi))
    tilt = radians(rng.uniform(58, 80))
    slots = int(rng.integers(6, 15))
    length = slots * width * PITCH + rng.uniform(5, 40)
    colour = np.array(COLOURS[rng.integers(len(COLOURS))]) * rng.uniform(0.8, 1.15)
    skin = _skin(rng, tuple(np.clip(colour, 0, 255).tolist()))
    at = np.array([x, y, rng.uniform(6, 22)])
    higher, behind = height * rng.uniform(*rise), rng.uniform(4, 14)
    return Rack(at, facing, tilt, length, higher, behind, table.size, skin), slots


def _some_tiles(
    table: Table,
    made: Rack,
    base: Array,
    slots: int,
    most: int,
    row: int,
    first: int,
    turned: float,
) -> list[Block]:
    """Make at most `most` tiles that stand in some of the `slots` places of a shelf of the rack
    `made`, pushed together in groups. `base` is the middle of the shelf, (3,) mm.

    `row` is the number that the rack gets among the rows of the table; `first` is the place in that
    row of the shelf's first tile. `turned` is the share of tiles that stand on their head.
    """
    rng, width = table.rng, table.size[0]
    share, drift = rng.uniform(0.3, 1.0), 0.0
    blocks: list[Block] = []
    for slot in range(slots):
        if rng.random() > share or len(blocks) >= most:
            drift = (
                float(np.clip(drift + rng.normal(0, 0.2 * width), -0.4 * width, 0.4 * width))
                if rng.random() < 0.5
                else drift
            )
            continue
        along = (slot - (slots - 1) / 2) * width * PITCH + drift * 0.2
        turn = rng.normal(0, 0.008)
        turn += pi if rng.random() < turned else 0.0
        code = table.pack.any() if rng.random() > 0.02 else None
        copies = sum(b.tile == code for b in blocks)
        block = made.tile(table, base, along, code, turn=turn, lift=abs(rng.normal(0, 0.4)))
        blocks.append(replace(block, copy=copies, row=row, place=first + slot))
    return blocks


def _skin(rng: np.random.Generator, colour: pictures.Colour) -> Skin:
    picture = pictures.blank(400, 64, colour)
    kind = rng.random()
    if kind < 0.4:
        noise = cv2.resize(rng.standard_normal((64, 12)).astype(np.float32), (400, 64)) * 14
        picture = np.clip(picture + noise[..., None], 0, 255).astype(np.uint8)
    elif kind < 0.7:
        picture[::4] = np.asarray(colour) * 0.8
    return Skin(plain_texture(picture), colour, float(rng.uniform(0, 0.6)))
