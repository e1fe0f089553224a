"""Rows that are printed on something, such as the lid of the game's box: no melds, whatever they
show.

A row counts as printed if two things hold. The ground around the row differs from that around the
other tiles; `vision.tiles.ground` decides this, as it does for photographs. And nobody laid the
row: it was there when the watch began, came together with all that is around it, or lies near where
such a row was before, as on a thing that was pushed along.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain

import numpy as np

from engine.rulesets import MINIMUM_MELD
from vision.live.pictures import RGB
from vision.live.table.rows import TrackRow
from vision.live.tracking.outcomes import Confirmation
from vision.live.tracking.tracks import Track
from vision.tiles.ground import are_printed

PUSHED_REACH = 5.0  # tile widths from a printed tile within which others are on the same thing
LEAST_OTHERS = 3  # tiles: with fewer there is no ground to compare that of a row with

# The rows among some tracks that are long enough for melds and are none.
WrongRows = Callable[[Collection[int]], list[TrackRow]]


class PrintedRows:
    """The rows of pictures of tiles that are printed on something. Mutable; owned by the table's
    judge.

    A row found printed stays so until its tiles are moved or gone.
    """

    def __init__(self) -> None:
        self._rows: list[TrackRow] = []
        # Rows that nobody laid, set aside until there are enough other tiles to compare them with.
        self._waiting: list[TrackRow] = []
        self._unlaid: set[int] = set()  # tracks on the table that nobody laid

    @property
    def rows(self) -> list[TrackRow]:
        """All rows that count as no melds for now: those found printed, and those that cannot be
        judged before more tiles lie on the table for comparison.
        """
        return self._rows + self._waiting

    @property
    def tracks(self) -> set[int]:
        """Ids of the tracks in all `rows`."""
        return set(chain(*self.rows))

    def update(
        self,
        tracks: Mapping[int, Track],
        confirmation: Confirmation,
        in_sound_melds: Collection[int],
        wrong_rows: WrongRows,
        picture: RGB,
    ) -> set[int]:
        """Find which rows of `tracks` are printed, in the (h, w, 3) picture. Return the ids of the
        tracks that waited to be judged and turn out to be real tiles, which have lain there all
        along.

        `confirmation` tells which tracks changed. The tracks `in_sound_melds` cannot be printed.
        `wrong_rows` is called with a collection of track ids; it returns the rows among them that
        are long enough for a meld but are none.
        """
        laid = confirmation.laid
        pushed = self._pushed(tracks, confirmation)
        waited = set(chain(*self._waiting))
        self._unlaid = (self._unlaid - laid | confirmation.found_late) & set(tracks)
        self._drop_moved(tracks, laid)

        printed = set(chain(*self._rows))
        asked = (self._unlaid | confirmation.carried | pushed) - printed - set(in_sound_melds)
        rows: list[TrackRow] = []
        if len(asked) >= MINIMUM_MELD:
            rows = wrong_rows({track for track in asked if tracks[track].user_label is None})
        others = {name: track for name, track in tracks.items() if name not in printed}
        found = _on_own_ground(rows, others, picture)
        self._rows += found
        self._unlaid |= set(chain(*found))
        self._waiting = [
            row for row in rows if row not in found and self._must_wait(row, len(tracks))
        ]
        return (waited - laid - self.tracks) & set(tracks)

    def deny(self, track: int) -> TrackRow:
        """No longer count the row of this track as printed, because a person has said which tile
        the track shows. Returns that row; it is empty where the track was in no printed row.
        """
        row: TrackRow = next((row for row in self.rows if track in row), ())
        self._rows = [each for each in self._rows if each != row]
        self._waiting = [each for each in self._waiting if each != row]
        self._unlaid -= set(row)
        return row

    def _drop_moved(self, tracks: Mapping[int, Track], laid: Collection[int]) -> None:
        """Remove tracks from the printed rows: those that are gone, since `tracks` does not hold
        them, and those that somebody laid elsewhere, since `laid` holds them.
        """
        rest = [
            tuple(track for track in row if track in tracks and track not in laid)
            for row in self._rows
        ]
        self._rows = [row for row in rest if row]

    def _must_wait(self, row: TrackRow, tile_count: int) -> bool:
        """Whether it cannot be told yet if the row is printed: nobody laid it, and too few other
        tiles lie on the table to compare its ground with theirs. `tile_count` is the number of all
        tiles on the table.
        """
        return self._unlaid.issuperset(row) and tile_count - len(row) < LEAST_OTHERS

    def _pushed(self, tracks: Mapping[int, Track], confirmation: Confirmation) -> set[int]:
        """Return the ids of those tracks laid just now which somebody may only have pushed to where
        they lie. Such a track was set aside as printed, or it lies near a track that was set aside
        as printed and is no longer seen in its place.
        """
        aside = self.tracks
        left = [
            tracks[track].centre
            for track in aside
            if track in tracks and track not in confirmation.matched
        ]
        left_centres = np.array(left).reshape(-1, 2)
        pushed = set()
        for name in confirmation.laid:
            track = tracks[name]
            distances = np.linalg.norm(left_centres - track.centre, axis=1)
            if name in aside or (distances < PUSHED_REACH * track.width).any():
                pushed.add(name)
        return pushed


def _on_own_ground(
    rows: Sequence[TrackRow], tracks: Mapping[int, Track], picture: RGB
) -> list[TrackRow]:
    """Return those of `rows` around which the ground, in the (h, w, 3) picture, differs from the
    ground around all `tracks` outside the row, and beside which no such track lies.
    """
    if not rows:
        return []
    place = {track: at for at, track in enumerate(tracks)}
    quads = np.stack([track.quad for track in tracks.values()])
    answers = are_printed(picture, quads, [tuple(place[track] for track in row) for row in rows])
    return [row for row, is_printed in zip(rows, answers, strict=True) if is_printed]
