"""The option `--pieces`: whether photographs show tiles or cards, and which rules are then the
default.
"""

from __future__ import annotations

import argparse

from engine.pieces import piece_name
from engine.rulesets import RuleSet, ruleset
from scorer_app.cli.options import Parser
from scorer_app.texts.translator import translator
from vision import Pieces, TileReading
from vision.kinds import KINDS


def add_pieces(parser: Parser) -> None:
    """Add the option `--pieces`, and let the default of `--rules` depend on it."""
    parser.add_argument(
        "--pieces",
        choices=[pieces.value for pieces in Pieces],
        default=Pieces.TILES.value,
        help="what the photographs show (default tiles); cards without --rules are burraco_it",
    )
    parser.set_defaults(rules=None)


def check_pieces(parser: Parser, given: argparse.Namespace) -> argparse.Namespace:
    """Return the parsed options with `pieces` as an enumeration. Ends the command where options
    contradict each other.
    """
    given.pieces = Pieces(given.pieces)
    if given.set is not None and given.pieces is Pieces.CARDS:
        parser.error(translator(given.lang)("usage.set_of_cards"))
    return given


def rules_of(options: argparse.Namespace) -> RuleSet:
    """Return the ruleset that the options name, or else the usual one for the pieces. It has as
    many jokers as a set of these pieces has. Raises ValueError for an unknown ruleset.
    """
    kind = KINDS[options.pieces]
    return kind.inventory(ruleset(kind.rules if options.rules is None else options.rules))


def name_of(tile: TileReading, pieces: Pieces) -> str | None:
    """Return the name of the tile or card that was read, as people write it: `11R` of a tile, `JH`
    of a card; None if unread.
    """
    return None if tile.tile is None else piece_name(tile.tile, pieces)
