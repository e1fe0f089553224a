"""What the commands that train networks share: their options, and the announcement of a stage."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from vision.kinds import LOW_TILES, ODD_TILES, RACK_TILES, Kind

# The options that mean other networks of tiles than the usual ones.
OTHER_NETWORKS = {"--odd": ODD_TILES, "--low": LOW_TILES, "--rack-detector": RACK_TILES}


def announce(number: int, stages: int, what: str) -> None:
    """Print that a stage begins: the time, the `number` of the stage, the number of all `stages`,
    and `what` the stage does.
    """
    print(f"\n{time.strftime('%H:%M')}  {number}/{stages}  {what}", flush=True)


def add_other_networks(parser: argparse.ArgumentParser) -> None:
    """Add the options OTHER_NETWORKS to `parser`; `other_networks` is then the one that was given,
    or None.
    """
    group = parser.add_mutually_exclusive_group()
    for option, kind in OTHER_NETWORKS.items():
        named = f"the networks {kind.detector} and {kind.reader} instead of the usual ones"
        group.add_argument(
            option, dest="other_networks", action="store_const", const=kind, help=named
        )


def option_of(networks: Kind) -> list[str]:
    """Return the option that means these networks, alone in a list; an empty list for networks
    that no option means, as the usual ones.
    """
    return [option for option, other in OTHER_NETWORKS.items() if other is networks]


def run_command(
    run: Callable[[Path, Path, float], None], module: str, description: str | None, models: str
) -> None:
    """Read the command line and call `run` with three arguments: the folder of the run (--out), the
    folder of the networks (--models) and how many minutes the run takes, roughly (--minutes).

    `models` is the help text of --models.
    """
    given = command_parser(module, description, models).parse_args()
    exit_on_sigterm()
    run(given.out, given.models, given.minutes)


def command_parser(module: str, description: str | None, models: str) -> argparse.ArgumentParser:
    """Return a parser with the options of a training: --out, --models, of which `models` is the
    help text, and --minutes.
    """
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=description)
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        help="folder of the run: scenes, checkpoints, in-between results",
    )
    parser.add_argument("--models", type=Path, required=True, help=models)
    parser.add_argument(
        "--minutes",
        type=float,
        default=150,
        help="in all, roughly; 10 make a small run that shows every stage",
    )
    return parser


def exit_on_sigterm() -> None:
    """Exit on SIGTERM, which also ends the training processes."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
