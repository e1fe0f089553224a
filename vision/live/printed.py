"""Rows that are printed on something, the lid of the game's box say: no melds, whatever they show.

They are known by their ground, as in a photograph, and by nobody having laid them: they were
there when the watch began, came together with all that is around them, or lie where such a
thing was pushed from. So what somebody lays is never taken for printed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from vision.ground import are_printed
from vision.live.memory import SHORTEST
from vision.live.observer import Settlement
from vision.live.plates import RGB
from vision.live.rows import Ids
from vision.live.tracks import Track

LID = 5.0  # widths from a printed tile within which others are on the same thing, pushed along
LEAST_COMPANY = 3  # other tiles: with fewer there is no ground to compare a row's with

Wrong = Callable[
    [Collection[int]], list[Ids]
]  # rows among some tracks that are as long as melds, and none


@dataclass
class Printed:
    """Mutable. `rows` of tracks: what was found printed stays so until its tiles are moved or
    gone.
    """

    rows: list[Ids] = field(default_factory=list)
    _waiting: list[Ids] = field(
        default_factory=list
    )  # set aside until there is enough to compare them with
    _unlaid: set[int] = field(default_factory=set)

    @property
    def aside(self) -> list[Ids]:
        """All rows that are no melds for now."""
        return self.rows + self._waiting

    @property
    def tracks(self) -> set[int]:
        return set(chain(*self.aside))

    def update(
        self,
        tracks: Mapping[int, Track],
        settled: Settlement,
        standing: Collection[int],
        wrong: Wrong,
        picture: RGB,
    ) -> set[int]:
        """What is printed on the (h, w, 3) RGB picture; `standing`: tracks in melds that cannot
        be. Returns those that waited and turn out not to be printed: they have lain there all
        along.
        """
        laid = settled.touched - settled.late
        waited, pushed = set(chain(*self._waiting)), self._pushed(tracks, laid, settled.seen)
        self._unlaid = (self._unlaid - laid | settled.late) & set(tracks)
        self.rows = [
            rest
            for row in self.rows
            if (rest := tuple(id for id in row if id in tracks and id not in laid))
        ]
        printed = set(chain(*self.rows))
        asked = (self._unlaid | settled.carried | pushed) - printed - set(standing)
        rows = (
            wrong({id for id in asked if tracks[id].pinned is None})
            if len(asked) >= SHORTEST
            else []
        )
        found = _on_own_ground(
            rows, {id: track for id, track in tracks.items() if id not in printed}, picture
        )
        self.rows += found
        self._unlaid |= set(chain(*found))
        self._waiting = [
            row
            for row in rows
            if row not in found
            and self._unlaid.issuperset(row)
            and len(tracks) - len(row) < LEAST_COMPANY
        ]
        return (waited - laid - self.tracks) & set(tracks)

    def _pushed(self, tracks: Mapping[int, Track], laid: set[int], seen: set[int]) -> set[int]:
        """Those `laid` that were set aside elsewhere, or lie near what was and is no longer seen
        there.
        """
        left = [
            tracks[id].quad.mean(axis=0) for id in self.tracks if id in tracks and id not in seen
        ]
        apart = {
            id: np.linalg.norm(np.array(left).reshape(-1, 2) - tracks[id].quad.mean(axis=0), axis=1)
            for id in laid
        }
        return {
            id
            for id, far in apart.items()
            if id in self.tracks or (far < LID * tracks[id].width).any()
        }

    def deny(self, track: int) -> Ids:
        """A person knows better: the row of this tile, no longer set aside."""
        row = next((row for row in self.aside if track in row), ())
        self.rows, self._waiting = (
            [each for each in rows if each != row] for rows in (self.rows, self._waiting)
        )
        self._unlaid -= set(row)
        return row


def _on_own_ground(rows: Sequence[Ids], tracks: Mapping[int, Track], picture: RGB) -> list[Ids]:
    if not rows:
        return []
    place = {id: at for at, id in enumerate(tracks)}
    quads = np.stack([track.quad for track in tracks.values()])
    answers = are_printed(picture, quads, [tuple(place[id] for id in row) for row in rows])
    return [row for row, printed in zip(rows, answers, strict=True) if printed]
