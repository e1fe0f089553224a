"""Sets of tiles and their examples as the store holds them: how they are found, and how they are
read although single rows are damaged.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import Session

from scorer_app.services.face_pictures import from_png
from scorer_app.services.set_values import KeptSet, SetError, SetTrouble, check_copies
from scorer_app.store import Example, Match, OwnSet
from vision.own_set.examples import FACE_NAMES, FaceExample, Origin

_ALL = select(OwnSet).order_by(OwnSet.used.desc(), OwnSet.id)
# The row of a set is locked before the set changes: else two that change it at once would each add
# one to the same version, and examples to those that both have counted.
_BY_NAME = select(OwnSet).where(OwnSet.folded == bindparam("folded")).with_for_update()
_SHOWN = (
    select(Example).where(Example.set_id == bindparam("set"), ~Example.dropped).order_by(Example.id)
)
_COUNTED = (
    select(Example.set_id, Example.face, Example.origin, func.count().label("count"))
    .where(~Example.dropped)
    .group_by(Example.set_id, Example.face, Example.origin)
)
log = logging.getLogger(__name__)
T = TypeVar("T", OwnSet, Example)


def kept_sets(session: Session) -> list[KeptSet]:
    """Return all sets as lists show them, the one used last first. A set whose row is damaged is
    left out.
    """
    found = _readable_sets(session)
    counted = session.execute(_COUNTED).all() if found else ()
    return [_listed(one, [row for row in counted if row.set_id == one.id]) for one in found]


def _listed(own: OwnSet, counted: Sequence[object]) -> KeptSet:
    counts: dict[str, int] = {}
    learned = 0
    for row in counted:
        face, origin, count = row.face, row.origin, row.count  # type: ignore[attr-defined]
        counts[face] = counts.get(face, 0) + count
        learned += count if origin == Origin.SETTLED else 0
    in_order = {face: counts[face] for face in FACE_NAMES if face in counts}
    return KeptSet(
        own.id, own.name, own.version, own.created, own.used, in_order, learned, own.copies
    )


def _readable_sets(session: Session) -> list[OwnSet]:
    """Return the rows of all sets that can be shown, the set used last first."""
    try:
        found = list(session.scalars(_ALL))
    except (TypeError, ValueError):  # one of them cannot be loaded
        named = session.scalars(_ALL.with_only_columns(OwnSet.id)).all()
        found = [own for set_id in named if (own := _readable_row(session, OwnSet, set_id))]
    return [own for own in found if _is_sound(own)]


def _is_sound(own: OwnSet) -> bool:
    """Whether the name of a set is text and its numbers of copies are possible ones."""
    try:
        check_copies(own.copies)
    except ValueError as error:
        log.warning("set %s cannot be shown: %s", own.id, error)
        return False
    return isinstance(own.name, str)


def _readable_row(session: Session, table: type[T], named: str | int) -> T | None:
    """Return the row of a set or an example that has the id `named`; None where there is none, or
    where a column holds a value of a wrong type.
    """
    try:
        return session.get(table, named)
    except (TypeError, ValueError) as error:
        log.warning("%s %s cannot be shown: %s", table.__tablename__, named, error)
        return None


def find_set(session: Session, set_id: str, *, to_change: bool = False) -> OwnSet:
    """Find a set. With `to_change` the set's row is locked, in a database that has locks of rows.
    Raises SetError where no set has that id.
    """
    own = session.get(OwnSet, set_id, with_for_update=to_change or None)
    if own is None:
        raise SetError(SetTrouble.UNKNOWN)
    return own


def matches_with(session: Session, set_id: str) -> Iterable[Match]:
    """Return the matches that are played with a set, without deleted ones. Their rows are locked,
    where the database has locks of rows.
    """
    played = select(Match).where(Match.tile_set_id == set_id, ~Match.deleted)
    return session.scalars(played.with_for_update())


def find_example(session: Session, set_id: str, example_id: int) -> tuple[OwnSet, Example]:
    """Find an example that is to be changed, and its set, whose row is locked. Raises SetError
    where the set has no such example.
    """
    own = find_set(session, set_id, to_change=True)
    row = session.get(Example, example_id)
    if row is None or row.set_id != set_id or row.dropped:
        raise SetError(SetTrouble.UNKNOWN)
    return own, row


def set_named(session: Session, name: str) -> OwnSet | None:
    """Return the set called `name`, whose row is locked; None where no set has that name."""
    return session.scalar(_BY_NAME, {"folded": name.casefold()})


def readable_examples(session: Session, set_id: str) -> Iterator[tuple[Example, FaceExample]]:
    """Yield each row of a set's examples, and the FaceExample with the row's face, picture and
    origin. Rows that a disk fault has damaged, or that a newer version wrote, are left out.
    """
    for row in _rows_of_examples(session, set_id):
        try:
            yield row, FaceExample(row.face, from_png(row.picture), Origin(row.origin))
        except (TypeError, ValueError) as error:
            log.warning("example %s of set %s cannot be shown: %s", row.id, set_id, error)


def _rows_of_examples(session: Session, set_id: str) -> list[Example]:
    """Return the rows of a set's examples that can be loaded, oldest first."""
    known = {"set": set_id}
    try:
        return list(session.scalars(_SHOWN, known))
    except (TypeError, ValueError):  # one of them cannot be loaded
        named = session.scalars(_SHOWN.with_only_columns(Example.id), known).all()
        return [row for name in named if (row := _readable_row(session, Example, name))]
