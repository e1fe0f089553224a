"""Lays on a table what is to be read: anything at all, the melds of one side, or one rack."""

from __future__ import annotations

from collections.abc import Callable
from math import pi

import numpy as np

from datasets.scene import layout, racks, things
from datasets.scene.table import Table

Fill = Callable[[Table, np.random.Generator], None]
RACK_TRIES = 20
RACK_SHARE = 0.12  # share of tables with a rack


def anything(
    table: Table,
    rng: np.random.Generator,
    rack_share: float = RACK_SHARE,
    rack_rise: tuple[float, float] = racks.RISE,
) -> None:
    """Lay whatever may lie on a table, until about as many tiles lie in the picture as a number
    chosen at random.

    On some tables a rack comes first. Then come rows, heaps and grids, and now and then single
    tiles, a heap, tiles that stand and stacks face down. `rack_share` is the share of tables with a
    rack. `rack_rise` is the range of the upper shelf's height above the lower one, in heights of a
    tile.
    """
    fits = table.view[0] * table.view[1] / (table.size[0] * table.size[1]) / 2.5
    wanted = min(106.0, fits) * rng.uniform(0, 1) ** 1.3
    if rng.random() < rack_share:
        racks.rack(table, int(rng.integers(4, 29)), rack_rise)
        wanted *= rng.choice([0.0, 1.0])
    for attempt in range(6):
        if table.in_view() >= max(1, wanted):
            break
        _arrange(table, rng)
        if attempt > 2:
            wanted = 1
    if rng.random() < 0.3:
        layout.loose(table, int(rng.integers(1, 9)))
    if rng.random() < 0.12:
        layout.heap(table, int(rng.integers(3, 12)))
    if rng.random() < 0.04:
        things.standing(table, int(rng.integers(1, 6)))
    if rng.random() < 0.5:
        layout.stacks(table, int(rng.integers(1, 7)))


def _arrange(table: Table, rng: np.random.Generator) -> None:
    kind = rng.random()
    if kind < 0.42:
        layout.rows_in_columns(table)
    elif kind < 0.72:
        layout.rows_scattered(table)
    elif kind < 0.82:
        layout.loose(table, int(rng.integers(1, 30)))
    elif kind < 0.92:
        layout.heap(table, int(rng.integers(3, 50)))
    else:
        layout.grid(table)


def melds_of_a_side(table: Table, rng: np.random.Generator) -> None:
    """Lay the melds of one side as people lay them in a game, all read from one side of the table.
    Now and then stacks of tiles face down and single discarded tiles lie beside them.
    """
    hand = layout.Hand.random(rng, table.size[0])
    angle = rng.normal(0, 0.1) if rng.random() < 0.8 else rng.uniform(-pi, pi)
    wanted = int(rng.integers(3, 9))
    for _ in range(3 * wanted):
        if len(table.rows) == wanted:
            break
        turn = angle + rng.normal(0, 0.06)
        layout.lay_row(table, *table.spot(0.8), turn, hand, int(rng.choice([4, 7, 13])))
    if rng.random() < 0.3:
        layout.stacks(table, int(rng.integers(1, 4)))
    if rng.random() < 0.3:
        layout.loose(table, int(rng.integers(1, 4)))


def one_rack(
    table: Table,
    rng: np.random.Generator,
    rack_rise: tuple[float, float] = racks.RISE,
    turned: float = racks.TURNED,
) -> None:
    """Lay one rack of tiles, trying up to RACK_TRIES places at random. No rack is laid where none
    of them was free. `rack_rise` is the range of the upper shelf's height above the lower one, in
    heights of a tile, and `turned` the share of tiles that stand on their head.
    """
    for _ in range(RACK_TRIES):
        if table.rows:
            return
        racks.rack(table, int(rng.integers(4, 24)), rack_rise, turned)
