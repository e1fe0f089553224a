"""What is printed for people fits any terminal: no letter it cannot show ends a command, and no
file name steers it.
"""

from __future__ import annotations

import json
import sys
from typing import TextIO


def prepare(*streams: TextIO | None) -> None:
    """Standard output and error (or the streams given): letters that an ASCII terminal has not
    are written as `\\xe9`.
    """
    for stream in streams or (sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def printable(text: str) -> str:
    """The text with whatever steers a terminal (escape codes, line breaks, half of a pair of
    letters) written as `\\x1b`.
    """
    return "".join(one if one.isprintable() else _escaped(one) for one in text)


def _escaped(one: str) -> str:
    return one.encode("unicode_escape").decode("ascii")


def json_line(value: object) -> str:
    """One line of JSON. Letters that standard output cannot take, half of a pair among them, are
    written as JSON's own escapes, so that it stays the same value.
    """
    line = json.dumps(value, ensure_ascii=False)
    try:
        line.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(value)
    return line
