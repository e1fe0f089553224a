"""Blocks, solids with rounded corners in the shape of a tile, placed anywhere in the room. The
table is the plane z = 0; coordinates are in mm as `datasets.scene.camera` explains.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import cos, pi, sin

import numpy as np

from datasets.scene.bank import Skin
from datasets.scene.camera import Array


@dataclass(frozen=True)
class Block:
    """A solid on the table, such as a tile, described from its face.

    `centre` is the middle of the face in mm. The rows of `axes` are unit vectors: to the right and
    down as one reads the face, and outwards from it.
    """

    centre: Array  # (3,)
    axes: Array  # (3, 3)
    size: tuple[float, float, float]  # width, height, thickness in mm
    tile: str | None = None  # None: shows no face to be read (lies face down)
    copy: int = 0  # which of the equal tiles of the set it is
    row: int | None = None  # number of its row on the table; None: in no row
    place: int = 0  # in its row, in reading order
    rest: float = 0.0  # height in mm of what it lies on, on which its shadow falls
    radius: float = 2.0  # of the rounded corners, mm
    skin: Skin | None = None  # None: a tile of the set on the table
    printed: bool = False  # shows pictures of tiles, which are not to be read

    def corners(self) -> Array:
        """Return the corners of the face, TL, TR, BR, BL as one reads it: (4, 3) mm. They are the
        sharp corners that the face would have without rounding.
        """
        w, h, _ = self.size
        return self.centre + np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2 @ self.axes[:2]

    def outline(self) -> Array:
        """Return points along the rounded outline of the block's face, clockwise as one reads the
        face: (n, 3) mm.
        """
        return (
            self.centre + rounded_rectangle(self.size[0], self.size[1], self.radius) @ self.axes[:2]
        )

    def rings(self) -> Array:
        """Return the outlines of the face and of the back, (2, n, 3) mm."""
        top = self.outline()
        return np.stack([top, top - self.axes[2] * self.size[2]])

    def vertices(self) -> Array:
        """Return the eight sharp corners that the block would have without rounding, (8, 3) mm:
        first those of the face, in the order of `corners`, then those of the back in the same
        order.
        """
        top = self.corners()
        return np.concatenate([top, top - self.size[2] * self.axes[2]])

    def middle(self) -> Array:
        return np.asarray(self.centre - self.axes[2] * (self.size[2] / 2))

    def footprint(self) -> Array:
        """Return the eight corners of the block seen from straight above, (8, 2) mm: what it covers
        on the table is their convex hull.
        """
        return self.vertices()[:, :2]


@dataclass
class Group:
    """Blocks that are painted together, in the order of the list, since they lie on one another: a
    stack or a heap.
    """

    blocks: list[Block] = field(default_factory=list)

    def anchor(self) -> Array:
        return np.asarray(np.mean([b.middle() for b in self.blocks], axis=0))

    def is_flat(self) -> bool:
        """Whether all blocks of the group are thin, level and on the table, so that they hide
        nothing else and can be painted before everything else.
        """
        return all(b.size[2] < 2.5 and b.rest < 1 and b.axes[2][2] > 0.99 for b in self.blocks)


def rounded_rectangle(width: float, height: float, radius: float) -> Array:
    """Return the outline of a rectangle with rounded corners about the origin, (n, 2), in the unit
    of the arguments. There are 16 points, or 36 where the corners have a radius of 8 or more.

    The points go clockwise from the top-left corner, y pointing down. A `radius` that is larger
    than 0.49 of a side is cut to that.
    """
    r = min(radius, 0.49 * width, 0.49 * height)
    turn = np.linspace(0, pi / 2, 4 if r < 8 else 9)
    points = []
    for k, (sx, sy) in enumerate([(-1, -1), (1, -1), (1, 1), (-1, 1)]):
        angle = pi + k * pi / 2 + turn
        middle = np.array([sx * (width / 2 - r), sy * (height / 2 - r)])
        points.append(middle + r * np.column_stack([np.cos(angle), np.sin(angle)]))
    return np.concatenate(points)


def flat(
    x: float,
    y: float,
    angle: float,
    size: tuple[float, float, float],
    rest: float = 0.0,
    **more: object,
) -> Block:
    """Make a block, such as a tile, that lies face up with its middle at (x, y). Its reading
    direction is turned by `angle` (radians, counter-clockwise from +x).

    All lengths are in mm: `size` is width, height and thickness, and `rest` how high above the
    table its back lies. `more` are further fields of `Block`.
    """
    c, s = cos(angle), sin(angle)
    axes = np.array([[c, s, 0.0], [s, -c, 0.0], [0.0, 0.0, 1.0]])
    return Block(np.array([x, y, rest + size[2]]), axes, size, rest=rest, **more)  # type: ignore[arg-type]


def face_down(block: Block) -> Block:
    """Return the block as a tile that lies face down at the same place: nothing can be read on it,
    and it belongs to no row.
    """
    return replace(block, tile=None, row=None)


def rotated(vectors: Array, axis: Array, angle: float) -> Array:
    """Rotate (n, 3) vectors about a unit axis, (3,), by `angle` in radians (Rodrigues)."""
    c, s = cos(angle), sin(angle)
    return vectors * c + np.cross(axis, vectors) * s + np.outer(vectors @ axis, axis) * (1 - c)


def tilted(block: Block, axis: Array, angle: float) -> Block:
    """Return a block turned about a unit axis through its middle by `angle` in radians, then lifted
    or lowered so that its lowest corner is as high as before.
    """
    lowest = block.vertices()[:, 2].min()
    axes = rotated(block.axes, axis, angle)
    middle = block.middle()
    turned = replace(block, centre=middle + axes[2] * (block.size[2] / 2), axes=axes)
    lift = lowest - turned.vertices()[:, 2].min()
    return replace(turned, centre=turned.centre + np.array([0, 0, lift]))
