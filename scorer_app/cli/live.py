"""`burako live SOURCE`: watches a table and prints a line for each event."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from itertools import chain
from math import isfinite

from engine.pieces import Pieces
from engine.rulesets import RuleSet, ruleset
from scorer_app.cli.options import complain, filled, give_up, parser
from scorer_app.cli.set_option import NoSet, named_set, open_tables, rules_with_set
from scorer_app.cli.terminal import json_line
from scorer_app.texts.events import camera_sentence, event_sentence, event_to_json
from scorer_app.texts.failures import explain_failure
from scorer_app.texts.notices import explain_photo_notice
from scorer_app.texts.translator import Translate, translator
from scorer_app.texts.wrong_values import explain_wrong
from vision.errors import ModelError
from vision.live import Line, LiveEvent, Update, Watch
from vision.live.eyes import NetworkEyes
from vision.live.sources import SourceError, SourceProblem, TimedFrame, frames
from vision.own_set.examples import TileSet
from vision.reading import Notice


def main(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    try:
        rules, tile_set = ruleset(options.rules), named_set(options)
        rules = rules_with_set(rules, tile_set)
    except ValueError as error:
        complain(f"burako live: {explain_wrong(error, options.lang)}")
        return 2
    except NoSet as error:
        return give_up("burako live", str(error), as_json=options.json, status=error.status)
    try:
        _watch(options, rules, tile_set)
    except NoSet as error:
        return give_up("burako live", str(error), as_json=options.json, status=error.status)
    except ModelError as error:
        return give_up("burako live", explain_failure(error, options.lang), as_json=options.json)
    except SourceError as error:
        _tell_of_camera(error, options)
        return 1
    except KeyboardInterrupt:  # the way to end a camera
        return 0
    return 0


def _watch(options: argparse.Namespace, rules: RuleSet, tile_set: TileSet | None) -> None:
    """Print what happens on the table: until the film ends or, with a camera, without end. Raises
    NoSet, SourceError and ModelError.
    """
    shown = _frames(options)
    first = next(shown)  # a bad source is told before the networks are loaded
    eyes = NetworkEyes(open_tables(options, tile_set))
    watch = Watch(eyes, rules, options.side_line)
    say = translator(options.lang)
    shows_other_set = is_out_of_sight = False
    for frame in chain([first], shown):
        for update in watch.see(frame.pixels, frame.time):
            _print(update, options)
        if watch.is_out_of_sight and not is_out_of_sight:
            complain(f"burako live: {say('live.out_of_sight')}")
        is_out_of_sight = watch.is_out_of_sight
        if eyes.other_set and not shows_other_set:
            complain(f"burako live: {explain_photo_notice(Notice.OTHER_SET, say)}")
            shows_other_set = True


def _tell_of_camera(error: SourceError, options: argparse.Namespace) -> None:
    sentence = camera_sentence(error.problem, error.source, options.lang)
    if error.problem is SourceProblem.NO_FILE and os.path.isdir(options.source):
        sentence = translator(options.lang)("camera.folder", source=error.source)
    if options.json:
        failure = {"source": error.source, "error": error.problem.value, "message": sentence}
        print(json_line(failure), flush=True)
    complain(f"burako live: {sentence}")


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    options = parser("live", "Watch a table and judge every change.")
    options.add_argument(
        "source",
        type=filled,
        metavar="SOURCE",
        help="a camera's number, a video file, or a stream's address",
    )
    options.add_argument(
        "--side-line",
        metavar="X1,Y1,X2,Y2",
        help="side A lies right of it, seen from its first point to its second",
    )
    options.add_argument(
        "--pieces",
        choices=[pieces.value for pieces in Pieces],
        default=Pieces.TILES.value,
        help="what lies on the table; so far only tiles can be watched",
    )
    given = options.parse_args(_with_joined_line(arguments))
    say = translator(given.lang)
    if given.pieces != Pieces.TILES:
        options.error(say("usage.only_tiles", option=f"--pieces {Pieces.TILES}"))
    try:
        given.side_line = given.side_line and _line(given.side_line, say)
    except ValueError as error:
        options.error(str(error))
    return given


def _with_joined_line(arguments: Sequence[str]) -> list[str]:
    """Return the arguments with the option `--side-line` and its value joined by `=` to one
    argument, since a value that begins with a minus would be taken for another option.
    """
    joined: list[str] = []
    for argument in arguments:
        if joined and joined[-1] == "--side-line":
            joined[-1] += f"={argument}"
        else:
            joined.append(argument)
    return joined


def _line(text: str, say: Translate) -> Line:
    """Return the line that the option `--side-line` gives. Raises ValueError, with a sentence in
    the language of `say`, for what is no line.
    """
    try:
        x1, y1, x2, y2 = map(_pixels, text.split(","))
    except ValueError:
        raise ValueError(say("usage.side_line", got=repr(text))) from None
    if (x1, y1) == (x2, y2):
        raise ValueError(say("usage.side_points", got=repr(text)))
    return (x1, y1), (x2, y2)


def _pixels(text: str) -> float:
    """Return a coordinate, in pixels. Raises ValueError for text that is no number, or no finite
    one.
    """
    value = float(text)
    if not isfinite(value):
        raise ValueError(f"expected a finite number, got {text!r}")
    return value


def _frames(options: argparse.Namespace) -> Iterator[TimedFrame]:
    def report(problem: SourceProblem, source: str) -> None:
        complain(f"burako live: {camera_sentence(problem, source, options.lang)}")

    return frames(options.source, report)


def _print(update: Update, options: argparse.Namespace) -> None:
    """Print an update on one line. With `--json` any update is printed as JSON. Without it an event
    is printed as its time, its side and its sentence, and nothing is printed for other updates.
    """
    if options.json:
        if isinstance(update, LiveEvent):
            shown = event_to_json(update, options.lang)
        else:
            shown = update.to_json()
        print(json_line(shown), flush=True)
    elif isinstance(update, LiveEvent):
        side = f" {update.side}" if update.side else ""
        sentence = event_sentence(update, options.lang)
        print(f"{update.time:7.1f} s{side}  {sentence}", flush=True)
