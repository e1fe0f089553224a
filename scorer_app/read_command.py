"""`burako read PHOTO...`: what lies on each photograph, one line a photo."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.rulesets import ruleset
from scorer_app.arguments import complain, parser
from vision import open_reader, overlay
from vision.errors import ModelError, PhotoError
from vision.frame import load
from vision.reading import Layout, TableReading

if TYPE_CHECKING:
    from vision.pipeline import TableReader


def main(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    try:
        rules = ruleset(options.rules)
        reader = open_reader(options.models)
        if options.overlay:
            options.overlay.mkdir(parents=True, exist_ok=True)
    except ValueError as error:
        complain(f"burako read: {error}")
        return 2
    except (ModelError, OSError) as error:
        complain(f"burako read: {error.message(options.lang) if isinstance(error, ModelError) else error}")
        return 1
    results = [_one(reader, photo, rules.id, options) for photo in options.photos]
    return 0 if all(results) else 1


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    options = parser("read", "Read the tiles on photographs.")
    options.add_argument("photos", nargs="+", metavar="PHOTO")
    options.add_argument("--as", dest="layout", choices=[*Layout], default=Layout.MELDS, help="a table, or a rack or heap")
    options.add_argument("--overlay", type=Path, metavar="DIR", help="write each photo with its reading drawn on it")
    return options.parse_args(arguments)


def _one(reader: TableReader, photo: str, rules: str, options: argparse.Namespace) -> bool:
    """Read, tell and perhaps draw one photograph; whether all went well."""
    try:
        frame = load(photo)
        reading = reader.read(frame, options.layout, rules)
        if options.overlay:
            overlay.write(options.overlay / f"{Path(photo).stem}.jpg", overlay.draw(frame, reading))
    except PhotoError as error:
        _tell_failure(photo, error.reason.value, error.message(options.lang), options.json)
        return False
    except OSError as error:
        _tell_failure(photo, "overlay", str(error), options.json)
        return False
    if options.json:
        _tell({"photo": photo, **reading.to_json()})
    else:
        print(summary(photo, reading), flush=True)
    return True


def _tell(line: dict[str, Any]) -> None:
    print(json.dumps(line, ensure_ascii=False), flush=True)


def _tell_failure(photo: str, code: str, message: str, as_json: bool) -> None:
    if as_json:
        _tell({"photo": photo, "error": code, "message": message})
    complain(f"{photo}: {message}")


def summary(photo: str, reading: TableReading) -> str:
    """For people: a row a line, `?` behind what is doubtful."""
    named = [f"{tile.tile or '-'}{'?' if tile.doubtful else ''}" for tile in reading.tiles]
    lines = [f"{photo}: {len(named)} fichas, {sum(tile.doubtful for tile in reading.tiles)} dudosas"]
    for meld in reading.melds:
        verdict = meld.verdict
        state = "-" if verdict is None else str(verdict.kind) if verdict.valid else f"ilegal: {verdict.reason}"
        lines.append(f"  {' '.join(named[i] for i in meld.tiles)}  [{state}]")
    if reading.loose:
        lines.append(f"  sueltas: {' '.join(named[i] for i in reading.loose)}")
    if reading.notices:
        lines.append(f"  avisos: {', '.join(reading.notices)}")
    return "\n".join(lines)
