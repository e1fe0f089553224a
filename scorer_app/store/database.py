"""The database: opened once, brought to the newest tables, and used in short transactions."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Executable, bindparam, event, inspect, select, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection, Row
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.orm import Session
from sqlalchemy.util import immutabledict

from scorer_app.store.connections import close_connection, open_database
from scorer_app.store.tables import Base, Setting

MIGRATIONS = Path(__file__).parent / "migrations"
# Where several processes start at once, one migrates and the others wait for it. The lock's number
# is made of the letters "burako", so that nothing else in the database has it.
MIGRATIONS_TURN = text(f"SELECT pg_advisory_xact_lock({int.from_bytes(b'burako', 'big')})")
# What stands before the reason in a message about a connection to PostgreSQL.
_ACCOUNT = re.compile(r"^.*failed: |^failed to resolve host .*?: (\[Errno -?\d+\] )?")
# Statements are built once: building one takes SQLAlchemy longer than running it takes SQLite.
_SETTING = select(Setting.value).where(Setting.key == bindparam("key"))
# Execution options of a statement that changes or deletes rows which its session does not look at
# again: SQLAlchemy need not bring the session's objects in line with them.
UNSYNCHRONIZED = immutabledict({"synchronize_session": False})


class StoreUnavailable(Exception):
    """The database cannot be used: it is locked, damaged, read-only or full. `str()` is one
    sentence for the log.
    """


class DatabaseMoved(StoreUnavailable):
    """The file of SQLite was moved, deleted or replaced by another one while it was open. What
    would be written now would go to a file that nobody finds again.
    """


class Store:
    """Gives sessions on the database at a SQLAlchemy URL. `lock_patience` is how many seconds a
    writer waits at most for the lock of SQLite. The methods raise StoreUnavailable where the
    database cannot be used.
    """

    def __init__(self, url: str, lock_patience: float = 5.0) -> None:
        self.url = url
        try:
            self.engine = open_database(url, lock_patience)
        except ImportError as error:
            told = f"the library of this database cannot be used: {error}"
            raise StoreUnavailable(told) from error
        except (
            SQLAlchemyError,
            ValueError,
        ) as error:  # ValueError: no file, or a port that is none
            raise StoreUnavailable(_sentence(error)) from error
        # SQLite makes a missing file when it is first opened.
        self._make_ready(is_new=self._is_sqlite and not os.path.exists(self._path))
        self._opened = self._file_in_place()
        # On SQLite all statements of a transaction see the database at one moment anyway.
        alone = {} if self._is_sqlite else {"isolation_level": "AUTOCOMMIT"}
        one_moment = {} if self._is_sqlite else {"isolation_level": "REPEATABLE READ"}
        self._looking = self.engine.execution_options(burako_looks=True, **alone)
        self._reading = self.engine.execution_options(**one_moment)
        self._turn: AbstractContextManager[None] = (
            _Turn(lock_patience) if self._is_sqlite else nullcontext()
        )

    def _make_ready(self, *, is_new: bool) -> None:
        """Bring the database up to date. Where it cannot be used, it is closed and StoreUnavailable
        is raised. `is_new` says that its file was missing; if nothing could be written to it, it is
        missing again afterwards.
        """
        try:
            self._check()
            self._migrate()
            self._make_private()
        except StoreUnavailable:
            self._give_up(is_new)
            raise
        except DBAPIError as error:
            self._give_up(is_new)
            # Without a statement the error is about opening a connection.
            told = _sentence(error) if error.statement else self._unreachable(error)
            raise StoreUnavailable(told) from error
        except (
            SQLAlchemyError,
            TypeError,  # the driver does not know a parameter of the URL
            ValueError,  # the driver refuses the value of a parameter
        ) as error:
            self._give_up(is_new)
            raise StoreUnavailable(_sentence(error)) from error

    def _unreachable(self, error: DBAPIError) -> str:
        """Return the sentence about a database that gives no connection: which one, and the reason.
        libpq tells the reason after its own account of what it tried.
        """
        if self._is_sqlite:
            return f"{self._path}: {_sentence(error)}"
        url = self.engine.url
        where = f"{url.host or 'this machine'}{f':{url.port}' if url.port else ''}"
        reason = _ACCOUNT.sub("", _sentence(error)).strip()
        return f"the database server at {where} gives no connection ({reason})"

    def _give_up(self, is_new: bool) -> None:
        """Close the database. An empty file that `is_new` is deleted: the next start would take it
        for a database that was emptied.
        """
        self.close()
        with suppress(OSError, ValueError):
            if is_new and os.path.getsize(self._path) == 0:
                os.unlink(self._path)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Within this context, give a session that reads. All its statements see the database at
        one moment.
        """
        try:
            with Session(self._reading) as session:
                yield session
        except SQLAlchemyError as error:
            raise StoreUnavailable(_sentence(error)) from error

    def look(self, statement: Executable, values: dict[str, Any]) -> Sequence[Row[Any]]:
        """Run one statement that reads, with its parameters `values`, and return its rows. This is
        faster than `reading`, because no transaction is begun.
        """
        try:
            with self._looking.connect() as connection:
                return connection.execute(statement, values).all()
        except SQLAlchemyError as error:
            raise StoreUnavailable(_sentence(error)) from error

    def write_alone(self, statement: Executable, values: dict[str, Any]) -> int:
        """Run one statement that writes, with its parameters `values`, as a transaction of its own.
        Return the number of rows that it changed. Over PostgreSQL this is faster than `writing`.
        """
        if self._is_sqlite:  # on SQLite writers take turns
            with self.writing() as session:
                return session.connection().execute(statement, values).rowcount
        try:
            with self._looking.connect() as connection:
                return connection.execute(statement, values).rowcount
        except SQLAlchemyError as error:
            raise StoreUnavailable(_sentence(error)) from error

    def write_returning(self, statement: Executable, values: dict[str, Any]) -> Sequence[Row[Any]]:
        """Run one statement that writes, with its parameters `values`, as a transaction of its own.
        Return the rows of its RETURNING clause.
        """
        if self._is_sqlite:
            with self.writing() as session:
                return session.connection().execute(statement, values).all()
        return self.look(statement, values)

    @contextmanager
    def changing(self, *, durable: bool = True) -> Iterator[Connection]:
        """Within this context, give a connection for statements that name columns, not mapped
        objects. The changes are committed at the end of the context; where an error ends the
        context, none of them is made.

        With `durable` False a power cut may undo the whole transaction, unless a later transaction
        was durable. A crash of this process does not undo it.

        Raises DatabaseMoved where the file of SQLite does not lie in its place any more.
        """
        self._check_place()
        writes = "FULL" if durable else "NORMAL"
        try:
            with (
                self._turn,
                self.engine.connect().execution_options(burako_writes=writes) as connection,
                connection.begin(),
            ):
                yield connection
        except SQLAlchemyError as error:
            raise StoreUnavailable(_sentence(error)) from error

    @contextmanager
    def writing(self, *, durable: bool = True) -> Iterator[Session]:
        """Within this context, give a session. Its changes are committed at the end of the context;
        where an error ends the context, none of them is made.

        With `durable` False a power cut may undo the whole transaction, unless a later transaction
        was durable.
        """
        with (
            self.changing(durable=durable) as connection,
            Session(connection, expire_on_commit=False) as session,
            session.begin(),
        ):
            yield session

    def setting(self, key: str, default: Any = None) -> Any:
        found = self.look(_SETTING, {"key": key})
        return found[0].value if found else default

    def set_setting(self, key: str, value: Any) -> None:
        with self.writing() as session:
            put_setting(session, key, value)

    def close(self) -> None:
        """Close all connections; one that another thread still uses is closed when it is given
        back.
        """
        event.listen(self.engine.pool, "checkin", close_connection)
        self.engine.dispose()

    @property
    def can_listen(self) -> bool:
        """Whether this process can hear the notifications of other processes. That needs a
        PostgreSQL, with psycopg as its driver.
        """
        return (self.engine.dialect.name, self.engine.driver) == ("postgresql", "psycopg")

    @property
    def _is_sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    @property
    def _path(self) -> str:
        """The path of the file of SQLite."""
        return str(self.engine.url.database)

    def _check(self) -> None:
        """Raise StoreUnavailable where an existing file of SQLite is damaged or another program's.
        Such a file is left as it is.
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
            raise StoreUnavailable(f"{self._path} is another program's database")

    def _file_in_place(self) -> tuple[int, int] | None:
        """Return the numbers of disk and file, which no other file has, of what lies at the path of
        SQLite; None where there is no file. The answer is always None for PostgreSQL, and on
        Windows, which lets nobody move or delete a file that is open.
        """
        if not self._is_sqlite or os.name == "nt":
            return None
        with suppress(OSError, ValueError):
            found = os.stat(self._path)
            return found.st_dev, found.st_ino
        return None

    def _check_place(self) -> None:
        """Raise DatabaseMoved unless the file that was opened still lies in its place."""
        if self._file_in_place() != self._opened:
            raise DatabaseMoved(f"{self._path} was moved, deleted or replaced while it was open")

    def _refuse_an_empty_file(self) -> None:
        """Raise StoreUnavailable for a database file without any bytes. A broken disk or a failed
        copy emptied it, and filling it anew would hide the loss.
        """
        path = Path(self._path)
        try:
            empty = path.is_file() and path.stat().st_size == 0
        except (OSError, ValueError):  # opening the database reports this
            return
        if empty:
            told = "bring back a copy of it, or delete it to begin anew"
            raise StoreUnavailable(f"{path} holds nothing, though it was there: {told}")

    def _make_private(self) -> None:
        """Let the owner alone read the database and the files that SQLite keeps beside it."""
        if not self._is_sqlite:
            return
        for name in (self._path, f"{self._path}-wal", f"{self._path}-shm"):
            with suppress(OSError):  # another's file, or a file system without modes
                os.chmod(name, 0o600)

    def _has_newest_tables(self) -> bool:
        """Whether the newest migration has been done. The number at the beginning of a migration's
        file name tells which one is the newest.
        """
        newest = max(path.name.partition("_")[0] for path in MIGRATIONS.glob("versions/0*.py"))
        with self.engine.connect() as connection:
            if not inspect(connection).has_table("alembic_version"):
                return False
            found = connection.execute(text("SELECT version_num FROM alembic_version"))
            return [newest] == list(found.scalars())

    def _migrate(self) -> None:
        if self._has_newest_tables():
            return
        # Loading Alembic takes a third of a start, and few starts have anything to migrate.
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
                connection.execute(MIGRATIONS_TURN)
            config.attributes["connection"] = connection
            try:
                command.upgrade(config, "head")
            except CommandError as error:  # the tables are of a version that is not known here
                told = "a newer version of Burako wrote this database; open it with that one"
                raise StoreUnavailable(f"{told} ({_sentence(error)})") from error


def insert_into(session: Session, table: type[Base]) -> sqlite.Insert | postgresql.Insert:
    """Return an INSERT into a table, in the dialect of the session's database, which may say what
    is done where the row is there already (`on_conflict_do_update`).
    """
    is_sqlite = session.get_bind().dialect.name == "sqlite"
    return sqlite.insert(table) if is_sqlite else postgresql.insert(table)


def put_setting(session: Session, key: str, value: Any) -> None:
    """Store a setting in place of an earlier one, also where another process stores the first one
    of this key at the same moment.
    """
    put = insert_into(session, Setting).values(key=key, value=value)
    session.execute(
        put.on_conflict_do_update(index_elements=[Setting.key], set_={"value": put.excluded.value})
    )


class _Turn:
    """Lets one thread of this process write at a time.

    SQLite by itself lets waiting writers try again after longer and longer pauses, and may refuse
    one of them in the end.
    """

    def __init__(self, patience: float) -> None:
        self._lock, self._patience = threading.Lock(), patience

    def __enter__(self) -> None:
        if not self._lock.acquire(timeout=self._patience):
            raise StoreUnavailable(f"another write took longer than {self._patience:g} s")

    def __exit__(self, *_failure: object) -> None:
        self._lock.release()


def _sentence(error: Exception) -> str:
    return str(getattr(error, "orig", None) or error).splitlines()[0]
