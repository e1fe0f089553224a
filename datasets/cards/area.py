"""Lays out what people photograph at the end of a hand: one side's melds as columns beside one
another, or the cards left in a hand; and aims a camera at the cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import cos, radians, sin, sqrt

import numpy as np

from datasets.cards.layout import COLUMN, Dealer, Pose, Stock
from datasets.cards.scene import CORNER
from datasets.scene.camera import Array, Camera, aimed_camera
from datasets.scene.melds import Pack
from datasets.scene.table import Table

FIELD_OF_VIEW = 55.0  # degrees along the picture's longer side
MARGIN = 0.035  # share of the picture's width and height that stays free at each edge
Pile = tuple[list[Pose], list[str]]  # cards one over the other, from the lowest


@dataclass(frozen=True)
class Area:
    """The cards of one photograph: columns from the most covered card to the free one, and cards
    that lie by themselves. Cards are named as `engine.pieces` does: `7H`, `QS`, and `*` for a
    jolly.
    """

    columns: tuple[tuple[str, ...], ...] = ()
    loose: tuple[str, ...] = ()

    def cards(self) -> list[str]:
        return [card for column in (*self.columns, self.loose) for card in column]


class Laid(Enum):
    """How the cards of a meld lie over one another: each below the one before, each to its right,
    or turned about a point below them.
    """

    COLUMNS = "columns"
    ROWS = "rows"
    FANS = "fans"


@dataclass(frozen=True)
class Neatness:
    """How neatly the cards of an area lie.

    `step` is how far each card of a column lies below the one before it, in heights of a card; the
    steps of rows and fans grow with it.
    `beside` is the distance between the middles of neighbouring columns, in widths of a card.
    `mess`, in mm, and `turn`, in degrees, are standard deviations of places and angles.
    """

    step: float = 0.27  # in card heights
    beside: float = 1.2  # in card widths
    mess: float = 0.6
    turn: float = 1.0

    @classmethod
    def random(cls, rng: np.random.Generator) -> Neatness:
        return cls(
            float(rng.uniform(0.22, 0.36)),
            float(rng.uniform(1.1, 1.4)),
            float(rng.choice([0.4, 0.9, 1.8])),
            float(rng.choice([0.6, 1.2, 2.2])),
        )


def piles(
    rng: np.random.Generator,
    area: Area,
    size: tuple[float, float],
    neat: Neatness,
    laid: Laid = Laid.COLUMNS,
) -> list[Pile]:
    """Lay an area's cards around the middle of the table: melds in lines beside one another, then
    the loose cards as melds of one card. Returns two lists for each meld, which both start with
    the lowest card: a pose for each card (x and y in mm, angle in radians), and the cards.

    `size` is a card's width and height in mm; `neat` tells how neatly the cards lie, and `laid`
    how those of a meld lie over one another. Where melds are fans, so are the loose cards together.
    """
    w, h = size
    fanned = laid is Laid.FANS and area.loose
    loose = [list(area.loose)] if fanned else [[card] for card in area.loose]
    columns = [list(column) for column in area.columns] + loose
    if laid is not Laid.COLUMNS:
        lay = _row if laid is Laid.ROWS else _fan
        return _in_lines([(lay(rng, size, len(cards), neat), cards) for cards in columns], size)
    lengths = [h * (1 + neat.step * (len(column) - 1)) for column in columns]
    across = max(1, round(sqrt(len(columns) * 1.35 * max(lengths, default=h) / (w * neat.beside))))
    lines = [columns[at : at + across] for at in range(0, len(columns), across)]
    found: list[Pile] = []
    y = 0.0
    for line in lines:
        for at, column in enumerate(line):
            found.append((_column(rng, at * w * neat.beside, y, h, len(column), neat), column))
        y -= h * (1.12 + neat.step * (max(map(len, line)) - 1))
    return _centred(found)


def _column(
    rng: np.random.Generator, x: float, y: float, height: float, count: int, neat: Neatness
) -> list[Pose]:
    lean = radians(float(rng.normal(0, neat.turn)))
    poses = []
    for at in range(count):
        down = at * neat.step * height
        dx, dy = rng.normal(0, neat.mess, 2)
        turn = lean + radians(float(rng.normal(0, neat.turn)))
        poses.append((x + down * sin(lean) + dx, y - down * cos(lean) + dy, turn))
    return poses


def _row(
    rng: np.random.Generator, size: tuple[float, float], count: int, neat: Neatness
) -> list[Pose]:
    step = size[0] * neat.step * float(rng.uniform(0.8, 1.45))
    rise = float(rng.normal(0, 0.05))
    poses = []
    for at in range(count):
        dx, dy = rng.normal(0, neat.mess, 2)
        turn = radians(float(rng.normal(0, neat.turn)))
        poses.append((at * step + dx, at * step * rise + dy, turn))
    return poses


def _fan(
    rng: np.random.Generator, size: tuple[float, float], count: int, neat: Neatness
) -> list[Pose]:
    height = size[1]
    radius = height * float(rng.uniform(0.9, 1.6))
    spread = neat.step * float(rng.uniform(24, 42)) * sqrt(0.9 * height / radius)  # degrees
    poses = []
    for at in range(count):
        dx, dy = rng.normal(0, 1.0 + neat.mess, 2)
        turn = radians(spread * ((count - 1) / 2 - at) + float(rng.normal(0, neat.turn)))
        poses.append((dx - radius * sin(turn), dy + radius * (cos(turn) - 1), turn))
    return poses


def _in_lines(melds: list[Pile], size: tuple[float, float]) -> list[Pile]:
    """Return the melds side by side in lines one beneath the other, centred on the table. All
    lines together are about a third wider than high.
    """
    w, h = size
    boxes = [_corners([meld], size)[:, :2] for meld in melds]
    widths = [float(np.ptp(box[:, 0])) + 0.25 * w for box in boxes]
    heights = [float(np.ptp(box[:, 1])) + 0.15 * h for box in boxes]
    most = max(max(widths, default=0.0), sqrt(1.35 * float(np.dot(widths, heights))))
    found, x, y, line = list[Pile](), 0.0, 0.0, 0.0
    for (poses, cards), box, width, height in zip(melds, boxes, widths, heights, strict=True):
        if x and x + width > most:
            x, y, line = 0.0, y - line, 0.0
        dx, dy = x - box[:, 0].min(), y - box[:, 1].max()
        found.append(([(px + dx, py + dy, turn) for px, py, turn in poses], cards))
        x, line = x + width, max(line, height)
    return _centred(found)


def _centred(found: list[Pile]) -> list[Pile]:
    places = np.array([pose[:2] for poses, _cards in found for pose in poses])
    middle = (places.min(axis=0) + places.max(axis=0)) / 2 if len(places) else np.zeros(2)
    return [
        ([(x - middle[0], y - middle[1], turn) for x, y, turn in poses], cards)
        for poses, cards in found
    ]


def camera_over(
    found: Sequence[Pile],
    size: tuple[float, float],
    picture: tuple[int, int],
    *,
    elevation: float,
    roll: float = 0.0,
) -> Camera:
    """Aim a camera so that all cards are in the picture, as large as possible.

    `found` holds the piles of cards, `size` is a card's width and height in mm, and `picture` the
    picture's width and height in pixels. `elevation` above the table and `roll` are in degrees.
    Raises ValueError where the cards do not fit.
    """
    corners = _corners(found, size)
    low, high = 20.0, 900.0  # width of a card, px
    best = None
    for _ in range(14):
        card_px = (low + high) / 2
        camera = aimed_camera(
            *picture,
            elevation=radians(elevation),
            roll=radians(roll),
            fov=radians(FIELD_OF_VIEW),
            tile_px=card_px,
            tile_mm=size[0],
        )
        if _holds(camera, corners):
            best, low = camera, card_px
        else:
            high = card_px
    if best is None:
        raise ValueError(f"expected cards that fit into {picture} pixels, got {len(corners) // 4}")
    return best


def _corners(found: Sequence[Pile], size: tuple[float, float]) -> Array:
    w, h = size
    corners = []
    for poses, _cards in found:
        for x, y, turn in poses:
            c, s = cos(turn), sin(turn)
            for dx, dy in ((-w, -h), (w, -h), (w, h), (-w, h)):
                corners.append((x + c * dx / 2 - s * dy / 2, y + s * dx / 2 + c * dy / 2, 0.0))
    return np.array(corners)


def _holds(camera: Camera, corners: Array) -> bool:
    pixels = camera.project(corners)
    border = MARGIN * np.array([camera.width, camera.height])
    inside = (pixels > border) & (pixels < np.array([camera.width, camera.height]) - border)
    return bool(inside.all() and camera.depths(corners).min() > 120)


def table_of(
    rng: np.random.Generator, found: Sequence[Pile], camera: Camera, size: tuple[float, float]
) -> Table:
    """Make a table that the camera sees, with the piles `found` on it. A pile is a list of poses (x
    and y in mm, angle in radians) and a list of cards, both from the lowest card. `size` is a
    card's width and height in mm.
    """
    table = Table(rng, camera, (*size, 0.3), CORNER, Pack(rng, 2), limit=250)
    dealer = Dealer(table, Stock(rng))
    for poses, cards in found:
        table.lay_together(dealer.pile_of(poses, cards))
        table.rows.append(COLUMN if len(cards) > 1 else "loose")
    return table


def turned(found: Sequence[Pile], angle: float) -> list[Pile]:
    """Return all piles turned about the middle of the table by `angle` in degrees,
    counter-clockwise.
    """
    c, s = cos(radians(angle)), sin(radians(angle))
    return [
        ([(c * x - s * y, s * x + c * y, turn + radians(angle)) for x, y, turn in poses], cards)
        for poses, cards in found
    ]
