"""Tells tiles from the keys of a calculator or a telephone, which shows the digits 1 to 9 in three
rows of three, one above the other, close together and in one ink: nobody lays melds like that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from engine.tiles import COLOURS, Tile
from vision.quads import sides


@dataclass(frozen=True)
class KeypadConfig:
    """When finds that bear digits are the keys of a calculator or telephone. Lengths are in steps
    from key to key.
    """

    # Of the nine digits, those that are found in their places; there must be one in each row, since
    # two rows of three may be melds.
    least: int = 6
    # Finds with digits of one ink, at most: on a cloth with a print of many, nobody looks further.
    most: int = 40
    off: float = 0.2  # farthest a key may be from its place
    beside: float = 0.45  # farthest a tile may be from a place where no key lies, to count there
    apart: float = 5.0  # of two keys of one keypad at most, in mean sides of a find
    # Columns and rows of a keypad as a camera shows them: the greatest cosine of the angle between
    # them, the greatest ratio of their steps, and the longest step in mean sides of its keys.
    skew: float = 0.5
    stretch: float = 1.9
    step: float = 1.9
    # How far a keypad reaches beyond its nine digits: to the left, above, to the right and below.
    # Above lies a display, to the right and below are keys with other signs.
    beyond: tuple[float, float, float, float] = (0.6, 1.6, 1.6, 2.6)


CONFIG = KeypadConfig()


# Digits, less one, that may be the other one.
LOOKALIKES = MappingProxyType({5: 8, 8: 5, 0: 6, 6: 0})
# Column and row of the digits 1 to 9 on a calculator and on a telephone, (9, 2) each.
KEYPADS = tuple(
    np.array([(digit % 3, first + step * (digit // 3)) for digit in range(9)], np.float64)
    for first, step in ((2, -1), (0, 1))
)


def are_of_keypad(
    quads: NDArray[np.float32],
    faces: Sequence[Tile | None],
) -> NDArray[np.bool_]:
    """Return a mask (n,) of the finds that lie on a calculator or telephone. `quads` (n, 4, 2) are
    those of all finds in a picture, `faces` the n tiles that they look like, None where one looks
    like none.
    """
    keys = np.zeros(len(quads), np.bool_)
    middles, size = quads.mean(axis=1, dtype=np.float64), np.mean(sides(quads), axis=0)
    for ink in COLOURS:
        digits = [
            (index, number)
            for index, face in enumerate(faces)
            if face and face.colour == ink and face.number is not None
            for number in _perhaps(face.number - 1)
        ]
        which, numbers = np.array(digits, np.intp).reshape(-1, 2).T
        if not CONFIG.least <= len(set(which.tolist())) <= CONFIG.most:
            continue
        at = middles[which]
        threes = _near_each_other(at, size[which])
        for keypad in KEYPADS:
            on_keypad, starts = _keypads(at[threes], keypad[numbers[threes]])
            off = np.linalg.norm((at - starts[:, None]) @ on_keypad - keypad[numbers], axis=2)
            in_place = [(off[:, numbers == digit] <= CONFIG.off).any(axis=1) for digit in range(9)]
            rows = np.stack(in_place, axis=1).reshape(-1, 3, 3)  # of each map: row, column
            told = (rows.sum(axis=(1, 2)) >= CONFIG.least) & (rows.any(axis=2).sum(axis=1) == 3)
            for matrix, start in zip(on_keypad[told], starts[told], strict=True):
                places = (middles - start) @ matrix
                if _is_keypad(places, size, np.linalg.inv(matrix), faces, keypad):
                    left, above, right, below = CONFIG.beyond
                    least, most = np.array([-left, -above]), np.array([2 + right, 2 + below])
                    keys |= ((places >= least) & (places <= most)).all(axis=1)
    return keys


def _is_keypad(
    places: NDArray[np.float64],
    size: NDArray[np.float32],
    axes: NDArray[np.float64],
    faces: Sequence[Tile | None],
    keypad: NDArray[np.float64],
) -> bool:
    """Tell keys from rows of tiles in which the same digits happen to lie so: keys lie close to
    each other, none lies left of the digits, and no row goes on to the right with the next digit.

    `places` (n, 2) are the columns and rows of all finds, `size` (n,) their mean sides in pixels,
    `axes` (2, 2) the steps from column to column and from row to row in pixels, `faces` what the
    finds look like, and `keypad` (9, 2) the columns and rows of the digits.
    """
    column, row = np.rint(places).astype(np.intp).T
    there = (
        (np.abs(places - np.rint(places)).max(axis=1) <= CONFIG.beside) & (row >= 0) & (row <= 2)
    )
    digits = there & (column >= 0) & (column <= 2)
    if np.linalg.norm(axes, axis=1).max() > CONFIG.step * np.median(size[digits]):
        return False
    following = {int(line): digit + 2 for digit, (at, line) in enumerate(keypad) if at == 2}
    for find in np.flatnonzero(there):
        face = faces[int(find)]
        goes_on = column[find] == 3 and face and face.number == following[int(row[find])]
        if column[find] == -1 or goes_on:
            return False
    return True


def _perhaps(number: int) -> list[int]:
    """List the digits from 1 to 9, less one, that what looks like `number` may be, less one too."""
    if number > 8:
        return []
    return [number, LOOKALIKES[number]] if number in LOOKALIKES else [number]


def _near_each_other(middles: NDArray[np.float64], size: NDArray[np.float32]) -> NDArray[np.intp]:
    """Return the indices (k, 3) of each three finds whose `middles` (n, 2) are as near to each
    other as three keys of a keypad may be. `size` (n,) are mean sides.
    """
    away = np.linalg.norm(middles[:, None] - middles, axis=2)
    near = away <= CONFIG.apart * np.minimum(size[:, None], size)
    one, other, third = np.array([*combinations(range(len(middles)), 3)], np.intp).T
    together = near[one, other] & near[one, third] & near[other, third]
    return np.asarray(np.stack([one, other, third], axis=1)[together])


def _keypads(
    points: NDArray[np.float64], places: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the affine maps that lead from three points of the picture to three places of a
    keypad, `points` and `places` (k, 3, 2). Maps of which no camera would show a keypad are left
    out. The m others are matrices (m, 2, 2) and the points (m, 2) of the picture that lie at column
    0 and row 0: (point - start) @ matrix is a place.
    """
    moves, steps = points[:, 1:] - points[:, :1], places[:, 1:] - places[:, :1]
    in_line = np.minimum(abs(np.linalg.det(moves)), abs(np.linalg.det(steps))) < 1e-6
    points, places, moves, steps = (part[~in_line] for part in (points, places, moves, steps))
    axes = np.linalg.solve(steps, moves)  # (k, 2, 2): a column and a row of the keypad, x and y
    lengths = np.linalg.norm(axes, axis=2)
    skew = abs((axes[:, 0] * axes[:, 1]).sum(axis=1)) / lengths.prod(axis=1)
    seen = (skew <= CONFIG.skew) & (lengths.max(axis=1) <= CONFIG.stretch * lengths.min(axis=1))
    axes, points, places = axes[seen], points[seen], places[seen]
    starts = points[:, 0] - np.einsum("kc,kcx->kx", places[:, 0], axes)
    return np.linalg.inv(axes), starts
