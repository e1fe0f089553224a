"""The database: opened once, brought to the newest tables, and used in short transactions."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Executable, bindparam, create_engine, event, inspect, select, text
from sqlalchemy.engine import Connection, Engine, Row, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session
from sqlalchemy.pool import QueuePool

from scorer_app.store.tables import Setting

MIGRATIONS = Path(__file__).parent / "migrations"
KEPT_CONNECTIONS = 16  # opening one costs more than a page
# Of processes that start at once one migrates, and the others wait for it. The number is a name of
# the lock that nothing else in the database has: the letters "burako".
_MIGRATIONS_TURN = text(f"SELECT pg_advisory_xact_lock({int.from_bytes(b'burako', 'big')})")
# Statements are built once: building one takes SQLAlchemy longer than running it takes SQLite.
_SETTING = select(Setting.value).where(Setting.key == bindparam("key"))


class StoreUnavailable(Exception):
    """The database cannot be used: it is locked, damaged, read-only or full. `str()` is one
    sentence for the log.
    """


class MalformedJson(str):
    """The text in a JSON column that is no JSON, which NaN and the infinities are not either."""


class Store:
    """Gives sessions on the database at a SQLAlchemy URL. Raises StoreUnavailable where it
    refuses.
    """

    def __init__(self, url: str, lock_patience: float = 5.0) -> None:
        self.url = url
        try:
            self.engine = _open(url, lock_patience)
        except (
            SQLAlchemyError,
            ImportError,  # the URL's driver is not installed
            ValueError,  # a port that is no number
        ) as error:
            raise StoreUnavailable(_sentence(error)) from error
        try:
            self._check()
            self._migrate()
            self._make_private()
        except StoreUnavailable:
            self.close()
            raise
        except (
            SQLAlchemyError,
            TypeError,  # a parameter of the URL that the driver does not know
            ValueError,  # or a value of one
        ) as error:
            self.close()
            raise StoreUnavailable(_sentence(error)) from error
        self._looking = self.engine.execution_options(burako_looks=True)
        # SQLite always reads at one moment.
        one_moment = {} if self._is_sqlite else {"isolation_level": "REPEATABLE READ"}
        self._reading = self.engine.execution_options(**one_moment)
        self._turn: AbstractContextManager[None] = (
            _Turn(lock_patience) if self._is_sqlite else nullcontext()
        )

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Open a session that reads. All its statements see the database at one moment."""
        try:
            with Session(self._reading) as session:
                yield session
        except SQLAlchemyError as error:
            raise StoreUnavailable(_sentence(error)) from error

    def look(self, statement: Executable, values: dict[str, Any]) -> Sequence[Row[Any]]:
        """Return the rows of one statement that reads, faster than `reading`: no transaction is
        begun.
        """
        try:
            with self._looking.connect() as connection:
                return connection.execute(statement, values).all()
        except SQLAlchemyError as error:
            raise StoreUnavailable(_sentence(error)) from error

    @contextmanager
    def writing(self, *, durable: bool = True) -> Iterator[Session]:
        """Open a session that commits at its end, or changes nothing where an error ends it.

        Where it is not `durable`, a power cut may undo it as a whole, unless a durable one
        followed. The end of this process undoes nothing.
        """
        try:
            with self._turn:
                connection = self.engine.connect().execution_options(
                    burako_writes="FULL" if durable else "NORMAL"
                )
                with (
                    connection,
                    Session(connection, expire_on_commit=False) as session,
                    session.begin(),
                ):
                    yield session
        except SQLAlchemyError as error:
            raise StoreUnavailable(_sentence(error)) from error

    def setting(self, key: str, default: Any = None) -> Any:
        found = self.look(_SETTING, {"key": key})
        return found[0].value if found else default

    def set_setting(self, key: str, value: Any) -> None:
        with self.writing() as session:
            session.merge(Setting(key=key, value=value))

    def close(self) -> None:
        self.engine.dispose()

    @property
    def _is_sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    def _check(self) -> None:
        """Check that an existing file of SQLite is whole and belongs to this program; it is left as
        it is otherwise.
        """
        if not self._is_sqlite:
            return
        self._refuse_an_empty_file()
        with self.engine.connect() as connection:
            verdict = connection.execute(text("PRAGMA quick_check(1)")).scalar()
            names = set(connection.execute(text("SELECT name FROM sqlite_master")).scalars())
        if verdict != "ok":
            raise StoreUnavailable(f"the database is damaged: {verdict}")
        if names and "alembic_version" not in names:
            raise StoreUnavailable(f"{self.engine.url.database} is another program's database")

    def _refuse_an_empty_file(self) -> None:
        """Refuse a database file without any bytes. A broken disk or a failed copy emptied it, and
        filling it anew would hide the loss.
        """
        path = Path(str(self.engine.url.database))
        try:
            empty = path.is_file() and path.stat().st_size == 0
        except (OSError, ValueError):  # opening it has the sentence
            return
        if empty:
            told = "bring back a copy of it, or delete it to begin anew"
            raise StoreUnavailable(f"{path} holds nothing, though it was there: {told}")

    def _make_private(self) -> None:
        """Let the owner alone read the database and the files that SQLite keeps beside it."""
        if not self._is_sqlite:
            return
        path = str(self.engine.url.database)
        for name in (path, f"{path}-wal", f"{path}-shm"):
            with suppress(OSError):  # another's file, or a file system without modes
                os.chmod(name, 0o600)

    def _has_newest_tables(self) -> bool:
        """Whether the newest migration, by the numbers their files begin with, has been done."""
        newest = max(path.name.partition("_")[0] for path in MIGRATIONS.glob("versions/0*.py"))
        with self.engine.connect() as connection:
            if not inspect(connection).has_table("alembic_version"):
                return False
            found = connection.execute(text("SELECT version_num FROM alembic_version"))
            return [newest] == list(found.scalars())

    def _migrate(self) -> None:
        if self._has_newest_tables():
            return
        # Loading it takes a third of a start, and hardly a start has anything to migrate.
        from alembic import command
        from alembic.config import Config
        from alembic.util import CommandError

        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
        config.set_main_option("path_separator", "os")
        with (
            self.engine.connect().execution_options(burako_writes="FULL") as connection,
            connection.begin(),
        ):
            if not self._is_sqlite:  # which lets one process at a time write
                connection.execute(_MIGRATIONS_TURN)
            config.attributes["connection"] = connection
            try:
                command.upgrade(config, "head")
            except CommandError as error:  # its tables are of a version that is not known here
                told = "a newer version of Burako wrote this database; open it with that one"
                raise StoreUnavailable(f"{told} ({_sentence(error)})") from error


