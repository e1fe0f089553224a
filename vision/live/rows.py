"""Which tracks make up which row. A meld that nobody touched stays as it is, whatever jitter does
to the gaps in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from vision.grouping import find_rows
from vision.quads import Quad

Ids: TypeAlias = tuple[int, ...]  # of tracks, in the order they lie


def regroup(
    quads: Mapping[int, Quad],
    melds: Iterable[Ids],
    touched: set[int],
    is_meld: Callable[[Ids], bool] | None = None,
) -> list[Ids]:
    """Rows, single tiles too. `melds`: as they were; `touched`: tracks that are new or lie
    elsewhere now; `is_meld`: decides where it is in doubt whether tiles lie beside each other.
    """
    ids = list(quads)
    judge = None if is_meld is None else (lambda row: is_meld(tuple(ids[i] for i in row)))
    found = find_rows(np.stack([quads[i] for i in ids]), is_meld=judge) if ids else []
    rows = [tuple(ids[i] for i in row) for row in found]
    in_row = {i for row in rows for i in row}
    rows += [(i,) for i in ids if i not in in_row]
    still = [tuple(i for i in meld if i in quads and i not in touched) for meld in melds]
    owner = {i: number for number, meld in enumerate(still) for i in meld}
    rows = [part for row in rows for part in _parted(row, owner)]
    for meld in still:
        rows = _joined(rows, meld)
    return rows


def _parted(row: Ids, owner: Mapping[int, int]) -> Iterable[Ids]:
    """Cut where two untouched melds meet directly: they have not come closer."""
    start = 0
    for at in range(1, len(row)):
        left, right = owner.get(row[at - 1]), owner.get(row[at])
        if left is not None and right is not None and left != right:
            yield row[start:at]
            start = at
    yield row[start:]


def _joined(rows: list[Ids], meld: Ids) -> list[Ids]:
    """Rows that hold untouched tiles of one meld are one row, in the order they had."""
    parts = [row for row in rows if set(row) & set(meld)]
    if len(parts) < 2:
        return rows
    place = {track: at for at, track in enumerate(meld)}
    ordered = sorted(
        (_as_before(part, place) for part in parts), key=lambda part: _first(part, place)
    )
    return [row for row in rows if row not in parts] + [tuple(i for part in ordered for i in part)]


def _first(row: Ids, place: Mapping[int, int]) -> int:
    return min(place[i] for i in row if i in place)


def _as_before(row: Ids, place: Mapping[int, int]) -> Ids:
    """Turned round where its known tiles come the other way than they did."""
    known = [place[i] for i in row if i in place]
    return row[::-1] if len(known) > 1 and known[0] > known[-1] else row


def same_row(a: Sequence[int], b: Sequence[int]) -> bool:
    """A row read from the other side is the same row."""
    return tuple(a) == tuple(b) or tuple(a) == tuple(b)[::-1]


def out_of_order(before: Ids, after: Ids) -> Ids:
    """The fewest tracks of `after` that left their order among those of `before`, whichever way
    the row is read.
    """
    kept = max((_longest_common(before, after), _longest_common(before[::-1], after)), key=len)
    return tuple(i for i in after if i in before and i not in kept)


def _longest_common(a: Ids, b: Ids) -> Ids:
    """Longest common subsequence; rows are short, so the plain table does."""
    best: list[list[Ids]] = [[()] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            best[i + 1][j + 1] = (
                (*best[i][j], x) if x == y else max(best[i][j + 1], best[i + 1][j], key=len)
            )
    return best[-1][-1]
