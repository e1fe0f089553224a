"""From confirmed tracks to judged melds: tiles are put in rows and labelled, rows that are only
printed on something are set aside, and the rest is judged by the rules.

Throughout, `tracks` are the confirmed tracks by their ids, and rows are tuples of such ids.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from engine.melds import judge_meld
from engine.rulesets import MINIMUM_MELD, RuleSet
from engine.tiles import Tile
from vision.colour import INKS, Inks
from vision.decoding import is_likely_meld
from vision.doubts import DoubtConfig
from vision.live.pictures import RGB
from vision.live.settings import LiveConfig
from vision.live.table.kinds import TileRow
from vision.live.table.labels import Label, Labeller, table_scores
from vision.live.table.matching import TableMeld
from vision.live.table.melds import MeldRegistry
from vision.live.table.pairs import PairTimer
from vision.live.table.printed import PrintedRows
from vision.live.table.referee import Ruling
from vision.live.table.rows import (
    MeldTest,
    TrackRow,
    find_heaped,
    find_heaped_at_start,
    regroup,
)
from vision.live.table.sides import Line, side_of
from vision.live.table.stable import LiveMeld, LiveTile, Moment, StableTable
from vision.live.tracking.outcomes import Confirmation
from vision.live.tracking.tracks import Track
from vision.quads import Quad

Tracks = Mapping[int, Track]


@dataclass(frozen=True)
class JudgedChange:
    """One thing to report about a meld, and how the meld lies after the change."""

    ruling: Ruling
    row: TileRow  # the meld's tiles in the order they lie, none where it is gone
    quads: tuple[Quad, ...]  # (4, 2) frame pixels of each of them
    doubtful: bool  # whether any tile concerned should be looked at by a person


class TableJudge:
    """Knows the melds on the table and judges what happens to them. Mutable; owned by the watch.

    It keeps the melds, the label of each tile, and the rows that are only printed on something. The
    tracks belong to the observer; they are only read here.
    """

    def __init__(
        self,
        rules: RuleSet,
        config: LiveConfig,
        inks: Inks = INKS,
        first_meld: int = 1,
    ) -> None:
        """Begin without a table. `first_meld` is the number of the first meld that will be laid."""
        self._rules, self._inks = rules, inks
        self._labeller = Labeller(rules, DoubtConfig(), inks)
        self._melds = MeldRegistry(rules, first_meld)
        self._printed = PrintedRows()
        self._pairs = PairTimer(config.left_alone, config.laid_together)
        self._labels: dict[int, Label] = {}
        self._colourless = False

    @property
    def rules(self) -> RuleSet:
        return self._rules

    @property
    def next_meld(self) -> int:
        """The number of the next meld that will be laid."""
        return self._melds.next_id

    def begin(self, tracks: Tracks, picture: RGB, colourless: bool) -> None:
        """Take over the first table as it lies: nobody has laid it, so nothing of it is reported.

        `picture` is the (h, w, 3) frame in which it is seen; `colourless` tells that the frame has
        no colours, as by infrared light.
        """
        self._colourless = colourless
        everything = frozenset(tracks)
        self._set_aside_printed(tracks, Confirmation(everything, everything), picture)
        own = self._own_tiles(tracks)
        rows = self._regroup(own, ())
        self._relabel(tracks, rows)
        self._melds.begin(rows, self._tiles(), find_heaped_at_start(own, rows))

    def update(
        self,
        tracks: Tracks,
        confirmation: Confirmation,
        picture: RGB,
        colourless: bool,
        time: float,
    ) -> list[JudgedChange]:
        """Judge what has happened since the last table, up to `time` in seconds; return a judged
        change for each thing to report.

        `confirmation` tells which tracks changed. `picture` is the (h, w, 3) frame in which the
        table is seen; `colourless` tells that the frame has no colours, as by infrared light. Tiles
        that lay there all along and were only found late are taken in first, without a report; then
        what somebody laid is judged.
        """
        self._colourless, old_labels = colourless, self._labels
        freed = self._set_aside_printed(tracks, confirmation, picture)
        own = self._own_tiles(tracks)
        unmoved = {name: track for name, track in own.items() if name not in confirmation.laid}
        self._adopt(unmoved, set(own) & (confirmation.found_late | freed))
        rows = self._regroup(own, confirmation.laid)
        self._relabel(tracks, rows)
        loose = [
            track
            for track in own
            if self._melds.is_known(track) and not self._melds.is_in_meld(track)
        ]
        heaped = find_heaped(own, loose, rows)
        laid = {
            track: confirmation.seen.get(track, time)
            for track in confirmation.laid
            if not self._melds.is_known(track)
        }
        rulings = self._melds.update(rows, self._tiles(), heaped, self._pairs.waiting)
        self._pairs.note_laid(laid, time)
        self._pairs.update([row for row in rows if self._is_loose(row, heaped)], time)
        return [self._judged(ruling, tracks, old_labels) for ruling in rulings]

    def judge_left_alone(self, tracks: Tracks, time: float) -> list[JudgedChange]:
        """Judge pairs of tiles that have lain as a meld of their own for so long that nobody is
        likely to add a third tile. Return a judged change for each pair; the list is empty where no
        pair has waited long enough.
        """
        return [
            self._judged(ruling, tracks, self._labels)
            for row in self._pairs.take_due(time)
            for ruling in self._melds.open_short(row)
        ]

    def correct(self, tracks: Tracks, track: int, tile: Tile) -> list[JudgedChange]:
        """Judge the table anew after a person said that the tile with the id `track` is `tile`;
        return a judged change for each thing to report.

        The user label of the track must be `tile` already. All tiles are labelled anew. If the row
        of the corrected tile counted as only printed on something, it no longer does.
        """
        denied = self._printed.deny(track)
        if denied:
            self._adopt(self._own_tiles(tracks), set(denied))
        self._relabel(tracks, self._melds.rows())
        rulings = self._melds.correct(self._tiles(), track, tile)
        return [self._judged(ruling, tracks, self._labels) for ruling in rulings]

    def forget_gone(self) -> None:
        """Forget the melds that are gone, so that none of them comes back: equal ones are new."""
        self._melds.forget_gone()

    def accept(self, meld: int, accepted: bool) -> None:
        """Note that the players accept the meld with the id `meld` although it is illegal; or, with
        `accepted` False, that they take this back.
        """
        self._melds.accept(meld, accepted)

    def table(self, tracks: Tracks, moment: Moment, line: Line | None) -> StableTable:
        """The table as last understood. `moment` tells the time, number and size of the present
        frame. Each meld is on one of the two sides of `line`, or on no side where `line` is None.
        """
        loose = [track for track in self._own_tiles(tracks) if not self._melds.is_in_meld(track)]
        return StableTable(
            moment.time,
            moment.frame,
            moment.width,
            moment.height,
            melds=tuple(self._live_meld(meld, tracks, line) for meld in self._melds.present()),
            loose=self._live_tiles(loose, tracks),
            printed=tuple(self._live_tiles(row, tracks) for row in self._printed.rows),
        )

    def _set_aside_printed(
        self, tracks: Tracks, confirmation: Confirmation, picture: RGB
    ) -> set[int]:
        """Find which rows are only printed on something, and forget melds whose tracks all lie in
        printed rows. Returns the ids of the tracks that waited as possibly printed and turn out to
        be real tiles. `confirmation` tells which tracks changed.
        """
        is_meld = self._meld_test(tracks)

        def wrong_rows(among: Collection[int]) -> list[TrackRow]:
            rows = regroup({track: tracks[track].quad for track in among}, [], (), is_meld)
            return [row for row in rows if len(row) >= MINIMUM_MELD and not is_meld(row)]

        freed = self._printed.update(
            tracks, confirmation, self._in_sound_melds(tracks, confirmation), wrong_rows, picture
        )
        self._melds.forget(self._printed.tracks)
        return freed

    def _in_sound_melds(self, tracks: Tracks, confirmation: Confirmation) -> set[int]:
        """Return the ids of the tracks in melds that are legal, that the players accepted, or that
        hold a tile which somebody laid just now. `confirmation` tells which tiles were laid.
        """
        unlaid = set(tracks) - confirmation.laid
        sound: set[int] = set()
        for meld in self._melds.present():
            was_laid = not unlaid.issuperset(meld.tracks)
            if meld.accepted or was_laid or self._melds.is_legal(meld.tracks):
                sound.update(meld.tracks)
        return sound

    def _own_tiles(self, tracks: Tracks) -> dict[int, Track]:
        """Return the tracks of real tiles, by id: all but those of pictures of tiles that are
        printed on something.
        """
        printed = self._printed.tracks
        return {name: track for name, track in tracks.items() if name not in printed}

    def _adopt(self, tracks: Tracks, found_late: set[int]) -> None:
        """Let tiles that nobody laid just now join melds or make new ones, without a report: the
        tracks `found_late`, and loose tiles that lie in the row of a meld by now. All `tracks` are
        labelled anew.
        """
        rows = self._regroup(tracks, found_late)
        self._labels = self._labeller.label(tracks, rows, colourless=self._colourless)
        heaped = find_heaped_at_start(tracks, rows)
        self._melds.adopt(rows, self._tiles(), found_late, heaped)

    def _relabel(self, tracks: Tracks, rows: list[TrackRow]) -> None:
        printed = self._printed.tracks
        self._labels = self._labeller.label(tracks, rows, printed, self._colourless)

    def _is_loose(self, row: TrackRow, heaped: set[int]) -> bool:
        """Whether no track of the row lies in a meld, and none is among `heaped`, the tracks that
        lie as in a pozo.
        """
        return not heaped & set(row) and not any(map(self._melds.is_in_meld, row))

    def _regroup(self, tracks: Tracks, touched: Collection[int]) -> list[TrackRow]:
        quads = {name: track.quad for name, track in tracks.items()}
        return regroup(quads, self._melds.rows(), touched, self._meld_test(tracks))

    def _meld_test(self, tracks: Tracks) -> MeldTest:
        """Return a function that tells whether a row of `tracks` reads like a meld. The function
        computes the scores of the faces when it is first called.
        """
        place = {track: at for at, track in enumerate(tracks)}

        @cache
        def scores() -> NDArray[np.float32]:
            return table_scores(list(tracks.values()), self._inks)

        def is_meld(row: TrackRow) -> bool:
            if len(row) < MINIMUM_MELD:
                return False
            return is_likely_meld(scores()[[place[track] for track in row]], self._rules)

        return is_meld

    def _tiles(self) -> dict[int, Tile | None]:
        return {track: label.tile for track, label in self._labels.items()}

    def _judged(
        self, ruling: Ruling, tracks: Tracks, old_labels: Mapping[int, Label]
    ) -> JudgedChange:
        """Make a judged change from a ruling and from how its meld lies now. The change is doubtful
        if a tile of the meld is doubtful. It is doubtful too if a tile named in the ruling is gone
        by now and was doubtful before. `old_labels` are the labels, by track id, from before the
        change.
        """
        row = self._melds.row_of(ruling.meld_id)
        gone = [
            label
            for track, label in old_labels.items()
            if track not in tracks and label.tile in ruling.tiles
        ]
        labels = [self._labels[track] for track in row]
        return JudgedChange(
            ruling,
            row=tuple(label.tile for label in labels),
            quads=tuple(tracks[track].quad for track in row),
            doubtful=any(label.doubtful for label in [*labels, *gone]),
        )

    def _live_meld(self, meld: TableMeld, tracks: Tracks, line: Line | None) -> LiveMeld:
        tiles = self._live_tiles(meld.tracks, tracks)
        read = [tile.tile for tile in tiles if tile.tile is not None]
        return LiveMeld(
            meld.id,
            tiles,
            side_of([tile.corners for tile in tiles], line),
            verdict=judge_meld(read, self._rules) if len(read) == len(tiles) else None,
            accepted=meld.accepted is not None,
        )

    def _live_tiles(self, row: Iterable[int], tracks: Tracks) -> tuple[LiveTile, ...]:
        tiles = []
        for track in row:
            label = self._labels[track]
            tiles.append(
                LiveTile(
                    track,
                    label.tile,
                    tracks[track].quad,
                    label.confidence,
                    label.doubtful,
                    label.alternatives,
                )
            )
        return tuple(tiles)
