"""`burako score`: reads photographs of both sides and prints the itemised score of the hand, with
all doubts and how far they could change it.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.checks import WrongValue
from engine.options import with_options
from engine.rulesets import RuleSet
from engine.sides import SIDES, SideName
from scorer_app.cli.options import complain, filled, give_up, parser, tell_failure
from scorer_app.cli.photo_errors import explain_photo
from scorer_app.cli.photo_frames import load_frame
from scorer_app.cli.pieces import add_pieces, check_pieces, rules_of
from scorer_app.cli.score_sheet import Noticed, Sheet, copies_in
from scorer_app.cli.set_option import NoSet, named_set, open_tables, rules_with_set
from scorer_app.cli.table_options import add_table_options, read_table_options
from scorer_app.cli.terminal import json_line
from scorer_app.hand.merging import LAYOUTS, add_reading
from scorer_app.hand.record import End, Record
from scorer_app.hand.table_rules import TableRules
from scorer_app.texts.failures import explain_failure
from scorer_app.texts.translator import Translate, translator
from scorer_app.texts.wrong_values import explain_wrong
from vision.errors import ModelError, PhotoError

if TYPE_CHECKING:
    from vision.own_set.examples import TileSet
    from vision.tiles.pipeline import TableReader

DONE, FAILED, WRONG_USAGE, DOUBTFUL = 0, 1, 2, 3
PLAYERS = 4  # where the command line names no number


def main(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    try:
        tile_set = named_set(options)
        rules = _rules(options, tile_set)
        table = TableRules(rules, rules.players, options.pieces)
        reader = open_tables(options, tile_set)
    except ValueError as error:
        complain(f"burako score: {explain_wrong(error, options.lang)}")
        return WRONG_USAGE
    except NoSet as error:
        return give_up("burako score", str(error), as_json=options.json, status=error.status)
    except ModelError as error:
        return give_up("burako score", explain_failure(error, options.lang), as_json=options.json)
    record, notices, failed = _read_all(reader, options, table)
    if failed:
        return FAILED
    try:
        sheet = Sheet.of(record, notices, table, options.lang)
    except WrongValue as error:  # more tiles were read than any set has
        told = explain_wrong(error, options.lang, options.pieces)
        if options.json:
            print(json_line({"error": error.trouble, "message": told}), flush=True)
        complain(f"burako score: {told}")
        say = translator(options.lang, options.pieces)
        for photo, original in copies_in(record):
            complain(f"{photo}, {original}: {say('ask.twice')}")
        return FAILED
    print(
        json_line(sheet.to_json()) if options.json else sheet.in_words(),
        flush=True,
    )
    return DOUBTFUL if sheet.open else DONE


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    options = parser("score", "Score a hand from photographs.")
    add_pieces(options)
    _add_photographs(options)
    options.add_argument("--closed-by", choices=SIDES, help="without it the stock ran out")
    _add_muerto(options)
    options.add_argument("--players", type=int, choices=(2, 4), help="4 if nothing else is said")
    add_table_options(options)
    given = options.parse_args(arguments)
    say = translator(given.lang)
    if not (given.melds_a or given.melds_b or given.rack_a or given.rack_b):
        options.error(say("usage.no_photo", options="--melds-a, --melds-b, --rack-a, --rack-b"))
    try:
        given.muerto = _sides("--muerto", given.muerto, say)
        given.unplayed = _sides("--unplayed", given.unplayed, say)
    except ValueError as error:
        options.error(str(error))
    if not set(given.unplayed) <= set(given.muerto):
        options.error(say("usage.unplayed"))
    return check_pieces(options, given)


def _add_muerto(options: argparse.ArgumentParser) -> None:
    """Add the options that say which sides took the muerto, and which played no tile of it."""
    told = {
        "--muerto": "the sides that took the muerto",
        "--unplayed": "those that played no tile of it; counts with muerto_unplayed_penalty",
    }
    for name, what in told.items():
        options.add_argument(name, action="append", default=[], metavar="A,B", help=what)


def _add_photographs(options: argparse.ArgumentParser) -> None:
    """Add the options for the photographs of each side's melds and rack. An option that is given
    again adds photographs to those named before.
    """
    for side in ("a", "b"):
        options.add_argument(
            f"--melds-{side}",
            nargs="+",
            action="extend",
            default=[],
            type=filled,
            metavar="PHOTO",
            help=f"the melds of side {side.upper()}",
        )
        options.add_argument(
            f"--rack-{side}",
            nargs="+",
            action="extend",
            default=[],
            type=filled,
            metavar="PHOTO",
            help=f"what side {side.upper()} has left",
        )


def _sides(option: str, given: Sequence[str], say: Translate) -> list[str]:
    """Return the sides that `option` names, which may be given several times. Raises ValueError,
    with a sentence in the language of `say`, for what is no side.
    """
    sides: list[str] = []
    for text in given:
        sides += (part.strip() for part in text.split(",") if part.strip())
        if not set(sides) <= set(SIDES):
            raise ValueError(say("usage.sides", option=option, got=repr(text)))
    return sides


def _rules(options: argparse.Namespace, tile_set: TileSet | None) -> RuleSet:
    """Return the ruleset of the command line with the options given there. Where a `tile_set` is
    given, there are as many copies of each tile as that set has, unless an option says otherwise.
    Raises ValueError for an unknown ruleset, for an unknown or wrong option, and where two options
    name different numbers of players.
    """
    rules = rules_of(options)
    told = read_table_options(options.option, rules, options.lang)
    players = told.setdefault("players", options.players or PLAYERS)
    if options.players not in (None, players):
        say = translator(options.lang)
        raise ValueError(say("usage.other_players", count=players, got=options.players))
    if tile_set and "jokers" in told:
        others = {face: count for face, count in tile_set.copies.items() if face != "J"}
        tile_set = replace(tile_set, copies=others)
    return with_options(rules_with_set(rules, tile_set), told)


def _read_all(
    reader: TableReader, options: argparse.Namespace, table: TableRules
) -> tuple[Record, list[Noticed], bool]:
    """Read all photographs that the options name into the record of one hand. `table` holds the
    rules of the table.

    Returns the record, the notices, and whether one of the photographs could not be used.
    """
    record, notices, failed = Record(), list[Noticed](), False
    for side in SIDES:
        for place, layout in LAYOUTS.items():
            for number, photo in enumerate(getattr(options, f"{place}_{side.lower()}")):
                try:
                    reading = reader.read(load_frame(photo), layout, table.rules)
                except PhotoError as error:
                    sentence = explain_photo(photo, error, options.lang)
                    tell_failure(photo, error.reason.value, sentence, as_json=options.json)
                    failed = True
                    continue
                # The same photograph may be named twice: each naming is a photograph of its own.
                name = f"{photo}#{side}{place}{number}"
                record = add_reading(record, name, side, place, reading)
                notices += [Noticed(photo, notice, side, place) for notice in reading.notices]
    end = End.CLOSE if options.closed_by else End.STOCK_EXHAUSTED
    muerto: dict[SideName, bool | None] = {side: side in options.muerto for side in SIDES}
    record = replace(record, muerto=muerto, muerto_unplayed=tuple(sorted(set(options.unplayed))))
    # A rack that was photographed holds what its photographs show, which may be nothing.
    shown = tuple(side for side in SIDES if getattr(options, f"rack_{side.lower()}"))
    record = replace(record, empty_racks=shown)
    return replace(record, end=end, closed_by=options.closed_by), notices, failed
