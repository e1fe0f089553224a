"""Eight scenes that differ as tables do: sets, light, height of the camera, neatness; one without
any tile to be read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from datasets.faces import Kind
from datasets.labels import LabelledPicture
from datasets.samples.sets import free_style
from datasets.samples.staging import Layout, Picture, Shot, photograph
from datasets.samples.surfaces import Rgb, table_top
from datasets.scene.camera import Camera
from datasets.scene.layout import Hand
from datasets.scene.things import mug, pen

LOOSE_HAND = Hand(along=0.4, across=1.1, turn=0.022, gap=0.8)


@dataclass(frozen=True)
class Scene:
    name: str
    shot: Shot
    lay: Callable[[Layout], None]


def _ground(surface: str, base: Rgb, angle: float, camera: Camera) -> Picture:
    return table_top(camera, surface, base, angle)


def _shot(
    seed: int,
    set_of: tuple[Kind, str],
    ground: tuple[str, Rgb, float],
    **more: float | tuple[float, float],
) -> Shot:
    """`more`: fields of Shot."""
    style = free_style(seed, *set_of)
    fields: Any = {"seed": seed, "jpeg": 76, **more}
    return Shot(1024, 768, style, partial(_ground, *ground), **fields)


def _top_down(layout: Layout) -> None:
    layout.row("2B 3B 4B 5B 6B 7B 8B", -70, 86, 1)
    layout.row("9K 9R 9Y", 130, 84, -2)
    layout.row("6R 7R J 9R 10R", -92, 20)
    layout.row("1Y 2Y 3Y 4Y", 112, 16, 1.5)
    layout.row("12B 12K 12Y 12R", -100, -48, -1)
    layout.row("10K 11K 12K 13K 1K", 92, -52)


def _low_and_far(layout: Layout) -> None:
    layout.row("3Y 4Y 5Y 6Y", -90, 90, 3)
    layout.row("11R 12R 13R 1R", 60, 96, -3)
    layout.row("7K 7B 7R", -96, 10, -2)
    layout.row("8B 9B 10B 2R 12B", 50, 14, 1)
    layout.row("1K 2K 3K 4K 5K", -40, -62)


def _dim(layout: Layout) -> None:
    layout.row("4R 5R 6R 7R", -80, 62, 2)
    layout.row("6B 6K 6Y 6R", 70, 60, -2)
    layout.row("8K 9K 10K 11K 12K", -60, -2)
    layout.row("1B 1R 1Y", 104, -4, 2)
    layout.row("9Y 10Y 11Y J 13Y", -30, -66, 1)


def _upside_down(layout: Layout) -> None:
    """The melds of whoever sits opposite, and tiles turned round in a row."""
    layout.row("6Y 7Y 8Y 9Y", -84, 74, 181)
    layout.row("9B 9R 9K", 82, 76, 178, turned=1)
    layout.row("5B 6B 7B 8B 9B 10B 11B", -10, 4, 180)
    layout.row("6K 6R 6Y", -88, -66, 2, turned=2)
    layout.row("10R 11R 12R", 76, -64, -1)


def _small(layout: Layout) -> None:
    rows = (
        "1R 2R 3R 4R 5R",
        "10B 10K 10Y",
        "6K 7K 8K 9K",
        "4B 5B 6B J 8B 9B 10B",
        "11Y 11K 11R",
        "12K 13K 1K",
        "3R 3B 3K 3Y",
    )
    places = ((-180, 150), (60, 156), (210, 100), (-120, 50), (90, 20), (-190, -60), (40, -90))
    for row, (x, y) in zip(rows, places, strict=True):
        layout.row(row, x, y, float(layout.table.rng.normal(0, 3)))
    layout.things(mug(-40, 170, (60, 90, 140), (60, 34, 18), (80, 80), 2.0))


def _touching(layout: Layout) -> None:
    """Rows head to foot, as on a crowded table."""
    pitch = layout.table.size[1] * 1.04
    rows = ("3B 4B 5B 6B 7B 8B", "12R 12Y 12B", "2Y 3Y 4Y 5Y 6Y", "8K 9K 10K 11K", "5R 5K 5Y 5B")
    for number, row in enumerate(rows):
        layout.row(row, -20 + 5 * (-1) ** number, (2 - number) * pitch, hand=LOOSE_HAND)


def _with_stacks(layout: Layout) -> None:
    layout.row("1B 2B 3B", -90, 66, 8)
    layout.row("13R 13K 13Y", 74, 70, -9)
    layout.row("7Y 8Y J 10Y", -70, 0, 4)
    layout.loose("4K", 62, 6, 34)
    layout.loose("11R", 108, -22, -18)
    layout.loose("9B", 66, -48, 76)
    for place, height in enumerate((3, 4, 4, 2)):
        layout.stack(height, -104 + 29 * place, -84, 3)
    layout.things([pen(layout.table.rng, 178, 30)])


def _nothing_to_read(layout: Layout) -> None:
    """A table before the deal: everything face down."""
    rng = layout.table.rng
    for column in range(6):
        for line in range(3):
            layout.stack(
                int(rng.integers(1, 6)),
                -110 + 40 * column,
                70 - 62 * line,
                float(rng.normal(0, 12)),
            )
    layout.things(mug(146, 92, (230, 226, 214), (44, 26, 14), (72, 60), 0.4))


SCENES = (
    Scene(
        "top_down",
        _shot(
            1, (Kind.BURAKO, "Inter-Bold"), ("wood", (190, 150, 110), 0.5), tile_px=58, elevation=90
        ),
        _top_down,
    ),
    Scene(
        "low_and_far",
        _shot(
            2,
            (Kind.BURAKO, "NimbusSansNarrow-Bold"),
            ("cloth", (188, 180, 164), 0.0),
            tile_px=64,
            elevation=36,
            roll=4,
        ),
        _low_and_far,
    ),
    Scene(
        "dim_and_warm",
        _shot(
            3,
            (Kind.IVORY, "NimbusSans-Bold"),
            ("wood", (96, 62, 42), 1.4),
            tile_px=70,
            elevation=58,
            roll=-6,
            warmth=0.85,
            exposure=0.62,
            pool=0.25,
            noise=5.0,
            blur=0.8,
            ambient=0.4,
        ),
        _dim,
    ),
    Scene(
        "upside_down",
        _shot(
            4,
            (Kind.BURAKO, "OpenSans-Bold"),
            ("felt", (48, 62, 120), 0.0),
            tile_px=66,
            elevation=66,
            roll=3,
        ),
        _upside_down,
    ),
    Scene(
        "small",
        _shot(
            5,
            (Kind.MODERN, "Cantarell-Bold"),
            ("marble", (228, 226, 222), 0.3),
            tile_px=34,
            elevation=60,
            roll=-3,
            warmth=0.1,
        ),
        _small,
    ),
    Scene(
        "touching",
        _shot(
            6,
            (Kind.BIG, "Lato-Black"),
            ("checks", (170, 60, 58), 0.2),
            tile_px=76,
            elevation=72,
            roll=2,
        ),
        _touching,
    ),
    Scene(
        "with_stacks",
        _shot(
            7,
            (Kind.OKEY, "Cabin-Bold"),
            ("cloth", (120, 136, 128), 0.4),
            tile_px=76,
            elevation=52,
            roll=-8,
            lamp=(40.0, 38.0),
        ),
        _with_stacks,
    ),
    Scene(
        "nothing_to_read",
        _shot(
            8,
            (Kind.BURAKO, "Quicksand-Bold"),
            ("felt", (118, 30, 38), 0.0),
            tile_px=72,
            elevation=63,
            roll=5,
        ),
        _nothing_to_read,
    ),
)


def render(scene: Scene, scale: float = 2.0) -> tuple[Picture, LabelledPicture]:
    return photograph(scene.shot, scene.lay, scale)
