"""A table while it is being laid: what the camera sees of it, which places are taken, which tiles
may still be laid.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.scene.blocks import Block, Group, flat
from datasets.scene.camera import Array, Camera
from datasets.scene.melds import Pack

CELL = 4.0  # mm per cell of the map of taken places


@dataclass
class Table:
    """The part of the table that the camera sees, the places taken on it, and what has been
    laid.
    """

    rng: np.random.Generator
    camera: Camera
    size: tuple[float, float, float]  # of a tile, mm
    radius: float  # of a tile's corners, mm
    pack: Pack  # the tiles that are left
    groups: list[Group] = field(default_factory=list)  # all that is laid
    rows: list[str] = field(default_factory=list)  # kind of each row, by its index
    limit: int = 106  # tiles that may be laid to be read

    def __post_init__(self) -> None:
        frame = self.camera.frame_on_table()
        reach = 1.2 * min(
            float(np.linalg.norm(frame, axis=1).max()), 2.2 * float(self.camera.position[2]) + 500
        )
        self._origin = -np.array([reach, reach])
        self._taken = np.zeros((int(2 * reach / CELL) + 1,) * 2, np.uint8)

    @property
    def view(self) -> tuple[float, float]:
        """The width and the depth in mm of the part of the table that the picture shows, by the
        scale at the middle of the picture.
        """
        distance = float(np.linalg.norm(self.camera.position))
        scale = distance / self.camera.focal
        slant = max(float(self.camera.position[2]) / distance, 0.3)
        return self.camera.width * scale, self.camera.height * scale / slant

    def tile(
        self,
        x: float,
        y: float,
        angle: float,
        code: str | None,
        row: int | None = None,
        rest: float = 0.0,
    ) -> Block:
        copies = sum(b.tile == code for g in self.groups for b in g.blocks)
        return flat(
            x, y, angle, self.size, rest, tile=code, row=row, radius=self.radius, copy=copies
        )

    def extent(self) -> Array:
        """Return the corners of everything that has been laid, seen from straight above, (n, 2) mm;
        the origin alone where nothing has been laid.
        """
        points = [b.footprint() for g in self.groups for b in g.blocks]
        return np.concatenate(points) if points else np.zeros((1, 2))

    def count(self) -> int:
        return sum(b.tile is not None for g in self.groups for b in g.blocks)

    def in_view(self) -> int:
        """Count the readable tiles whose middle lies in the picture."""
        centres = [b.centre for g in self.groups for b in g.blocks if b.tile]
        if not centres:
            return 0
        pixels = self.camera.project(np.stack(centres))
        inside = (pixels > 0) & (pixels < [self.camera.width, self.camera.height])
        return int(np.sum(inside.all(axis=1) & (self.camera.depths(np.stack(centres)) > 0)))

    def is_free(self, blocks: list[Block], margin: float = 0.0) -> bool:
        mask = self._mask(blocks, margin)
        return not bool(np.any(self._taken[mask > 0]))

    def occupy(self, blocks: list[Block]) -> None:
        self._taken |= self._mask(blocks, 0.0)

    def lay(self, blocks: list[Block]) -> None:
        """Lay blocks on the table, each as a thing by itself, as single tiles lie, and not as parts
        of one stack or heap.
        """
        self.occupy(blocks)
        self.groups += [Group([b]) for b in blocks]

    def lay_together(self, blocks: list[Block]) -> None:
        """Lay blocks as one heap or stack. They are painted in the order of the list, so the lowest
        comes first.
        """
        self.occupy(blocks)
        self.groups.append(Group(blocks))

    def spot(self, spread: float = 1.0) -> tuple[float, float]:
        """Choose at random a point of the table that lies in the picture and not too far away: (x,
        y) mm, or (0, 0) where none was found.

        `spread` is the share of the picture, about its middle, from which the point is chosen.
        """
        size = np.array([self.camera.width, self.camera.height])
        limit = 1.9 * float(np.linalg.norm(self.camera.position))
        for _ in range(6):
            pixel = (0.5 + spread * (self.rng.random(2) - 0.5)) * size
            point = self.camera.table_points(pixel[None])[0]
            if np.linalg.norm(point - self.camera.position[:2]) < limit:
                return float(point[0]), float(point[1])
        return 0.0, 0.0

    def _mask(self, blocks: list[Block], margin: float) -> NDArray[np.uint8]:
        mask = np.zeros_like(self._taken)
        for block in blocks:
            shape = cv2.convexHull(block.footprint().astype(np.float32))[:, 0]
            middle = shape.mean(axis=0)
            reach = np.maximum(np.linalg.norm(shape - middle, axis=1, keepdims=True), 1)
            grown = middle + (shape - middle) * np.maximum(1 + (margin - 3.0) / reach, 0.1)
            cv2.fillConvexPoly(mask, np.rint((grown - self._origin) / CELL).astype(np.int32), 1)
        return mask
