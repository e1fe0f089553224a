"""From settled tracks to what is told: rows, labels, melds, verdicts, sides."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.melds import judge_meld
from engine.rulesets import RuleSet
from engine.tiles import Tile
from vision.decoding import is_likely_meld
from vision.doubts import DoubtConfig
from vision.live.events import LiveEvent, LiveMeld, LiveTile, StableTable, box_of
from vision.live.labels import Label, Labeller, table_scores
from vision.live.memory import SHORTEST, Memory, TableMeld
from vision.live.observer import Settlement
from vision.live.plates import RGB
from vision.live.printed import Printed
from vision.live.referee import Ruling
from vision.live.rows import Ids, regroup
from vision.live.tracks import Track
from vision.quads import Quad

Line: TypeAlias = tuple[
    tuple[float, float], tuple[float, float]
]  # x, y of two points, frame pixels
HEAP_REACH = 2.2  # widths between the middles of loose tiles that lie as in a pozo


@dataclass(frozen=True)
class Moment:
    """When something was decided, and the size of the frames its pixels refer to."""

    time: float
    frame: int
    width: int
    height: int


@dataclass
class Judging:
    """`line`: side A lies right of it as seen from its first point to its second; None: no
    sides.
    """

    rules: RuleSet
    doubts: DoubtConfig = field(default_factory=DoubtConfig)
    line: Line | None = None
    labels: dict[int, Label] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.memory = Memory(self.rules)
        self.labeller = Labeller(self.rules, self.doubts)
        self.printed = Printed()
        self._sides: dict[
            int, str | None
        ] = {}  # of the melds of the last table: one that is gone had a side, too

    def begin(self, tracks: Mapping[int, Track], picture: RGB) -> None:
        """The first table."""
        self._set_aside(tracks, Settlement(set(tracks), set(tracks)), picture)
        owned = self._owned(tracks)
        rows = self._regroup(owned, set())
        self.labels = self.labeller.label(tracks, rows, self.printed.tracks)
        self.memory.begin(rows, self._tiles(), self._piled(owned, rows))

    def settle(
        self, tracks: Mapping[int, Track], settled: Settlement, picture: RGB, moment: Moment
    ) -> list[LiveEvent]:
        """What happened to the melds, as the (h, w, 3) RGB picture shows them."""
        freed = self._set_aside(tracks, settled, picture)
        owned, laid = self._owned(tracks), settled.touched - settled.late
        self._adopt(
            {id: track for id, track in owned.items() if id not in laid},
            (settled.late | freed) & set(owned),
        )
        old = dict(self.labels)
        rows = self._regroup(owned, laid)
        self.labels = self.labeller.label(tracks, rows, self.printed.tracks)
        loose = [id for id in owned if id in self.memory.tiles and not self._in_meld(id)]
        rulings = self.memory.settle(rows, self._tiles(), _piled(owned, loose, rows))
        return [self._event(ruling, tracks, old, moment) for ruling in rulings]

    def correct(
        self, tracks: Mapping[int, Track], track: int, tile: Tile, moment: Moment
    ) -> list[LiveEvent]:
        """A person named a tile, whose track is pinned by now: everything is labelled anew. What
        is named is no picture.
        """
        if denied := self.printed.deny(track):
            self._adopt(self._owned(tracks), set(denied))
        rows = self._melds()
        self.labels = self.labeller.label(tracks, rows, self.printed.tracks)
        self.memory.tiles = self._tiles()
        rulings = self.memory.correct(track, tile)
        return [self._event(ruling, tracks, self.labels, moment) for ruling in rulings]

    def table(self, tracks: Mapping[int, Track], moment: Moment) -> StableTable:
        melds = tuple(self._meld(meld, tracks) for meld in self.memory.present())
        self._sides = {meld.id: meld.side for meld in melds}
        loose = tuple(self._tile(id, tracks) for id in self._owned(tracks) if not self._in_meld(id))
        printed = tuple(tuple(self._tile(id, tracks) for id in row) for row in self.printed.aside)
        return StableTable(
            moment.time, moment.frame, moment.width, moment.height, melds, loose, printed
        )

    def _set_aside(
        self, tracks: Mapping[int, Track], settled: Settlement, picture: RGB
    ) -> set[int]:
        """Finds what is printed; the tracks that are set aside no longer."""
        unlaid = {id for id in tracks if id not in settled.touched or id in settled.late}
        is_meld, legal = self._meld_judge(tracks), self.memory.is_legal
        standing = [
            meld
            for meld in self.memory.present()
            if meld.overruled or legal(meld.tracks) or not unlaid.issuperset(meld.tracks)
        ]

        def wrong(ids: Collection[int]) -> list[Ids]:
            rows = regroup({id: tracks[id].quad for id in ids}, [], set(), is_meld)
            return [row for row in rows if len(row) >= SHORTEST and not is_meld(row)]

        freed = self.printed.update(
            tracks, settled, {id for meld in standing for id in meld.tracks}, wrong, picture
        )
        self.memory.forget(self.printed.tracks)
        return freed

    def _owned(self, tracks: Mapping[int, Track]) -> dict[int, Track]:
        """The set's tiles, without what is printed."""
        printed = self.printed.tracks
        return {id: track for id, track in tracks.items() if id not in printed}

    def _adopt(self, tracks: Mapping[int, Track], late: set[int]) -> None:
        """Tiles found late belong where they lie without anybody having laid them now; so do those
        that lay beside a meld, and were only a little too far away.
        """
        rows = self._regroup(tracks, late)
        self.labels = self.labeller.label(tracks, rows)
        self.memory.adopt(rows, self._tiles(), late, self._piled(tracks, rows))

    def _regroup(self, tracks: Mapping[int, Track], touched: set[int]) -> list[Ids]:
        return regroup(
            {id: track.quad for id, track in tracks.items()},
            self._melds(),
            touched,
            self._meld_judge(tracks),
        )

    def _meld_judge(self, tracks: Mapping[int, Track]) -> Callable[[Ids], bool]:
        place = {id: at for at, id in enumerate(tracks)}

        @cache
        def scores() -> NDArray[np.float32]:
            return table_scores(list(tracks.values()))

        return lambda row: (
            len(row) >= SHORTEST and is_likely_meld(scores()[[place[id] for id in row]], self.rules)
        )

    @staticmethod
    def _piled(tracks: Mapping[int, Track], rows: Sequence[Ids]) -> set[int]:
        """Before anything is known of the rows: what is too short for a meld is loose."""
        return _piled(tracks, [id for row in rows if len(row) < SHORTEST for id in row], rows)

    def _melds(self) -> list[Ids]:
        return [meld.tracks for meld in self.memory.present()]

    def _in_meld(self, track: int) -> bool:
        return any(track in meld.tracks for meld in self.memory.present())

    def _tiles(self) -> dict[int, Tile | None]:
        return {id: each.tile for id, each in self.labels.items()}

    def _event(
        self, ruling: Ruling, tracks: Mapping[int, Track], old: Mapping[int, Label], moment: Moment
    ) -> LiveEvent:
        ids = self.memory.melds[ruling.meld].tracks
        quads = [tracks[id].quad for id in ids] or None
        row = tuple(self.labels[id].tile for id in ids)
        named = {
            id
            for each in (old, self.labels)
            for id, known in each.items()
            if known.tile in ruling.tiles and id not in tracks
        }
        doubtful = any(self.labels[id].doubtful for id in ids) or any(
            old[id].doubtful for id in named if id in old
        )
        side = self.side(quads) if quads else self._sides.get(ruling.meld)
        return LiveEvent(
            moment.time,
            moment.frame,
            ruling.change,
            ruling.tiles,
            row,
            ruling.meld,
            side,
            ruling.verdict,
            doubtful or ruling.verdict is None,
            self.rules,
            box_of(quads) if quads else None,
        )

    def _meld(self, meld: TableMeld, tracks: Mapping[int, Track]) -> LiveMeld:
        tiles = tuple(self._tile(id, tracks) for id in meld.tracks)
        known = [tile.tile for tile in tiles if tile.tile is not None]
        verdict = judge_meld(known, self.rules) if len(known) == len(tiles) else None
        return LiveMeld(
            meld.id,
            tiles,
            self.side([tracks[id].quad for id in meld.tracks]),
            verdict,
            meld.overruled is not None,
        )

    def _tile(self, id: int, tracks: Mapping[int, Track]) -> LiveTile:
        known = self.labels[id]
        return LiveTile(
            id, known.tile, tracks[id].quad, known.confidence, known.doubtful, known.alternatives
        )

    def side(self, quads: Sequence[Quad]) -> str | None:
        """Of the line, by the middle of the meld: pixel rows run downwards, so right is where the
        cross product is positive.
        """
        if self.line is None:
            return None
        (x1, y1), (x2, y2) = self.line
        x, y = np.concatenate(list(quads)).mean(axis=0)
        return "A" if (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) > 0 else "B"


def _piled(tracks: Mapping[int, Track], loose: Iterable[int], rows: Sequence[Ids]) -> set[int]:
    """Tracks close to at least two loose tiles of other rows than their own, as the tiles of a
    pozo are.
    """
    ids = [id for id in loose if id in tracks]
    if not ids:
        return set()
    row_of = {id: number for number, row in enumerate(rows) for id in row}
    middles = np.stack([tracks[id].quad.mean(axis=0) for id in ids])
    piled = set()
    for id, track in tracks.items():
        apart = np.linalg.norm(middles - track.quad.mean(axis=0), axis=1)
        near = [
            o
            for o, d in zip(ids, apart, strict=True)
            if d < HEAP_REACH * track.width and row_of[o] != row_of[id]
        ]
        if len(near) >= 2:
            piled.add(id)
    return piled
