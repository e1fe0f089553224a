"""One database, opened once: migrated to the newest tables, transactions short and durable."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, event, text
from sqlalchemy.engine import Connection, Engine, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from scorer_app.store.tables import Setting


class StoreUnavailable(Exception):
    """The database cannot be used: locked, damaged, read-only, full. `str()` is one sentence for the log."""


class Store:
    """Sessions over one SQLAlchemy URL. Raises StoreUnavailable where the database refuses."""

    def __init__(self, url: str, lock_patience: float = 5.0) -> None:
        self.url = url
        self.engine = _open(url, lock_patience)
        try:
            self._check()
            self._migrate()
        except SQLAlchemyError as error:
            raise StoreUnavailable(_sentence(error)) from error

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that only looks."""
        try:
            with Session(self.engine) as session:
                yield session
        except SQLAlchemyError as error:
            raise StoreUnavailable(_sentence(error)) from error

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A session that commits at its end, or leaves everything as it was."""
        try:
            connection = self.engine.connect().execution_options(burako_writes=True)
            with connection, Session(connection, expire_on_commit=False) as session, session.begin():
                yield session
        except SQLAlchemyError as error:
            raise StoreUnavailable(_sentence(error)) from error

    def setting(self, key: str, default: Any = None) -> Any:
        with self.reading() as session:
            row = session.get(Setting, key)
            return default if row is None else row.value

    def set_setting(self, key: str, value: Any) -> None:
        with self.writing() as session:
            session.merge(Setting(key=key, value=value))

    def close(self) -> None:
        self.engine.dispose()

    def _check(self) -> None:
        if self.engine.dialect.name != "sqlite":
            return
        with self.engine.connect() as connection:
            verdict = connection.execute(text("PRAGMA quick_check(1)")).scalar()
        if verdict != "ok":
            raise StoreUnavailable(f"the database is damaged: {verdict}")

    def _migrate(self) -> None:
        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        config.set_main_option("path_separator", "os")
        with self.engine.connect().execution_options(burako_writes=True) as connection, connection.begin():
            config.attributes["connection"] = connection
            command.upgrade(config, "head")


def _open(url: str, lock_patience: float = 5.0) -> Engine:
    engine = create_engine(url, pool_pre_ping=not url.startswith("sqlite"))
    if make_url(url).get_backend_name() == "sqlite":
        event.listen(engine, "connect", partial(_prepare_sqlite, lock_patience))
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(lock_patience: float, connection: Any, _record: Any) -> None:
    """Leave BEGIN to us; WAL lets the tally be read while a hand is written; FULL keeps what was acknowledged."""
    connection.isolation_level = None
    for pragma in (f"busy_timeout={int(lock_patience * 1000)}", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}").close()


def _begin_sqlite(connection: Connection) -> None:
    """Writers take the lock at once: a transaction that reads first and writes later could not wait for it."""
    writes = connection.get_execution_options().get("burako_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _sentence(error: SQLAlchemyError) -> str:
    return str(getattr(error, "orig", None) or error).splitlines()[0]
