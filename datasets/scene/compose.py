"""Makes one labelled scene, step by step: camera, tiles and other things, light, painting,
photograph, truth.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from datasets.faces.style import TILE_MM
from datasets.labels import LabelledPicture
from datasets.scene import hands, layout, photo, things
from datasets.scene.bank import FaceBank
from datasets.scene.blocks import Block, Group
from datasets.scene.camera import ELEVATION, Camera, random_camera
from datasets.scene.filling import Fill, anything
from datasets.scene.ground import add_table_glare, paint_ground, shadow_below, shadow_on_table
from datasets.scene.light import light_map, random_light
from datasets.scene.melds import Pack
from datasets.scene.paint import Canvas, paint_block
from datasets.scene.prints import PRINT_SHARE
from datasets.scene.table import Table
from datasets.scene.truth import truth


@dataclass(frozen=True)
class SceneConfig:
    """How a scene is made. `tile_px` is the range, in pixels, from which the length of a tile's
    short side at the picture's middle is chosen. `easy` is the share of scenes with even light and
    hardly a fault of the camera, and `empty` the share without any tile to be read. A `clean` scene
    has no light map and no faults of a camera.
    """

    width: int = 768
    height: int = 768
    tile_px: tuple[float, float] = (16, 150)
    easy: float = 0.5  # share of scenes with even light and hardly a fault of the camera
    empty: float = 0.1  # share of scenes without any tile to be read
    jpeg: bool = (
        True  # False: not compressed; notes["jpeg"] holds the quality to write the file with
    )
    clean: bool = False
    jokers: int = 2  # comodines in the pack; with more than two each has a figure of its own
    elevation: tuple[float, float] = ELEVATION  # of the camera, degrees
    prints: float = PRINT_SHARE  # share of table tops that a reader may take for tiles
    fill: Fill = anything  # lays what is to be read


@dataclass(frozen=True)
class Stage:
    """What is decided before the first pixel is painted: camera, faces, what lies on the table, and
    whether the scene is easy, that is with even light and hardly a fault of the camera.
    """

    camera: Camera
    bank: FaceBank
    table: Table
    easy: bool


def render_scene(
    rng: np.random.Generator,
    config: SceneConfig = SceneConfig(),
    bank: FaceBank | None = None,
    pack: Pack | None = None,
) -> tuple[NDArray[np.uint8], LabelledPicture]:
    """Render a table and return the picture, (h, w, 3) RGB, with its truth.

    Corners of a tile are TL, TR, BR, BL as one reads it: the sharp corners that its face would have
    without rounding, in OpenCV's convention, in which the centre of the top-left pixel is (0, 0).
    Tiles whose middle lies outside the frame are not labelled. `counted` is False for a tile of
    which less than 75 % of the face can be seen or that comes within 3 px of the frame.

    `bank` brings the faces of a certain set of tiles already drawn. Where it is None, a set is
    chosen at random. `pack` holds the tiles that may be laid, and lacks those that were laid
    afterwards; None for a whole set.
    """
    stage = set_stage(rng, config, bank, pack)
    light = random_light(rng, stage.easy)
    image = paint_ground(rng, stage.camera, stage.table.extent(), config.prints)
    canvas = Canvas(stage.camera, light, image, np.zeros(image.shape[:2], np.uint8))
    if rng.random() < 0.4:
        add_table_glare(
            image, stage.camera, light, light.glare * rng.uniform(0.05, 0.6), rng.uniform(0.05, 0.8)
        )
    shadow_on_table(image, stage.camera, light, stage.table.groups)
    labelled = paint_groups(canvas, stage, rng)
    if rng.random() < (0.03 if stage.easy else 0.2):
        hands.paint_hand(canvas, hands.random_hand(rng, *stage.table.spot(0.9)))
    picture = truth(canvas, labelled, stage.table.groups, stage.table.rows, stage.bank)
    if config.clean:
        return canvas.image, picture
    image = photo.photographed(
        rng, canvas.image, light_map(rng, stage.camera, stage.easy), stage.easy
    )
    quality = photo.drawn_quality(rng, stage.easy)
    if config.jpeg:
        image = photo.decoded(photo.encoded(image, quality))
    return image, replace(picture, notes={**picture.notes, "jpeg": str(quality)})


def set_stage(
    rng: np.random.Generator,
    config: SceneConfig,
    bank: FaceBank | None,
    pack: Pack | None = None,
) -> Stage:
    bank = bank or FaceBank.random(int(rng.integers(2**31)), jokers=config.jokers)
    if bank.jokers > 2:  # the figure of the first comodín changes from scene to scene
        bank = replace(bank, first_joker=int(rng.integers(bank.jokers)))
    easy = bool(rng.random() < config.easy)
    low, high = config.tile_px
    tile_px = float(np.exp(rng.uniform(np.log(low), np.log(high))))
    camera = random_camera(rng, config.width, config.height, tile_px, TILE_MM, config.elevation)
    style = bank.style
    pack = Pack(rng, config.jokers) if pack is None else pack
    table = Table(rng, camera, style.size_mm, style.radius_mm, pack)
    if rng.random() < config.empty:
        layout.stacks(table, int(rng.integers(0, 5)))
    else:
        config.fill(table, rng)
    if rng.random() < (0.3 if easy else 0.75):
        things.lay_clutter(table, bank, int(rng.integers(1, 9)))
    return Stage(camera, bank, table, easy)


def paint_groups(canvas: Canvas, stage: Stage, rng: np.random.Generator) -> list[tuple[int, Block]]:
    """Paint the groups from far to near. Returns a pair for each readable tile: the label under
    which it was painted, and the tile. The first 250 tiles have the labels 1 to 250, and any others
    0.
    """
    eye = stage.camera.position
    order = sorted(stage.table.groups, key=lambda g: -_depth_key(g, eye))
    labelled: list[tuple[int, Block]] = []
    for group in order:
        for block in group.blocks:
            if block.rest > 1:
                shadow_below(canvas.image, stage.camera, canvas.light, block.vertices(), block.rest)
            label = len(labelled) + 1 if block.tile and len(labelled) < 250 else 0
            if block.tile:
                labelled.append((label, block))
            paint_block(canvas, block, stage.bank, label, rng)
    return labelled


def _depth_key(group: Group, eye: NDArray[np.float64]) -> float:
    """Return how far a group lies from `eye`, the camera's position (3,) in mm; what is farther is
    painted earlier.

    The distance is measured along the table from the point below the camera, less the group's
    height. It is infinite for flat groups, and minus infinite for groups that lie on top of others.
    """
    if group.is_flat():
        return np.inf
    if all(b.rest > 3 for b in group.blocks):  # lies on top of others
        return -np.inf
    anchor = group.anchor()
    return float(np.hypot(*(anchor[:2] - eye[:2])) - anchor[2])
