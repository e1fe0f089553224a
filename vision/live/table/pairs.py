"""Pairs of tiles laid as a meld of their own, which is too short: they are judged once they have
been left alone for a while.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from vision.live.table.rows import TrackRow

PAIR = 2  # tiles


class PairTimer:
    """Remembers since when pairs of tiles have lain as melds of their own. Mutable; owned by the
    table's judge. Times are in seconds.

    A pozo grows tile by tile, so only two tiles that were laid at nearly the same time, at most
    `laid_together` apart, make a pair. A pair is to be judged once it has been left alone for the
    time `left_alone`.
    """

    def __init__(self, left_alone: float, laid_together: float) -> None:
        self._left_alone, self._laid_together = left_alone, laid_together
        self._laid_at: dict[int, float] = {}  # by track, of tiles laid lately
        self._since: dict[TrackRow, float] = {}

    @property
    def waiting(self) -> set[int]:
        """Ids of the tracks in pairs that have not been judged yet."""
        return {track for row in self._since for track in row}

    def note_laid(self, tracks: Collection[int], time: float) -> None:
        """Note that somebody laid the tiles with the ids `tracks`, which were not on the table
        before.
        """
        oldest = time - self._laid_together
        self._laid_at = {track: at for track, at in self._laid_at.items() if at >= oldest}
        self._laid_at |= dict.fromkeys(tracks, time)

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
            if since is not None or set(row) <= set(self._laid_at):
                self._since[row] = time if since is None else since

    def take_due(self, time: float) -> list[TrackRow]:
        """Return the pairs that have been left alone for long enough, and forget them."""
        due = [row for row, since in self._since.items() if time - since >= self._left_alone]
        for row in due:
            del self._since[row]
        return due
