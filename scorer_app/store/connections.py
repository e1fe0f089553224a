"""How connections to SQLite and to PostgreSQL are opened and kept, and what JSON columns hold."""

from __future__ import annotations

import json
import select as sockets
import time
from contextlib import suppress
from functools import partial
from types import MappingProxyType
from typing import Any

import msgspec
from sqlalchemy import create_engine, event
from sqlalchemy.engine import Connection, Engine, make_url
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

KEPT_CONNECTIONS = 16  # opening one costs more than a page
TRUSTED = 1.0  # seconds after its last use for which a connection is taken to be alive
# After so many seconds without a sign of life a connection to another machine is given up.
_PATIENCE = MappingProxyType(
    {
        "connect_timeout": "10",
        "keepalives_idle": "10",
        "keepalives_interval": "5",
        "keepalives_count": "3",
        "tcp_user_timeout": "25000",  # milliseconds
    }
)


class MalformedJson(str):
    """The text of a JSON column that is not valid JSON; NaN and the infinities are not valid
    either.
    """


def open_database(url: str, lock_patience: float) -> Engine:
    """Open the database at a SQLAlchemy URL; a writer waits at most `lock_patience` seconds for the
    lock of SQLite.

    Execution options say how a transaction on SQLite begins. Where `burako_writes` names a level of
    safety (FULL or NORMAL), the transaction takes the lock for writing at once. Where
    `burako_looks` is true, no transaction is begun. Raises SQLAlchemyError, ImportError where the
    URL's driver is not installed, and ValueError for a URL that names no file or whose port is no
    number.
    """
    address = make_url(url)
    sqlite = address.get_backend_name() == "sqlite"
    if sqlite and address.database in (None, "", ":memory:"):
        raise ValueError("a database in memory would forget every hand; name a file")
    if address.drivername == "postgresql+psycopg":
        address = address.set(query={**_PATIENCE, **address.query})
    engine = create_engine(
        address,
        poolclass=QueuePool,
        pool_size=KEPT_CONNECTIONS,
        max_overflow=-1,  # the server's threads are the limit
        pool_use_lifo=True,
        json_serializer=_write_json,
        json_deserializer=_read_json,
    )
    if sqlite:
        event.listen(engine, "connect", partial(_prepare_sqlite, lock_patience))
        event.listen(engine, "begin", _begin_sqlite)
    else:
        event.listen(engine, "checkin", _note_use)
        event.listen(engine, "checkout", partial(_ask_whether_it_lives, engine))
    return engine


def _note_use(_connection: Any, record: ConnectionPoolEntry) -> None:
    record.info["used"] = time.monotonic()


def _ask_whether_it_lives(
    engine: Engine, connection: Any, record: ConnectionPoolEntry, _proxy: Any
) -> None:
    """Check that a connection is alive if it was last used at least TRUSTED seconds ago or has
    unread data. Raises InvalidatePoolError if it is dead, so that SQLAlchemy opens another one.

    A check at every use would make up a fifth of all traffic with the database.
    """
    idle = time.monotonic() - record.info.get("used", time.monotonic())
    try:
        if idle >= TRUSTED or has_news(connection):
            engine.dialect.do_ping(connection)
    except engine.dialect.loaded_dbapi.Error as error:
        raise InvalidatePoolError from error


def has_news(connection: Any) -> bool:
    """Whether unread data lie on a psycopg connection that nobody uses. Such data mean that the
    server was stopped or has closed the connection.
    """
    look = sockets.poll()
    look.register(connection.fileno(), sockets.POLLIN)
    return bool(look.poll(0))


def close_connection(_connection: Any, record: ConnectionPoolEntry) -> None:
    """Close a connection that a thread gives back only after the store was closed."""
    record.invalidate()


def _write_json(value: Any) -> str:
    """Return the text of a JSON column. It is written by msgspec, which is ten times as fast as
    `json`; `json` writes what msgspec refuses.
    """
    try:
        return msgspec.json.encode(value).decode()
    except (TypeError, ValueError):
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _read_json(text: Any) -> Any:
    """Return the value of a JSON column, or a MalformedJson where the text is not valid, so that
    the rest of the row can still be read.

    `json` is tried where msgspec refuses a text, such as one with half a surrogate pair.
    """
    with suppress(ValueError, RecursionError):
        return msgspec.json.decode(text)
    try:
        return json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return MalformedJson(text)


def _no_number(name: str) -> None:
    raise ValueError(f"expected a number, got {name}")


def _prepare_sqlite(lock_patience: float, connection: Any, _record: Any) -> None:
    """Set up a new connection to SQLite. Transactions begin when this program says so, a writer
    waits at most `lock_patience` seconds for the lock, and readers do not wait for a writer (WAL).
    """
    connection.isolation_level = None
    for pragma in (
        f"busy_timeout={int(lock_patience * 1000)}",
        "journal_mode=WAL",
        "foreign_keys=ON",
    ):
        connection.execute(f"PRAGMA {pragma}").close()


def _begin_sqlite(connection: Connection) -> None:
    """Begin a transaction on SQLite, as the connection's execution options say (see
    `open_database`). One that writes takes the lock at once, because SQLite lets no transaction
    wait for the lock after it has read.

    The options of a transaction that writes name a level of safety. With FULL its commit returns
    only once the disk holds the data, which takes longer than all the rest of an edit.
    """
    options = connection.get_execution_options()
    if options.get("burako_looks"):
        return
    writes = options.get("burako_writes")
    if writes:
        connection.exec_driver_sql(f"PRAGMA synchronous={writes}")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
