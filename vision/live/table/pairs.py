"""Pairs of tiles laid as a meld of their own, which is too short: they are judged once they have
been left alone for a while.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vision.live.table.rows import TrackRow

PAIR = 2  # tiles


class PairTimer:
    """Remembers since when pairs of tiles have lain as melds of their own. Mutable; owned by the
    table's judge. Times are in seconds.

    A pozo grows tile by tile, so only two tiles that were laid at nearly the same time make a pair:
    at most `laid_together` lies between the moments at which they were confirmed, and between those
    at which they were first seen. A pair is to be judged once it has been left alone for the time
    `left_alone`.
    """

    def __init__(self, left_alone: float, laid_together: float) -> None:
        self._left_alone, self._laid_together = left_alone, laid_together
        # By track, of tiles laid lately: when each was confirmed, and when it was first seen.
        self._laid_at: dict[int, tuple[float, float]] = {}
        self._since: dict[TrackRow, float] = {}

    @property
    def waiting(self) -> set[int]:
        """Ids of the tracks in pairs that have not been judged yet."""
        return {track for row in self._since for track in row}

    def note_laid(self, seen: Mapping[int, float], time: float) -> None:
        """Note that somebody laid tiles which were not on the table before. `seen` tells when each
        was first seen, by the id of its track; beside a hand that can be long before `time`, the
        present. Times are in seconds.
        """
        oldest = time - self._laid_together
        self._laid_at = {track: at for track, at in self._laid_at.items() if at[0] >= oldest}
        self._laid_at |= {track: (time, first) for track, first in seen.items()}

    def update(self, loose: Sequence[TrackRow], time: float) -> None:
        """Note since when each pair has lain as a row of its own. A pair is two tiles that were
        laid at nearly the same time. `loose` are the rows that lie in no meld and in no heap, and
        `time` is the present, in seconds.
        """
        known = {frozenset(row): since for row, since in self._since.items()}
        self._since = {}
        for row in loose:
            if len(row) != PAIR:
                continue
            since = known.get(frozenset(row))
            if since is not None or self._were_laid_together(row):
                self._since[row] = time if since is None else since

    def _were_laid_together(self, row: TrackRow) -> bool:
        if not set(row) <= set(self._laid_at):
            return False
        seen = [self._laid_at[track][1] for track in row]
        return max(seen) - min(seen) <= self._laid_together

    def take_due(self, time: float) -> list[TrackRow]:
        """Return the pairs that have been left alone for long enough, and forget them."""
        due = [row for row, since in self._since.items() if time - since >= self._left_alone]
        for row in due:
            del self._since[row]
        return due
