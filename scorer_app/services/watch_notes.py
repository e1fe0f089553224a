"""Keeps what people said of watched tables, so that another process can go on watching them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, delete, select
from sqlalchemy.orm import Session

from scorer_app.store import UNSYNCHRONIZED, Match, Store, WatchedTable
from scorer_app.store.tables import now

LONGEST_CAMERA = 80  # characters of a camera's name that are stored
_OF_CAMERA = select(WatchedTable.memory, WatchedTable.seen).where(
    WatchedTable.match_id == bindparam("match"), WatchedTable.camera == bindparam("camera")
)
_MATCH = select(Match.id).where(Match.id == bindparam("match"), ~Match.deleted).with_for_update()


class WatchNotes:
    """Stores what people said of watched tables. A match has one note, about the table as its last
    camera saw it.
    """

    def __init__(self, store: Store) -> None:
        self.store = store

    def find(self, match_id: str, camera: str) -> tuple[Any, timedelta] | None:
        """Return the note on a match's table as this camera watched it: its JSON data, and the time
        since it was written. None where there is no note, or where the note is about another
        camera's picture. Raises StoreUnavailable.
        """
        named = {"match": match_id, "camera": camera[:LONGEST_CAMERA]}
        found = self.store.look(_OF_CAMERA, named)
        return (found[0].memory, _age(found[0].seen)) if found else None

    def keep(self, match_id: str, camera: str, memory: Any, *, durable: bool = True) -> None:
        """Store `memory`, JSON data, as the match's note in place of an earlier one. Unless
        `durable`, a power cut may undo that. Nothing is stored for a deleted match. Raises
        StoreUnavailable.
        """
        kept = WatchedTable(
            match_id=match_id, camera=camera[:LONGEST_CAMERA], memory=memory, seen=now()
        )
        with self.store.writing(durable=durable) as session:
            if session.scalar(_MATCH, {"match": match_id}) is not None:
                session.merge(kept)


def forget_notes(session: Session, match_id: str) -> None:
    """Delete the note on the watched table of a match."""
    session.execute(
        delete(WatchedTable).where(WatchedTable.match_id == match_id),
        execution_options=UNSYNCHRONIZED,
    )


def _age(moment: datetime) -> timedelta:
    return now() - moment
