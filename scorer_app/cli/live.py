"""`burako live SOURCE`: watch a table, one line an event."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from itertools import chain

from engine.rulesets import ruleset
from scorer_app.cli.options import complain, parser
from scorer_app.texts.failures import explain_failure
from vision import open_reader
from vision.errors import ModelError
from vision.live import Line, LiveEvent, StableTable, Watch
from vision.live.eyes import NetworkEyes
from vision.live.sources import SourceError, TimedFrame, Trouble, explain, frames


def main(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    try:
        rules = ruleset(options.rules)
    except ValueError as error:
        complain(f"burako live: {error}")
        return 2
    try:
        shown = _frames(options)
        first = next(shown)  # a bad source is told before the networks are loaded
        watch = Watch(NetworkEyes(open_reader(options.models)), rules, options.side_line)
        for frame in chain([first], shown):
            for told in watch.see(frame.pixels, frame.time):
                _tell(told, options)
    except ModelError as error:
        complain(f"burako live: {explain_failure(error, options.lang)}")
        return 1
    except SourceError as error:
        if options.json:
            failure = {
                "source": options.source,
                "error": error.trouble.value,
                "message": error.message(options.lang),
            }
            print(json.dumps(failure, ensure_ascii=False), flush=True)
        complain(f"burako live: {error.message(options.lang)}")
        return 1
    except KeyboardInterrupt:  # the way to end a camera
        return 0
    return 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    options = parser("live", "Watch a table and judge every change.")
    options.add_argument(
        "source", metavar="SOURCE", help="a camera's number, a video file, or a stream's address"
    )
    options.add_argument(
        "--side-line",
        type=_line,
        metavar="X1,Y1,X2,Y2",
        help="side A lies right of it, seen from its first point to its second",
    )
    return options.parse_args(_with_joined_line(arguments))


def _with_joined_line(arguments: Sequence[str]) -> list[str]:
    """A line that starts with a minus would be taken for another option."""
    joined: list[str] = []
    for argument in arguments:
        if joined and joined[-1] == "--side-line":
            joined[-1] += f"={argument}"
        else:
            joined.append(argument)
    return joined


def _line(text: str) -> Line:
    try:
        x1, y1, x2, y2 = map(float, text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected X1,Y1,X2,Y2 in pixels, got {text!r}") from None
    if (x1, y1) == (x2, y2):
        raise argparse.ArgumentTypeError(f"expected two different points, got {text!r}")
    return (x1, y1), (x2, y2)


def _frames(options: argparse.Namespace) -> Iterator[TimedFrame]:
    def report(trouble: Trouble, what: str) -> None:
        complain(f"burako live: {explain(trouble, what, options.lang)}")

    return frames(options.source, report)


def _tell(told: LiveEvent | StableTable, options: argparse.Namespace) -> None:
    if options.json:
        print(json.dumps(told.to_json(options.lang), ensure_ascii=False), flush=True)
    elif isinstance(told, LiveEvent):
        side = f" {told.side}" if told.side else ""
        print(f"{told.time:7.1f} s{side}  {told.message(options.lang)}", flush=True)
