"""The sample hand: four photographs of one table at the end of a hand of four players, and its
truth.

Side A has closed; its rack shows what the partner of the player who closed has left. The tiles of
both players of side B stand on one rack.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from datasets.generate import picture_line
from datasets.labels import LabelledPicture
from datasets.samples.sets import BURAKO
from datasets.samples.staging import Layout, Picture, Sample, Shot, upright_rack
from datasets.samples.surfaces import lay_mat, table_top, wood
from datasets.scene.bank import Skin, plain_texture
from datasets.scene.camera import Camera
from datasets.scene.things import mug
from engine import SideName

RULES, PLAYERS, CLOSED_BY, MUERTO = "burako", 4, "A", ("A",)
MELDS: dict[SideName, tuple[str, ...]] = {
    "A": (
        "3R 4R 5R 6R 7R 8R 9R",  # canasta pura
        "5K 6K 7K J 9K 10K 11K 12K",  # canasta impura
        "10Y 11Y 12Y 13Y 1Y",
        "1B 2B 3B 4B",
        "8Y 8B 8R",
        "13K 13B 13R 13K",
    ),
    "B": (
        "4Y 5Y 6Y 2K 8Y 9Y 10Y",  # canasta impura: the 2 stands for the 7
        "9B 10B 11B 12B",
        "10R 11R 12R 13R",
        "1R 1K 1Y",
        "5R 5B 5K",
    ),
}
RACKS: dict[SideName, tuple[str, str]] = {
    "A": ("4K 6B 12R", ". 3Y 9K"),
    "B": ("3K 3K 10K . 5Y 12Y 13Y", "J . 1R 9R . 4B 7B"),
}
FELT, WOOD = (44, 114, 76), (178, 132, 88)


def _table(outline: list[tuple[float, float]], camera: Camera) -> Picture:
    """Paint a wooden table as the camera sees it, (h, w, 3) RGB, with a green mat on it. `outline`
    holds the mat's corners, x and y in mm from the picture's middle.
    """
    image = table_top(camera, "wood", WOOD, 0.04)
    lay_mat(image, camera, "felt", FELT, np.array(outline, float))
    return image


def _rack_skin() -> Skin:
    grain = wood(np.random.default_rng(3), (96, 58, 34))
    return Skin(plain_texture(np.ascontiguousarray(grain[:128, :1024])), (88, 52, 30), 0.3)


def _melds_a(layout: Layout) -> None:
    rows = MELDS["A"]
    for row, y, turned in zip(rows[:4], (112, 52, -10, -72), (None, 5, None, None), strict=True):
        layout.row(row, -124, y, turned=turned, spread=0.8)
    layout.row(rows[4], 62, 84, -1.5)
    layout.row(rows[5], 72, 16, 1.2)
    for x, y, count, angle in ((46, -72, 5, 2), (76, -74, 5, -3), (106, -71, 4, 1)):
        layout.stack(count, x, y, angle)
    layout.things(mug(190, 96, (214, 226, 232), (70, 38, 20), (76, 70), 0.5))


def _melds_b(layout: Layout) -> None:
    rows = MELDS["B"]
    for row, y in zip(rows[:3], (88, 26, -38), strict=True):
        layout.row(row, -96, y, spread=0.9)
    layout.row(rows[3], 112, 66, 2.0)
    layout.row(rows[4], 118, -6, -1.8)
    for x, y, count, angle in ((150, -82, 6, 80), (188, -79, 3, 94)):
        layout.stack(count, x, y, angle)


def _rack(side: SideName, layout: Layout) -> None:
    upper, lower = RACKS[side]
    layout.rack(upper, lower, upright_rack(0, -48, 9, layout.shot, _rack_skin()))
    if side == "A":
        layout.stack(3, -146, 78, 24)
    else:
        layout.things(mug(-150, 96, (176, 62, 48), (52, 30, 18), (76, 66), 2.4))


FAR_EDGE = 900.0
MAT_A = [(-420.0, -140.0), (420.0, -131.0), (420.0, FAR_EDGE), (-420.0, FAR_EDGE)]
MAT_B = [(-420.0, -128.0), (262.0, -134.0), (270.0, FAR_EDGE), (-420.0, FAR_EDGE)]
MAT_RACKS = [(-600.0, 46.0), (600.0, 38.0), (600.0, FAR_EDGE), (-600.0, FAR_EDGE)]
LAMP_LIT = Shot(
    1600,
    1200,
    BURAKO,
    partial(_table, MAT_A),
    tile_px=84,
    elevation=62,
    fov=46,
    exposure=1.08,
    ambient=0.45,
    noise=1.25,
    jpeg=82,
)
MELDS_A = replace(LAMP_LIT, roll=-1.5, seed=1)
MELDS_B = replace(
    MELDS_A, ground=partial(_table, MAT_B), elevation=68, tile_px=82, roll=2.0, seed=2
)
RACK = replace(
    LAMP_LIT, ground=partial(_table, MAT_RACKS), tile_px=104, elevation=55, roll=1.0, seed=3
)
TURNED_RACK = replace(RACK, roll=-2.0, elevation=57, seed=4)
SAMPLES = (
    Sample("melds-a.jpg", MELDS_A, _melds_a),
    Sample("rack-a.jpg", RACK, partial(_rack, "A")),
    Sample("melds-b.jpg", MELDS_B, _melds_b),
    Sample("rack-b.jpg", TURNED_RACK, partial(_rack, "B")),
)


def hand_case() -> dict[str, Any]:
    """Return the sample hand as the `input` of a line of kind `hand` for `burako judge`."""
    teams: dict[str, Any] = {}
    for side in MELDS:
        left = " ".join(RACKS[side]).replace(".", "").split()
        melds = [row.split() for row in MELDS[side]]
        teams[side] = {"melds": melds, "hands": [[], left], "muerto_taken": side in MUERTO}
    return {"players": PLAYERS, "end": "close", "closed_by": CLOSED_BY, "teams": teams}


def hand_line(photos: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what `hand.json` holds: what no photograph shows, such as who closed, and `photos`,
    the labels of each photograph with its side and place.
    """
    return {
        "ruleset": RULES,
        "players": PLAYERS,
        "closed_by": CLOSED_BY,
        "muerto": list(MUERTO),
        "photos": photos,
    }


def photo_line(sample: Sample, picture: LabelledPicture) -> dict[str, Any]:
    place, side = sample.name.removesuffix(".jpg").split("-")
    labels = picture_line(picture)
    return {**labels, "photo": sample.name, "side": side.upper(), "place": place}
