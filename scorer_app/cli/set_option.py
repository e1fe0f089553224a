"""The option `--set` of the commands that read photographs or films.

The store is loaded only if a set is named, since its library takes longer to load than the
networks.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from engine.options import with_options
from engine.rulesets import RuleSet
from vision import Pieces, open_reader

if TYPE_CHECKING:
    from vision.own_set.examples import TileSet
    from vision.tiles.pipeline import TableReader

FAILED, WRONG_USAGE = 1, 2


class NoSet(Exception):
    """The set that `--set` names cannot be used. `str()` is one sentence for people, and `status`
    the command's exit status.
    """

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status


def named_set(options: argparse.Namespace) -> TileSet | None:
    """Return the set that `--set` names; None where the option is missing. Raises NoSet where no
    set has that name or the data cannot be opened.
    """
    if options.set is None:
        return None
    from scorer_app.cli.own_data import explain_set_error, explain_store_error, load_set
    from scorer_app.services.set_values import SetError
    from scorer_app.store import StoreUnavailable

    try:
        return load_set(options)
    except SetError as error:
        raise NoSet(explain_set_error(error, options.lang), WRONG_USAGE) from error
    except StoreUnavailable as error:
        raise NoSet(explain_store_error(error, options.lang), FAILED) from error


def rules_with_set(rules: RuleSet, tile_set: TileSet | None) -> RuleSet:
    """Return the rules with the number of copies that the set has of each face, where that is not
    the usual one. Without a set the rules stay as they are.
    """
    return with_options(rules, {"copies": tile_set.copies}) if tile_set else rules


def open_tables(options: argparse.Namespace, tile_set: TileSet | None) -> TableReader:
    """Return a reader with the networks that the options name, or else the installed ones. It is
    made ready for the set, if there is one. Raises ModelError, and NoSet where the set has too few
    faces.
    """
    tables = open_reader(options.models, getattr(options, "pieces", Pieces.TILES))
    if tile_set is None:
        return tables
    from scorer_app.cli.own_data import config_of
    from vision.own_set.kept import reader_with_set

    try:
        return reader_with_set(tables, tile_set, config_of(options).prepared_dir)
    except ValueError as error:
        from scorer_app.cli.own_data import explain_set_error
        from scorer_app.services.set_values import SetError, SetTrouble

        too_few = SetError(SetTrouble.TOO_FEW, tile_set.name)
        raise NoSet(explain_set_error(too_few, options.lang), FAILED) from error
