"""The live referee: frames in, settled and judged changes out.

A frame passes the gate first; only where something changed and lies still again is the table
looked at. What several looks agree on, with no hand in the way, is settled and explained by the
engine.
"""

from __future__ import annotations

from math import sqrt

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.rulesets import RuleSet, ruleset
from engine.tiles import Tile
from vision.live.events import LiveEvent, StableTable
from vision.live.gate import Glance
from vision.live.judging import Judging, Line, Moment
from vision.live.observer import Observer
from vision.live.plates import RGB
from vision.live.refind import moved
from vision.live.settings import LiveConfig
from vision.live.tracks import Eyes
from vision.quality import is_colourless

Told = LiveEvent | StableTable
START_PATIENCE = 3.0  # seconds: the first table is taken then even if something keeps moving


class Watch:
    """Push frames with `see`; read `table`. Not thread-safe: one source, one thread.

    `eyes` finds and reads faces. Corners, line and boxes are pixels of the frames as given.
    Times are seconds of any clock that does not run backwards.
    """

    def __init__(
        self,
        eyes: Eyes,
        rules: RuleSet | str = "burako",
        line: Line | None = None,
        config: LiveConfig | None = None,
    ) -> None:
        self.config = config or LiveConfig()
        self.table: StableTable | None = None
        self._observer = Observer(eyes, self.config)
        self._judging = Judging(ruleset(rules) if isinstance(rules, str) else rules, line=line)
        self._moment: Moment | None = None
        self._count = -1
        self._started = 0.0
        self._last_look = float("-inf")
        self._resized = 0.0
        self._first_looks = 0
        self._asked = False

    def see(self, frame: NDArray[np.uint8], time: float) -> list[Told]:
        """One (h, w, 3) RGB or (h, w) grey frame. Returns what is settled by now: changes, then
        the table if it is another.
        """
        picture = self._prepare(frame, time)
        glance = self._observer.gate.see(picture, time)
        if not self._is_due(glance, time):
            return []
        self._last_look = time
        ready = self._observer.look(picture, glance, time, self._asked) or self._asked
        if self._observer.lost:
            return self._search(time)
        if self._observer.motion is not None and self._judging.line is not None:
            (x1, y1), (x2, y2) = moved(
                np.array(self._judging.line, np.float32), self._observer.motion
            ).tolist()
            self._judging.line = (x1, y1), (x2, y2)
        if self.table is None or ready:
            self._judging.labeller.colourless = is_colourless(picture)
        told = (
            self._begin(picture, ready)
            if self.table is None
            else self._settle(picture)
            if ready
            else []
        )
        self._asked = False
        return told

    def review_now(self) -> None:
        """Look at the very next frame, still or not, and settle what it shows."""
        self._asked = True

    @property
    def line(self) -> Line | None:
        """Side A lies right of it, seen from its first point to its second. It moves with the
        table when the camera is nudged.
        """
        return self._judging.line

    @line.setter
    def line(self, line: Line | None) -> None:
        self._judging.line = line
        if self.table is not None:
            self._tell([])

    def correct(self, track: int, tile: Tile) -> list[Told]:
        """A person says what tile `track` of the table is; it sticks as long as the tile lies
        there.
        """
        assert self._moment is not None
        self._observer.tracks[track].pinned = tile
        return self._tell(self._judging.correct(self._observer.tracks, track, tile, self._moment))

    def overrule(self, meld: int, stands: bool = True) -> list[Told]:
        """A person lets meld `meld` stand as it is, or takes that back."""
        self._judging.memory.overrule(meld, stands)
        return self._tell([])

    def _prepare(self, frame: NDArray[np.uint8], time: float) -> RGB:
        """RGB; the first frame starts the clock."""
        if frame.ndim == 2:
            frame = cv2.cvtColor(frame, cv2.COLOR_GRAY2RGB)  # type: ignore[assignment]
        self._count += 1
        if self._moment is None:
            self._started = time
        elif (self._moment.height, self._moment.width) != frame.shape[:2]:
            self._rescale(
                sqrt(frame.shape[0] * frame.shape[1] / (self._moment.width * self._moment.height)),
                time,
            )
        self._moment = Moment(time, self._count, frame.shape[1], frame.shape[0])
        return frame

    def _rescale(self, factor: float, time: float) -> None:
        """The frames have another size from now on: a stream that saves its bandwidth, a telephone
        held the other way.
        """
        self._resized = time
        self._observer.rescale(factor)
        if self._judging.line is not None:
            (x1, y1), (x2, y2) = self._judging.line
            self._judging.line = (x1 * factor, y1 * factor), (x2 * factor, y2 * factor)

    def _search(self, time: float) -> list[Told]:
        """The table is not where it was; one that is not found for long is another one, which
        nobody has done anything to.
        """
        if time - self._resized > self.config.hold:
            self._observer.forget()
            self._judging = Judging(self._judging.rules, line=self._judging.line)
            self.table, self._started, self._first_looks = None, time, 0
        return []

    def _is_due(self, glance: Glance, time: float) -> bool:
        if self._asked:
            return True
        gate, pending, config = self._observer.gate, self._observer.pending, self.config
        waited = time - self._last_look + 1e-6
        if self.table is None:
            since = time - self._started
            calm = not gate.busy(time).any() and since >= config.calm
            return waited >= config.pace and (calm or since >= START_PATIENCE)
        if self._observer.lost:
            return waited >= config.pace and gate.is_calm(time)
        again = time - self._observer.absorbed < config.second_look
        if not glance.changed.any() and not again:
            pending.clear()
        deciding = (
            time - gate.last_motion < config.eager or again or bool(pending.new or pending.absent)
        )
        return (glance.ready or again) and waited >= (config.pace if deciding else config.slow_pace)

    def _begin(self, picture: RGB, ready: bool) -> list[Told]:
        """The first table: everything is new, and nobody has done anything."""
        self._first_looks += 1
        empty = self._first_looks >= self.config.looks and not self._observer.pending.outstanding
        if not (ready or empty):
            return []
        self._observer.settle(self._asked)
        self._judging.begin(self._observer.tracks, picture)
        return self._tell([])

    def _settle(self, picture: RGB) -> list[Told]:
        assert self._moment is not None
        settled = self._observer.settle(self._asked)
        return self._tell(
            self._judging.settle(self._observer.tracks, settled, picture, self._moment)
        )

    def _tell(self, events: list[LiveEvent]) -> list[Told]:
        """The events, and the table where it is not the one told last."""
        assert self._moment is not None
        before, self.table = self.table, self._judging.table(self._observer.tracks, self._moment)
        return [*events, *([] if self.table.same_tiles(before) else [self.table])]
