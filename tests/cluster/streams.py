"""Event streams of many phones at once, as a browser holds them, in one event loop."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from urllib.parse import urlsplit

from ..scorer_app.served import PATIENCE

AGAIN = 2.0  # seconds before a browser asks for a stream again that broke: the server names them


class Phone:
    """A client that follows one stream of events. `heard` holds the moments, in monotonic seconds,
    at which the stream began or told of a change; `refused` counts the streams that the server
    refused.
    """

    def __init__(self, base: str, path: str, cookie: str = "") -> None:
        self.where, self.path, self.cookie = urlsplit(base), path, cookie
        self.heard: list[float] = []
        self.refused = 0
        self._news = asyncio.Event()

    async def follow(self) -> None:
        """Follow the stream until it ends."""
        reader, writer = await asyncio.open_connection(self.where.hostname, self.where.port)
        lines = (
            f"GET {self.path} HTTP/1.1",
            f"Host: {self.where.netloc}",
            f"Cookie: {self.cookie}",
            "Connection: close",  # the end of the stream is that of the connection
        )
        writer.write("\r\n".join((*lines, "", "")).encode())
        try:
            while line := await reader.readline():
                if line == b"event: change\n":
                    self.heard.append(time.monotonic())
                    self._news.set()
        finally:
            writer.close()

    async def keep_following(self) -> None:
        """Follow the stream, and connect again whenever it ends or breaks, as a browser does."""
        while True:
            known = len(self.heard)
            with suppress(OSError):
                await self.follow()
            self.refused += len(self.heard) == known
            await asyncio.sleep(AGAIN)

    async def hears_after(self, moment: float) -> None:
        """Wait until it has heard a change after a moment, in monotonic seconds."""
        while not self.heard or self.heard[-1] <= moment:
            await self.hears(len(self.heard) + 1)

    async def hears(self, count: int) -> None:
        """Wait until the phone has heard of `count` changes, the stream's beginning included."""
        async with asyncio.timeout(PATIENCE):
            while len(self.heard) < count:
                self._news.clear()
                await self._news.wait()
