"""Which tracks make up which row. A meld that nobody touched stays as it is, whatever jitter does
to the gaps in it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeAlias

import numpy as np

from engine.rulesets import MINIMUM_MELD
from vision.grouping import GroupingConfig, find_rows
from vision.live.tracking.tracks import Track
from vision.quads import Quad

TrackRow: TypeAlias = tuple[int, ...]  # ids of tracks, in the order they lie
MeldTest: TypeAlias = Callable[[TrackRow], bool]

# How two neighbours of a meld may lie after one of them was pushed: at most a tile's width away.
PUSHED = GroupingConfig(
    max_gap=1.0, max_overlap=0.40, max_shift=1.0, max_turn_degrees=35.0, max_ratio=1.8
)
HEAP_REACH = 2.2  # tile widths between the middles of loose tiles that lie as in a pozo
HEAP_NEIGHBOURS = 2  # loose tiles of other rows that make a tile one of a heap


def regroup(
    quads: Mapping[int, Quad],
    melds: Collection[TrackRow],
    touched: Collection[int],
    is_meld: MeldTest | None = None,
) -> list[TrackRow]:
    """Return rows that hold all tracks, each row with its track ids in the order they lie; a tile
    that lies alone is a row of one. A meld stays one row while nothing came to it or left it and
    its tiles were pushed apart only a little.

    `quads` are (4, 2) frame pixels by track id. `melds` are the melds as they were, `touched` the
    tracks that are new or lie elsewhere now. `is_meld` decides where places alone do not tell
    whether tiles make one row; without it, places alone decide.
    """
    staying = set(quads) - set(touched)
    untouched = [_only(meld, staying) for meld in melds]
    meld_of = row_numbers(untouched)
    rows: list[TrackRow] = []
    for row in _rows_by_place(quads, is_meld):
        rows.extend(_cut_between_melds(row, meld_of))
    for meld in untouched:
        rows = _joined(rows, meld)
    for meld in melds:
        if _is_only_pushed(meld, rows, quads):
            rows = [row for row in rows if not set(row) & set(meld)] + [meld]
    return rows


def row_numbers(rows: Iterable[TrackRow]) -> dict[int, int]:
    """Map each track to the index of its row in `rows`."""
    numbers: dict[int, int] = {}
    for number, row in enumerate(rows):
        numbers.update(dict.fromkeys(row, number))
    return numbers


def _only(row: TrackRow, kept: Collection[int]) -> TrackRow:
    """The tracks of `row` that are also in `kept`, in the row's order."""
    return tuple(track for track in row if track in kept)


def _rows_by_place(quads: Mapping[int, Quad], is_meld: MeldTest | None) -> list[TrackRow]:
    """Return the rows that the places of the quads make, then each remaining tile as a row of its
    own. `quads` are (4, 2) frame pixels by track id. `is_meld` decides where places alone do not
    tell whether tiles make one row.
    """
    if not quads:
        return []
    tracks = list(quads)

    def named(row: Sequence[int]) -> TrackRow:
        return tuple(tracks[at] for at in row)

    meld_test = None if is_meld is None else (lambda row: is_meld(named(row)))
    found = find_rows(np.stack(list(quads.values())), is_meld=meld_test)
    rows = [named(row) for row in found]
    alone = set(tracks).difference(*rows)
    return rows + [(track,) for track in tracks if track in alone]


def _cut_between_melds(row: TrackRow, meld_of: Mapping[int, int]) -> Iterator[TrackRow]:
    """Cut a row wherever tiles of two different melds that nobody touched are neighbours, and yield
    its parts. Melds that nobody touched cannot have become one. `meld_of` maps each track of an
    untouched meld to a number of that meld.
    """
    start = 0
    for at in range(1, len(row)):
        left, right = meld_of.get(row[at - 1]), meld_of.get(row[at])
        if left is not None and right is not None and left != right:
            yield row[start:at]
            start = at
    yield row[start:]


