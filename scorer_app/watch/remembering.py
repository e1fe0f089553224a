"""Keeps in the store what people said of a watched table, so that a process that goes on watching
it knows this too.
"""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec

from scorer_app.hand.prepared_types import prepared
from scorer_app.services.watch_notes import WatchNotes
from scorer_app.store import StoreUnavailable

# At run time it is imported with the first frame: a page that watches nothing needs no vision.
if TYPE_CHECKING:
    from vision.live import TableMemory

log = logging.getLogger(__name__)
# A table unseen for longer has been cleared: what was said of its tiles is about another hand.
STILL_LIES = timedelta(minutes=15)
REFRESH = 60.0  # seconds after which it is noted again that the table still lies there


class Remembered:
    """Keeps in the store what people said of one match's table: one note, about the table as the
    camera that watched last saw it.
    """

    def __init__(self, notes: WatchNotes | None, match_id: str) -> None:
        """Prepare to keep what people say of one match's table; without `notes` nothing is kept."""
        self._notes, self._match_id = notes, match_id
        self._camera, self._written = "", float("-inf")
        self._kept: TableMemory | None = None

    def of_camera(self, camera: str) -> TableMemory | None:
        """Return what people said of the table while this camera watched it; None where the store
        knows nothing of that. From now on `note` writes for this camera. Raises StoreUnavailable.
        """
        memory = self._find(camera)
        self._camera, self._kept, self._written = camera, memory, float("-inf")
        return memory

    def is_anothers(self) -> bool:
        """Whether another process has watched the table meanwhile: the note in the store then says
        something that this process did not write into it. Raises StoreUnavailable.
        """
        found = self._find(self._camera)
        return found is not None and not found.tells_as_much_as(self._kept)

    def _find(self, camera: str) -> TableMemory | None:
        found = self._notes.find(self._match_id, camera) if self._notes else None
        memory = _read(found[0]) if found else None
        if found and memory is not None and found[1] > STILL_LIES:
            memory = memory.without_tiles()
        return memory

    def is_due(self, moment: float) -> bool:
        """Whether it is time, at `moment` in seconds, to note again that the table still lies as
        the last note says.
        """
        return self._kept is not None and moment - self._written >= REFRESH

    def note(self, memory: TableMemory | None, moment: float, *, ordered: bool = False) -> None:
        """Write `memory`, what people have said of the table, to the store; nothing where it is
        None. `moment` is the present, in seconds. A memory that says nothing new is written again
        only if it holds tiles or melds and `is_due` says that it is time.

        With `ordered`, a person has just said something, and StoreUnavailable is raised where it
        cannot be kept. Without it a failure is only logged, since the next change of the table is
        another chance.
        """
        if self._notes is None or memory is None:
            return
        told = memory.tells_as_much_as(self._kept)
        lies_there = bool(memory.labels or memory.accepted) and self.is_due(moment)
        if told and not lies_there:
            return
        try:
            data = msgspec.to_builtins(memory)
            self._notes.keep(self._match_id, self._camera, data, durable=ordered)
        except StoreUnavailable as error:
            if ordered:
                raise
            log.warning("what was said of a watched table could not be kept: %s", error)
            return
        self._kept, self._written = memory, moment


def _read(data: object) -> TableMemory | None:
    """Convert a note of the store, JSON data, to a TableMemory; None where the note is damaged."""
    from vision.live import TableMemory

    try:
        return msgspec.convert(data, prepared(TableMemory))
    except (ValueError, RecursionError) as error:  # msgspec's own errors are ValueErrors
        log.warning("what was said of a watched table is damaged: %s", error)
        return None
