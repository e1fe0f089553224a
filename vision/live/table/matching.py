"""Tells which row each known meld is now, and what changed in each meld. Tracks are given by their
ids, and a row is a tuple of such ids in the order they lie.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from engine.reasons import Reason
from engine.tiles import Tile
from vision.live.table.kinds import TileRow
from vision.live.table.referee import MeldChange, ReadRow, as_read
from vision.live.table.rows import TrackRow, is_same_row, reordered


@dataclass(frozen=True)
class TableMeld:
    """One meld as it is known. It keeps its `id` as it grows, shrinks or is broken up. The fields
    from `legal_before` on concern a meld that breaks a rule: the legal row to which it has to go
    back, and the breach, if the players accepted it.
    """

    id: int
    tracks: TrackRow  # empty for a meld that is gone but may come back
    legal_before: ReadRow | None = None  # its last legal row; None where it is legal or accepted
    accepted: Reason | None = None  # the breach of a rule that the players accepted
    legal_before_accepted: ReadRow | None = None  # `legal_before` until the players accepted


@dataclass(frozen=True)
class MeldRows:
    """The melds of a table before a change, and the row of each meld after the change. Melds and
    rows are given by the id of the meld, `meld_of` and both kinds of tiles by track.
    """

    melds: Mapping[int, TableMeld]  # by id, those that are gone too
    rows: Mapping[int, TrackRow]  # by id of the meld, of new melds too
    meld_of: Mapping[int, int]  # track -> id of its meld before the change
    tiles_before: Mapping[int, Tile | None]  # by track, as they were read before
    tiles: Mapping[int, Tile | None]  # by track, as they are read now

    def changes(self) -> dict[int, MeldChange]:
        """What happened to each meld whose row changed: a MeldChange by the meld's id."""
        present = (meld.id for meld in self.melds.values() if meld.tracks)
        ids = {*self.rows, *present}
        return {id: self._change(id) for id in sorted(ids) if self._is_changed(id)}

    def linked(self, changes: Mapping[int, MeldChange]) -> list[list[MeldChange]]:
        """Group the changes, given by the ids of their melds: two are in one group if a tile has
        moved between their melds, directly or by way of further melds.
        """
        group_of: dict[int, set[int]] = {id: {id} for id in changes}
        for origin, id in self._moves():
            if origin not in group_of or id not in group_of:
                continue
            merged = group_of[id] | group_of[origin]
            for member in merged:
                group_of[member] = merged
        groups: list[list[MeldChange]] = []
        for id, members in group_of.items():
            if id == min(members):
                groups.append([changes[member] for member in sorted(members)])
        return groups

    def _moves(self) -> Iterator[tuple[int, int]]:
        """Yield (id of the meld before, id of the meld now) for each track that lay in a meld
        before the change and lies in one after it.
        """
        for id, row in self.rows.items():
            for track in row:
                if track in self.meld_of:
                    yield self.meld_of[track], id

    def _is_changed(self, id: int) -> bool:
        meld = self.melds.get(id)
        return meld is None or not is_same_row(meld.tracks, self.rows.get(id, ()))

    def _change(self, id: int) -> MeldChange:
        meld = self.melds.get(id) or TableMeld(id, ())
        row = self.rows.get(id, ())
        before = self._as_read_today(meld.tracks)
        after = self._faces(row)
        added: TileRow = ()
        removed: TileRow = ()
        # Equal faces: a tile was found anew, or exchanged for its like. Then nothing happened.
        if before != after:
            added = self._faces(track for track in row if track not in self.meld_of)
            removed = self._removed(meld.tracks)
        return MeldChange(
            meld_id=id,
            before=before,
            after=after,
            legal_before=meld.legal_before,
            added=added,
            moved_in=self._faces(track for track in row if self.meld_of.get(track, id) != id),
            removed=removed,
            reordered=self._faces(reordered(meld.tracks, row)),
        )

    def _removed(self, tracks: TrackRow) -> TileRow:
        """The tiles, as read before the change, of those `tracks` that are in no meld any more."""
        in_melds = set(chain(*self.rows.values()))
        return tuple(self.tiles_before.get(track) for track in tracks if track not in in_melds)

    def _faces(self, tracks: Iterable[int]) -> TileRow:
        return tuple(self.tiles[track] for track in tracks)

    def _as_read_today(self, tracks: TrackRow) -> TileRow:
        """What the tracks are read as now; for a track that is gone, what it was read as before the
        change.
        """
        return tuple(self.tiles.get(track, self.tiles_before.get(track)) for track in tracks)


def claim_rows(
    rows: Sequence[TrackRow],
    tiles: Mapping[int, Tile | None],
    melds: Mapping[int, TableMeld],
    meld_of: Mapping[int, int],
    is_new_meld: Callable[[TrackRow], bool],
    next_id: int,
) -> dict[int, TrackRow]:
    """Return the row of each meld after a change, by the meld's id. `rows` are all rows after the
    change. `melds` holds the melds before the change, also those that were gone, and `meld_of` maps
    a track to the id of its meld before the change.

    A meld gets the row with which it shares most tracks. A row left over goes to a meld that was
    gone, if the last legal row of that meld had exactly the same tiles. Otherwise, if `is_new_meld`
    says so, it goes to a meld that was gone and all of whose tiles it has, or becomes a new meld.
    New melds are numbered from `next_id` on. `tiles` maps each track to what it is read as now,
    None where it is not legible.
    """
    claimed = _claimed_by_tracks(rows, meld_of)
    taken = set(claimed.values())
    for at, row in enumerate(rows):
        if at in taken:
            continue
        read = as_read(tuple(tiles[track] for track in row))
        is_new = is_new_meld(row)
        returned = _returned_meld(melds.values(), claimed, read, may_have_more=is_new)
        if returned is not None:
            claimed[returned] = at
        elif is_new:
            claimed[next_id] = at
            next_id += 1
    return {id: rows[at] for id, at in claimed.items()}


def _claimed_by_tracks(rows: Sequence[TrackRow], meld_of: Mapping[int, int]) -> dict[int, int]:
    """Match the melds from before a change with the `rows` after it. Returns the index of the row
    that each matched meld is now, by the meld's id.

    The meld and the row that share most tracks are matched first; those that share none are never
    matched. `meld_of` maps a track to the id of its meld before the change.
    """
    shared: Counter[tuple[int, int]] = Counter()
    for at, row in enumerate(rows):
        shared.update((meld_of[track], at) for track in row if track in meld_of)
    claimed: dict[int, int] = {}
    for (id, at), _ in shared.most_common():
        if id not in claimed and at not in claimed.values():
            claimed[id] = at
    return claimed


def _returned_meld(
    melds: Iterable[TableMeld],
    claimed: Collection[int],
    row: Sequence[Tile],
    *,
    may_have_more: bool,
) -> int | None:
    """Return the id of a meld that is gone, is not among the ids `claimed`, and last was legal with
    exactly the tiles of `row` or, if it `may_have_more`, with some of them; None where there is
    none. Of several melds it is the one that had most tiles.
    """
    best, most = None, 0
    for meld in melds:
        legal = Counter(meld.legal_before or ())
        is_gone = not meld.tracks and meld.id not in claimed
        is_there = legal <= Counter(row) if may_have_more else legal == Counter(row)
        if is_gone and is_there and legal.total() > most:
            best, most = meld.id, legal.total()
    return best
