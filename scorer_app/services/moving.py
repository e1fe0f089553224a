"""Copies the database and the photographs of a home server to a cluster, where several processes
serve one PostgreSQL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, func, insert, select, text
from sqlalchemy.exc import SQLAlchemyError

from scorer_app.services.hand_rows import WAITING
from scorer_app.services.photo_files import Kind, PhotoFiles, kept_file
from scorer_app.store import PhotoState, Store
from scorer_app.store.database import MIGRATIONS_TURN
from scorer_app.store.tables import Base, Photo, Setting, Usage

AT_ONCE = 1000  # rows of one statement
# What a server writes by itself before anybody has begun a match.
_MAY_HOLD_ROWS = (Setting.__table__, Usage.__table__)
_NEXT_NUMBER = text(
    "SELECT setval(pg_get_serial_sequence(:name, 'id'), :last) WHERE :last IS NOT NULL"
)


class MoveTrouble(StrEnum):
    """Why the database of a home server cannot be copied; its sentence is `migrate.VALUE`."""

    NOT_EMPTY = "not_empty"
    REFUSED = "refused"


class CannotMove(Exception):
    """The database of a home server cannot be copied, and nothing was copied. `table` is the one
    concerned, and `what` are the words in which the database refuses a row.
    """

    def __init__(self, trouble: MoveTrouble, table: str, what: str = "") -> None:
        super().__init__(trouble, table, what)
        self.trouble, self.table, self.what = trouble, table, what


def copy_tables(
    source: Store, target: Store, tell: Callable[[int, int], None] = lambda done, of: None
) -> int:
    """Copy all rows of `source`, the database of a home server, into `target` in one transaction,
    and return the number of matches. `target` must be empty, but for settings and the counts of the
    quotas. Ids and links stay as they are; photographs that waited to be read wait anew.

    `tell` is called with the number of rows copied so far and the number of all rows. Raises
    CannotMove and StoreUnavailable; nothing is copied then.
    """
    tables = Base.metadata.sorted_tables  # those that others refer to first
    with source.reading() as reading, target.writing() as writing:
        home, cluster = reading.connection(), writing.connection()
        if cluster.dialect.name == "postgresql":
            cluster.execute(MIGRATIONS_TURN)
        _refuse_filled(cluster, tables)
        counts = {table: _count(home, table) for table in tables}
        done, total = 0, sum(counts.values())
        for table in tables:
            for rows in _rows_of(home, cluster, table):
                _write(cluster, table, rows)
                done += len(rows)
                tell(done, total)
            _number_on(cluster, table)
        return counts[Base.metadata.tables["match"]]


def _refuse_filled(cluster: Connection, tables: Sequence[Table]) -> None:
    for table in tables:
        if table not in _MAY_HOLD_ROWS and cluster.execute(select(table).limit(1)).first():
            raise CannotMove(MoveTrouble.NOT_EMPTY, table.name)


def _count(connection: Connection, table: Table) -> int:
    return connection.execute(select(func.count()).select_from(table)).scalar_one()


def _rows_of(home: Connection, cluster: Connection, table: Table) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows of a table of the home's database, in lists, as they are to be written to the
    cluster's database. Settings that the cluster's database has already are left out.
    """
    there = set()
    if table is Setting.__table__:
        there = set(cluster.execute(select(Setting.key)).scalars())
    asked = select(table).execution_options(yield_per=AT_ONCE)
    for part in home.execute(asked).mappings().partitions():
        yield [_as_new(table, dict(row)) for row in part if row.get("key") not in there]


def _as_new(table: Table, row: dict[str, Any]) -> dict[str, Any]:
    """Return a row as it is to be written to the cluster's database. A photograph that has not been
    read yet waits there for a first attempt, even if a process of the home server was reading it.
    """
    if table is Photo.__table__ and row["state"] in WAITING:
        row |= {"state": PhotoState.QUEUED, "lease": None, "attempts": 0}
    return row


def _write(cluster: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    if not rows:
        return
    try:
        cluster.execute(insert(table), rows)
    except SQLAlchemyError as error:
        told = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise CannotMove(MoveTrouble.REFUSED, table.name, told) from error


def _number_on(cluster: Connection, table: Table) -> None:
    """Let PostgreSQL count on from the copied rows: without this call, the numbers that it gives to
    new rows of the table would begin at 1 again.
    """
    number = table.autoincrement_column
    if number is None or cluster.dialect.name != "postgresql":
        return
    last = cluster.execute(select(func.max(number))).scalar()
    cluster.execute(_NEXT_NUMBER, {"name": table.name, "last": last})


def copy_photographs(folder: Path, files: PhotoFiles) -> tuple[int, int]:
    """Copy the files of photographs in `folder` to `files`, which keeps the cluster's photographs.
    Files that `files` has already are not copied. A copy that was interrupted is completed by
    another call; nothing is deleted.

    Returns how many files were copied, and how many `files` had already. Raises OSError where the
    folder cannot be read, and PhotosUnavailable.
    """
    copied = there = 0
    for path in sorted(folder.iterdir()):
        found = kept_file(path.name, 0.0)
        if found is None or found.kind is Kind.HALF:
            continue
        if files.has(found.photo_id, found.kind, path.stat().st_size):
            there += 1
        else:
            files.bring(found.photo_id, found.kind, path)
            copied += 1
    return copied, there