class _Turn:
    """Lets one thread of this process write at a time, in the order in which they asked.

    SQLite by itself lets waiting writers try again after longer and longer naps, and refuses an
    unlucky one.
    """

    def __init__(self, patience: float) -> None:
        self._lock, self._patience = threading.Lock(), patience

    def __enter__(self) -> None:
        if not self._lock.acquire(timeout=self._patience):
            raise StoreUnavailable(f"another write took longer than {self._patience:g} s")

    def __exit__(self, *_failure: object) -> None:
        self._lock.release()


def _open(url: str, lock_patience: float = 5.0) -> Engine:
    sqlite = make_url(url).get_backend_name() == "sqlite"
    if sqlite and make_url(url).database in (None, "", ":memory:"):
        raise StoreUnavailable("a database in memory would forget every hand; name a file")
    engine = create_engine(
        url,
        poolclass=QueuePool,
        pool_size=KEPT_CONNECTIONS,
        max_overflow=-1,  # the server's threads are the limit
        pool_use_lifo=True,
        pool_pre_ping=not sqlite,
        json_serializer=partial(json.dumps, separators=(",", ":"), ensure_ascii=False),
        json_deserializer=_read_json,
    )
    if sqlite:
        event.listen(engine, "connect", partial(_prepare_sqlite, lock_patience))
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _read_json(text: Any) -> Any:
    """Return the value of a JSON column, a MalformedJson where it is no JSON, so that the rest of
    the row can be read.
    """
    try:
        return json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return MalformedJson(text)


def _no_number(name: str) -> None:
    raise ValueError(f"expected a number, got {name}")


def _prepare_sqlite(lock_patience: float, connection: Any, _record: Any) -> None:
    """Set up a connection: transactions begin when this program says so, and readers do not wait
    for a writer (WAL).
    """
    connection.isolation_level = None
    for pragma in (
        f"busy_timeout={int(lock_patience * 1000)}",
        "journal_mode=WAL",
        "foreign_keys=ON",
    ):
        connection.execute(f"PRAGMA {pragma}").close()


def _begin_sqlite(connection: Connection) -> None:
    """Begin a transaction, and take the lock at once where it writes.

    SQLite lets no transaction wait for the lock that has read before. A transaction that writes
    names its level of safety: with FULL its commit returns once the disk holds the data, which
    takes longer than all the rest of an edit.
    """
    options = connection.get_execution_options()
    if options.get("burako_looks"):
        return
    writes = options.get("burako_writes")
    if writes:
        connection.exec_driver_sql(f"PRAGMA synchronous={writes}")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _sentence(error: Exception) -> str:
    return str(getattr(error, "orig", None) or error).splitlines()[0]
