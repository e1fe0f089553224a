"""Eight scenes that differ as real tables do: in their sets, light, camera height and neatness. One
shows no tile that could be read.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from datasets.faces import Kind
from datasets.samples.sets import free_style
from datasets.samples.staging import Layout, Sample, Shot
from datasets.samples.surfaces import Rgb, table_top
from datasets.scene.layout import Hand
from datasets.scene.things import mug, pen

LOOSE_HAND = Hand(along=0.4, across=1.1, turn=0.022, gap=0.8)
SCENES: list[Sample] = []


def scene(
    kind: Kind, typeface: str, surface: str, base: Rgb, angle: float, **shot: Any
) -> Callable[[Callable[[Layout], None]], None]:
    """Return a decorator that adds a scene to SCENES, with the function that lays its tiles.

    The name of the function becomes the name of the file. The scene's number, from 1, becomes its
    seed. The set of tiles is of `kind`, with numbers in `typeface`. The table top is of `surface`
    in the colour `base`, with its grain turned by `angle` in radians. `shot` holds further fields
    of Shot.
    """

    def add(lay: Callable[[Layout], None]) -> None:
        seed = len(SCENES) + 1
        ground = partial(table_top, surface=surface, base=base, angle=angle)
        style = free_style(seed, kind, typeface)
        SCENES.append(
            Sample(
                f"{lay.__name__}.jpg",
                Shot(1024, 768, style, ground, **{"seed": seed, "jpeg": 76, **shot}),
                lay,
            )
        )

    return add


@scene(Kind.BURAKO, "Inter-Bold", "wood", (190, 150, 110), 0.5, tile_px=58, elevation=90)
def top_down(layout: Layout) -> None:
    layout.row("2B 3B 4B 5B 6B 7B 8B", -70, 86, 1)
    layout.row("9K 9R 9Y", 130, 84, -2)
    layout.row("6R 7R J 9R 10R", -92, 20)
    layout.row("1Y 2Y 3Y 4Y", 112, 16, 1.5)
    layout.row("12B 12K 12Y 12R", -100, -48, -1)
    layout.row("10K 11K 12K 13K 1K", 92, -52)


CREAM, NARROW = (188, 180, 164), "NimbusSansNarrow-Bold"


@scene(Kind.BURAKO, NARROW, "cloth", CREAM, 0.0, tile_px=64, elevation=36, roll=4)
def low_and_far(layout: Layout) -> None:
    layout.row("3Y 4Y 5Y 6Y", -90, 90, 3)
    layout.row("11R 12R 13R 1R", 60, 96, -3)
    layout.row("7K 7B 7R", -96, 10, -2)
    layout.row("8B 9B 10B 2R 12B", 50, 14, 1)
    layout.row("1K 2K 3K 4K 5K", -40, -62)


DIM = {"warmth": 0.85, "exposure": 0.62, "pool": 0.25, "noise": 5.0, "blur": 0.8, "ambient": 0.4}
LOW_LAMP = {"tile_px": 70, "elevation": 58, "roll": -6, **DIM}


@scene(Kind.IVORY, "NimbusSans-Bold", "wood", (96, 62, 42), 1.4, **LOW_LAMP)
def dim_and_warm(layout: Layout) -> None:
    layout.row("4R 5R 6R 7R", -80, 62, 2)
    layout.row("6B 6K 6Y 6R", 70, 60, -2)
    layout.row("8K 9K 10K 11K 12K", -60, -2)
    layout.row("1B 1R 1Y", 104, -4, 2)
    layout.row("9Y 10Y 11Y J 13Y", -30, -66, 1)


@scene(Kind.BURAKO, "OpenSans-Bold", "felt", (48, 62, 120), 0.0, tile_px=66, elevation=66, roll=3)
def upside_down(layout: Layout) -> None:
    """Lay the melds of a player who sits opposite, which read upside down, and melds in which a
    single tile is turned round.
    """
    layout.row("6Y 7Y 8Y 9Y", -84, 74, 181)
    layout.row("9B 9R 9K", 82, 76, 178, turned=1)
    layout.row("5B 6B 7B 8B 9B 10B 11B", -10, 4, 180)
    layout.row("6K 6R 6Y", -88, -66, 2, turned=2)
    layout.row("10R 11R 12R", 76, -64, -1)


PALE, FAR = (228, 226, 222), {"tile_px": 34, "elevation": 60, "roll": -3, "warmth": 0.1}


@scene(Kind.MODERN, "Cantarell-Bold", "marble", PALE, 0.3, **FAR)
def small(layout: Layout) -> None:
    layout.row("1R 2R 3R 4R 5R", -180, 150, spread=3)
    layout.row("10B 10K 10Y", 60, 156, spread=3)
    layout.row("6K 7K 8K 9K", 210, 100, spread=3)
    layout.row("4B 5B 6B J 8B 9B 10B", -120, 50, spread=3)
    layout.row("11Y 11K 11R", 90, 20, spread=3)
    layout.row("12K 13K 1K", -190, -60, spread=3)
    layout.row("3R 3B 3K 3Y", 40, -90, spread=3)
    layout.things(mug(-40, 170, (60, 90, 140), (60, 34, 18), (80, 80), 2.0))


@scene(Kind.BIG, "Lato-Black", "checks", (170, 60, 58), 0.2, tile_px=76, elevation=72, roll=2)
def touching(layout: Layout) -> None:
    """Lay rows that touch head to foot, as on a full table."""
    pitch = layout.table.size[1] * 1.04
    rows = ("3B 4B 5B 6B 7B 8B", "12R 12Y 12B", "2Y 3Y 4Y 5Y 6Y", "8K 9K 10K 11K", "5R 5K 5Y 5B")
    for number, row in enumerate(rows):
        layout.row(row, -20 + 5 * (-1) ** number, (2 - number) * pitch, hand=LOOSE_HAND)


SAGE, ASIDE = (120, 136, 128), {"tile_px": 76, "elevation": 52, "roll": -8, "lamp": (40.0, 38.0)}


@scene(Kind.OKEY, "Cabin-Bold", "cloth", SAGE, 0.4, **ASIDE)
def with_stacks(layout: Layout) -> None:
    layout.row("1B 2B 3B", -90, 66, 8)
    layout.row("13R 13K 13Y", 74, 70, -9)
    layout.row("7Y 8Y J 10Y", -70, 0, 4)
    layout.loose("4K", 62, 6, 34)
    layout.loose("11R", 108, -22, -18)
    layout.loose("9B", 66, -48, 76)
    for place, height in enumerate((3, 4, 4, 2)):
        layout.stack(height, -104 + 29 * place, -84, 3)
    layout.things([pen(layout.table.rng, 178, 30)])


@scene(Kind.BURAKO, "Quicksand-Bold", "felt", (118, 30, 38), 0.0, tile_px=72, elevation=63, roll=5)
def nothing_to_read(layout: Layout) -> None:
    """Lay a table as it is before the deal, with everything face down."""
    rng = layout.table.rng
    for x in range(-110, 130, 40):
        for y in (70, 8, -54):
            layout.stack(int(rng.integers(1, 6)), x, y, float(rng.normal(0, 12)))
    layout.things(mug(146, 92, (230, 226, 214), (44, 26, 14), (72, 60), 0.4))
