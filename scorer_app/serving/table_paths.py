"""Addresses that a proxy leads to the one process that watches a table.

Such an address begins with `/tables/KEY`. The key is computed from the match's id, so that it is
the same for everybody. The proxy chooses the process by the key, and the process removes this
beginning.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

_BEFORE = re.compile(rb"/tables/[0-9a-f]+(?=/)")


def by_table(match_id: str, path: str) -> str:
    """Return the path with `/tables/KEY` before it. The key is computed from the match's id."""
    return f"/tables/{hashlib.sha256(match_id.encode()).hexdigest()[:16]}{path}"


class WithoutTable:
    """An ASGI application that removes `/tables/KEY` from the path of each request and passes the
    request to another application.
    """

    def __init__(self, asgi: Any) -> None:
        self._asgi = asgi

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and (named := _BEFORE.match(scope["raw_path"])):
            raw = scope["raw_path"][named.end() :]
            scope = {**scope, "raw_path": raw, "path": scope["path"][named.end() :]}
        await self._asgi(scope, receive, send)
