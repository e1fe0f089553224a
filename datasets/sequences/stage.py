"""The fixed camera, the light and the table of a sequence. A stage paints what lies on the table,
and knows where each tile is in the picture.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi, radians, tan
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.faces import random_style
from datasets.faces.style import Kind
from datasets.scene.bank import FaceBank
from datasets.scene.blocks import Block, Group, face_down, flat
from datasets.scene.camera import Array, Camera, looking_down
from datasets.scene.ground import paint_ground, shadow_on_table
from datasets.scene.light import Light, light_map, random_light
from datasets.scene.paint import Canvas, paint_block
from datasets.scene.surfaces import any_colour
from datasets.scene.things import mug
from datasets.sequences.game import Game
from datasets.sequences.lid import game_box
from datasets.sequences.plan import Piece

KINDS = (Kind.BURAKO, Kind.BURAKO, Kind.IVORY, Kind.MODERN, Kind.BIG)
SIDE_LINE = np.array([[-200.0, 0], [200, 0]])  # side A sits near the camera


@dataclass
class Stage:
    """One set of tiles on one table under one light, seen by a camera that does not move."""

    camera: Camera
    light: Light
    bank: FaceBank
    ground: NDArray[np.uint8]  # the empty table, (h, w, 3) RGB
    lighting: NDArray[np.float32]  # factors by which light changes the picture, (h, w, 3)
    seed: int  # of the grain of tiles and the looks of the box and the mug

    @classmethod
    def random(
        cls,
        rng: np.random.Generator,
        width: int,
        height: int,
        extent: Array,
        elevation: tuple[float, float],
        easy: bool,
    ) -> Stage:
        """Make a random stage for pictures of `width` x `height` pixels; an `easy` one has even
        light.

        `extent` holds the corners of the part of the table that has to be in the picture, (4, 2)
        mm; `elevation` is the range of the camera's elevation above the table, in degrees.
        """
        camera = _fitted_camera(rng, width, height, extent, elevation)
        light = random_light(rng, easy)
        style = random_style(rng, KINDS[int(rng.integers(len(KINDS)))])
        bank = FaceBank.random(int(rng.integers(2**31)), style=style)
        ground = paint_ground(rng, camera, extent)
        return cls(
            camera, light, bank, ground, light_map(rng, camera, easy), int(rng.integers(2**31))
        )

    def block(self, piece: Piece) -> Block:
        style = self.bank.style
        looks: dict[str, Any] = {"tile": piece.tile, "copy": piece.copy}
        return flat(piece.x, piece.y, piece.turn, style.size_mm, radius=style.radius_mm, **looks)

    def picture(self, game: Game) -> NDArray[np.uint8]:
        """Paint what lies on the table in the game, (h, w, 3) RGB.

        A thing that lies in the same place looks the same in every picture.
        """
        blocks = [self.block(piece) for piece in game.pieces()] + self._piles(game)
        blocks += [game_box(self.seed, self.bank, *game.box)] if game.box else []
        blocks += self._mug(*game.mug) if game.mug else []
        image = self.ground.copy()
        canvas = Canvas(self.camera, self.light, image, np.zeros(image.shape[:2], np.uint8))
        shadow_on_table(image, self.camera, self.light, [Group([block]) for block in blocks])
        eye = self.camera.position
        for block in sorted(
            blocks, key=lambda b: (b.rest > 1, -float(np.hypot(*(b.centre[:2] - eye[:2]))))
        ):
            grain = np.random.default_rng(
                [self.seed, abs(int(block.centre[0] * 10)), abs(int(block.centre[1] * 10))]
            )
            paint_block(canvas, block, self.bank, 0, grain)
        return np.asarray(cv2.multiply(image, self.lighting, dtype=cv2.CV_8U), np.uint8)

    def corners(self, piece: Piece) -> Array:
        """Return the corners of a tile, TL, TR, BR, BL as one reads it, (4, 2) px."""
        return self.camera.project(self.block(piece).corners())

    def points(self, table: Array) -> Array:
        """Project (n, 2) millimetres on the table to (n, 2) pixels."""
        return self.camera.project(np.column_stack([table, np.zeros(len(table))]))

    def _mug(self, x: float, y: float) -> list[Block]:
        """Make the mug of this stage at (x, y) mm; it looks the same at every place."""
        rng = np.random.default_rng([89, self.seed])
        colour = tuple(any_colour(rng, (0, 0.9), (0.2, 1.0)).tolist())
        size = (float(rng.uniform(70, 95)), float(rng.uniform(70, 110)))
        return mug(x, y, colour, (50.0, 28.0, 16.0), size, float(rng.uniform(-pi, pi)))

    def _piles(self, game: Game) -> list[Block]:
        """Make the stock: tiles face down on one another, to be painted from the bottom up."""
        blocks = []
        for pile, ((x, y), height) in enumerate(zip(game.plan.stock, game.stock, strict=True)):
            for level in range(height):
                size, radius = self.bank.style.size_mm, self.bank.style.radius_mm
                block = flat(x, y, 0.05 * pile, size, level * size[2], radius=radius)
                blocks.append(face_down(block))
        return blocks


def _fitted_camera(
    rng: np.random.Generator, width: int, height: int, extent: Array, degrees: tuple[float, float]
) -> Camera:
    """Make a camera, slightly rolled, as near as possible with all of `extent`, (4, 2) mm, in the
    picture.

    `degrees` is the range of its elevation above the table. Raises ValueError where no distance is
    far enough.
    """
    elevation, roll = radians(float(rng.uniform(*degrees))), float(rng.normal(0, 0.03))
    middle = np.array([*extent.mean(axis=0), 0.0])
    focal = 0.5 * max(width, height) / tan(radians(float(rng.uniform(45, 65))) / 2)
    rotation, centre = looking_down(elevation, roll), ((width - 1) / 2, (height - 1) / 2)
    for distance in np.arange(200.0, 4000.0, 20.0):
        place = middle - rotation[2] * distance
        camera = Camera(place, rotation, focal, centre, 0.0, width, height)
        pixels = camera.project(np.column_stack([extent, np.full(4, 15.0)]))
        if (pixels > 8).all() and (pixels < [width - 8, height - 8]).all():
            return camera
    raise ValueError(f"expected a picture that can hold a table, got {width} x {height}")
