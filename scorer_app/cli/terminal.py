"""Makes output fit any terminal: no character that the terminal cannot show ends a command, and no
file name can control the terminal.
"""

from __future__ import annotations

import json
import sys
from typing import TextIO


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
    """Return a value as one line of JSON.

    Characters that standard output cannot encode, and lone surrogates, are written as JSON escapes,
    so that the value stays the same.
    """
    line = json.dumps(value, ensure_ascii=False)
    try:
        line.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(value)
    return line
