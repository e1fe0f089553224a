"""Two tiles laid side by side as a meld of their own: too short, once they are left alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from vision.live.table.rows import TrackRow

PAIR = 2  # tiles


class PairTimer:
    """Remembers since when two tiles lie as a meld of their own. Mutable; owned by the table's
    judge. Times are seconds.

    A pozo grows tile by tile, so only tiles that were laid at nearly the same time count.
    """

    def __init__(self, left_alone: float, laid_together: float) -> None:
        self._left_alone, self._laid_together = left_alone, laid_together
        self._laid_at: dict[int, float] = {}  # by track, of tiles laid lately
        self._since: dict[TrackRow, float] = {}

    def note_laid(self, tracks: Collection[int], time: float) -> None:
        """Note that somebody laid these tracks, which lay nowhere before."""
        oldest = time - self._laid_together
        self._laid_at = {track: at for track, at in self._laid_at.items() if at >= oldest}
        self._laid_at |= dict.fromkeys(tracks, time)

    def update(self, loose: Sequence[TrackRow], time: float) -> None:
        """Take in the `loose` rows, which are in no meld and no heap, and note since when pairs of
        tiles lie among them.
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
        """The pairs left alone for long enough; they are not waited for any longer."""
        due = [row for row, since in self._since.items() if time - since >= self._left_alone]
        for row in due:
            del self._since[row]
        return due
