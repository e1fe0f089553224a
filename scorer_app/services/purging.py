"""Deletes everything of a match: its contents at once, and its emptied rows a day later.

The rows of its photographs stay that day. So a process that is just reading a photograph sees from
the row that the photograph is gone, and leaves no file behind.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, delete, null, or_, select, update

from scorer_app.services.hand_rows import NotFound
from scorer_app.services.holdings import forget_holders
from scorer_app.services.photo_files import PhotoFiles
from scorer_app.services.watch_notes import forget_notes
from scorer_app.store import (
    UNSYNCHRONIZED,
    Edit,
    Hand,
    Holding,
    Match,
    Photo,
    Step,
    Store,
    WatchedTable,
)
from scorer_app.store.tables import now

LEFT = timedelta(days=1)  # how long the emptied rows stay
AT_ONCE = 500  # most matches looked up by one statement


def purge_match(store: Store, files: PhotoFiles, match_id: str) -> None:
    """Delete a match, even one that cannot be shown, with its contents: its names, records, edits,
    steps, photographs and links. Its emptied rows stay until `sweep_purged` deletes them. Raises
    NotFound.
    """
    _purge(store, files, match_id, ~Match.deleted)


def _purge(store: Store, files: PhotoFiles, match_id: str, which: ColumnElement[bool]) -> None:
    """Delete the contents of a match, which must also be one of those `which` names. Raises
    NotFound.
    """
    hands = select(Hand.id).where(Hand.match_id == match_id)
    nameless = {"side_a": "", "side_b": "", "player_names": [], "throws": null()}
    gone = {"deleted": True, "touched": now(), "version": Match.version + 1, **nameless}
    with store.writing() as session:
        # A hand is locked before its match, as everywhere, so that no two wait for each other.
        session.execute(hands.with_for_update())
        known = update(Match).where(Match.id == match_id, which).values(gone)
        if not session.execute(known, execution_options=UNSYNCHRONIZED).rowcount:  # type: ignore[attr-defined]
            raise NotFound("match")
        photos = session.scalars(select(Photo.id).where(Photo.hand_id.in_(hands))).all()
        emptied = {"record": null(), "draft": null(), "version": Hand.version + 1}
        erased = {"removed": True, "erased": True, "reading": null(), "key": null()}
        for statement in (
            delete(Edit).where(Edit.hand_id.in_(hands)),
            delete(Step).where(Step.match_id == match_id),
            update(Photo).where(Photo.hand_id.in_(hands)).values(erased),
            update(Hand).where(Hand.match_id == match_id).values(emptied),
        ):
            session.execute(statement, execution_options=UNSYNCHRONIZED)
        forget_holders(session, match_id)
        forget_notes(session, match_id)
    for photo_id in photos:
        files.erase(photo_id)


def purge_before(store: Store, files: PhotoFiles, moment: datetime) -> int:
    """Delete the contents of the matches that nobody has played or imported since a moment, and
    return their number.
    """
    is_old_here = or_(Match.imported.is_(None), Match.imported < moment)
    unplayed = select(Match.id).where(Match.touched < moment, is_old_here, ~Match.deleted)
    old = unplayed.limit(AT_ONCE)
    count = 0
    while names := [row.id for row in store.look(old, {})]:
        for match_id in names:
            with suppress(NotFound):  # somebody has deleted it since that look
                purge_match(store, files, match_id)
                count += 1
    return count


def purge_marked(store: Store, files: PhotoFiles) -> None:
    """Delete the contents of the matches that earlier versions only marked as deleted."""
    marked = and_(Match.deleted, Match.side_a != "")
    names = select(Match.id).where(marked).limit(AT_ONCE)
    while found := [row.id for row in store.look(names, {})]:
        for match_id in found:
            with suppress(NotFound):  # another process has just done so
                _purge(store, files, match_id, marked)


def sweep_purged(store: Store) -> None:
    """Delete the rows of the matches whose contents `purge_match` deleted more than a day ago."""
    left = (Match.deleted, Match.side_a == "", Match.touched < now() - LEFT)
    rest = select(Match.id).where(*left).limit(AT_ONCE)
    while names := [row.id for row in store.look(rest, {})]:
        hands = select(Hand.id).where(Hand.match_id.in_(names))
        with store.writing() as session:
            for statement in (
                delete(Photo).where(Photo.hand_id.in_(hands)),
                delete(Step).where(Step.match_id.in_(names)),  # of earlier versions
                delete(Hand).where(Hand.match_id.in_(names)),
                delete(WatchedTable).where(WatchedTable.match_id.in_(names)),
                delete(Holding).where(Holding.match_id.in_(names)),
                delete(Match).where(Match.id.in_(names)),
            ):
                session.execute(statement, execution_options=UNSYNCHRONIZED)
