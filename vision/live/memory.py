"""The melds on the table. They keep their identity as they grow, shrink or are broken up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine.melds import judge_meld
from engine.reasons import Reason
from engine.rulesets import RuleSet
from engine.tiles import Tile
from vision.live.changes import Change
from vision.live.events import Row
from vision.live.referee import LEGAL, Explanation, MeldChange, Ruling, explain
from vision.live.rows import Ids, out_of_order, same_row

SHORTEST = 3  # tiles side by side that may be a meld; fewer are loose


@dataclass(frozen=True)
class TableMeld:
    """`tracks` is empty for a meld that is gone but may come back. `legal_before`: see MeldChange.
    `overruled`: a reason the table lets pass for this meld, `legal_then` what `legal_before`
    was until it did.
    """

    id: int
    tracks: Ids
    legal_before: tuple[Tile, ...] | None = None
    overruled: Reason | None = None
    legal_then: tuple[Tile, ...] | None = None


@dataclass
class Memory:
    """Mutable: the one place that knows the melds."""

    rules: RuleSet
    melds: dict[int, TableMeld] = field(default_factory=dict)
    tiles: dict[int, Tile | None] = field(
        default_factory=dict
    )  # of every track of the last stable table
    _next: int = 1

    def present(self) -> list[TableMeld]:
        return [meld for meld in self.melds.values() if meld.tracks]

    def begin(self, rows: Sequence[Ids], tiles: Mapping[int, Tile | None], piled: set[int]) -> None:
        """The first table: rows are taken as they are, but for those that are no melds and lie as
        in a pozo.
        """
        self.tiles = dict(tiles)
        for row in rows:
            self._open_if_meld(row, piled)

    def adopt(
        self, rows: Sequence[Ids], tiles: Mapping[int, Tile | None], late: set[int], piled: set[int]
    ) -> None:
        """`rows` of what nobody touched: what was loose joins the melds it lies in, those found
        `late` may make one.
        """
        owner = {track: meld.id for meld in self.present() for track in meld.tracks}
        self.tiles |= {track: tiles[track] for track in late}
        for row in rows:
            ids = {owner[track] for track in row if track in owner}
            if len(ids) == 1:
                (id,) = ids
                if set(self.melds[id].tracks) <= set(
                    row
                ):  # a tile that is gone has to be told first
                    self.melds[id] = replace(self.melds[id], tracks=row)
            elif not ids and late & set(row):
                self._open_if_meld(row, piled)

    def settle(
        self, rows: Sequence[Ids], tiles: Mapping[int, Tile | None], piled: set[int]
    ) -> list[Ruling]:
        """Take over a new stable table; `piled` are tracks that lie as in a pozo. Returns what
        there is to tell.
        """
        before = {meld.id: self._row(meld, tiles) for meld in self.melds.values()}
        owner = {track: meld.id for meld in self.present() for track in meld.tracks}
        claimed = self._claim(rows, tiles, owner, piled)
        changed = [
            id
            for id in {*claimed, *(meld.id for meld in self.present())}
            if id not in self.melds or not same_row(self.melds[id].tracks, claimed.get(id, ()))
        ]
        now = {track: id for id, row in claimed.items() for track in row}
        changes = {
            id: self._change(id, before.get(id, ()), claimed.get(id, ()), tiles, owner, now)
            for id in sorted(changed)
        }
        told = [
            ruling
            for group in _linked(changes, claimed, owner)
            for ruling in self._rule(group, claimed)
        ]
        for id, row in claimed.items():
            self.melds[id] = (
                replace(self.melds[id], tracks=row) if id in self.melds else TableMeld(id, row)
            )
        self.tiles = dict(tiles)
        return told

    def forget(self, tracks: set[int]) -> None:
        """Melds of these alone were none."""
        self.melds = {
            id: meld
            for id, meld in self.melds.items()
            if not meld.tracks or not tracks.issuperset(meld.tracks)
        }

    def overrule(self, id: int, stands: bool) -> None:
        """A person lets this meld stand as it lies, and whatever is wrong with it from now on; or
        no longer.
        """
        meld = self.melds[id]
        legal = meld.legal_then or meld.legal_before
        if not stands:
            self.melds[id] = replace(meld, legal_before=legal, legal_then=None, overruled=None)
            return
        known = tuple(tile for tile in self._row(meld, self.tiles) if tile is not None)
        self.melds[id] = replace(
            meld,
            legal_before=None,
            legal_then=legal,
            overruled=judge_meld(known, self.rules).reason,
        )

    def correct(self, track: int, tile: Tile) -> list[Ruling]:
        """A person says what a tile is. Only its meld is judged anew."""
        self.tiles[track] = tile
        meld = next((meld for meld in self.present() if track in meld.tracks), None)
        if meld is None:
            return []
        row = self._row(meld, self.tiles)
        if meld.legal_before is not None:
            explanation = explain(
                [MeldChange(meld.id, row, row, meld.legal_before, shifted=(tile,))], self.rules
            )
            rulings = (
                [Ruling(Change.TAKEN_BACK, meld.id, (tile,), LEGAL)] if explanation.settled else []
            )
        else:
            rest = tuple(self.tiles[i] for i in meld.tracks if i != track)
            explanation = explain([MeldChange(meld.id, rest, row, came=(tile,))], self.rules)
            rulings = [] if explanation.settled else list(explanation.rulings)
            if rulings:
                legal = tuple(each for each in rest if each is not None)
                self.melds[meld.id] = replace(meld, legal_before=legal)
        if explanation.settled:
            self.melds[meld.id] = replace(meld, legal_before=None)
        return rulings

    def _open_if_meld(self, row: Ids, piled: set[int]) -> None:
        if len(row) >= SHORTEST and (self.is_legal(row) or not self._scattered(row, piled)):
            self.melds[self._next] = TableMeld(self._next, row)
            self._next += 1

    def _row(self, meld: TableMeld, tiles: Mapping[int, Tile | None]) -> Row:
        """As it lay, in today's reading of its tiles."""
        return tuple(tiles.get(track, self.tiles.get(track)) for track in meld.tracks)

    def _claim(
        self,
        rows: Sequence[Ids],
        tiles: Mapping[int, Tile | None],
        owner: Mapping[int, int],
        piled: set[int],
    ) -> dict[int, Ids]:
        """Which row each meld is now: most tracks in common first; rows left over are new melds,
        or came back.
        """
        shared = Counter(
            (owner[track], at) for at, row in enumerate(rows) for track in row if track in owner
        )
        claimed: dict[int, Ids] = {}
        free = set(range(len(rows)))
        for (id, at), _ in shared.most_common():
            if id not in claimed and at in free:
                claimed[id] = rows[at]
                free.discard(at)
        for at in sorted(free):
            row = rows[at]
            known = [tile for tile in (tiles[track] for track in row) if tile is not None]
            back = next(
                (m.id for m in self.melds.values() if m.id not in claimed and _came_back(m, known)),
                None,
            )
            if back is not None:
                claimed[back] = row
            elif self._is_meld(row, tiles, owner, piled):
                claimed[self._next] = row
                self._next += 1
        return claimed

    def _is_meld(
        self, row: Ids, tiles: Mapping[int, Tile | None], owner: Mapping[int, int], piled: set[int]
    ) -> bool:
        """Tiles laid together are a meld, right or wrong. Those that came one by one only if they
        are legal and in no heap.
        """
        if len(row) < SHORTEST:
            return False
        together = sum(track not in self.tiles or track in owner for track in row)
        if together >= SHORTEST:
            return True
        return self.is_legal(row, tiles) and not piled & set(row)

    def is_legal(self, row: Ids, tiles: Mapping[int, Tile | None] | None = None) -> bool:
        """Whether these tracks make a meld, read as `tiles` say, or as they were last."""
        known = [
            tile for tile in ((tiles or self.tiles)[track] for track in row) if tile is not None
        ]
        return len(known) == len(row) and judge_meld(known, self.rules).valid

    @staticmethod
    def _scattered(row: Ids, piled: set[int]) -> bool:
        return 2 * len(piled & set(row)) > len(row)

    def _change(
        self,
        id: int,
        before: Row,
        after: Ids,
        tiles: Mapping[int, Tile | None],
        owner: Mapping[int, int],
        now: Mapping[int, int],
    ) -> MeldChange:
        meld = self.melds.get(id)
        old: Ids = meld.tracks if meld else ()
        joined = tuple(track for track in after if owner.get(track, id) != id)
        came = tuple(track for track in after if track not in owner)
        left = tuple(self.tiles.get(track) for track in old if track not in now)
        shifted = out_of_order(old, after)

        def faces(ids: Ids) -> Row:
            return tuple(tiles[track] for track in ids)

        if before == faces(
            after
        ):  # a tile seen anew, or exchanged for its like: the row is what it was
            came, left = (), ()
        legal_before = meld.legal_before if meld else None
        return MeldChange(
            id, before, faces(after), legal_before, faces(came), faces(joined), left, faces(shifted)
        )

    def _rule(self, group: list[MeldChange], claimed: Mapping[int, Ids]) -> Iterator[Ruling]:
        explanation = self._let_pass(group, explain(group, self.rules))
        for change in group:
            meld = self.melds.get(change.meld) or TableMeld(
                change.meld, claimed.get(change.meld, ())
            )
            legal = None if explanation.settled else _last_legal(change)
            self.melds[change.meld] = replace(
                meld, tracks=claimed.get(change.meld, ()), legal_before=legal
            )
        yield from explanation.rulings

    def _let_pass(self, group: list[MeldChange], explanation: Explanation) -> Explanation:
        """What a person has overruled is not held against anybody again."""
        allowed = {
            self.melds[change.meld].overruled for change in group if change.meld in self.melds
        } - {None}
        if explanation.settled or not all(
            ruling.verdict and ruling.verdict.reason in allowed for ruling in explanation.rulings
        ):
            return explanation
        return Explanation(
            tuple(replace(ruling, verdict=LEGAL) for ruling in explanation.rulings), settled=True
        )


def _came_back(meld: TableMeld, row: list[Tile]) -> bool:
    return (
        not meld.tracks and bool(meld.legal_before) and Counter(meld.legal_before) == Counter(row)
    )


def _last_legal(change: MeldChange) -> tuple[Tile, ...]:
    if change.legal_before is not None:
        return change.legal_before
    return tuple(tile for tile in change.before if tile is not None)


def _linked(
    changes: Mapping[int, MeldChange], claimed: Mapping[int, Ids], owner: Mapping[int, int]
) -> list[list[MeldChange]]:
    """Changes between which tiles went, together."""
    group = {id: {id} for id in changes}
    for id, row in claimed.items():
        for track in row:
            other = owner.get(track, id)
            if other != id and id in group and other in group and group[id] is not group[other]:
                group[id] |= group[other]
                for member in group[id]:
                    group[member] = group[id]
    seen: list[set[int]] = []
    for members in group.values():
        if members not in seen:
            seen.append(members)
    return [[changes[id] for id in sorted(members)] for members in seen]
