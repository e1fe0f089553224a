"""Lays tiles at random: rows in columns, scattered rows, loose tiles, heaps, the whole set in a
grid, stacks face down.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import cos, pi, radians, sin

import numpy as np

from datasets.scene.blocks import Block, Group, face_down, tilted
from datasets.scene.melds import draw_row
from datasets.scene.table import Table


@dataclass(frozen=True)
class Hand:
    """How neatly a person lays tiles.

    `along`, `across` and `turn` are the standard deviations of a tile's place along and across its
    row, in mm, and of its angle, in radians. `gap` is the room between two neighbouring tiles in
    mm.
    """

    along: float
    across: float
    turn: float
    gap: float

    @classmethod
    def random(cls, rng: np.random.Generator, width: float) -> Hand:
        mess = rng.choice([0.3, 1.0, 2.2], p=[0.4, 0.4, 0.2])
        gap = 0.0 if rng.random() < 0.6 else rng.uniform(0, 0.25) * width
        return cls(0.25 * mess, 0.7 * mess, radians(0.9) * mess, gap)


def make_row(
    table: Table, tiles: list[str], x: float, y: float, angle: float, hand: Hand
) -> list[Block]:
    """Make the tiles of a row, as blocks, without laying them on the table. `tiles` are what they
    show, such as `7R`, in reading order. The row is centred at (x, y) mm, and its reading direction
    is turned by `angle` (radians, counter-clockwise from +x); `hand` says how neatly the tiles lie.
    """
    rng, width, index = table.rng, table.size[0], len(table.rows)
    step = width + hand.gap
    upside_down = rng.random() < 0.06
    sag = rng.normal(0, 0.006) if rng.random() < 0.5 else 0.0
    blocks: list[Block] = []
    drift = across = 0.0
    for i, tile in enumerate(tiles):
        turn = rng.normal(0, hand.turn) + sag * i
        drift += abs(rng.normal(0, hand.along)) + 0.5 * width * abs(turn) * 0.15
        across = 0.6 * across + rng.normal(0, hand.across)
        along = (i - (len(tiles) - 1) / 2) * step + drift
        flip = pi if upside_down and rng.random() < 0.3 else 0.0
        px = x + along * cos(angle) - across * sin(angle)
        py = y + along * sin(angle) + across * cos(angle)
        block = replace(table.tile(px, py, angle + turn + flip, tile, index))
        copies = sum(b.tile == tile for b in blocks)
        blocks.append(replace(block, copy=block.copy + copies, place=i))
    return blocks


def climbing(table: Table, blocks: list[Block]) -> list[Block]:
    """Return `blocks`, the tiles of a row in their order, with one of them tilted so that it rides
    up on the edge of its neighbour. The tilted tile comes last in the returned list, so that
    it is painted last.
    """
    i = int(table.rng.integers(1, len(blocks)))
    width, _, thickness = table.size
    overlap = table.rng.uniform(0.04, 0.2) * width
    shift = -overlap * blocks[i].axes[0]
    moved = replace(blocks[i], centre=blocks[i].centre + shift)
    lifted = tilted(
        moved, blocks[i].axes[1], float(-np.arcsin(min(0.9, thickness / (width - overlap))))
    )
    if lifted.vertices()[[0, 3], 2].min() < lifted.vertices()[[1, 2], 2].min():
        lifted = tilted(
            moved, blocks[i].axes[1], float(np.arcsin(min(0.9, thickness / (width - overlap))))
        )
    return [*blocks[:i], *blocks[i + 1 :], lifted]


def lay_row(table: Table, x: float, y: float, angle: float, hand: Hand, longest: int = 14) -> bool:
    """Take a row of at most `longest` tiles at random from the pack and lay it, centred at (x, y)
    mm and turned by `angle` (radians, counter-clockwise from +x), if the place is free.

    `hand` says how neatly its tiles lie. Returns whether the row was laid; otherwise its tiles are
    back in the pack.
    """
    tiles = draw_row(table.rng, table.pack, min(longest, max(2, table.limit - table.count())))
    if not tiles or table.count() + len(tiles) > table.limit:
        table.pack.back(tiles)
        return False
    blocks = make_row(table, tiles, x, y, angle, hand)
    # Two rows that touched end to end would look like one: room is kept beyond both ends.
    aside = np.array([cos(angle), sin(angle), 0]) * 0.45 * table.size[0]
    ends = [replace(b, centre=b.centre + s * aside) for b, s in ((blocks[0], -1), (blocks[-1], 1))]
    if not table.is_free([*blocks, *ends]):
        table.pack.back(tiles)
        return False
    table.rows.append("meld")
    if len(blocks) > 2 and table.rng.random() < 0.05:
        blocks = climbing(table, blocks)
        table.occupy(blocks)
        table.groups += [Group([b]) for b in blocks[:-1]]
        table.groups.append(Group(blocks[-1:]))
    else:
        table.lay(blocks)
    return True


def rows_in_columns(table: Table) -> None:
    """Lay rows of tiles under each other, with gaps between them or touching head to foot, in one
    to five columns.
    """
    rng, (width, height, _) = table.rng, table.size
    angle = _reading_angle(rng)
    hand = Hand.random(rng, width)
    spacing = height * (1.01 if rng.random() < 0.35 else rng.uniform(1.05, 1.7))
    longest = int(rng.choice([4, 7, 14]))
    pitch = (longest * 0.8 + 0.5) * (width + hand.gap)
    room = table.view if abs(cos(angle)) > 0.7 else table.view[::-1]
    columns = 1 + int(rng.integers(0, np.clip(room[0] / pitch, 1, 5)))
    lines = 1 + int(rng.integers(0, np.clip(room[1] / spacing, 1, 14)))
    cx, cy = table.spot(0.3)
    for column in range(columns):
        for line in range(lines):
            along = (column - (columns - 1) / 2) * pitch + rng.normal(0, 8)
            across = ((lines - 1) / 2 - line) * spacing + rng.normal(0, 1)
            turn = angle + rng.normal(0, 0.015) + (pi if rng.random() < 0.05 else 0)
            x = cx + along * cos(angle) - across * sin(angle)
            y = cy + along * sin(angle) + across * cos(angle)
            lay_row(table, x, y, turn, hand, longest)


def rows_scattered(table: Table) -> None:
    rng = table.rng
    hand = Hand.random(rng, table.size[0])
    angle = _reading_angle(rng)
    crowd = int(np.clip(table.view[0] / table.size[0] / 2, 2, 22))
    for _ in range(int(rng.integers(1, crowd + 1))):
        turn = angle + rng.normal(0, 0.12) if rng.random() < 0.7 else rng.uniform(-pi, pi)
        lay_row(table, *table.spot(0.85), turn, hand, int(rng.choice([4, 6, 13])))


def loose(table: Table, count: int) -> None:
    """Lay up to `count` single tiles where there is room, each turned its own way."""
    rng = table.rng
    near = rng.random() < 0.5
    base, spread = rng.uniform(-pi, pi), rng.choice([0.1, 0.6, pi])
    for _ in range(count):
        block = table.tile(
            *table.spot(0.5 if near else 0.95), base + rng.uniform(-spread, spread), None
        )
        if table.is_free([block], 1.0):
            code = table.pack.any()
            table.lay([replace(block, tile=code, copy=table.tile(0, 0, 0, code).copy)])


def heap(table: Table, count: int) -> None:
    """Pour up to `count` tiles out: some lie on others, some face down."""
    rng, (width, _, thickness) = table.rng, table.size
    x, y = table.spot(0.7)
    spread = width * 0.55 * np.sqrt(count) * rng.uniform(0.7, 1.3)
    blocks: list[Block] = []
    layers = [Table(rng, table.camera, table.size, table.radius, table.pack) for _ in range(3)]
    down = rng.choice([0.0, 0.4])
    for _ in range(count):
        px, py = rng.normal([x, y], spread * 0.6)
        angle = float(rng.uniform(-pi, pi))
        below = table.tile(px, py, angle, None)
        level = next((i for i, layer in enumerate(layers) if layer.is_free([below])), None)
        if level is None or not table.is_free([below]) or (level and rng.random() < 0.6):
            continue
        code = None if rng.random() < down else table.pack.any()
        copies = sum(b.tile == code for b in blocks)
        block = table.tile(px, py, angle, code, rest=level * thickness)
        block = replace(block, copy=block.copy + copies)
        if level:
            block = tilted(block, block.axes[0], float(rng.normal(0, 0.06)))
        for layer in layers[: level + 1]:
            layer.occupy([below])
        blocks.append(block)
    blocks.sort(key=lambda b: b.rest)
    if blocks:
        table.lay_together(blocks)


def grid(table: Table) -> None:
    """Lay the whole set, or much of it, as a grid: a line for each colour, in the order of the
    numbers.
    """
    rng, (width, height, _) = table.rng, table.size
    angle, hand = _reading_angle(rng), Hand(0.3, 0.5, 0.01, 0)
    gap_x, gap_y = rng.uniform(0, 0.3, 2) * width
    cx, cy = table.spot(0.2)
    copies = int(rng.integers(1, 3))
    for line, colour in enumerate(np.repeat(list(rng.permutation(list("RBKY"))), copies)):
        across = (line - 2 * copies + 0.5) * (height + gap_y)
        tiles = [f"{n}{colour}" for n in range(1, 14)]
        tiles = [t for t in tiles if rng.random() > 0.03 and table.pack.take(t)]
        x, y = cx + across * sin(angle), cy - across * cos(angle)
        blocks = make_row(table, tiles, x, y, angle, replace(hand, gap=gap_x))
        if blocks and table.is_free(blocks):
            table.rows.append("grid")
            table.lay(blocks)
        else:
            table.pack.back(tiles)


def stacks(table: Table, count: int) -> None:
    """Lay up to `count` stacks of 1, 2, 4 or 7 tiles face down where there is room."""
    rng, (_, _, thickness) = table.rng, table.size
    for _ in range(count):
        x, y = table.spot(1.0)
        angle, height = rng.uniform(-pi, pi), int(rng.choice([1, 1, 2, 4, 7]))
        blocks = []
        for level in range(height):
            dx, dy = rng.normal(0, 1.2, 2)
            block = table.tile(
                x + dx, y + dy, angle + rng.normal(0, 0.05), None, rest=level * thickness
            )
            blocks.append(face_down(block))
        if table.is_free(blocks, 2.0):
            table.lay_together(blocks)


def _reading_angle(rng: np.random.Generator) -> float:
    kind = rng.random()
    if kind < 0.5:
        return float(rng.normal(0, 0.1))
    if kind < 0.75:
        return float(rng.choice([pi, pi / 2, -pi / 2]) + rng.normal(0, 0.1))
    return float(rng.uniform(-pi, pi))
