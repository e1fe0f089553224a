"""The live referee: frames in, confirmed and judged changes out.

Each frame is first compared with the known table; tiles are searched for and read only where
something changed and lies still again. What several such looks agree on, with no hand in the way,
is confirmed and judged by the engine's rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.rulesets import RuleSet, ruleset
from engine.tiles import Tile
from vision.live.change.alignment import Homography
from vision.live.change.gate import Glance
from vision.live.eyes import Eyes
from vision.live.pictures import RGB
from vision.live.recall import (
    MOST_LABELS,
    MOST_MELDS,
    Recall,
    TableMemory,
    is_same_format,
    labelled,
    let_lie,
)
from vision.live.schedule import LookSchedule
from vision.live.settings import LiveConfig
from vision.live.sight import Sight
from vision.live.table.judging import JudgedChange, TableJudge
from vision.live.table.sides import Line, scale_line, transform_line
from vision.live.table.stable import Moment, StableTable
from vision.live.telling.events import LiveEvent, report
from vision.live.tracking.observer import Observer
from vision.quads import Quad
from vision.quality import is_colourless

Update: TypeAlias = LiveEvent | StableTable

RECALLED = 30.0  # seconds from the first frame, in which what was said before is found again


class Watch:
    """Watches one table. Push frames with `see`; `table` is the table as last understood.

    Not thread-safe: each watch is used by one thread. Corners, line and boxes are in pixels of the
    frames as given; times are in seconds of any clock that does not run backwards.
    """

    def __init__(
        self,
        eyes: Eyes,
        rules: RuleSet | str = "burako",
        line: Line | None = None,
        config: LiveConfig | None = None,
        memory: TableMemory | None = None,
    ) -> None:
        """`eyes` find and read faces. `line` separates the two sides: seen from its first point,
        looking to the second, side A lies on the right. `memory` is that of an earlier watch of the
        same table by the same camera: what people said then holds again for tiles that still lie in
        their places. Raises ValueError for an unknown ruleset.
        """
        self._config = config or LiveConfig()
        self._observer = Observer(eyes, self._config)
        self._schedule = LookSchedule(self._config)
        self._sight = Sight()
        self._expects_clearing = False
        self._inks = eyes.inks
        rules = ruleset(rules) if isinstance(rules, str) else rules
        self._judge = TableJudge(rules, self._config, inks=self._inks)
        self._line = line
        self._table: StableTable | None = None
        self._moment: Moment | None = None  # of the latest frame
        self._resized = 0.0  # when the frames last took another size
        self._first_looks = 0  # since a table is watched of which nothing is reported yet
        self._memory, self._recall_until = memory, 0.0
        self._recall: Recall | None = None

    @property
    def table(self) -> StableTable | None:
        """The table as last understood, None before the first one."""
        return self._table

    @property
    def is_out_of_sight(self) -> bool:
        """Whether the table has not been seen for a while: the picture is out of focus, or the
        camera is covered or turned away. No change is told until it is seen again.
        """
        return self._moment is not None and self._sight.is_out_of_sight(self._moment.time)

    @property
    def line(self) -> Line | None:
        """The line between the two sides, from a first point to a second one, in frame pixels; None
        where none is known. Seen from the first point, looking to the second, side A lies on the
        right. The line moves with the table when the camera is nudged, and is forgotten with it.
        """
        return self._line

    @line.setter
    def line(self, line: Line | None) -> None:
        self._line = line
        if self._table is not None:
            self._report([])

    @property
    def memory(self) -> TableMemory | None:
        """What people have said of the table, for a later watch of it; None before the first
        frame.
        """
        if self._moment is None:
            return None
        labels = labelled(self._observer.tracks)
        accepted = let_lie(self._table.melds if self._table is not None else ())
        recall = self._recalled(self._moment.time)
        if recall is not None:
            labels, accepted = (*labels, *recall.labels), (*accepted, *recall.accepted)
        return TableMemory(
            self._moment.width,
            self._moment.height,
            self._line,
            labels[-MOST_LABELS:],
            accepted[-MOST_MELDS:],
        )

    def see(self, frame: NDArray[np.uint8], time: float) -> list[Update]:
        """Take in one frame, (h, w, 3) RGB or (h, w) grey, of the moment `time` in seconds.

        Returns a LiveEvent for each change that is confirmed by now, then the StableTable if it
        differs from the one reported last; most frames return an empty list.
        """
        picture = self._prepare(frame, time)
        glance = self._observer.see(picture, time)
        settled = self._observer.settle(glance, time)
        if settled is not None:
            return self._settle(settled)
        if self._is_unchanged(glance, time):
            self._observer.drop_counts()
            self._sight.find()
        updates: list[Update] = []
        if self._schedule.is_due(glance, self._observer, self._table is not None, time):
            updates = self._look(picture, glance, time)
        return updates or self._tell_left_alone(time)

    def review_now(self) -> None:
        """Ask for a look at the very next frame, even if something moves in it; all that this look
        shows is confirmed at once.
        """
        self._schedule.ask()

    def correct(self, track: int, tile: Tile) -> list[Update]:
        """Note that a person says that the tile with the id `track` is `tile`; this holds as long
        as the tile lies there. Returns a LiveEvent for each change that follows, then the
        StableTable if it differs from the one reported last. Raises KeyError where there is no such
        tile.
        """
        self._observer.set_user_label(track, tile)
        return self._report(self._judge.correct(self._observer.tracks, track, tile))

    def accept(self, meld: int, accepted: bool = True) -> list[Update]:
        """Note that the players accept the meld with the id `meld` although it is illegal; or, with
        `accepted` False, that they take this back. Returns a list with the StableTable if it
        differs from the one reported last, otherwise an empty list. Raises KeyError where there is
        no such meld.
        """
        self._judge.accept(meld, accepted)
        return self._report([])

    def forget_gone(self) -> None:
        """Forget the melds that are gone, as those of a hand that has ended: an equal meld that is
        laid from now on is a new one, and not one that was put back.
        """
        self._judge.forget_gone()

    def expect_clearing(self, is_expected: bool) -> None:
        """Note whether all tiles may be taken from the table at once, as after a hand; otherwise
        the camera is thought to look elsewhere when they are gone.
        """
        self._expects_clearing = is_expected

    def _prepare(self, frame: NDArray[np.uint8], time: float) -> RGB:
        """Return the frame in RGB, and note its number, its size and its `time`."""
        picture: RGB = frame if frame.ndim == 3 else cv2.cvtColor(frame, cv2.COLOR_GRAY2RGB)
        height, width = picture.shape[:2]
        last = self._moment
        if last is None:
            self._schedule.start(time)
            self._remember(width, height, time)
        elif (last.height, last.width) != (height, width):
            self._rescale((last.width, last.height), (width, height), time)
        self._moment = Moment(time, 0 if last is None else last.frame + 1, width, height)
        return picture

    def _remember(self, width: int, height: int, time: float) -> None:
        """Take over what people said of the table in the earlier watch, brought to frames of
        `width` by `height` pixels. From `time` on, for RECALLED seconds, the tiles of that table
        are searched for in the frames. A line between the sides that this watch has already stays.
        """
        if self._memory is None:
            return
        memory = self._memory.in_frames(width, height)
        self._line = self._line or memory.line
        self._recall, self._recall_until = Recall(memory), time + RECALLED

    def _recalled(self, time: float) -> Recall | None:
        """Return what people said of the tiles and melds of the earlier watch, without those that
        have been found again. None where nobody said anything, or where RECALLED seconds of this
        watch are over at `time`.
        """
        return self._recall if time <= self._recall_until else None

    def _label_again(self, tracks: Iterable[int], time: float) -> None:
        """Find the tiles that a person named in the earlier watch of this table among the tracks
        with the ids `tracks`, and name these tracks as the person named the tiles. `time` is that
        of the latest frame, in seconds.
        """
        recall = self._recalled(time)
        if recall is None:
            return
        known = [self._observer.tracks[track] for track in tracks]
        for track, tile in recall.labels_of(known).items():
            self._observer.set_user_label(track, tile)

    def _accept_again(self, time: float) -> None:
        """Accept again the melds that the players accepted in the earlier watch, where their tiles
        still lie in the same places. `time` is that of the latest frame, in seconds.
        """
        recall = self._recalled(time)
        if recall is None or not recall.accepted or self._moment is None:
            return
        table = self._judge.table(self._observer.tracks, self._moment, self._line)
        for meld in recall.accepted_among(table.melds):
            self._judge.accept(meld, True)

    def _rescale(self, last: tuple[int, int], now: tuple[int, int], time: float) -> None:
        """Prepare for frames of another size, (width, height): `last` is the size of the frame
        before, `now` that of the first frame of the new size, which was taken at `time`, in
        seconds. A stream that saves bandwidth changes the size, and so does a telephone that is
        turned on its side.

        The line between the sides is forgotten where the format changes and no tile is known by
        which the table could be found again.
        """
        factor = sqrt(now[0] * now[1] / (last[0] * last[1]))
        self._resized, self._recall = time, None
        self._observer.rescale(factor)
        self._sight.forget()
        can_follow = self._observer.is_lost or is_same_format(last, now)
        self._line = scale_line(self._line, factor) if can_follow else None

    def _look(self, picture: RGB, glance: Glance, time: float) -> list[Update]:
        """Look at the (h, w, 3) picture, of which `glance` tells how it differs from the known
        table, and confirm what enough looks agree on. Returns the events of all confirmed changes,
        then the table if it differs from the one reported last.
        """
        self._schedule.note_look(time)
        at_once = self._schedule.is_asked
        self._sight.measure(picture, self._quads(), time)
        if not (at_once or self._sight.may_look(time)):
            self._observer.drop_counts()
            return []
        outcome = self._observer.look(picture, glance, time, at_once)
        updates = [] if outcome.motion is None else self._settle(outcome.motion)
        if self._observer.is_lost:
            self._give_up_search(time)
            return updates
        missing = 0 if self._expects_clearing else outcome.missing
        self._sight.count(outcome.matched, missing, len(self._observer.tracks), time)
        if self._sight.sees_table or at_once:
            self._observer.learn()
            updates += self._confirm(picture, time, outcome.ready or at_once, at_once)
        elif self._sight.is_cleared(time):
            self._begin_anew(time)
        self._schedule.answered()
        # Both may report a table: the latest is told, after all events.
        tables = [told for told in updates if isinstance(told, StableTable)]
        return [told for told in updates if not isinstance(told, StableTable)] + tables[-1:]

    def _quads(self) -> list[Quad]:
        """The places of the known tiles, (4, 2) frame pixels each."""
        return [track.quad for track in self._observer.tracks.values()]

    def _tell_left_alone(self, time: float) -> list[Update]:
        """Report each pair of tiles that was laid as a meld of its own and has been left alone
        since, once nobody is at work on the table. Returns an event for each, then the table if it
        differs from the one reported last.
        """
        observer = self._observer
        if self._table is None or observer.is_lost or observer.is_undecided:
            return []
        if observer.has_moving_things(time):
            return []
        changes = self._judge.judge_left_alone(observer.tracks, time)
        return self._report(changes) if changes else []

    def _settle(self, motion: Homography) -> list[Update]:
        """Move the line between the two sides by `motion`, (3, 3), as the camera moved. Returns a
        list with the StableTable if it differs from the one reported last, otherwise an empty list.
        """
        self._line = transform_line(self._line, motion)
        return [] if self._table is None else self._report([])

    def _is_unchanged(self, glance: Glance, time: float) -> bool:
        """Whether the frame shows the known table without any change, so that no tile can have come
        or gone. `glance` tells how the frame, taken at `time`, differs from the known table.
        """
        if self._table is None or self._observer.is_lost or self._schedule.is_asked:
            return False
        return not glance.changed.any() and not self._schedule.looks_again(self._observer, time)

    def _give_up_search(self, time: float) -> None:
        """Give up the search for a lost table, and start anew. Nothing is done within
        `LiveConfig.hold` seconds after the frames took another size. The line between the sides is
        forgotten, too.
        """
        if time - self._resized <= self._config.hold:
            return
        self._begin_anew(time)
        self._line = None

    def _begin_anew(self, time: float) -> None:
        """Forget the table at `time`, in seconds. What is seen from now on counts as another one,
        which nobody has touched yet. No meld of it gets the number of an earlier one.
        """
        self._observer.forget()
        self._sight.forget()
        former = self._judge
        self._judge = TableJudge(former.rules, self._config, self._inks, former.next_meld)
        self._table, self._recall, self._first_looks = None, None, 0
        self._schedule.start(time)

    def _confirm(self, picture: RGB, time: float, ready: bool, everything: bool) -> list[Update]:
        """Confirm and judge what changed if `ready` tells that enough looks agree on it. With
        `everything`, what only a single look saw is confirmed too. Returns the events of the
        changes, then the table if it differs from the one reported last.
        """
        if self._table is None:
            return self._begin(picture, time, ready, everything)
        if not ready:
            return []
        confirmation = self._observer.confirm(everything)
        self._sight.learn(picture, self._quads())
        self._label_again(sorted(confirmation.touched), time)
        changes = self._judge.update(
            self._observer.tracks, confirmation, picture, is_colourless(picture), time
        )
        self._accept_again(time)
        return self._report(changes)

    def _begin(self, picture: RGB, time: float, ready: bool, everything: bool) -> list[Update]:
        """Take in the first table if `ready` tells that enough looks agree on it, or if they found
        the table empty. All tiles of that table count as new and as laid by nobody. With
        `everything`, tiles that only a single look saw are taken in too. Returns a list with the
        table; an empty list if it is too early for that.
        """
        self._first_looks += 1
        has_looked = self._first_looks >= self._config.looks
        is_empty = has_looked and not self._observer.is_undecided
        if not (ready or is_empty):
            return []
        self._observer.confirm(everything)
        self._sight.learn(picture, self._quads())
        self._label_again(sorted(self._observer.tracks), time)
        self._judge.begin(self._observer.tracks, picture, is_colourless(picture))
        self._accept_again(time)
        return self._report([])

    def _report(self, changes: Sequence[JudgedChange]) -> list[Update]:
        """Return the events of `changes`, then the table if it differs from the one
        reported last.
        """
        assert self._moment is not None, "see() comes first"
        last = self._table
        events = [
            report(change, self._moment, self._judge.rules, self._line, last) for change in changes
        ]
        table = self._judge.table(self._observer.tracks, self._moment, self._line)
        self._table = table
        return [*events] if table.has_same_tiles(last) else [*events, table]
