"""Rows of tiles laid side by side, by oriented adjacency on the table's own plane."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

FAR = 6  # widths: what lies farther away, or behind the vanishing line, is beside nothing
# height of a face in widths; rows stand on widths, so its spread among makers (1.3-1.5) matters
# little
ASPECT = 1.4


@dataclass(frozen=True)
class GroupingConfig:
    """All in widths of a tile, measured in the plane of the table."""

    max_gap: float = 0.32  # the contract's quarter, and what the corners' own error adds
    max_overlap: float = 0.30
    max_shift: float = 0.55  # along the tile's height: rows are laid by hand
    max_turn_degrees: float = 17.0
    max_ratio: float = 1.35  # of neighbours' sizes
    # cost of a contact above which it is in doubt: where a cut leaves a meld, real ones cost 0.42
    # at most
    weak: float = 0.45


# Contacts in doubt. On renders all 32 near ones that would make one meld were real, of the others
# 25 of 90.
LOOSE = GroupingConfig(
    max_gap=0.55, max_overlap=0.40, max_shift=0.80, max_turn_degrees=35.0, max_ratio=1.8
)

End = tuple[int, int]  # a tile and its side: 0 left, 1 right
Contacts = dict[End, End]  # both ways
Row = tuple[int, ...]


def find_rows(
    quads: NDArray[np.float32],
    config: GroupingConfig = GroupingConfig(),
    is_meld: Callable[[Row], bool] | None = None,
) -> list[Row]:
    """Rows of two or more of the (n, 4, 2) quads, as indices from left to right as most of their
    tiles read.

    Where a contact is in doubt, `is_meld` decides if given: players lay melds.
    """
    links = sorted(_links(quads, config))
    contacts: Contacts = {}
    for _, a, b in links:
        _connect(contacts, a, b)
    if is_meld:
        for cost, a, b in links:
            if cost > config.weak and contacts.get(a) == b:
                _cut_if_better(contacts, a, b, is_meld)
        free = [i for i in range(len(quads)) if (i, 0) not in contacts or (i, 1) not in contacts]
        for _, a, b in sorted(_links(quads, LOOSE, free)):
            if a not in contacts and b not in contacts and is_meld(_joined(contacts, a, b)):
                _connect(contacts, a, b)
    return _chains(contacts, len(quads))


def _connect(contacts: Contacts, a: End, b: End) -> None:
    """Unless either is taken, or it would close a circle."""
    if a not in contacts and b not in contacts and b[0] not in _tiles(contacts, a):
        contacts[a], contacts[b] = b, a


def _cut_if_better(contacts: Contacts, a: End, b: End, is_meld: Callable[[Row], bool]) -> None:
    """Apart where one of the parts is a meld and the whole is none."""
    del contacts[a], contacts[b]
    parts = _tiles(contacts, a), _tiles(contacts, b)
    if is_meld(_joined(contacts, a, b)) or not any(map(is_meld, parts)):
        contacts[a], contacts[b] = b, a


def _joined(contacts: Contacts, a: End, b: End) -> Row:
    """The row if these two ends met."""
    return (*_tiles(contacts, a)[::-1], *_tiles(contacts, b))


def _tiles(contacts: Contacts, end: End) -> Row:
    return tuple(tile for tile, _ in _walk(contacts, end))


def _walk(contacts: Contacts, end: End) -> list[End]:
    """From one end of a row through its tiles, each with the side by which it is entered."""
    ends, at = [end], contacts.get((end[0], 1 - end[1]))
    while at is not None:
        ends.append(at)
        at = contacts.get((at[0], 1 - at[1]))
    return ends


def _links(
    quads: NDArray[np.float32], config: GroupingConfig, among: list[int] | None = None
) -> list[tuple[float, End, End]]:
    """Candidate contacts as (cost, end, end), of all tiles or of those `among`; judged from both
    tiles' frames, since perspective is not.
    """
    asked = np.ones(len(quads), bool)
    if among is not None:
        asked[:] = False
        asked[among] = True
    centres = quads.mean(axis=1)
    reach = np.linalg.norm(quads - centres[:, None], axis=2).max(axis=1)
    frames = np.array([cv2.getPerspectiveTransform(quad, _UNIT) for quad in quads]).reshape(
        -1, 3, 3
    )
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    near = (apart <= 1.5 * (reach[:, None] + reach[None])) & asked[:, None] & asked
    i, j = np.nonzero(np.triu(near, 1))
    seen, back = _beside(frames[i], quads[j], config), _beside(frames[j], quads[i], config)
    cost = np.where(seen.upside_down == back.upside_down, (seen.cost + back.cost) / 2, np.inf)
    return [
        (float(cost[k]), (int(i[k]), int(seen.side[k])), (int(j[k]), int(back.side[k])))
        for k in np.flatnonzero(cost < np.inf)
    ]


_UNIT = np.array(
    [[-0.5, -ASPECT / 2], [0.5, -ASPECT / 2], [0.5, ASPECT / 2], [-0.5, ASPECT / 2]], np.float32
)


@dataclass(frozen=True)
class _Beside:
    """How n tiles lie beside n others, each (n,). `cost`: infinite where they do not; `side`: 0
    left, 1 right.
    """

    cost: NDArray[np.float64]
    side: NDArray[np.int64]
    upside_down: NDArray[np.bool_]


def _beside(
    frames: NDArray[np.float64], quads: NDArray[np.float32], config: GroupingConfig
) -> _Beside:
    """Of (n, 4, 2) quads, to the tiles whose planes the (n, 3, 3) `frames` map to."""
    there = np.concatenate([quads, np.ones((len(quads), 4, 1))], axis=2) @ frames.transpose(0, 2, 1)
    depth = there[..., 2:]
    points = there[..., :2] / np.where(depth == 0, 1e-9, depth)
    across = (points[:, 1] + points[:, 2] - points[:, 0] - points[:, 3]) / 2
    width = np.maximum(np.linalg.norm(across, axis=1), 1e-6)
    direction = np.degrees(np.arctan2(across[:, 1], across[:, 0]))
    turn = np.abs((direction + 90) % 180 - 90)
    centre = points.mean(axis=1)
    gap, shift = np.abs(centre[:, 0]) - (1 + width) / 2, np.abs(centre[:, 1])
    beside = (-config.max_overlap <= gap) & (gap <= config.max_gap) & (shift <= config.max_shift)
    beside &= (turn <= config.max_turn_degrees) & (np.maximum(width, 1 / width) <= config.max_ratio)
    beside &= np.abs(points).max(axis=(1, 2)) <= FAR
    cost = np.where(beside, np.abs(gap) + 0.7 * shift + turn / 60, np.inf)
    return _Beside(cost, (centre[:, 0] > 0).astype(np.int64), np.abs(direction) > 90)


def _chains(contacts: Contacts, count: int) -> list[Row]:
    """The rows, turned the way that most of their tiles read: a tile is entered by its left
    then.
    """
    rows: list[Row] = []
    done: set[int] = set()
    for start in range(count):
        free = [(start, side) for side in (0, 1) if (start, side) not in contacts]
        if start in done or len(free) != 1:
            continue
        row, entered = zip(*_walk(contacts, free[0]), strict=True)
        done.update(row)
        rows.append(row if entered.count(0) * 2 >= len(row) else row[::-1])
    return rows
