"""Makes output fit any terminal: no character that the terminal cannot show ends a command, and no
file name can control the terminal.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TextIO


class OutputLost(Exception):
    """Standard output is closed or full, as `error` says. Unlike OSError it is not taken for a
    failure of what a command works with.
    """

    def __init__(self, error: OSError) -> None:
        super().__init__(str(error))
        self.error = error


def print_out(text: str) -> None:
    """Print a text at once. Raises OutputLost."""
    try:
        print(text, flush=True)
    except OSError as error:
        raise OutputLost(error) from error


def is_terminal() -> bool:
    """Whether a person can be asked: what they type comes in, and they see what is asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def ask(question: str) -> str:
    """Print a question on standard error, where it is in no way of a command's output, and return
    the line that is typed, without blanks around it; an empty text at the end of input.
    """
    print(f"{question} ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip()


def replace_closed_streams() -> None:
    """Put the null device in the place of each standard stream that was closed before the program
    began, as a shell does for `>&-`. Python has None there.
    """
    # In this order each one gets the number of the stream that it replaces.
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))


def prepare(*streams: TextIO | None) -> None:
    """Let standard output and error, or the given streams, take any text: characters that their
    encoding lacks are written as escapes such as `\\xe9`.
    """
    for stream in streams or (sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def printable(text: str) -> str:
    """Return a text in which whatever could control a terminal (escape codes, line breaks, lone
    surrogates) is written as an escape such as `\\x1b`.
    """
    return "".join(one if one.isprintable() else _escaped(one) for one in text)


def _escaped(one: str) -> str:
    return one.encode("unicode_escape").decode("ascii")


def json_line(value: object) -> str:
    """Return a value as one line of JSON, which becomes UTF-8 on standard output.

    Where a character would become other bytes there, or cannot be encoded, all characters beyond
    ASCII are written as JSON escapes, so that the value stays the same.
    """
    line = json_text(value)
    try:
        encoded = line.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
        is_utf8 = encoded == line.encode("utf-8")
    except UnicodeEncodeError:
        is_utf8 = False
    return line if is_utf8 else json.dumps(value)


def json_text(value: object) -> str:
    """Return a value as JSON, in which whatever could control a terminal or end a line, such as
    U+2028, is written as a JSON escape.
    """
    text = json.dumps(value, ensure_ascii=False)
    if text.isprintable():
        return text
    # Between its strings JSON has printable characters alone.
    return "".join(one if one.isprintable() else json.dumps(one)[1:-1] for one in text)
