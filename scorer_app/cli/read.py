"""`burako read PHOTO...`: reads the tiles or cards on each photograph and prints them."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engine.rulesets import RuleSet
from scorer_app.cli.options import complain, filled, folder, give_up, parser, tell_failure
from scorer_app.cli.photo_errors import explain_photo
from scorer_app.cli.photo_frames import load_frame
from scorer_app.cli.pieces import add_pieces, check_pieces, name_of, rules_of
from scorer_app.cli.set_option import NoSet, named_set, open_tables, rules_with_set
from scorer_app.cli.terminal import json_line, printable
from scorer_app.texts.failures import explain_failure
from scorer_app.texts.languages import Language
from scorer_app.texts.notices import explain_photo_notice
from scorer_app.texts.translator import translator
from scorer_app.texts.verdicts import explain_meld
from scorer_app.texts.wrong_values import explain_wrong
from vision import overlay
from vision.errors import ModelError, PhotoError
from vision.reading import Layout, TableReading

if TYPE_CHECKING:
    from vision.tiles.pipeline import TableReader


def main(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    try:
        reader, rules = _prepared(options)
    except ValueError as error:
        complain(f"burako read: {explain_wrong(error, options.lang)}")
        return 2
    except NoSet as error:
        return give_up("burako read", str(error), as_json=options.json, status=error.status)
    except ModelError as error:
        return give_up("burako read", explain_failure(error, options.lang), as_json=options.json)
    except OSError as error:
        told = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        return give_up("burako read", told, as_json=options.json)
    results = [
        _one(reader, photo, path, rules, options)
        for photo, path in zip(options.photos, _drawings(options), strict=True)
    ]
    return 0 if all(results) else 1


def _prepared(options: argparse.Namespace) -> tuple[TableReader, RuleSet]:
    """Return a reader and the ruleset, and make the folder of the drawings. The reader is made
    ready for the set that the options name, if they name one. `options.set` becomes the set's name
    as the store has it.

    Raises ValueError, NoSet, ModelError and OSError.
    """
    tile_set = named_set(options)
    rules = rules_with_set(rules_of(options), tile_set)
    reader = open_tables(options, tile_set)
    if options.overlay:
        options.overlay.mkdir(parents=True, exist_ok=True)
    options.set = tile_set and tile_set.name
    return reader, rules


def _drawings(options: argparse.Namespace) -> Sequence[Path | None]:
    """Return for each photograph the path of its drawing; None for every one of them if no drawings
    were asked for.
    """
    if options.overlay:
        return overlay_paths(options.overlay, options.photos)
    return [None] * len(options.photos)


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    options = parser("read", "Read the tiles or cards on photographs.")
    add_pieces(options)
    options.add_argument("photos", type=filled, nargs="+", metavar="PHOTO")
    layouts = [layout.value for layout in Layout]
    options.add_argument(
        "--as", dest="layout", choices=layouts, default="melds", help="a table, or a rack or heap"
    )
    options.add_argument(
        "--overlay",
        type=folder,
        metavar="DIR",
        help="write each photo with its reading drawn on it",
    )
    return check_pieces(options, options.parse_args(arguments))


def overlay_paths(folder: Path, photos: Sequence[str]) -> list[Path]:
    """Return a path in `folder` for the drawing of each photograph.

    A path has the photograph's name, followed by a number if another drawing or one of the
    photographs already has that path.
    """
    taken = {_same_file(Path(photo)) for photo in photos}
    paths = []
    for photo in photos:
        stem = Path(photo).stem
        path, number = folder / f"{stem}.jpg", 1
        while _same_file(path) in taken:
            number += 1
            path = folder / f"{stem}-{number}.jpg"
        paths.append(path)
        taken.add(_same_file(path))
    return paths


def _same_file(path: Path) -> str:
    """Return a key that is equal for two paths of one file, even if the disk ignores the difference
    of capital and small letters.
    """
    # Unlike Path.resolve this bears links that lead to one another in a circle.
    return os.path.realpath(path).casefold()


def _one(
    reader: TableReader, photo: str, drawn: Path | None, rules: RuleSet, options: argparse.Namespace
) -> bool:
    """Read one photograph and print the reading. Where `drawn` is a path, draw the reading on the
    photograph and write the picture to that path. Returns False where the photograph cannot be used
    or the picture cannot be written; a message then says why.
    """
    try:
        frame = load_frame(photo)
        reading = reader.read(frame, Layout(options.layout), rules)
        if drawn:
            overlay.write(drawn, overlay.draw(frame, reading))
    except PhotoError as error:
        sentence = explain_photo(photo, error, options.lang)
        tell_failure(photo, error.reason.value, sentence, as_json=options.json)
        return False
    except OSError as error:
        # A full disk names no file.
        sentence = f"{error.filename or drawn}: {error.strerror or error}"
        tell_failure(photo, "overlay", sentence, as_json=options.json)
        return False
    if options.json:
        named = {"set": options.set} if options.set else {}
        print(json_line({"photo": photo, **named, **reading.to_json()}), flush=True)
    else:
        print(summary(photo, reading, rules, options.lang), flush=True)
    return True


def summary(photo: str, reading: TableReading, rules: RuleSet, language: Language) -> str:
    """Return several lines that describe a reading to people: the name `photo` with the number of
    tiles found, each row with its verdict if it has one, the loose tiles, and the notices. A `?`
    stands behind each doubtful tile. The verdicts were reached by `rules`.
    """
    say = translator(language, reading.pieces)
    doubtful = sum(tile.doubtful for tile in reading.tiles)
    found = say(f"read.{reading.pieces}", count=len(reading.tiles), doubtful=doubtful)
    lines = [f"{printable(photo)}: {found}"]
    for meld in reading.melds:
        verdict = ""  # of a rack's rows there is none
        if meld.verdict:
            told = explain_meld(meld.verdict, rules, language, pieces=reading.pieces)
            verdict = f"  [{told}]"
        lines.append(f"  {_named(reading, meld.tiles)}{verdict}")
    if reading.loose:
        lines.append(f"  {say('read.loose')}: {_named(reading, reading.loose)}")
    lines += [f"  {explain_photo_notice(notice, say)}" for notice in reading.notices]
    return "\n".join(lines)


def _named(reading: TableReading, indices: Sequence[int]) -> str:
    """Return the names of the pieces with these indices in a reading, with blanks between them. An
    unread piece is written as `-`, and a doubtful one has a `?` behind its name.
    """
    tiles = [reading.tiles[index] for index in indices]
    return " ".join(
        f"{name_of(tile, reading.pieces) or '-'}{'?' if tile.doubtful else ''}" for tile in tiles
    )
