"""Addresses by which a proxy leads all that concerns a watched table to one process, the one that
watches it.

Before the path of such an address stands `/tables/KEY`. The key follows from the match, whoever
asks; the proxy chooses the process by it, and the process takes it off.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

_BEFORE = re.compile(rb"/tables/[0-9a-f]+(?=/)")


def by_table(match_id: str, path: str) -> str:
    """Return a path with what names the table of a match before it."""
    return f"/tables/{hashlib.sha256(match_id.encode()).hexdigest()[:16]}{path}"


class WithoutTable:
    """An ASGI application for another one, which sees addresses without what names their table."""

    def __init__(self, asgi: Any) -> None:
        self._asgi = asgi

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and (named := _BEFORE.match(scope["raw_path"])):
            raw = scope["raw_path"][named.end() :]
            scope = {**scope, "raw_path": raw, "path": scope["path"][named.end() :]}
        await self._asgi(scope, receive, send)
