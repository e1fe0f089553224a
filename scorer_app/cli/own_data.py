"""The store as the command line meets it: beside a server that runs, or where there is none yet.

SQLite lets several processes read and write one database, one writer at a time, so that a command
needs no server stopped. It takes no lock of the folder.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from scorer_app.config import AppConfig
from scorer_app.services.sets import SetError, Sets, SetTrouble
from scorer_app.store import Store, StoreUnavailable
from scorer_app.texts.languages import Language
from scorer_app.texts.translator import translator
from vision import Pieces, open_reader
from vision.own_set.examples import TileSet

if TYPE_CHECKING:
    from vision.pipeline import TableReader

FAILED, WRONG_USAGE = 1, 2


def config_of(options: argparse.Namespace) -> AppConfig:
    """Return the configuration, with the folder of the data and the database that the options
    name.
    """
    given = {"data_dir": options.data} if options.data else {}
    return AppConfig(database_url=options.database, **given)


@contextmanager
def open_store(config: AppConfig, *, make: bool = False) -> Iterator[Store | None]:
    """Yield the store; None where there is none yet, unless one is to be made.

    Raises StoreUnavailable.
    """
    try:
        if make:
            config.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        elif config.database_url is None and not (config.data_dir / "burako.sqlite3").exists():
            yield None
            return
    except OSError as error:
        raise StoreUnavailable(f"{config.data_dir}: {error.strerror or error}") from error
    store = Store(config.database, config.lock_patience)
    try:
        yield store
    finally:
        store.close()


class NoSet(Exception):
    """The set that `--set` names cannot be read with. `str()` is one sentence for people, `status`
    the command's exit status.
    """

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status


def named_set(options: argparse.Namespace) -> TileSet | None:
    """Return the set that `--set` names, None where it names none. Raises NoSet."""
    if options.set is None:
        return None
    try:
        with open_store(config_of(options)) as store:
            if store is None:
                raise SetError(SetTrouble.UNKNOWN, options.set)
            sets = Sets(store)
            return sets.load(sets.find(options.set).id)
    except SetError as error:
        raise NoSet(explain_set_error(error, options.lang), WRONG_USAGE) from error
    except StoreUnavailable as error:
        raise NoSet(f"the data cannot be opened: {error}", FAILED) from error


def open_tables(options: argparse.Namespace, tile_set: TileSet | None) -> TableReader:
    """Load the networks and make them ready for the set. Raises ModelError, and NoSet where the set
    has too few faces.
    """
    tables = open_reader(options.models, getattr(options, "pieces", Pieces.TILES))
    if tile_set is None:
        return tables
    try:
        return tables.with_set(tile_set)
    except ValueError as error:
        too_few = SetError(SetTrouble.TOO_FEW, tile_set.name)
        raise NoSet(explain_set_error(too_few, options.lang), FAILED) from error


def explain_set_error(error: SetError, language: Language) -> str:
    """Say in one sentence what is wrong with a set."""
    return translator(language)(f"error.set.{error.reason}", what=error.what)
