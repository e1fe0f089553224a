"""Options that commands share. An error in them is printed as one clear line."""

from __future__ import annotations

import argparse
import ipaddress
import os
import sys
from pathlib import Path
from typing import NoReturn

from engine.rulesets import RULESETS
from scorer_app.cli.terminal import json_line, printable
from scorer_app.texts.languages import DEFAULT, LANGUAGES


class Parser(argparse.ArgumentParser):
    """A parser of command lines that answers wrong usage with one line and exit status 2."""

    def error(self, message: str) -> NoReturn:
        complain(f"{self.prog}: {message}")
        raise SystemExit(2)


def parser(name: str, description: str) -> Parser:
    """Make a parser with the options that every command on photographs or films takes."""
    made = Parser(prog=f"burako {name}", description=description)
    made.add_argument(
        "--rules",
        default="burako",
        metavar="ID",
        help=f"ruleset: {', '.join(RULESETS)} (default burako)",
    )
    made.add_argument(
        "--json", action="store_true", help="one JSON object a line on standard output"
    )
    add_language(made)
    made.add_argument("--models", type=filled, metavar="DIR", help="another folder of networks")
    made.add_argument(
        "--set", metavar="NAME", help="your own set of tiles, which `burako set teach` has learned"
    )
    add_data_options(made)
    return made


def add_language(parser: argparse.ArgumentParser) -> None:
    """Add the option `--lang`."""
    parser.add_argument(
        "--lang",
        default=DEFAULT,
        choices=tuple(LANGUAGES),
        help=f"language of what the command prints (default {DEFAULT}); this help, and what it says"
        " of options that are unknown, missing or not in their form, is in English",
    )


def add_data_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where a command's data lie."""
    parser.add_argument(
        "--data",
        type=data_folder,
        metavar="DIR",
        help="where the database, the photographs and the keys of this server lie; with --database"
        " all but the database (default: the folder that the variable BURAKO_DATA names, or else"
        " one of the user's own)",
    )
    parser.add_argument(
        "--database",
        type=_database,
        metavar="URL",
        help="another database for matches, hands and sets than the file in that folder, which is"
        " then left as it is: postgresql://user@host/name, or sqlite:////folder/file.sqlite3",
    )


def filled(text: str) -> str:
    """Return the argument if it is not empty; a `type` for argparse arguments that name a file, a
    folder or an address.

    An empty argument, which an unset shell variable gives, raises ArgumentTypeError.
    """
    if not text:
        raise argparse.ArgumentTypeError("expected a name, got an empty one")
    return text


def filled_path(text: str) -> Path:
    """Return the argument as a path; a `type` for argparse. Raises ArgumentTypeError for an empty
    argument.
    """
    return Path(filled(text))


def data_folder(text: str) -> Path:
    """Return the argument as the path of a data folder; a `type` for argparse. Raises
    ArgumentTypeError for an empty argument, for a name that is no UTF-8, which no database's URL
    can hold, and where something else than a folder has that name.
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise argparse.ArgumentTypeError(f"expected a name in UTF-8, got {text!r}") from error
    return folder(text)


def folder(text: str) -> Path:
    """Return the argument as the path of a folder, which need not exist; a `type` for argparse.
    Raises ArgumentTypeError for an empty argument, and where something else has that name.
    """
    if os.path.exists(text) and not os.path.isdir(text):
        raise argparse.ArgumentTypeError(f"expected a folder, got the file {text!r}")
    return filled_path(text)


def _database(text: str) -> str:
    """Return the URL of a database; a `type` for argparse. Raises ArgumentTypeError for any other
    text.
    """
    from scorer_app.cli.database_url import database_url  # its library takes long to load

    try:
        return database_url(filled(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def network(text: str) -> str:
    """Return the argument if it is the address of a machine or of a network (CIDR); a `type` for
    argparse. Raises ArgumentTypeError for any other text.
    """
    try:
        ipaddress.ip_network(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"expected an address such as 192.168.1.2, or a network such as 10.0.0.0/8: {error}"
        ) from error
    return text


def host_name(text: str) -> str:
    """Return the argument, without a dot at its end, if it may be the name of a machine; a `type`
    for argparse. Raises ArgumentTypeError for an empty one and for one with a scheme, a port or a
    path, which no request bears as its host's name.
    """
    name = text.strip().rstrip(".")
    if not name or any(one in ":/@" or one.isspace() for one in name):
        raise argparse.ArgumentTypeError(
            f"expected a name such as burako.example.org, without scheme and port, got {text!r}"
        )
    return name


def complain(sentence: str) -> None:
    """Print a message on one line of standard error. Characters that could control a terminal are
    escaped.
    """
    print(printable(sentence), file=sys.stderr, flush=True)


def failure(sentence: str) -> dict[str, str]:
    """Return what a line of JSON says of input that could not be processed and has no code for the
    reason: its `error` is the sentence, too. Every command has both keys in such a line.
    """
    return {"error": sentence, "message": sentence}


def give_up(command: str, sentence: str, *, as_json: bool, status: int = 1) -> int:
    """Say on standard error why a command, such as `burako read`, cannot go on. With `as_json`, and
    unless `status` tells of wrong usage, print it on standard output, too. Returns the exit status.
    """
    if as_json and status == 1:
        print(json_line(failure(sentence)), flush=True)
    complain(f"{command}: {sentence}")
    return status


def tell_failure(photo: str, code: str, message: str, *, as_json: bool) -> None:
    """Print on standard error why a photograph could not be used: its path, as given, and the
    sentence `message`. With `as_json` print on standard output, too, the photograph's line of JSON,
    which has the `code` as its `error`.
    """
    if as_json:
        line = {"photo": photo, "error": code, "message": message}
        print(json_line(line), flush=True)
    complain(f"{photo}: {message}")
