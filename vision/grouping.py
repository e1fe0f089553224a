"""Finds rows of tiles laid side by side.

Two tiles touch where the right side of one lies beside the left side of the other, seen in the
plane of the table. Each tile has two ends, left and right as one reads it; joining the ends that
touch, closest first, gives rows. `joints` map each joined end to the end that it touches. Where a
touch is in doubt, the rules of the game may decide.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.quads import ASPECT, across, in_planes

# Farthest corner, in widths, of a tile that can lie beside another. A point beyond the horizon of
# the table's plane comes out farther away than any tile.
MAX_REACH = 6
SHIFT_WEIGHT = 0.7  # cost of a width's shift up or down, against 1 for a width's gap
TURN_PER_COST = 60  # degrees of turn that cost as much as a width's gap


@dataclass(frozen=True)
class GroupingConfig:
    """How far two touching tiles may differ from lying side by side perfectly, in widths of a tile
    on the table where no other unit is given.
    """

    # Gap between the sides: tiles a quarter of a width apart count as touching, and the rest allows
    # for errors of the corners.
    max_gap: float = 0.32
    max_overlap: float = 0.30  # of the two tiles along the row
    max_shift: float = 0.55  # up or down: people lay rows by hand
    max_turn_degrees: float = 17.0
    max_ratio: float = 1.35  # of the two widths
    # Cost above which a touch is in doubt. Real touches whose cut would leave a meld cost 0.42 at
    # most.
    doubtful_cost: float = 0.45


# Limits of looser touches, which count if they make a meld. On rendered scenes all 32 such touches
# that made one were real; of those that made none 25 of 90 were.
LOOSE = GroupingConfig(
    max_gap=0.55, max_overlap=0.40, max_shift=0.80, max_turn_degrees=35.0, max_ratio=1.8
)
# Cost up to which a looser touch of two tiles that are surely read counts whatever it makes. On
# 1,056 rendered tables of 22 seeds all six such touches were real; of those that cost more than
# 0.6, and made no meld, none of six was.
SURELY_TOUCH = 0.5

# A tile that lies alone where the next one of a row would lie belongs to it if the whole is a meld,
# whatever its own corners say: they are off where it leans on its neighbour, or is out of focus and
# taken to lie across. So far from that place its middle may be, in steps of the row.
AT_THE_END = 0.35

# From the middle of a tile to that of the next one in its row, in widths, and by how many degrees
# the row may be bent there. Looser touches reach as far.
NEAREST_BESIDE, FARTHEST_BESIDE, MOST_BENT = 0.8, 1 + LOOSE.max_gap, 15.0

Indices = tuple[int, ...]  # of the quads in one row, in the order they lie
End = tuple[int, int]  # index of a quad, and its side: 0 left, 1 right
Joints = dict[End, End]  # which end touches which, each touch in both directions


class Touch(NamedTuple):
    """The ends `one` and `other` of two tiles, which may touch. `cost` is 0 where the tiles lie
    side by side perfectly, and larger the less they do.
    """

    cost: float
    one: End
    other: End


def find_rows(
    quads: NDArray[np.float32],
    config: GroupingConfig = GroupingConfig(),
    is_meld: Callable[[Indices], bool] | None = None,
    is_continued: Callable[[Indices], bool] | None = None,
    surely_read: NDArray[np.bool_] | None = None,
) -> list[Indices]:
    """Return the rows of two or more tiles, each from left to right as most of its tiles read.

    `quads` is (n, 4, 2); rows hold indices into it. `is_meld` tells whether a row of such indices
    is a meld. Where it is given, the rules of the game help: a doubtful touch is cut if the row is
    no meld but a part of it would be one; and tiles farther apart than `config` allows, but within
    LOOSE, are joined if together they make a meld, as is a tile alone in the next place of a row.
    There a tile belongs to the row, too, if `is_continued` tells of the whole, of which it is the
    last tile, that it continues the row. Two tiles that are `surely_read`, (n,), are joined up to a
    cost of SURELY_TOUCH, whatever they make.
    """
    touches = sorted(_touches(quads, config))
    joints: Joints = {}
    for touch in touches:
        _join(joints, touch)
    if is_meld:
        for touch in touches:
            if touch.cost > config.doubtful_cost and joints.get(touch.one) == touch.other:
                _cut_if_better(joints, touch, is_meld)
        free = [i for i in range(len(quads)) if (i, 0) not in joints or (i, 1) not in joints]
        sure = np.zeros(len(quads), bool) if surely_read is None else surely_read
        for touch in sorted(_touches(quads, LOOSE, free)):
            plain = touch.cost <= SURELY_TOUCH and sure[touch.one[0]] and sure[touch.other[0]]
            if _both_free(joints, touch) and (plain or is_meld(_joined_row(joints, touch))):
                _join(joints, touch)

        # First of all, or the end of one part would take the tile in the hole.
        _with_holes_closed(joints, quads, is_meld)

        def belongs(row: Indices) -> bool:
            return is_meld(row) or (is_continued is not None and is_continued(row))

        for row in _rows(joints, len(quads)):
            longer = _with_next_places(joints, quads, row, belongs)
            _with_next_places(joints, quads, longer[::-1], belongs)
    return _rows(joints, len(quads))


def _with_next_places(
    joints: Joints,
    quads: NDArray[np.float32],
    row: Indices,
    belongs: Callable[[Indices], bool],
) -> Indices:
    """Join to the last tile of `row` in `joints`, in place, a tile that lies alone where the next
    one of the row would lie, and so on, as long as the last tile of the whole `belongs` to it.
    Returns the whole row.
    """
    middles = quads.mean(axis=1)
    while True:
        last = row[-1]
        steps = min(len(row) - 1, 2)
        step = (middles[last] - middles[row[-1 - steps]]) / steps
        away = np.linalg.norm(middles - (middles[last] + step), axis=1)
        away[[tile for tile, _side in joints]] = np.inf
        alone = int(away.argmin())
        near = away[alone] <= AT_THE_END * np.linalg.norm(step)
        if not near or not belongs((*row, alone)):
            return row
        to_the_right = quads[alone, 1] + quads[alone, 2] - quads[alone, 0] - quads[alone, 3]
        free = (last, 0 if (last, 0) not in joints else 1)
        _join(joints, Touch(0.0, free, (alone, int(to_the_right @ step < 0))))
        row = (*row, alone)


def _with_holes_closed(
    joints: Joints, quads: NDArray[np.float32], is_meld: Callable[[Indices], bool]
) -> None:
    """Join in `joints`, in place, each tile that lies alone in a hole of one place between two
    others, where the whole is a meld. Its own corners do not count, only its middle.
    """
    middles, rights = quads.mean(axis=1), across(quads)
    for alone in range(len(quads)):
        if (alone, 0) in joints or (alone, 1) in joints:
            continue
        for one, other in pairs_around(quads, alone):
            step = middles[other] - middles[one]
            ends = [
                (tile, int(rights[tile] @ to_the_other > 0))
                for tile, to_the_other in ((one, step), (other, -step))
            ]
            if any(end in joints for end in ends):
                continue
            parts = [_tiles_from(joints, end) for end in ends]
            if set(parts[0]) & set(parts[1]) or not is_meld((*parts[0][::-1], alone, *parts[1])):
                continue
            entered = int(rights[alone] @ step < 0)
            _join(joints, Touch(0.0, ends[0], (alone, entered)))
            _join(joints, Touch(0.0, ends[1], (alone, 1 - entered)))
            break


def pairs_around(quads: NDArray[np.float32], alone: int) -> Iterator[tuple[int, int]]:
    """Yield the pairs of tiles that lie side by side in a row with one place between them, in which
    the middle of tile number `alone` lies. `quads` (n, 4, 2) are all tiles; the corners of this one
    do not count.
    """
    middles, rights = quads.mean(axis=1), across(quads)
    widths = np.maximum(np.linalg.norm(rights, axis=1), 1e-6)
    away = np.linalg.norm(middles - middles[alone], axis=1) / widths
    away[alone] = np.inf
    for one, other in combinations(np.flatnonzero(away < FARTHEST_BESIDE).tolist(), 2):
        step = (middles[other] - middles[one]) / 2
        aside = np.linalg.norm(middles[alone] - (middles[one] + step))
        if _in_line(rights[[one, other]], step) and aside <= AT_THE_END * np.linalg.norm(step):
            yield one, other


def _in_line(rights: NDArray[np.floating], step: NDArray[np.floating]) -> bool:
    """Tell whether two tiles, whose sides go along `rights` (2, 2), lie side by side with one place
    between them. `step` (2,) leads from the middle of one to the middle of that place.
    """
    widths, length = np.linalg.norm(rights, axis=1), np.linalg.norm(step)
    straight = np.abs(rights @ step) >= np.cos(np.radians(MOST_BENT)) * widths * length
    wide = (NEAREST_BESIDE * widths <= length) & (length <= FARTHEST_BESIDE * widths)
    return bool((straight & wide).all())


def _both_free(joints: Joints, touch: Touch) -> bool:
    return touch.one not in joints and touch.other not in joints


def _join(joints: Joints, touch: Touch) -> None:
    """Note in `joints`, in place, that the two ends of `touch` are joined. Nothing is noted where
    one of them is already joined, or where both belong to one row, which would become a circle.
    """
    if _both_free(joints, touch) and touch.other[0] not in _tiles_from(joints, touch.one):
        joints[touch.one], joints[touch.other] = touch.other, touch.one


def _cut_if_better(joints: Joints, touch: Touch, is_meld: Callable[[Indices], bool]) -> None:
    """Take the two joined ends of `touch` apart in `joints` where that makes a meld: where their
    row is no meld, but at least one of the two parts of the row is one.
    """
    del joints[touch.one], joints[touch.other]
    whole = _joined_row(joints, touch)
    parts = _tiles_from(joints, touch.one), _tiles_from(joints, touch.other)
    if is_meld(whole) or not any(is_meld(part) for part in parts):
        joints[touch.one], joints[touch.other] = touch.other, touch.one


def _joined_row(joints: Joints, touch: Touch) -> Indices:
    """Return the row that would result from joining the two ends of `touch`, as indices of tiles.
    Both ends are still free; `joints` are the joints made so far.
    """
    return (*_tiles_from(joints, touch.one)[::-1], *_tiles_from(joints, touch.other))


def _tiles_from(joints: Joints, end: End) -> Indices:
    """Return the indices of a row's tiles in the order in which they lie. The first is the tile
    whose free end is `end`.
    """
    return tuple(tile for tile, _ in _walk(joints, end))


def _walk(joints: Joints, end: End) -> list[End]:
    """Walk through a row from its free end `end`. Return for each tile, in this order, its index
    and the side by which it is entered: 0 left, 1 right.
    """
    entered = [end]
    following = joints.get((end[0], 1 - end[1]))
    while following is not None:
        entered.append(following)
        following = joints.get((following[0], 1 - following[1]))
    return entered


def _touches(
    quads: NDArray[np.float32], config: GroupingConfig, among: Collection[int] | None = None
) -> list[Touch]:
    """Return the touches between all n quads, (n, 4, 2), or between those with the indices `among`.

    Because of perspective, two tiles are measured twice, each from the plane of the other. They
    touch only if both times they lie side by side, and if both times they are found to be turned
    alike, or both times one of them upside down. The cost of the touch is the mean of both costs.
    """
    asked = np.ones(len(quads), bool)
    if among is not None:
        asked[:] = False
        asked[[*among]] = True
    centres = quads.mean(axis=1)
    radii = np.linalg.norm(quads - centres[:, None], axis=2).max(axis=1)
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    near = (apart <= 1.5 * (radii[:, None] + radii[None])) & asked[:, None] & asked
    i, j = np.nonzero(np.triu(near, 1))
    planes = np.array([cv2.getPerspectiveTransform(quad, _UNIT_TILE) for quad in quads])
    planes = planes.reshape(-1, 3, 3)
    seen = _neighbourhood(planes[i], quads[j], config)
    back = _neighbourhood(planes[j], quads[i], config)
    cost = np.where(seen.upside_down == back.upside_down, (seen.cost + back.cost) / 2, np.inf)
    return [
        Touch(float(cost[k]), (int(i[k]), int(seen.side[k])), (int(j[k]), int(back.side[k])))
        for k in np.flatnonzero(cost < np.inf)
    ]


# A tile in the plane of the table, its centre at 0, 0 and its width 1.
_UNIT_TILE = np.array(
    [[-0.5, -ASPECT / 2], [0.5, -ASPECT / 2], [0.5, ASPECT / 2], [-0.5, ASPECT / 2]], np.float32
)


@dataclass(frozen=True)
class _Neighbourhood:
    """How the one tile of each of n pairs lies beside the other."""

    cost: NDArray[np.float64]  # (n,) of the touch, infinite where they do not lie side by side
    side: NDArray[np.int64]  # (n,) of the other tile where this one lies: 0 left, 1 right
    upside_down: NDArray[np.bool_]  # (n,) against the other tile


def _neighbourhood(
    planes: NDArray[np.float64], quads: NDArray[np.float32], config: GroupingConfig
) -> _Neighbourhood:
    """Return how the first tile of each of n pairs lies beside the second tile of the pair.

    `quads` (n, 4, 2) are the first tiles in the picture. Each of the homographies `planes`
    (n, 3, 3) leads from the picture to coordinates in the plane of the table in which the second
    tile of the pair has its middle at 0, 0 and the width 1.
    """
    points = in_planes(planes, quads)
    across = (points[:, 1] + points[:, 2] - points[:, 0] - points[:, 3]) / 2
    width = np.maximum(np.linalg.norm(across, axis=1), 1e-6)
    direction = np.degrees(np.arctan2(across[:, 1], across[:, 0]))
    turn = np.abs((direction + 90) % 180 - 90)
    centre = points.mean(axis=1)
    gap = np.abs(centre[:, 0]) - (1 + width) / 2  # negative where they overlap
    shift = np.abs(centre[:, 1])
    beside = (
        (-config.max_overlap <= gap)
        & (gap <= config.max_gap)
        & (shift <= config.max_shift)
        & (turn <= config.max_turn_degrees)
        & (np.maximum(width, 1 / width) <= config.max_ratio)
        & (np.abs(points).max(axis=(1, 2)) <= MAX_REACH)
    )
    cost = np.abs(gap) + SHIFT_WEIGHT * shift + turn / TURN_PER_COST
    return _Neighbourhood(
        np.where(beside, cost, np.inf),
        (centre[:, 0] > 0).astype(np.int64),
        np.abs(direction) > 90,
    )


def _rows(joints: Joints, count: int) -> list[Indices]:
    """Return the rows that `joints` make of tiles with the indices 0 to `count` - 1, each from left
    to right as most of its tiles read; a tile without a joint is in no row.
    """
    rows: list[Indices] = []
    placed: set[int] = set()
    for start in range(count):
        free_sides = [side for side in (0, 1) if (start, side) not in joints]
        if start in placed or len(free_sides) != 1:
            continue
        row, entered_by = zip(*_walk(joints, (start, free_sides[0])), strict=True)
        placed.update(row)
        rows.append(row if entered_by.count(0) * 2 >= len(row) else row[::-1])
    return rows