def _joined(rows: list[TrackRow], meld: TrackRow) -> list[TrackRow]:
    """Return the rows after joining those that hold tiles of `meld` to one row. `meld` is a meld
    that nobody touched; the joined rows follow each other in the order of `meld`.
    """
    parts = [row for row in rows if set(row) & set(meld)]
    if len(parts) < 2:
        return rows
    place = {track: at for at, track in enumerate(meld)}

    def first_place(part: TrackRow) -> int:
        return min(place[track] for track in _only(part, place))

    whole: TrackRow = ()
    for part in sorted(parts, key=first_place):
        whole += _as_before(part, place)
    others = [row for row in rows if row not in parts]
    return [*others, whole]


def _as_before(row: TrackRow, place: Mapping[int, int]) -> TrackRow:
    """Return the row, reversed where that gives it its former direction. `place` maps the tracks
    that were in the row before to their former places in it.
    """
    known = [place[track] for track in _only(row, place)]
    return row[::-1] if len(known) > 1 and known[0] > known[-1] else row


def _is_only_pushed(meld: TrackRow, rows: Sequence[TrackRow], quads: Mapping[int, Quad]) -> bool:
    """Whether `meld` lies in several of the `rows` only because tiles of it were pushed a little:
    no other tile is in these rows, none of its own is gone, and all still lie side by side in the
    former order. Two parts that are long enough for melds were parted on purpose.
    """
    parts = [row for row in rows if set(row) & set(meld)]
    if len(parts) < 2 or sum(len(part) >= MINIMUM_MELD for part in parts) > 1:
        return False
    if sorted(chain(*parts)) != sorted(meld):
        return False
    found = find_rows(np.stack([quads[track] for track in meld]), PUSHED)
    return len(found) == 1 and is_same_row(found[0], range(len(meld)))


def is_same_row(one: Sequence[int], other: Sequence[int]) -> bool:
    """Whether both rows hold the same tracks in the same or in reverse order."""
    return tuple(one) == tuple(other) or tuple(one) == tuple(other)[::-1]


def reordered(before: TrackRow, after: TrackRow) -> TrackRow:
    """Return the tracks that changed places from the row `before` to the row `after`, in the order
    of `after`: as few as possible, and only tracks that are in both rows. The row `before` may be
    read from either end.
    """
    forwards = _longest_common(before, after)
    backwards = _longest_common(before[::-1], after)
    kept = max(forwards, backwards, key=len)
    return _only(after, set(before) - set(kept))


def _longest_common(one: TrackRow, other: TrackRow) -> TrackRow:
    """The longest common subsequence of the two rows, found by dynamic programming over all of
    their prefixes, since rows are short.
    """
    best: list[list[TrackRow]] = [[()] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, left in enumerate(one):
        for j, right in enumerate(other):
            if left == right:
                best[i + 1][j + 1] = (*best[i][j], left)
            else:
                best[i + 1][j + 1] = max(best[i][j + 1], best[i + 1][j], key=len)
    return best[-1][-1]


def find_heaped(
    tracks: Mapping[int, Track], loose: Iterable[int], rows: Sequence[TrackRow]
) -> set[int]:
    """Return the ids of the tracks within HEAP_REACH tile widths of two or more loose tiles of
    other rows, as the tiles of a pozo lie. `tracks` are all tracks by id, `loose` the ids of loose
    ones; each track is in one of the `rows`.
    """
    loose_ids = [track for track in loose if track in tracks]
    if not loose_ids:
        return set()
    row_of = row_numbers(rows)
    centres = np.stack([tracks[track].centre for track in loose_ids])
    loose_rows = np.array([row_of[track] for track in loose_ids])
    heaped = set()
    for name, track in tracks.items():
        distances = np.linalg.norm(centres - track.centre, axis=1)
        is_near = distances < HEAP_REACH * track.width
        is_in_other_row = loose_rows != row_of[name]
        if np.count_nonzero(is_near & is_in_other_row) >= HEAP_NEIGHBOURS:
            heaped.add(name)
    return heaped


def find_heaped_at_start(tracks: Mapping[int, Track], rows: Sequence[TrackRow]) -> set[int]:
    """Return the ids of the tracks that lie as in a pozo while no meld is known yet: within
    HEAP_REACH tile widths of two or more loose tiles of other rows. The tiles of `rows` too short
    for a meld count as loose. `tracks` are all tracks by id.
    """
    loose = [track for row in rows if len(row) < MINIMUM_MELD for track in row]
    return find_heaped(tracks, loose, rows)
