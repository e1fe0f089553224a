"""Rows of tiles laid side by side, by oriented adjacency on the table's own plane."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

ASPECT = 1.4  # height of a face in widths; rows stand on widths, so its spread among makers (1.3-1.5) matters little


@dataclass(frozen=True)
class GroupingConfig:
    """All in widths of a tile, measured in the plane of the table."""

    max_gap: float = 0.32  # the contract's quarter, and what the corners' own error adds
    max_overlap: float = 0.30
    max_shift: float = 0.55  # along the tile's height: rows are laid by hand
    max_turn_degrees: float = 17.0
    max_ratio: float = 1.35  # of neighbours' sizes


def find_rows(quads: NDArray[np.float32], config: GroupingConfig | None = None) -> list[tuple[int, ...]]:
    """Rows of two or more of the (n, 4, 2) quads, as indices from left to right as most of their tiles read."""
    config = config or GroupingConfig()
    links = sorted(_links(quads, config))
    right: dict[tuple[int, int], tuple[int, int]] = {}  # (tile, its side 0 left / 1 right) -> neighbour's (tile, side)
    for _, a, b in links:
        if a not in right and b not in right and not _same_chain(right, a, b):
            right[a], right[b] = b, a
    return _chains(right, len(quads))


def _links(quads: NDArray[np.float32], config: GroupingConfig) -> list[tuple[float, tuple[int, int], tuple[int, int]]]:
    """Candidate contacts as (cost, (tile, side), (tile, side)); judged from both tiles' frames, since perspective is not."""
    centres = quads.mean(axis=1)
    reach = np.linalg.norm(quads - centres[:, None], axis=2).max(axis=1)
    frames = [np.asarray(cv2.getPerspectiveTransform(quad, _UNIT), np.float64) for quad in quads]
    found = []
    for i in range(len(quads)):
        for j in range(i + 1, len(quads)):
            if np.linalg.norm(centres[i] - centres[j]) > 1.5 * (reach[i] + reach[j]):
                continue
            seen, back = _neighbour(frames[i], quads[j], config), _neighbour(frames[j], quads[i], config)
            if seen and back and seen[2] == back[2]:
                found.append(((seen[0] + back[0]) / 2, (i, seen[1]), (j, back[1])))
    return found


_UNIT = np.array([[-0.5, -ASPECT / 2], [0.5, -ASPECT / 2], [0.5, ASPECT / 2], [-0.5, ASPECT / 2]], np.float32)


def _neighbour(
    frame: NDArray[np.float64], quad: NDArray[np.float32], config: GroupingConfig
) -> tuple[float, int, bool] | None:
    """Whether `quad` lies beside the tile whose plane `frame` maps to: (cost, on which side, upside down to it)."""
    points = cv2.perspectiveTransform(quad[None], frame)[0]
    if np.abs(points).max() > 6:  # behind the vanishing line, or far
        return None
    across = (points[1] + points[2] - points[0] - points[3]) / 2
    width = float(np.linalg.norm(across))
    turn = float(np.degrees(np.arctan2(across[1], across[0])))
    upside_down = abs(turn) > 90
    turn = abs((turn + 90) % 180 - 90)
    centre = points.mean(axis=0)
    side = int(centre[0] > 0)
    gap = abs(float(centre[0])) - (1 + width) / 2
    ratio = max(width, 1 / max(width, 1e-6))
    if not (-config.max_overlap <= gap <= config.max_gap and abs(centre[1]) <= config.max_shift):
        return None
    if turn > config.max_turn_degrees or ratio > config.max_ratio:
        return None
    return abs(gap) + 0.7 * abs(float(centre[1])) + turn / 60, side, upside_down


def _same_chain(right: dict[tuple[int, int], tuple[int, int]], a: tuple[int, int], b: tuple[int, int]) -> bool:
    """Whether linking would close a circle: walks from a's tile away from the contact."""
    at: tuple[int, int] | None = (a[0], 1 - a[1])
    while at is not None and at in right:
        tile, side = right[at]
        if tile == b[0]:
            return True
        at = (tile, 1 - side)
    return False


def _chains(right: dict[tuple[int, int], tuple[int, int]], count: int) -> list[tuple[int, ...]]:
    rows, done = [], set()
    for start in range(count):
        ends = [(start, side) for side in (0, 1) if (start, side) not in right]
        if start in done or len(ends) != 1:
            continue
        row, forward = [start], []
        at: tuple[int, int] | None = (start, 1 - ends[0][1])
        while at is not None and at in right:
            forward.append(at[1] == 1)  # leaves by its right side: reads along the walk
            tile, side = right[at]
            row.append(tile)
            at = (tile, 1 - side)
        forward.append(at is not None and at[1] == 1)
        done.update(row)
        rows.append(tuple(row if sum(forward) * 2 >= len(row) else row[::-1]))
    return rows
