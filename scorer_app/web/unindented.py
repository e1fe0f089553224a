"""Leaves the indentation of the templates out of the pages, which are sent uncompressed: on the
page of a hand it took 700 bytes.
"""

from __future__ import annotations

import re

from jinja2.ext import Extension

_INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)


class Unindented(Extension):
    """Takes the spaces from the beginning of each line of a template; the line's end stays, so that
    words stay apart.
    """

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        return _INDENTATION.sub("", source)
