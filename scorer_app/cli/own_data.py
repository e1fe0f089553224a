"""Opens the store for a command, also while a server is running on it. Where there is no store yet,
a command gets None, unless it asks for a new store.

SQLite lets several processes read and write one database, one writer at a time, so no server has to
be stopped for a command. The command does not lock the data folder, so that a server can start
meanwhile.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

from sqlalchemy.engine import make_url

from scorer_app.config import AppConfig
from scorer_app.services.set_values import SetError, SetTrouble
from scorer_app.services.sets import Sets
from scorer_app.store import Store, StoreUnavailable
from scorer_app.store.folder_lock import DataInUse
from scorer_app.texts.languages import Language
from scorer_app.texts.translator import translator
from vision.own_set.examples import TileSet

# How SQLite's sentences end where the disk is to blame, and the texts that say so. SQLite calls it
# an I/O error, too, where there is no room for the small file beside the database.
_TOLD_BY_SQLITE = MappingProxyType(
    {
        "attempt to write a readonly database": "data.read_only",
        "disk I/O error": "data.disk",
        "database or disk is full": "data.disk",
    }
)


def config_of(options: argparse.Namespace) -> AppConfig:
    """Return a configuration with the data folder and the database that the options name."""
    given = {"data_dir": options.data} if options.data else {}
    return AppConfig(database_url=options.database, **given)


@contextmanager
def open_store(config: AppConfig, *, make: bool = False) -> Iterator[Store | None]:
    """Within this context, open the store. Yields None where there is no database yet, unless
    `make` asks for a new one.

    Raises StoreUnavailable.
    """
    try:
        if make:
            config.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        elif _is_missing(config):
            yield None
            return
    except OSError as error:
        raise StoreUnavailable(f"{config.data_dir}: {error.strerror or error}") from error
    store = Store(config.database, config.lock_patience)
    try:
        yield store
    finally:
        store.close()


def _is_missing(config: AppConfig) -> bool:
    """Whether the database is a file of SQLite that does not exist."""
    if config.database_url is None:
        return not (config.data_dir / "burako.sqlite3").exists()
    url = make_url(config.database_url)
    path = url.database if url.get_backend_name() == "sqlite" else None
    return bool(path) and not str(path).startswith("file:") and not Path(str(path)).exists()


def load_set(options: argparse.Namespace) -> TileSet:
    """Load the set that `--set` names. Raises SetError, and StoreUnavailable."""
    with open_store(config_of(options)) as store:
        if store is None:
            raise SetError(SetTrouble.UNKNOWN, options.set)
        sets = Sets(store)
        return sets.load(sets.find(options.set).id)


def explain_set_error(error: SetError, language: Language) -> str:
    """Return one sentence that says what is wrong with a set."""
    return translator(language)(f"error.set.{error.reason}", what=error.what)


def explain_store_error(error: StoreUnavailable, language: Language) -> str:
    """Return one sentence that says that the data cannot be opened or written, and why: in the
    language where it is known what SQLite means, or else as the system says it.
    """
    say = translator(language)
    if isinstance(error, DataInUse):
        return say("data.unavailable", what=say("data.in_use", path=error.path))
    what = str(error)
    for told, key in _TOLD_BY_SQLITE.items():
        if what.endswith(told):
            what = what.removesuffix(told) + say(key)
    return say("data.unavailable", what=what)
