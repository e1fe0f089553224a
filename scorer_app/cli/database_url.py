"""Checks the URL of a database that a command line or a configuration file names."""

from __future__ import annotations

import re

from sqlalchemy import URL
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

EXPECTED = (
    "expected a URL such as postgresql://user@host/name, or sqlite:////folder/file.sqlite3 for a"
    " file"
)
KINDS = ("postgresql", "sqlite")
_SCHEME = re.compile(r"[\w+.-]+://")
# A word, a path, or an address without a person and without parameters: it holds no password.
_WITHOUT_SECRET = re.compile(r"([\w+.-]+:/)?[\w+./\\-]*")


class WrongUrl(ValueError):
    """A text that is no URL of a database. `got` shows the text as far as it holds no password, and
    is None where it may be one; `bad_port` says that its port is no number.
    """

    def __init__(self, got: str | None, bad_port: bool) -> None:
        why = "; a port is a number" if bad_port else ""
        super().__init__(f"{EXPECTED}, got {got or 'another text'}{why}")
        self.got, self.bad_port = got, bad_port


def database_url(text: str) -> str:
    """Return the URL of a database. Where that of a PostgreSQL names no driver, psycopg is added.

    Raises WrongUrl for any other text, also for a database of another kind and for one in memory,
    which would forget every hand. The message shows no password.
    """
    try:
        url: URL = make_url(text)
        url.get_dialect()  # raises ArgumentError for a kind or a driver that nobody knows
    except ArgumentError as error:
        raise _wrong(text) from error
    except ValueError as error:  # from the port
        raise _wrong(text, bad_port=True) from error
    kind = url.get_backend_name()
    in_memory = not url.database or ":memory:" in text or "mode=memory" in text
    if kind not in KINDS or (kind == "sqlite" and in_memory):
        raise _wrong(text)
    if kind == "postgresql" and "+" not in url.drivername:
        url = url.set(drivername="postgresql+psycopg")
        return url.render_as_string(hide_password=False)
    return text


def _wrong(text: str, *, bad_port: bool = False) -> WrongUrl:
    """Return the error for a text that is no URL of a database. Of an address that may hold a
    password the error shows only how it begins, and of any other such text nothing.
    """
    got = None
    if _WITHOUT_SECRET.fullmatch(text):
        got = repr(text)
    elif found := _SCHEME.match(text):
        got = repr(f"{found.group()}...")
    return WrongUrl(got, bad_port)
