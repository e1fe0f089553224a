"""`burako migrate`: brings the database of a cluster up to date before its processes start. On
request it also copies the matches and photographs of a server at home to the cluster.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import URL

from scorer_app.cli.config_file import (
    add_config_option,
    check_libraries,
    check_store_keys,
    read_config,
)
from scorer_app.cli.config_trouble import ConfigError, explain_config
from scorer_app.cli.options import Parser, add_language, complain, filled_path
from scorer_app.cli.own_data import explain_store_error
from scorer_app.cli.terminal import print_out, printable
from scorer_app.config import AppConfig
from scorer_app.services.moving import CannotMove, copy_photographs, copy_tables
from scorer_app.services.photo_files import PhotosUnavailable
from scorer_app.services.photo_place import photo_files
from scorer_app.store import Store, StoreUnavailable
from scorer_app.store.folder_lock import lock_database, lock_folder
from scorer_app.texts.translator import Translate, translator

TELL_EVERY = 2.0  # seconds between two lines about the progress


def main(arguments: Sequence[str]) -> int:
    """Migrate the database of a configuration. If asked, also copy the matches of a server at home
    into that database, and its photographs to where the configuration keeps them. Returns the exit
    status: 0, or 1 where that cannot be done, after one sentence about the reason.
    """
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        config = read_config(options.config)
        if options.photos:
            check_store_keys(config)
        check_libraries(config)
    except ConfigError as error:
        parser.error(explain_config(error, options.lang))
    say = translator(options.lang)
    try:
        if options.photos:
            os.scandir(options.photos).close()  # else the matches would come without them
        _migrate(config, options.home, say)
        if options.photos:
            copied, there = copy_photographs(options.photos, photo_files(config))
            _tell(say("migrate.photos", copied=copied, there=there))
    except StoreUnavailable as error:
        complain(f"burako migrate: {explain_store_error(error, options.lang)}")
        return 1
    except CannotMove as error:
        told = say(f"migrate.{error.trouble}", table=error.table, what=error.what)
        complain(f"burako migrate: {told}")
        return 1
    except PhotosUnavailable as error:
        complain(f"burako migrate: {say('migrate.photos_away', what=error)}")
        return 1
    except OSError as error:
        complain(f"burako migrate: {error.filename or options.photos}: {error.strerror or error}")
        return 1
    return 0


def _migrate(config: AppConfig, home: Path | None, say: Translate) -> None:
    """Bring the tables of the database up to date, and in a cluster those of the queue, too. Then
    copy into it all rows of `home`, the database file of a server at home; nothing is copied where
    `home` is None.
    """
    if home is not None and not home.is_file():
        raise FileNotFoundError(2, say("migrate.no_file"), str(home))
    store = Store(config.database, config.lock_patience)
    try:
        if config.cluster:
            from scorer_app.store.queue_tables import migrate_queue  # its library is an extra

            migrate_queue(store)
        if home is not None:
            _move(home, store, say)
    finally:
        store.close()


def _move(file: Path, store: Store, say: Translate) -> None:
    """Copy all rows from `file`, the database file of a server at home, which must not run
    meanwhile, into `store`.
    """
    # The folder's name may have characters that have a meaning in URLs.
    address = URL.create("sqlite", database=file.resolve().as_posix()).render_as_string()
    with lock_folder(file.parent), lock_database(address):
        home = Store(address)
        try:
            count = copy_tables(home, store, _Progress(say))
        finally:
            home.close()
    _tell(say("migrate.matches", count=count, file=printable(str(file))))


def _tell(sentence: str) -> None:
    print_out(f"Burako: {sentence}")


class _Progress:
    """Prints every few seconds how many rows have been copied."""

    def __init__(self, say: Translate) -> None:
        self._say, self._told = say, time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        if time.monotonic() - self._told >= TELL_EVERY:
            self._told = time.monotonic()
            _tell(self._say("migrate.rows", done=done, total=total))


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="burako migrate", description="Bring the database up to date.")
    add_config_option(parser, required=True)
    add_language(parser)
    parser.add_argument(
        "--from",
        dest="home",
        type=filled_path,
        metavar="FILE",
        help="copy what the database of a home holds, the file burako.sqlite3 of its data, into the"
        " configuration's, which must be empty",
    )
    parser.add_argument(
        "--photos",
        type=filled_path,
        metavar="FOLDER",
        help="copy the photographs of a home, in the folder photos of its data, to where the"
        " configuration says",
    )
    return parser
