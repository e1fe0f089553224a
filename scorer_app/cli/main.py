"""The console script `burako`. Each sub-command is imported when it is asked for."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module, metadata
from types import MappingProxyType

from scorer_app.cli.terminal import OutputLost, prepare, replace_closed_streams

# Sub-command -> module with `main(arguments) -> exit status`. Lazy, so that `burako judge` loads no
# Flask and no model.
COMMANDS = MappingProxyType(
    {
        "judge": "scorer_app.cli.judge",
        "read": "scorer_app.cli.read",
        "score": "scorer_app.cli.score",
        "live": "scorer_app.cli.live",
        "serve": "scorer_app.cli.serve",
        "migrate": "scorer_app.cli.migrate",
        "work": "scorer_app.cli.work",
        "set": "scorer_app.cli.own_set",
    }
)
FAILED, INTERRUPTED = 1, 130
# What each command does. These texts stand here because the commands' own would need an import.
WHAT = MappingProxyType(
    {
        "judge": "judge melds, changes, hands and matches",
        "read": "read the tiles or cards on photographs",
        "score": "score a hand from photographs",
        "live": "watch a table and judge every change",
        "serve": "serve the page on this machine and its network",
        "migrate": "bring the database of a server of many tables up to date",
        "work": "read photographs for the servers of a cluster",
        "set": "teach the program your own set of tiles",
    }
)
USAGE = "\n".join(
    [
        "usage: burako COMMAND ...",
        "",
        *(f"  {name:8} {what}" for name, what in WHAT.items()),
        "",
        "burako COMMAND --help tells the options of each, burako --version which version this is.",
    ]
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the sub-command that is named first.

    Returns the exit status: 2 for wrong usage, 130 for Ctrl-C, else the sub-command's own.
    """
    replace_closed_streams()
    prepare()
    try:
        status = _run(list(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()  # a failure can be reported here but not at exit
        return status
    except KeyboardInterrupt:
        return INTERRUPTED
    except OutputLost as lost:
        return output_lost(lost.error)
    except OSError as error:
        return output_lost(error)


def _run(arguments: list[str]) -> int:
    """Run the sub-command that is named first. Where none is named, or the first argument asks for
    help, print which there are; where it asks for the version, print that. Returns the exit status.
    """
    if not arguments or arguments[0] in ("-h", "--help"):
        print(USAGE)
        return 0 if arguments else 2
    if arguments[0] in ("-V", "--version"):
        print(f"burako {metadata.version('burako')}")
        return 0
    if arguments[0] not in COMMANDS:
        print(
            f"burako: expected one of {', '.join(COMMANDS)}, got {arguments[0]!r}", file=sys.stderr
        )
        return 2
    command: Callable[[Sequence[str]], int] = import_module(COMMANDS[arguments[0]]).main
    return command(arguments[1:])


def output_lost(error: OSError) -> int:
    """Redirect standard output, which is closed or full, so that Python writes nothing more to it.
    Returns the exit status.

    Nothing is printed where the reader of a pipe has left, as `head` does; otherwise one sentence
    says what is wrong.
    """
    if not isinstance(error, BrokenPipeError):
        print(f"burako: {error}", file=sys.stderr)
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FAILED
