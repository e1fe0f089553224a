"""The `burako` console script: one sub-command a job, each imported only when it is asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module

# Sub-command -> module with `main(arguments) -> exit status`. Lazy, so that `burako judge` loads no Flask and no model.
COMMANDS = {
    "judge": "engine.judge",
    "read": "scorer_app.read_command",
    "score": "scorer_app.score_command",
    "live": "scorer_app.live_command",
    "serve": "scorer_app.serve_command",
}
USAGE = f"burako {{{','.join(COMMANDS)}}} ... (burako COMMAND --help)"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the sub-command named first; 2 for wrong usage, else what the sub-command returns."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    if not arguments or arguments[0] in ("-h", "--help"):
        print(USAGE)
        return 0 if arguments else 2
    if arguments[0] not in COMMANDS:
        print(f"burako: expected one of {', '.join(COMMANDS)}, got {arguments[0]!r}", file=sys.stderr)
        return 2
    command: Callable[[Sequence[str]], int] = import_module(COMMANDS[arguments[0]]).main
    return command(arguments[1:])
