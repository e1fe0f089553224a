"""The command line of `burako set`: its sub-commands and their options."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine.tiles import COLOURS, Colour
from scorer_app.cli.options import (
    Parser,
    add_data_options,
    add_language,
    filled,
    filled_path,
    folder,
)
from scorer_app.services.set_values import check_copies


def read_options(arguments: Sequence[str]) -> argparse.Namespace:
    """Read a command line. The options returned have the name of the sub-command as `command`.
    Wrong usage prints one line and raises SystemExit.
    """
    parser = Parser(prog="burako set", description="Teach the program your own set of tiles.")
    commands = parser.add_subparsers(metavar="COMMAND", parser_class=Parser)
    _add_teach(commands)
    _command(commands, "list", "the sets that were taught")
    show = _command(commands, "show", "what a set has", named=True)
    show.add_argument("--out", type=_png_path, metavar="FILE.png", help="write all its faces there")
    _add_copies(commands)
    forget = _command(commands, "forget", "delete a set", named=True)
    forget.add_argument(
        "--yes",
        action="store_true",
        help="do not ask first; who runs it without a terminal, as a script does, is never asked",
    )
    export = _command(commands, "export", "write a set to one file", named=True)
    export.add_argument(
        "file",
        type=filled_path,
        nargs="?",
        metavar="FILE",
        help="by default burako-set-NAME.json in the present folder",
    )
    export.add_argument("--force", action="store_true", help="replace FILE if it exists")
    take_in = _command(commands, "import", "take in a set from such a file")
    take_in.add_argument("file", type=filled_path, metavar="FILE")
    take_in.add_argument("--name", metavar="NAME", help="another name than the file has")
    dataset = _command(commands, "dataset", "copy your corrected photographs with their labels")
    dataset.add_argument("--out", type=folder, metavar="DIR", required=True)
    options, more = parser.parse_known_args(arguments)
    if "command" not in options:
        parser.error(f"expected a command: {', '.join(commands.choices)}")
    # A file that may be left out is not found behind other options by argparse.
    may_be_file = len(more) == 1 and not more[0].startswith("-")
    if may_be_file and options.command == "export" and options.file is None:
        options.file, more = filled_path(more[0]), []
    if more:
        parser.error(f"unrecognized arguments: {' '.join(more)}")
    return options


def _png_path(given: str) -> Path:
    """Return the path of a picture that is to be written. Raises ArgumentTypeError for an empty
    one, and for one that does not end in `.png`.
    """
    path = filled_path(given)
    if path.suffix.lower() != ".png":
        raise argparse.ArgumentTypeError(f"expected a name that ends in .png, got {given!r}")
    return path


def _add_teach(commands: Any) -> None:
    teach = _command(commands, "teach", "learn a set from photographs", named=True)
    teach.add_argument(
        "photos", type=filled, nargs="+", metavar="PHOTO", help="rows of tiles from 1 to 13"
    )
    teach.add_argument(
        "--rows",
        type=_colours,
        metavar="R,B,K,Y",
        help="the colours of the rows of each photo, from top to bottom (default: by their ink)",
    )
    teach.add_argument("--replace", action="store_true", help="forget what was taught before")
    teach.add_argument(
        "--same-set",
        action="store_true",
        help="the photos show the tiles of this set, although they look otherwise",
    )
    teach.add_argument("--models", type=filled, metavar="DIR", help="another folder of networks")


def _add_copies(commands: Any) -> None:
    copies = _command(commands, "copies", "note lost and further tiles", named=True)
    copies.add_argument(
        "copies",
        type=_count,
        nargs="+",
        action=_EachOnce,
        metavar="TILE=COUNT",
        help="how many of a tile the set has, such as 7R=1 or J=4; `7R=` as many as usual",
    )


class _EachOnce(argparse.Action):
    """Stores what was told of tiles. A tile of which something is told twice is wrong usage: nobody
    can know which of both counts is meant.
    """

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        told = [face for face, _count in values]
        twice = next((face for face in told if told.count(face) > 1), None)
        if twice is not None:
            raise argparse.ArgumentError(self, f"expected every tile once, got {twice} again")
        setattr(namespace, self.dest, values)


def _command(
    commands: Any, name: str, description: str, *, named: bool = False
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=description, description=f"burako set {name}: {description}."
    )
    parser.set_defaults(command=name)
    if named:
        parser.add_argument("name", metavar="NAME")
    add_data_options(parser)
    parser.add_argument(
        "--json", action="store_true", help="one JSON object a line on standard output"
    )
    add_language(parser)
    return parser


def _colours(text: str) -> tuple[Colour, ...]:
    """Read the colours of rows, such as `R,B,K,Y`. A colour occurs twice where both copies of its
    tiles lie in the photograph. Raises ArgumentTypeError for anything else.
    """
    letters = [part.strip().upper() for part in text.split(",")]
    colours = tuple(colour for letter in letters for colour in COLOURS if colour == letter)
    if len(colours) != len(letters):
        raise argparse.ArgumentTypeError(f"expected colours such as R,B,K,Y, got {text!r}")
    return colours


def _count(text: str) -> tuple[str, int | None]:
    """Read a face and how many copies the set has of it, such as `7R=1`; None stands for as many as
    usual. Raises ArgumentTypeError for anything else.
    """
    face, equals, told = text.partition("=")
    face = face.strip().upper()
    try:
        if not equals:
            raise ValueError("expected a sign =")
        count = int(told) if told.strip() else None
        check_copies({face: 0 if count is None else count})
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"expected TILE=COUNT such as 7R=1, got {text!r}"
        ) from error
    return face, count
