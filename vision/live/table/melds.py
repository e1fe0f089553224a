"""The melds on the table, which keep their identity as they grow, shrink or are broken up. Tracks
are given by their ids, and a row is a tuple of such ids in the order they lie.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from engine.melds import is_meld, judge_meld
from engine.rulesets import MINIMUM_MELD, RuleSet
from engine.tiles import Tile
from vision.live.table.kinds import ChangeKind, TileRow
from vision.live.table.matching import MeldRows, TableMeld, claim_rows
from vision.live.table.referee import (
    LEGAL,
    Judgement,
    MeldChange,
    ReadRow,
    Ruling,
    as_read,
    judge_changes,
)
from vision.live.table.rows import TrackRow

TilesByTrack = Mapping[int, Tile | None]


class MeldRegistry:
    """Keeps all melds of the table, also those that are gone, and judges what happens to them.
    Mutable; owned by the table's judge.
    """

    def __init__(self, rules: RuleSet, first_id: int = 1) -> None:
        """Begin without melds. `first_id` is the number of the first one that will be laid."""
        self._rules = rules
        self._melds: dict[int, TableMeld] = {}
        self._tiles: dict[int, Tile | None] = {}  # of each track of the last stable table
        self._next_id = first_id

    @property
    def next_id(self) -> int:
        """The number of the next meld that will be laid."""
        return self._next_id

    def present(self) -> list[TableMeld]:
        """The melds that lie on the table."""
        return [meld for meld in self._melds.values() if meld.tracks]

    def rows(self) -> list[TrackRow]:
        """The tracks of each meld that lies on the table."""
        return [meld.tracks for meld in self.present()]

    def row_of(self, meld: int) -> TrackRow:
        """The tracks of the meld with the id `meld`, in the order they lie; empty where the meld is
        gone.
        """
        return self._melds[meld].tracks

    def is_in_meld(self, track: int) -> bool:
        return any(track in row for row in self.rows())

    def is_known(self, track: int) -> bool:
        """Whether the tile with the id `track` was on the last stable table."""
        return track in self._tiles

    def is_legal(self, row: TrackRow, tiles: TilesByTrack | None = None) -> bool:
        """Whether the tracks of `row` make a legal meld. `tiles` maps each track to its tile; where
        it is None, each track counts as the tile that it was on the last stable table. False where
        a tile is not legible.
        """
        if tiles is None:
            tiles = self._tiles
        read = as_read(tuple(tiles[track] for track in row))
        return len(read) == len(row) and is_meld(read, self._rules)

    def begin(self, rows: Sequence[TrackRow], tiles: TilesByTrack, heaped: set[int]) -> None:
        """Take over the first table: its tracks lie in `rows`, and `tiles` maps each to its tile,
        None where it is not legible.

        Each row that is long enough becomes a meld as it lies, legal or not. But an illegal row
        becomes no meld if most of its tracks are `heaped`, that is, lie as in a pozo.
        """
        self._tiles = dict(tiles)
        for row in rows:
            self._open_if_meld(row, heaped)

    def adopt(
        self,
        rows: Sequence[TrackRow],
        tiles: TilesByTrack,
        found_late: set[int],
        heaped: set[int],
    ) -> None:
        """Update the melds to `rows` of tiles that nobody touched; `tiles` maps each track to its
        tile.

        A loose tile joins the meld in whose row it lies. `found_late` are the tracks of tiles that
        lay on the table before, but were missed. A row of such tracks and loose tiles becomes a new
        meld if it is legal, or if at most half of its tracks are `heaped`, that is, lie as in a
        pozo. A meld of which a track is gone stays as it was until the loss has been judged.
        """
        meld_of = self._meld_of()
        self._tiles |= {track: tiles[track] for track in found_late}
        for row in rows:
            melds = {meld_of[track] for track in row if track in meld_of}
            if not melds and found_late & set(row):
                self._open_if_meld(row, heaped)
            if len(melds) == 1:
                meld = self._melds[melds.pop()]
                if set(meld.tracks) <= set(row):
                    self._melds[meld.id] = replace(meld, tracks=row)

    def update(
        self,
        rows: Sequence[TrackRow],
        tiles: TilesByTrack,
        heaped: set[int],
        paired: Collection[int] = (),
    ) -> list[Ruling]:
        """Take over a new stable table; return rulings on what happened to the melds since the last
        one.

        `rows` are the rows of the new table, with every track in one of them; `tiles` maps each
        track to its tile, and `heaped` are the tracks that lie as in a pozo. The tracks `paired`
        were laid two by two a moment ago, and further tiles of their melds may follow.
        """
        meld_of = self._meld_of()
        melded = {track for row in rows for track in row if not self.is_known(track)}
        melded.update(meld_of, paired)

        def is_new_meld(row: TrackRow) -> bool:
            return self._is_new_meld(row, tiles, melded, heaped)

        claimed = claim_rows(rows, tiles, self._melds, meld_of, is_new_meld, self._next_id)
        self._next_id = max(self._next_id, 1 + max(claimed, default=0))
        after = MeldRows(dict(self._melds), claimed, meld_of, self._tiles, tiles)
        rulings: list[Ruling] = []
        for group in after.linked(after.changes()):
            judgement = self._forgiven(group, judge_changes(group, self._rules))
            for change in group:
                self._remember(change, claimed.get(change.meld_id, ()), judgement)
            rulings += judgement.rulings
        for id, row in claimed.items():
            self._melds[id] = replace(self._melds.get(id) or TableMeld(id, row), tracks=row)
        self._tiles = dict(tiles)
        return rulings

    def open_short(self, row: TrackRow) -> tuple[Ruling, ...]:
        """Take the loose tracks of `row` for a new meld although they are too few for one; return
        the rulings on it.
        """
        tiles = tuple(self._tiles.get(track) for track in row)
        change = MeldChange(self._next_id, (), tiles, added=tiles)
        judgement = judge_changes([change], self._rules)
        self._remember(change, row, judgement)
        self._next_id += 1
        return judgement.rulings

    def forget(self, tracks: Collection[int]) -> None:
        """Drop the melds of which all tracks are among `tracks`, which turned out to be no
        tiles.
        """
        dropped = set(tracks)
        for meld in self.present():
            if dropped.issuperset(meld.tracks):
                del self._melds[meld.id]

    def forget_gone(self) -> None:
        """Forget the melds that are gone, so that none of them comes back: equal ones are new."""
        self._melds = {meld.id: meld for meld in self.present()}

    def accept(self, id: int, accepted: bool) -> None:
        """Note that the players accept the illegal meld with this `id`, so that the rule it breaks
        is not held against it again; or, with `accepted` False, that they take this back.
        """
        meld = self._melds[id]
        legal = meld.legal_before_accepted  # empty for a meld that was illegal as it was laid
        if legal is None:
            legal = meld.legal_before
        if accepted:
            read = as_read(self._row(meld))
            reason = judge_meld(read, self._rules).reason
            meld = replace(meld, legal_before=None, legal_before_accepted=legal, accepted=reason)
        else:
            meld = replace(meld, legal_before=legal, legal_before_accepted=None, accepted=None)
        self._melds[id] = meld

    def correct(self, tiles: TilesByTrack, track: int, tile: Tile) -> list[Ruling]:
        """Note that a person said that the track with the id `track` is `tile`. Return the rulings
        on the meld in which the track lies. There are none where the meld was legal and stays so,
        or was illegal and stays so, or where the players accept it. `tiles` maps every track to the
        tile that it is read as now. No other meld is judged anew.
        """
        self._tiles = {**tiles, track: tile}
        meld = next((meld for meld in self.present() if track in meld.tracks), None)
        if meld is None:
            return []
        if meld.legal_before is not None:
            return self._correct_illegal(meld, tile)
        if meld.accepted is not None:
            self._correct_accepted(meld)
            return []
        return self._correct_legal(meld, track, tile)

    def _correct_accepted(self, meld: TableMeld) -> None:
        """Judge again an accepted illegal meld, one of whose tiles was corrected, and note which
        rule it breaks now. A meld that is legal now no longer counts as accepted. A meld with an
        unread tile stays as it is.
        """
        row = self._row(meld)
        reason = judge_meld(as_read(row), self._rules).reason
        if None not in row:
            legal = meld.legal_before_accepted if reason else None
            self._melds[meld.id] = replace(meld, accepted=reason, legal_before_accepted=legal)

    def _correct_illegal(self, meld: TableMeld, tile: Tile) -> list[Ruling]:
        """Judge anew a meld that counted as illegal, with the corrected tile. Return a list with
        the ruling that the meld was put right; an empty list where it stays illegal.
        """
        assert meld.legal_before is not None, "expected a meld that was held to be illegal"
        change = MeldChange(meld.id, meld.legal_before, self._row(meld))
        if not judge_changes([change], self._rules).resolved:
            return []
        self._melds[meld.id] = replace(meld, legal_before=None)
        return [Ruling(ChangeKind.TAKEN_BACK, meld.id, (tile,), LEGAL, mends=(meld.id,))]

    def _correct_legal(self, meld: TableMeld, track: int, tile: Tile) -> list[Ruling]:
        """Judge anew a meld that counted as legal, as if its tile with the id `track`, which a
        person said is `tile`, had been added now. Return the rulings on the meld: an empty list
        where it stays legal, or where a tile of it is unread.
        """
        rest = tuple(self._tiles[other] for other in meld.tracks if other != track)
        change = MeldChange(meld.id, rest, self._row(meld), added=(tile,))
        judgement = judge_changes([change], self._rules)
        if judgement.resolved:
            return []
        if judgement.rulings:
            self._melds[meld.id] = replace(meld, legal_before=as_read(rest))
        return list(judgement.rulings)

    def _meld_of(self) -> dict[int, int]:
        """Map each track that lies in a meld to the id of that meld."""
        return {track: meld.id for meld in self.present() for track in meld.tracks}

    def _row(self, meld: TableMeld) -> TileRow:
        return tuple(self._tiles.get(track) for track in meld.tracks)

    def _open_if_meld(self, row: TrackRow, heaped: set[int]) -> None:
        if len(row) < MINIMUM_MELD:
            return
        is_scattered = 2 * len(heaped & set(row)) > len(row)
        if self.is_legal(row) or not is_scattered:
            self._melds[self._next_id] = TableMeld(self._next_id, row)
            self._next_id += 1

    def _is_new_meld(
        self, row: TrackRow, tiles: TilesByTrack, melded: Collection[int], heaped: set[int]
    ) -> bool:
        """Whether a row that is no known meld is a new one. `tiles` maps each track to its tile.
        The tracks `melded` are new on the table, lay in a meld before the change, or were laid as a
        pair a moment ago.

        Tiles laid together are a meld, right or wrong. Tiles that came one by one are a meld only
        if the row is legal and none of them is `heaped`, that is, lies as in a pozo.
        """
        if len(row) < MINIMUM_MELD:
            return False
        if len([track for track in row if track in melded]) >= MINIMUM_MELD:
            return True
        return self.is_legal(row, tiles) and not heaped & set(row)

    def _remember(self, change: MeldChange, row: TrackRow, judgement: Judgement) -> None:
        """Store the meld as it is after a judged change, with the tracks `row`.

        Where the judgement leaves something to put right, the meld's last legal row is stored too,
        since the meld has to go back to that row. If the meld was legal before the change, this is
        its row then; no row is stored if a tile of that row was not legible. A meld that is legal
        now no longer counts as accepted by the players.
        """
        meld = self._melds.get(change.meld_id) or TableMeld(change.meld_id, row)
        if None not in change.after and is_meld(as_read(change.after), self._rules):
            meld = replace(meld, accepted=None, legal_before_accepted=None)
        legal: ReadRow | None = None
        if not judgement.resolved:
            legal = change.legal_before
            if legal is None and None not in change.before:
                legal = as_read(change.before)
        self._melds[change.meld_id] = replace(meld, tracks=row, legal_before=legal)

    def _forgiven(self, group: Sequence[MeldChange], judgement: Judgement) -> Judgement:
        """Return `judgement`, the one of the changes in `group`, or a legal judgement in its place
        if the players have accepted all that is wrong: each reason for which one of its rulings is
        illegal has been accepted for a meld of the group.
        """
        if judgement.resolved or not judgement.rulings:
            return judgement
        accepted = set()
        for change in group:
            meld = self._melds.get(change.meld_id)
            if meld is not None and meld.accepted is not None:
                accepted.add(meld.accepted)
        for ruling in judgement.rulings:
            if ruling.verdict is None or ruling.verdict.reason not in accepted:
                return judgement
        rulings = tuple(replace(ruling, verdict=LEGAL) for ruling in judgement.rulings)
        return Judgement(rulings, resolved=True)
