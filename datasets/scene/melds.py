"""Takes rows of tiles at random from a set in which each tile occurs twice. Most rows are melds as
people lay them.
"""

from __future__ import annotations

from collections import Counter
from copy import copy

import numpy as np

COLOURS = "RBKY"
JOKER = "J"
COPIES = 2


class Pack:
    """The tiles that have not yet been taken from a set with two copies of every tile and `jokers`
    comodines.
    """

    def __init__(self, rng: np.random.Generator, jokers: int = COPIES) -> None:
        self._rng = rng
        self._left = Counter(
            {f"{n}{c}": COPIES for n in range(1, 14) for c in COLOURS} | {JOKER: jokers}
        )
        self.wild_share = 0.25 if jokers <= COPIES else 0.6  # of melds that get a wild on purpose

    def __len__(self) -> int:
        return self._left.total()

    def copy(self) -> Pack:
        """Return a pack with the same tiles left, from which tiles are taken independently."""
        other = copy(self)
        other._left = self._left.copy()
        return other

    def take(self, tile: str) -> bool:
        if self._left[tile] <= 0:
            return False
        self._left[tile] -= 1
        return True

    def any(self) -> str | None:
        """Take a tile at random out of the pack; None when it is empty."""
        left = [t for t, n in self._left.items() for _ in range(n)]
        if not left:
            return None
        tile = left[int(self._rng.integers(len(left)))]
        self.take(tile)
        return tile

    def back(self, tiles: list[str]) -> None:
        self._left.update(tiles)


def draw_row(rng: np.random.Generator, pack: Pack, longest: int) -> list[str]:
    """Take a row of at most `longest` tiles from the pack, in the order in which they lie; empty
    where the pack lacks the tiles that were chosen.

    The row is mostly a legal meld. Now and then it is a meld with a mistake in it, or tiles that
    merely lie side by side.
    """
    kind = rng.random()
    if kind < 0.52:
        row = _escalera(rng, pack, longest)
    elif kind < 0.87:
        row = _pierna(rng, pack, longest)
    elif kind < 0.94:
        row = _nearly(
            rng,
            pack,
            _escalera(rng, pack, longest) if rng.random() < 0.6 else _pierna(rng, pack, longest),
        )
    else:
        row = _anything(rng, pack, longest)
    return row[::-1] if rng.random() < 0.08 else row


def _escalera(rng: np.random.Generator, pack: Pack, longest: int) -> list[str]:
    length = int(np.clip(3 + rng.geometric(0.22) - 1, 3, min(14, longest)))
    order = [*range(1, 14), 1]
    start = int(rng.integers(0, len(order) - length + 1))
    colour = COLOURS[rng.integers(4)]
    return _with_wild(rng, pack, [f"{n}{colour}" for n in order[start : start + length]])


def _pierna(rng: np.random.Generator, pack: Pack, longest: int) -> list[str]:
    length = min(int(rng.choice([3, 4, 5, 6, 7, 8], p=[0.45, 0.3, 0.1, 0.08, 0.04, 0.03])), longest)
    number = int(rng.integers(1, 14))
    tiles = [f"{number}{c}" for c in COLOURS * COPIES]
    return _with_wild(rng, pack, [str(t) for t in rng.permutation(tiles)[:length]])


def _nearly(rng: np.random.Generator, pack: Pack, row: list[str]) -> list[str]:
    """Return the meld `row` with a mistake in it: two neighbours are swapped, or a tile goes back
    to the pack and a random tile of the pack takes its place. `row` itself is returned where it is
    empty, or where the pack has no tile to give.
    """
    if len(row) > 2 and rng.random() < 0.3:
        i = int(rng.integers(len(row) - 1))
        return [*row[:i], row[i + 1], row[i], *row[i + 2 :]]
    wrong = pack.any() if row else None
    if wrong is None:
        return row
    i = int(rng.integers(len(row)))
    pack.back([row[i]])
    return [*row[:i], wrong, *row[i + 1 :]]


def _anything(rng: np.random.Generator, pack: Pack, longest: int) -> list[str]:
    drawn = [pack.any() for _ in range(int(rng.integers(2, max(3, min(8, longest)) + 1)))]
    return [t for t in drawn if t]


def _with_wild(rng: np.random.Generator, pack: Pack, wanted: list[str]) -> list[str]:
    """Take the wanted tiles from the pack, in their order, and return those taken. A comodín or a 2
    may replace one of the tiles, by chance or because the pack lacks that tile.

    The row ends before a tile that the pack lacks and that no wild may replace. A row that has
    become shorter than three tiles is put back, and no tiles are returned.
    """
    wild_at = int(rng.integers(len(wanted))) if rng.random() < pack.wild_share else -1
    row: list[str] = []
    wilds = 0
    for i, tile in enumerate(wanted):
        if i != wild_at and pack.take(tile):
            row.append(tile)
            continue
        wild = JOKER if rng.random() < 0.6 else f"2{COLOURS[rng.integers(4)]}"
        if wilds or not pack.take(wild):
            break
        wilds += 1
        row.append(wild)
    if len(row) >= min(3, len(wanted)):
        return row
    pack.back(row)
    return []
