"""Photographs composed by hand: camera, light, table top, and rows and racks at given places. Most
are painted at twice their size and then shrunk.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import cos, pi, radians, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.faces import FaceStyle
from datasets.faces.style import TILE_MM
from datasets.labels import LabelledPicture
from datasets.scene import FaceBank
from datasets.scene.bank import Skin
from datasets.scene.blocks import Block, face_down
from datasets.scene.camera import Camera, aimed_camera
from datasets.scene.compose import Stage, paint_groups
from datasets.scene.ground import shadow_on_table
from datasets.scene.layout import Hand, make_row
from datasets.scene.light import Light, temperature_gain
from datasets.scene.melds import Pack
from datasets.scene.paint import Canvas
from datasets.scene.racks import PITCH, Rack
from datasets.scene.table import Table
from datasets.scene.truth import truth

FACE_PX = 160  # width of a drawn face, for a picture painted at scale 1
RACK_TILT = 58.0  # degrees between the table's plane and the tiles that lean on a shelf
NEAT = Hand(along=0.18, across=0.5, turn=radians(0.7), gap=0.3)

Picture = NDArray[np.uint8]
Ground = Callable[[Camera], Picture]


@dataclass(frozen=True)
class Shot:
    """How a photograph is taken.

    `width` and `height` are those of the finished picture in pixels, and `tile_px` is the width in
    pixels of a tile in the middle of the picture. Angles are in degrees: `elevation` of the camera
    above the table, `roll` counter-clockwise, and `fov`, the angle of view along the picture's
    longer side. `ground` paints the empty table.
    """

    width: int
    height: int
    style: FaceStyle
    ground: Ground
    tile_px: float
    elevation: float
    roll: float = 0.0
    fov: float = 58.0
    lamp: tuple[float, float] = (130.0, 52.0)  # azimuth and elevation of the key light
    ambient: float = 0.55  # share of light that comes from everywhere
    softness: float = 0.5  # of shadows: mm of blur per mm of height
    warmth: float = 0.35  # share of a 2,900 K lamp's tint that white balance leaves, 0..1
    exposure: float = 1.0  # factor of the brightness
    pool: float = 0.12  # how much darker the corners are than the lamp's place
    noise: float = 1.6  # standard deviation, grey levels
    blur: float = 0.55  # px
    seed: int = 0
    jpeg: int = 85  # quality

    def camera(self, scale: float) -> Camera:
        return aimed_camera(
            round(self.width * scale),
            round(self.height * scale),
            elevation=radians(self.elevation),
            roll=radians(self.roll),
            fov=radians(self.fov),
            tile_px=self.tile_px * scale,
            tile_mm=TILE_MM,
        )

    def light(self) -> Light:
        azimuth, elevation = (radians(angle) for angle in self.lamp)
        direction = np.array(
            [cos(azimuth) * cos(elevation), sin(azimuth) * cos(elevation), sin(elevation)]
        )
        across = np.cross(direction, [0.0, 0, 1]) / cos(elevation)
        return Light(
            direction,
            self.ambient,
            self.softness,
            direction * 1300,
            np.stack([across, np.cross(across, direction)]) * 130,
            0.25,
        )


@dataclass
class Layout:
    """What lies on the table in one photograph; each method adds something. Places and lengths are
    in mm from the picture's middle on the table, x to the right, y away from the camera.
    """

    shot: Shot
    scale: float  # how many times larger the scene is painted than the finished picture
    bank: FaceBank
    table: Table = field(init=False)

    def __post_init__(self) -> None:
        style = self.shot.style
        rng = np.random.default_rng([23, self.shot.seed])
        camera = self.shot.camera(self.scale)
        self.table = Table(rng, camera, style.size_mm, style.radius_mm, Pack(rng))

    def row(
        self,
        tiles: str,
        x: float,
        y: float,
        angle: float = 0.0,
        turned: int | None = None,
        hand: Hand = NEAT,
        spread: float = 0.0,
        copy: int = 0,
    ) -> None:
        """Add a meld, `tiles` with blanks between them, with its middle at (x, y) mm. Its reading
        direction is turned by `angle` degrees counter-clockwise from +x.

        `spread` is the standard deviation of an error, in degrees, added to `angle` for the whole
        meld. `hand` says how neatly the tiles lie. The tile with index `turned` lies upside down;
        None for no tile. The set has two equal tiles of each kind: with `copy` 1 the meld gets the
        one that it would not get with 0.
        """
        if spread:
            angle += self.table.rng.normal(0, spread)
        blocks = make_row(self.table, tiles.split(), x, y, radians(angle), hand)
        if turned is not None:
            blocks[turned] = replace(
                blocks[turned], axes=blocks[turned].axes * np.array([[-1], [-1], [1]])
            )
        self.table.rows.append("meld")
        self.table.lay([replace(block, copy=block.copy + copy) for block in blocks])

    def loose(self, tile: str, x: float, y: float, angle: float, copy: int = 0) -> None:
        block = self.table.tile(x, y, radians(angle), tile)
        self.table.lay([replace(block, copy=block.copy + copy)])

    def stack(self, count: int, x: float, y: float, angle: float = 0.0) -> None:
        """Add a stack of `count` tiles face down, with its middle at (x, y) mm and turned by
        `angle` degrees.
        """
        rng, blocks = self.table.rng, []
        for level in range(count):
            dx, dy = rng.normal(0, 0.5, 2)
            turned = radians(angle) + rng.normal(0, 0.025)
            blocks.append(
                face_down(
                    self.table.tile(x + dx, y + dy, turned, None, rest=level * self.table.size[2])
                )
            )
        self.table.lay_together(blocks)

    def things(self, blocks: list[Block]) -> None:
        self.table.lay_together(blocks)

    def rack(self, upper: str, lower: str, rack: Rack) -> None:
        """Add `rack` with tiles on its two shelves. `upper` and `lower` list the tiles of a shelf
        from left to right, with blanks in between; `.` leaves a place free.
        """
        rng, index, shelves = self.table.rng, len(self.table.rows), list[list[Block]]()
        for first, base, tiles in zip(
            (0, 50), rack.shelves(), (upper.split(), lower.split()), strict=True
        ):
            blocks: list[Block] = []
            for slot, code in enumerate(tiles):
                along = (slot - (len(tiles) - 1) / 2) * TILE_MM * PITCH + rng.normal(0, 0.4)
                if code != ".":
                    block = rack.tile(
                        self.table,
                        base,
                        along,
                        code,
                        turn=rng.normal(0, 0.012),
                        lift=abs(rng.normal(0, 0.2)),
                    )
                    earlier = sum(b.tile == code for shelf in (*shelves, blocks) for b in shelf)
                    blocks.append(replace(block, copy=earlier, row=index, place=first + slot))
            shelves.append(blocks)
        self.table.rows.append("rack")
        self.table.lay_together(rack.in_order(shelves[0], shelves[1], self.table.camera.position))


def photograph(
    shot: Shot, lay: Callable[[Layout], None], scale: float
) -> tuple[Picture, LabelledPicture]:
    rng = np.random.default_rng([29, shot.seed])
    layout = Layout(shot, scale, FaceBank(shot.style, shot.seed, round(FACE_PX * scale)))
    lay(layout)
    table, light = layout.table, shot.light()
    image = shot.ground(table.camera)
    canvas = Canvas(table.camera, light, image, np.zeros(image.shape[:2], np.uint8))
    shadow_on_table(image, table.camera, light, table.groups)
    labelled = paint_groups(canvas, Stage(table.camera, layout.bank, table, True), rng)
    picture = truth(canvas, labelled, table.groups, table.rows, layout.bank)
    small = cv2.resize(canvas.image, (shot.width, shot.height), interpolation=cv2.INTER_AREA)
    return developed(shot, small.astype(np.uint8), rng), _shrunk(picture, shot, scale)


@dataclass(frozen=True)
class Sample:
    """One of the bundled pictures: its file name, how it is taken, and the function that lays what
    it shows.
    """

    name: str
    shot: Shot
    lay: Callable[[Layout], None]

    def render(self, scale: float = 2.0) -> tuple[Picture, LabelledPicture]:
        """Render the picture, (height, width, 3) RGB, and its truth.

        The scene is painted `scale` times as large and then shrunk; the truth is the same for every
        scale.
        """
        return photograph(self.shot, self.lay, scale)


def developed(shot: Shot, scene: Picture, rng: np.random.Generator) -> Picture:
    """Return a painted scene as the shot's camera records it: with the lamp's colour and fall-off,
    blur, noise and a mild contrast curve.
    """
    y, x = np.mgrid[-1 : 1 : scene.shape[0] * 1j, -1 : 1 : scene.shape[1] * 1j].astype(np.float32)
    azimuth = radians(shot.lamp[0] - shot.roll)
    distance = np.hypot(x - 0.5 * cos(azimuth), y + 0.5 * sin(azimuth))
    level = shot.exposure * (1 - shot.pool * np.minimum(distance, 1.8) ** 1.5)
    lit = scene * level[..., None] * (temperature_gain(2900) ** shot.warmth)
    lit = cv2.GaussianBlur(lit, (0, 0), shot.blur)
    lit += shot.noise * rng.standard_normal(lit.shape[:2]).astype(np.float32)[..., None]
    lit += 0.6 * shot.noise * rng.standard_normal(lit.shape).astype(np.float32)
    share = np.clip(lit / 255, 0, 1)
    return np.asarray(
        np.rint(255 * (0.75 * share + 0.25 * share * share * (3 - 2 * share))), np.uint8
    )


def _shrunk(picture: LabelledPicture, shot: Shot, scale: float) -> LabelledPicture:
    """Convert the truth of a scene painted `scale` times as large to pixels of the finished
    picture.

    In both pictures the centre of the top-left pixel is (0, 0).
    """

    def shrink(values: NDArray[np.float32]) -> NDArray[np.float32]:
        return ((np.asarray(values, np.float64) + 0.5) / scale - 0.5).astype(np.float32)

    tiles = []
    for tile in picture.tiles:
        assert tile.corners is not None
        x, y = (float(value) for value in shrink(np.array(tile.centre)))
        tiles.append(replace(tile, corners=shrink(tile.corners), centre=(x, y)))
    return replace(
        picture,
        tiles=tuple(tiles),
        width=shot.width,
        height=shot.height,
        style=shot.style.kind.value,
    )


def upright_rack(x: float, y: float, slots: int, shot: Shot, skin: Skin) -> Rack:
    """Make a rack at (x, y) mm that faces the viewer. Each shelf has room for `slots` tiles of the
    set in `shot`. `skin` is how the rack looks.
    """
    size = shot.style.size_mm
    length = slots * TILE_MM * PITCH + 14
    return Rack(
        np.array([x, y, 12.0]), -pi / 2, radians(RACK_TILT), length, size[1] * 1.08, 7.0, size, skin
    )
